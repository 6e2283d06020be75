//! From samples to a record's rows: what each side took, the ratios round by round, and whether the
//! claims hold here.

use std::collections::BTreeMap;

use super::record::{self, Holds, Ratio, Verdict};
use super::rows::{Chapter, Claim, Row};
use super::stats::{Distribution, Spread, mad, median, quantile, rounded};

/// What was sampled of a side of a row.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    /// By round, so that two sides can be compared round by round.
    pub(crate) rounds: BTreeMap<u32, f64>,
    /// What the values were made of.
    pub(crate) values: Vec<f64>,
    /// Why there are not more.
    pub(crate) missing: Option<String>,
}

/// All samples of a chapter, by row and side.
#[derive(Debug, Default)]
pub(crate) struct Taken(BTreeMap<(String, String), Samples>);

impl Taken {
    pub(crate) fn of(&mut self, row: &str, side: &str) -> &mut Samples {
        self.0.entry((row.to_owned(), side.to_owned())).or_default()
    }

    fn get(&self, row: &str, side: &str) -> Option<&Samples> {
        self.0.get(&(row.to_owned(), side.to_owned()))
    }

    /// One divided by the other, in each round that has both.
    fn ratios(&self, of: (&str, &str), to: (&str, &str)) -> Vec<f64> {
        let (Some(of), Some(to)) = (self.get(of.0, of.1), self.get(to.0, to.1)) else {
            return Vec::new();
        };
        let both = of
            .rounds
            .iter()
            .filter_map(|(round, of)| Some((of, to.rounds.get(round)?)));
        both.filter(|(_, to)| **to != 0.0)
            .map(|(of, to)| of / to)
            .collect()
    }

    fn values(&self, place: (&str, &str)) -> Vec<f64> {
        let samples = self.get(place.0, place.1);
        samples
            .map(|samples| samples.rounds.values().copied().collect())
            .unwrap_or_default()
    }

    /// The record's rows.
    pub(crate) fn rows(&self, chapter: &Chapter) -> Vec<record::Row> {
        chapter.rows.iter().map(|row| self.row(row)).collect()
    }

    fn row(&self, row: &Row) -> record::Row {
        record::Row {
            id: row.id.clone(),
            title: row.title.clone(),
            what: row.what.clone(),
            unit: row.unit.clone(),
            article: row.article,
            per: row.per.clone(),
            counted: row.counted,
            sides: row
                .sides
                .iter()
                .map(|side| self.side(&row.id, side))
                .collect(),
            ratios: if row.counted {
                Vec::new()
            } else {
                self.ratios_of(row)
            },
            claim: row
                .claim
                .as_ref()
                .map(|claim| self.claim(&row.id, &row.unit, claim)),
        }
    }

    fn side(&self, row: &str, side: &str) -> record::Side {
        let empty = Samples {
            missing: Some("not measured".to_owned()),
            ..Samples::default()
        };
        let samples = self.get(row, side).unwrap_or(&empty);
        let values: Vec<f64> = samples.rounds.values().copied().collect();
        let of = |value: fn(&[f64]) -> f64| (!values.is_empty()).then(|| rounded(value(&values)));
        let (side, variant) = match side.split_once('/') {
            Some((side, variant)) => (side, Some(variant.to_owned())),
            None => (side, None),
        };
        record::Side {
            side: side.to_owned(),
            variant,
            n: values.len(),
            median: of(median),
            min: of(|values| quantile(values, 0.0)),
            p90: of(|values| quantile(values, 0.9)),
            mad: of(mad),
            samples: values.iter().map(|&value| rounded(value)).collect(),
            distribution: Distribution::of(&samples.values),
            missing: samples.missing.clone(),
        }
    }

    /// Each of ours to each of the others; and ours to each other.
    fn ratios_of(&self, row: &Row) -> Vec<Ratio> {
        let is_ours = |side: &str| side.split('/').next() == Some("ours");
        let mut ratios = Vec::new();
        for (at, of) in row
            .sides
            .iter()
            .enumerate()
            .filter(|(_, side)| is_ours(side))
        {
            for to in row
                .sides
                .iter()
                .enumerate()
                .filter(|(i, to)| !is_ours(to) || *i > at)
            {
                let values = self.ratios((&row.id, of), (&row.id, to.1));
                if let Some(spread) = Spread::of(&values) {
                    ratios.push(Ratio {
                        of: of.clone(),
                        to: to.1.clone(),
                        median: rounded(spread.median),
                        low: rounded(spread.low),
                        high: rounded(spread.high),
                        verdict: verdict(&spread),
                    });
                }
            }
        }
        ratios
    }

