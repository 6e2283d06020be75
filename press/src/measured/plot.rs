//! The plot of rows that share a unit: a bar a side with a line for its spread. Names and numbers
//! stand in a column of fixed width and the axis takes the rest, so that a narrow screen has a
//! shorter axis and no smaller letters: `measured.css` makes lengths of the shares `--at`, `--low` and
//! `--high` of the axis. It has no ids: the print page holds every plot.

use std::fmt::Write as _;

use super::escaped;
use super::figures::{Scale, capital, exact, without_noise};
use super::record::{Row, Side};
use super::side::{self, Column};

/// Medians that lie further apart than this are shown on a logarithmic axis.
const FAR: f64 = 50.0;

/// So many letters of a title stand on a line.
const WIDEST: usize = 47;

const TITLE: f64 = 21.0;
const LINE: f64 = 16.0;
const BAR: f64 = 17.0;
const GAP: f64 = 9.0;
const TOP: f64 = 22.0;

/// Where the names and the numbers end; `measured.css` lets the axis begin behind them.
const NAMES: u32 = 104;
const NUMBERS: u32 = 165;

/// The plot, or nothing where there is nothing to compare.
pub(super) fn html(rows: &[&Row], columns: &[Column]) -> String {
    figure_of(rows, columns).unwrap_or_default()
}

/// The plot, with what its axis is below it.
fn figure_of(rows: &[&Row], columns: &[Column]) -> Option<String> {
    let scale = side::scale(rows, columns);
    let shown: Vec<(&&Row, Vec<Bar>)> = rows
        .iter()
        .map(|row| (row, bars(row, columns, &scale)))
        .filter(|(_, bars)| !bars.is_empty())
        .collect();
    let axis = Axis::of(shown.iter().flat_map(|(_, bars)| bars))?;
    let mut drawn = String::new();
    let mut y = TOP;
    for (row, bars) in &shown {
        // Writing to a string cannot fail.
        for line in lines(&row.title) {
            let _ = writeln!(
                drawn,
                "<text class=\"row\" y=\"{}\">{}</text>",
                y + 13.0,
                escaped(&line)
            );
            y += LINE;
        }
        y += TITLE - LINE;
        for bar in bars {
            let _ = writeln!(
                drawn,
                "<text x=\"{NAMES}\" y=\"{y1}\" text-anchor=\"end\">{}</text><text class=\"value\" \
                 x=\"{NUMBERS}\" y=\"{y1}\" text-anchor=\"end\">{}</text>",
                escaped(&bar.name),
                bar.text,
                y1 = y + 11.5
            );
            bar.draw(&mut drawn, &axis, y);
            y += BAR;
        }
        y += GAP;
    }
    let ticks = axis.ticks(y);
    let how = if axis.log {
        "on a logarithmic axis"
    } else {
        "on an axis that begins at zero"
    };
    let what = capital(&scale.name);
    let titles: Vec<String> = shown
        .iter()
        .map(|(row, _)| escaped(&row.title.replace('`', "")))
        .collect();
    let article = if shown.iter().any(|(row, _)| row.article.is_some()) {
        " A diamond is the article’s figure."
    } else {
        ""
    };
    Some(format!(
        "<figure class=\"plot\">\n<svg role=\"img\" width=\"100%\" height=\"{height}\">\n<title>{what}, {how}: \
         {count}</title>\n<desc>A group of bars for each of {titles}; a bar for each side, as long as its median, \
         and a line over its end from the least of the samples to their 90th percentile.{article} The table below \
         has the figures.</desc>\n{ticks}{drawn}</svg>\n<figcaption>{what}, {how}. A bar is a median; the line \
         over its end runs from the least of the samples to their 90th percentile.{article}</figcaption>\n</figure>\n",
        height = y.ceil(),
        count = match shown.len() {
            1 => "one row".to_owned(),
            count => format!("{count} rows"),
        },
        titles = titles.join("; "),
    ))
}

