//! Numbers for readers: three digits that count, thousands set off, a unit that fits.

/// A number that is measured: three digits that count.
pub(super) fn figure(value: f64) -> String {
    // Rounded first: 9.996 is 10.0, which has one digit less behind the point.
    let rounded: f64 = format!("{value:.2e}").parse().unwrap_or(value);
    let size = rounded.abs();
    let text = if size >= 99.95 || size == 0.0 {
        format!("{rounded:.0}")
    } else if size >= 9.995 {
        format!("{rounded:.1}")
    } else if size >= 0.9995 {
        format!("{rounded:.2}")
    } else {
        format!("{rounded:.3}")
    };
    grouped(&text)
}

/// A number that is known: as it is.
pub(super) fn exact(value: f64) -> String {
    grouped(&value.to_string())
}

/// How many times, which nobody reads to three digits but near 1.
pub(super) fn times(value: f64) -> String {
    if value < 1.995 {
        format!("{value:.2}")
    } else if value < 9.95 {
        format!("{value:.1}")
    } else if value < 99.5 {
        format!("{value:.0}")
    } else {
        let rounded: f64 = format!("{value:.1e}").parse().unwrap_or(value);
        grouped(&format!("{rounded:.0}"))
    }
}

fn grouped(text: &str) -> String {
    let (whole, rest) = match text.split_once('.') {
        Some((whole, rest)) => (whole, format!(".{rest}")),
        None => (text, String::new()),
    };
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 && !grouped.ends_with('-') {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + &rest
}

/// A number within a sentence, in the unit that suits its size; the space does not break.
pub(super) fn in_words(value: f64, unit: &str, counted: bool) -> String {
    if counted {
        let text = exact(value);
        let unit = if text == "1" {
            unit.trim_end_matches('s')
        } else {
            unit
        };
        return format!("{text}\u{a0}{unit}");
    }
    let (value, unit) = match unit {
        "ns" if value >= 999_500.0 => (value / 1e6, "ms"),
        "ns" if value >= 999.5 => (value / 1e3, "µs"),
        "ms" if value >= 9_995.0 => (value / 1e3, "s"),
        "ms" if value < 0.0995 => (value * 1e3, "µs"),
        _ => (value, unit),
    };
    format!("{}\u{a0}{unit}", figure(value))
}

/// The unit of a table and of its plot.
pub(super) struct Scale {
    /// As a word.
    pub(super) name: String,
    divisor: f64,
    /// Of things that one counts.
    whole: bool,
}

impl Scale {
    /// The unit that suits these values, which are in `unit`.
    pub(super) fn of(unit: &str, mut values: impl Iterator<Item = f64>) -> Self {
        let (name, divisor) = match unit {
            "ns" if values.all(|value| value >= 1e3) => ("microseconds", 1e3),
            "ns" => ("nanoseconds", 1.0),
            "ms" => ("milliseconds", 1.0),
            other => (other, 1.0),
        };
        Self {
            name: name.to_owned(),
            divisor,
            whole: !["ns", "ms", "bytes"].contains(&unit),
        }
    }

    pub(super) fn value(&self, value: f64) -> f64 {
        value / self.divisor
    }

    /// A number that is measured.
    pub(super) fn shown(&self, value: f64) -> String {
        if self.whole && value.fract() == 0.0 {
            exact(value)
        } else {
            figure(self.value(value))
        }
    }

    /// A number that is given.
    pub(super) fn given(&self, value: f64) -> String {
        exact(without_noise(self.value(value)))
    }
}

/// A number without the last digits, which a division leaves.
pub(super) fn without_noise(value: f64) -> f64 {
    format!("{value:.6e}").parse().unwrap_or(value)
}

/// With a capital letter.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_count() {
        let shown = [
            0.001_23, 0.012_34, 0.5, 7.237, 9.996, 84.01, 402.8, 1165.0, 57_557.0,
        ]
        .map(figure);
        let wanted = [
            "0.001", "0.012", "0.500", "7.24", "10.0", "84.0", "403", "1,160", "57,600",
        ];
        assert_eq!(shown, wanted);
        assert_eq!(
            [1.132, 4.155, 44.2, 161.0].map(times),
            ["1.13", "4.2", "44", "160"]
        );
        assert_eq!([90.8, 69.0, 5011.0].map(exact), ["90.8", "69", "5,011"]);
    }

    #[test]
    fn a_sentence_has_the_unit_that_suits() {
        let said = |value, unit| in_words(value, unit, false).replace('\u{a0}', " ");
        assert_eq!(said(91.42, "ns"), "91.4 ns");
        assert_eq!(said(5_700.0, "ns"), "5.70 µs");
        assert_eq!(said(0.058_9, "ms"), "58.9 µs");
        assert_eq!(said(9_836.0, "bytes"), "9,840 bytes");
        assert_eq!(in_words(1.0, "wakes", true), "1\u{a0}wake");
    }
}