    fn claim(&self, row: &str, unit: &str, claim: &Claim) -> record::Claim {
        let said = |holds, found: String| record::Claim {
            text: claim.text.clone(),
            holds,
            found,
        };
        let not_measured = || said(Holds::NotMeasured, "not measured".to_owned());
        let Some((of, to)) = claim.about(row) else {
            return not_measured();
        };
        if claim.equal {
            let (of, to) = (
                self.values(of),
                to.map(|to| self.values(to)).unwrap_or_default(),
            );
            return match (of.first(), to.first()) {
                (Some(a), Some(b)) => {
                    let same = |values: &[f64], first: &f64| {
                        let first = first.to_bits();
                        values.iter().all(|value| value.to_bits() == first)
                    };
                    let holds = if !same(&of, a) || !same(&to, b) {
                        // What is not the same each time was disturbed.
                        Holds::Undecided
                    } else if same(&of, b) {
                        Holds::Yes
                    } else {
                        Holds::No
                    };
                    said(
                        holds,
                        format!("{} and {} {unit}", each_once(&of), each_once(&to)),
                    )
                }
                _ => not_measured(),
            };
        }
        let (values, unit) = match to {
            Some(to) => (self.ratios(of, to), "times"),
            None => (self.values(of), unit),
        };
        let Some(spread) = Spread::of(&values) else {
            return not_measured();
        };
        said(
            judge(&spread, claim.at_least, claim.at_most),
            shown(&spread, unit),
        )
    }
}

/// The values that there are, in the order in which they came.
fn each_once(values: &[f64]) -> String {
    let mut seen: Vec<f64> = Vec::new();
    for value in values {
        if !seen.contains(value) {
            seen.push(*value);
        }
    }
    seen.into_iter().map(figure).collect::<Vec<_>>().join(", ")
}

fn verdict(spread: &Spread) -> Verdict {
    if spread.high < 1.0 {
        Verdict::Lower
    } else if spread.low > 1.0 {
        Verdict::Higher
    } else {
        Verdict::Undecided
    }
}

/// Whether what was found lies within the bounds, with its spread or not at all.
fn judge(spread: &Spread, at_least: Option<f64>, at_most: Option<f64>) -> Holds {
    let (least, most) = (
        at_least.unwrap_or(f64::NEG_INFINITY),
        at_most.unwrap_or(f64::INFINITY),
    );
    if spread.low >= least && spread.high <= most {
        Holds::Yes
    } else if spread.high < least || spread.low > most {
        Holds::No
    } else {
        Holds::Undecided
    }
}

fn shown(spread: &Spread, unit: &str) -> String {
    let [middle, low, high] = [spread.median, spread.low, spread.high].map(figure);
    if low == high {
        format!("{middle} {unit}")
    } else {
        format!("{middle} {unit} ({low} to {high})")
    }
}