/// A title in as many lines as the narrowest screen needs.
fn lines(title: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in title.replace('`', "").split_whitespace() {
        let last = lines.last_mut().expect("there is one from the start");
        if last.is_empty() {
            word.clone_into(last);
        } else if last.chars().count() + word.chars().count() < WIDEST {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// A side of a row, or the article's figure.
struct Bar {
    name: String,
    text: String,
    class: String,
    median: f64,
    /// From where to where the samples lie; none for the article.
    spread: Option<(f64, f64)>,
}

fn bars(row: &Row, columns: &[Column], scale: &Scale) -> Vec<Bar> {
    let mut bars = Vec::new();
    bars.extend(row.article.map(|value| Bar {
        name: "article".to_owned(),
        text: scale.given(value),
        class: "article".to_owned(),
        median: scale.value(value),
        spread: None,
    }));
    let mut above: Option<&Column> = None;
    for column in columns {
        let Some(side) = row.side(&column.id) else {
            continue;
        };
        let &Side {
            median: Some(median),
            min: Some(min),
            p90: Some(p90),
            ..
        } = side
        else {
            continue;
        };
        let again = above.is_some_and(|above| above.side() == column.side());
        bars.push(Bar {
            name: column.short(above),
            text: scale.shown(median),
            class: format!(
                "{}{}",
                if column.is_peer() {
                    "peer"
                } else {
                    column.side()
                },
                if again { " again" } else { "" }
            ),
            median: scale.value(median),
            spread: Some((scale.value(min), scale.value(p90))),
        });
        above = Some(column);
    }
    // The article's figure by itself compares nothing.
    if bars.len() == 1 && bars[0].spread.is_none() {
        bars.clear();
    }
    bars
}

impl Bar {
    fn draw(&self, out: &mut String, axis: &Axis, y: f64) {
        let at = |value: f64| axis.place(value);
        let Some((low, high)) = self.spread else {
            let _ = writeln!(
                out,
                "<path class=\"article at\" style=\"--at:{:.4}\" d=\"M0 {top}l5.5 5.5-5.5 5.5-5.5-5.5Z\"/>",
                at(self.median),
                top = y + 2.0,
            );
            return;
        };
        let (low, high, middle) = (at(low), at(high), y + 7.5);
        let _ = writeln!(
            out,
            "<rect class=\"bar {}\" style=\"--at:{:.4}\" y=\"{}\" height=\"12\"/><rect class=\"spread\" \
             style=\"--low:{low:.4};--high:{high:.4}\" y=\"{}\" height=\"1.5\"/>",
            self.class,
            at(self.median),
            y + 1.5,
            middle - 0.75,
        );
        for end in [low, high] {
            let _ = writeln!(
                out,
                "<rect class=\"cap\" style=\"--at:{end:.4}\" y=\"{}\" height=\"7\"/>",
                middle - 3.5
            );
        }
    }
}

/// From where to where, and how.
struct Axis {
    log: bool,
    low: f64,
    high: f64,
}

impl Axis {
    fn of<'a>(bars: impl Iterator<Item = &'a Bar>) -> Option<Self> {
        let (mut medians, mut all) = (Vec::new(), Vec::new());
        for bar in bars {
            medians.push(bar.median);
            let (low, high) = bar.spread.unwrap_or((bar.median, bar.median));
            all.extend([low, bar.median, high]);
        }
        let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
        let high = most(&all);
        if medians.is_empty() || high <= 0.0 {
            return None;
        }
        let log = least(&all) > 0.0 && most(&medians) > FAR * least(&medians);
        // A bar that begins at its own value would have no length.
        let low = if log {
            10_f64.powf((least(&all) * 0.7).log10().floor())
        } else {
            0.0
        };
        Some(Self {
            log,
            low,
            high: if log { high * 1.15 } else { high * 1.04 },
        })
    }

    /// As a share of the axis.
    fn place(&self, value: f64) -> f64 {
        let share = if self.log {
            (value / self.low).log10() / (self.high / self.low).log10()
        } else {
            value / self.high
        };
        share.clamp(0.0, 1.0)
    }

    /// Lines across the plot, with their numbers above.
    fn ticks(&self, height: f64) -> String {
        let mut values = Vec::new();
        if self.log {
            let mut value = self.low;
            while value <= self.high {
                values.push(value);
                value *= 10.0;
            }
        } else {
            let rough = self.high / 4.0;
            let power = 10_f64.powf(rough.log10().floor());
            let step = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
            let step = step
                .into_iter()
                .find(|step| *step >= rough)
                .unwrap_or(rough);
            let mut value = 0.0;
            while value <= self.high {
                values.push(value);
                value += step;
            }
        }
        let every = values.len().div_ceil(4).max(1);
        let mut ticks = String::new();
        for (index, value) in values.iter().enumerate() {
            let place = self.place(*value);
            let fine = if index % every == 0 { "" } else { " fine" };
            let anchor = match place {
                place if place > 0.88 => "end",
                _ => "middle",
            };
            let _ = writeln!(
                ticks,
                "<rect class=\"tick\" style=\"--at:{place:.4}\" y=\"16\" height=\"{}\"/><text class=\"scale at{fine}\" \
                 style=\"--at:{place:.4}\" y=\"11\" text-anchor=\"{anchor}\">{}</text>",
                height - GAP - 16.0,
                tick(*value)
            );
        }
        ticks
    }
}

/// Powers of ten, and steps of an axis, without the digits that adding them up leaves.
fn tick(value: f64) -> String {
    exact(without_noise(value))
}