/// A number as a reader wants it: three digits that count, thousands set off.
pub(crate) fn figure(value: f64) -> String {
    let size = value.abs();
    let text = if value.fract() == 0.0 && size < 1e15 || size >= 99.95 {
        format!("{value:.0}")
    } else if size >= 9.995 {
        format!("{value:.1}")
    } else if size >= 0.1 {
        format!("{value:.2}")
    } else {
        format!("{value:.4}")
    };
    let (whole, rest) = text
        .split_once('.')
        .map_or((&*text, None), |(a, b)| (a, Some(b)));
    let (sign, digits) = whole
        .strip_prefix('-')
        .map_or(("", whole), |digits| ("-", digits));
    let mut grouped = String::from(sign);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    if let Some(rest) = rest {
        grouped.push('.');
        grouped.push_str(rest);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chapter(rows: &str) -> Chapter {
        Chapter::parse("01-a", &format!("chapter = 'a'\n{rows}")).unwrap()
    }

    fn row(id: &str, more: &str) -> String {
        format!("[[row]]\nid = '{id}'\ntitle = 'T'\nwhat = 'W'\nunit = 'ns'\nper = 'op'\n{more}\n")
    }

    fn taken(all: &[(&str, &str, &[f64])]) -> Taken {
        let mut taken = Taken::default();
        for (row, side, values) in all {
            for (round, value) in (0..).zip(*values) {
                taken.of(row, side).rounds.insert(round, *value);
            }
        }
        taken
    }

    #[test]
    fn ratios_are_taken_round_by_round() {
        let chapter = chapter(&row(
            "x",
            "sides = ['ours/a', 'ours/b', 'cpython', 'uvloop']",
        ));
        // A machine that slows down to a tenth slows both: the ratio stands.
        let taken = taken(&[
            ("x", "ours/a", &[1.0, 10.0, 2.0]),
            ("x", "ours/b", &[3.0, 10.0, 1.0]),
            ("x", "cpython", &[10.0, 100.0, 20.0]),
        ]);
        let rows = taken.rows(&chapter);
        let ratio = |of: &str, to: &str| {
            rows[0]
                .ratios
                .iter()
                .find(|ratio| ratio.of == of && ratio.to == to)
        };
        let found = ratio("ours/a", "cpython").unwrap();
        assert_eq!((found.low, found.median, found.high), (0.1, 0.1, 0.1));
        assert_eq!(found.verdict, Verdict::Lower);
        assert_eq!(
            ratio("ours/a", "ours/b").unwrap().verdict,
            Verdict::Undecided
        );
        assert!(ratio("ours/a", "uvloop").is_none());
        let uvloop = &rows[0].sides[3];
        assert_eq!((uvloop.n, uvloop.median), (0, None));
        assert_eq!(uvloop.missing.as_deref(), Some("not measured"));
        assert_eq!(rows[0].sides[0].name(), "ours/a");
        assert_eq!(rows[0].sides[0].median, Some(2.0));
    }

    #[test]
    fn a_round_that_one_side_lacks_is_left_out_of_the_ratio() {
        let chapter = chapter(&row("x", "sides = ['ours', 'cpython']"));
        let mut taken = taken(&[("x", "ours", &[1.0, 2.0, 4.0])]);
        taken.of("x", "cpython").rounds.insert(2, 8.0);
        let ratio = &taken.rows(&chapter)[0].ratios[0];
        assert!((ratio.median - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_claim_holds_with_its_spread_or_is_undecided() {
        let claims = [
            ("at_least = 5", Holds::Yes),
            ("at_least = 10", Holds::Undecided),
            ("at_least = 20", Holds::No),
            ("at_most = 5", Holds::No),
            ("at_least = 5, at_most = 20", Holds::Yes),
        ];
        for (bounds, holds) in claims {
            let claim = format!(
                "sides = ['ours']\nclaim = {{ text = 'C', ratio = ['y', 'x'], side = 'ours', {bounds} }}"
            );
            let chapter = chapter(&(row("x", "sides = ['ours']") + &row("y", &claim)));
            let taken = taken(&[
                ("x", "ours", &[1.0, 1.0, 1.0]),
                ("y", "ours", &[8.0, 10.0, 12.0]),
            ]);
            let found = taken.rows(&chapter)[1].claim.clone().unwrap();
            assert_eq!(found.holds, holds, "{bounds}");
            assert_eq!(found.found, "10 times (9 to 11)");
            let nothing = Taken::default().rows(&chapter)[1].claim.clone().unwrap();
            assert_eq!(nothing.holds, Holds::NotMeasured);
        }
    }

    #[test]
    fn counted_things_are_equal_in_every_round_or_not_at_all() {
        let claim = "counted = true\nsides = ['ours', 'cpython']\n\
                     claim = { text = 'C', sides = ['ours', 'cpython'], equal = true }";
        let chapter = chapter(&row("x", claim));
        let holds = |ours: &[f64], cpython: &[f64]| {
            let taken = taken(&[("x", "ours", ours), ("x", "cpython", cpython)]);
            taken.rows(&chapter)[0].claim.clone().unwrap()
        };
        let equal = holds(&[6.0, 6.0], &[6.0, 6.0]);
        assert_eq!((equal.holds, &*equal.found), (Holds::Yes, "6 and 6 ns"));
        let once = holds(&[6.0, 7.0], &[6.0, 6.0]);
        assert_eq!(
            (once.holds, &*once.found),
            (Holds::Undecided, "6, 7 and 6 ns")
        );
        let other = holds(&[7.0, 7.0], &[6.0, 6.0]);
        assert_eq!((other.holds, &*other.found), (Holds::No, "7 and 6 ns"));
        assert_eq!(holds(&[6.0], &[]).holds, Holds::NotMeasured);
    }

    #[test]
    fn figures_are_for_readers() {
        let shown = [
            0.012_34,
            0.5,
            1.234,
            12.34,
            123.4,
            1_234.5,
            5.0,
            1_234_567.0,
        ]
        .map(figure);
        let wanted = [
            "0.0123",
            "0.50",
            "1.23",
            "12.3",
            "123",
            "1,234",
            "5",
            "1,234,567",
        ];
        assert_eq!(shown, wanted);
    }
}
