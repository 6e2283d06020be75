//! The table beneath a plot: a line a row, a column a side, the ratios, and the claim below the row.

use std::fmt::Write as _;

use super::figures::{Scale, capital, times};
use super::record::{Claim, Holds, Record, Row, Side};
use super::side::{self, Column, Compared, compared};
use super::{escaped, heading, marked};

/// What the columns of numbers may take of a page, in pixels. With more, the spread of each number is
/// left to the plot and to the record.
const ROOM: usize = 450;

/// With more sides than this, a column more would leave the page: the reader's own figures stand
/// below each row.
const MANY: usize = 5;

/// The table of rows that share a unit; `own` is the reader's record.
pub(super) fn html(rows: &[&Row], columns: &[Column], own: Option<&Record>) -> String {
    let article = rows.iter().any(|row| row.article.is_some());
    let mut table = Table {
        rows,
        columns,
        article,
        ratio: rows.iter().any(|row| !compared(row, columns).is_empty()),
        spread: true,
        scale: side::scale(rows, columns),
        own,
    };
    let letters = columns.iter().map(|column| table.letters(column));
    let width: usize = letters
        .chain(article.then_some(6))
        .map(|letters| letters * 13 / 2 + 17)
        .sum();
    table.spread = width <= ROOM && own.is_none();
    let mut html = format!(
        "<div class=\"table-wrapper\"><table class=\"measured{}\">\n<caption>{}</caption>\n<thead><tr>{}</tr>\
         </thead>\n<tbody>\n",
        if table.spread { "" } else { " wide" },
        table.caption(),
        table.head()
    );
    for row in rows {
        table.row(&mut html, row);
    }
    html.push_str("</tbody>\n</table></div>\n");
    html
}

struct Table<'a> {
    rows: &'a [&'a Row],
    columns: &'a [Column],
    article: bool,
    ratio: bool,
    spread: bool,
    scale: Scale,
    own: Option<&'a Record>,
}

impl Table<'_> {
    fn caption(&self) -> String {
        let unit = capital(&self.scale.name);
        if self.counted() {
            return format!("{unit}, counted");
        }
        if self.spread {
            format!(
                "{unit}: the median, and below it the least of the samples and their 90th percentile"
            )
        } else {
            format!("{unit}: medians; the plot and the record have the spread")
        }
    }

    fn head(&self) -> String {
        let mut names = vec!["row".to_owned()];
        if self.article {
            names.push("article".to_owned());
        }
        names.extend(self.columns.iter().map(|column| match column.side() {
            "cpython" => "CPython here".to_owned(),
            _ => heading(column),
        }));
        if self.ratio {
            names.push("ratio".to_owned());
        }
        if self.counted() {
            names.push("as claimed".to_owned());
        }
        if self.own_column().is_some() {
            names.push("your machine".to_owned());
        }
        let head = |html: String, name: &String| html + &format!("<th scope=\"col\">{name}</th>");
        names.iter().fold(String::new(), head)
    }

    fn row(&self, html: &mut String, row: &Row) {
        let mut cells = vec![];
        let mut cell = |label: &str, class: &str, text: String| {
            let (none, text) = if text.is_empty() {
                (" none", "–")
            } else {
                ("", text.as_str())
            };
            cells.push(format!(
                "<td class=\"{class}{none}\" data-label=\"{label}\">{text}</td>"
            ));
        };
        if self.article {
            cell(
                "article",
                "number",
                row.article
                    .map(|value| self.scale.given(value))
                    .unwrap_or_default(),
            );
        }
        for column in self.columns {
            let text = row
                .side(&column.id)
                .map(|side| self.side(side))
                .unwrap_or_default();
            cell(&heading(column), "number", text);
        }
        if self.ratio {
            cell("ratio", "ratio", ratios(&compared(row, self.columns)));
        }
        if self.counted() {
            let said = row.claim.as_ref().map(|claim| match claim.holds {
                Holds::No => format!("no <small>{}</small>", escaped(&claim.found)),
                other => word(other).to_owned(),
            });
            cell("as claimed", "ratio", said.unwrap_or_default());
        }
        if let Some(own) = self.own_column() {
            cell("your machine", "ratio own", self.own_cell(own, row));
        }
        let per = if self.counted() {
            String::new()
        } else {
            format!(" <small>per {}</small>", escaped(&row.per))
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">{}{per}</th>{}</tr>",
            marked(self.title(row)),
            cells.concat()
        );
        let below = self.own.filter(|_| self.own_column().is_none());
        if let Some(own) = below.map(|own| self.own_cell(own, row)) {
            let _ = writeln!(
                html,
                "<tr class=\"claim own\"><td colspan=\"{}\"><p><b>Your machine:</b> {own}</p></td></tr>",
                cells.len() + 1
            );
        }
        if let Some(claim) = row.claim.as_ref().filter(|_| !self.counted()) {
            let _ = writeln!(
                html,
                "<tr class=\"claim\"><td colspan=\"{}\"><p>{}</p></td></tr>",
                cells.len() + 1,
                said(claim)
            );
        }
    }

    /// What the caption says of all rows need not be said of each.
    fn title<'a>(&self, row: &'a Row) -> &'a str {
        let title = row.title.as_str();
        let short = title
            .strip_prefix(&format!("{}: ", row.unit))
            .or_else(|| title.strip_suffix(&format!(": {}", row.unit)));
        short.filter(|_| self.counted()).unwrap_or(title)
    }

    fn counted(&self) -> bool {
        self.rows[0].counted
    }

    fn own_column(&self) -> Option<&Record> {
        self.own.filter(|_| self.columns.len() <= MANY)
    }

    /// How many letters the widest spread of a column has.
    fn letters(&self, column: &Column) -> usize {
        let sides = self.rows.iter().filter_map(|row| row.side(&column.id));
        let spreads = sides.filter_map(|side| Some([side.min?, side.p90?]));
        let letters = spreads.map(|ends| ends.map(|end| self.scale.shown(end).len()));
        letters
            .map(|[low, high]| low + high + 4)
            .max()
            .unwrap_or_default()
    }

    fn side(&self, side: &Side) -> String {
        let (Some(median), Some(min), Some(p90)) = (side.median, side.min, side.p90) else {
            return String::new();
        };
        if self.counted() {
            return self.scale.shown(median);
        }
        let [median, min, p90] = [median, min, p90].map(|value| self.scale.shown(value));
        if self.spread && min != p90 {
            format!("<span>{median}<small>{min} to {p90}</small></span>")
        } else {
            median
        }
    }

    /// What the reader's own record says of a row: the ratios, and what they are made of.
    fn own_cell(&self, own: &Record, row: &Row) -> String {
        let Some(row) = own.rows.iter().find(|own| own.id == row.id) else {
            return String::new();
        };
        let sides = self.columns.iter().filter_map(|column| {
            let side = row.side(&column.id)?;
            let said = format!("{} {}", heading(column), self.scale.shown(side.median?));
            Some(said.replace(' ', "\u{a0}"))
        });
        let sides: Vec<String> = sides.collect();
        if self.counted() {
            return sides.join(", ");
        }
        format!(
            "{}<small>{}</small>",
            ratios(&compared(row, self.columns)),
            sides.join(", ")
        )
    }
}

fn ratios(all: &[Compared]) -> String {
    let span = |html: String, pair: &Compared| html + &format!("<span>{}</span>", ratio(pair));
    all.iter().fold(String::new(), span)
}

/// `CPython 44 × ours`: who takes how many times of whom, so that the number is never below 1.
fn ratio(pair: &Compared) -> String {
    let Compared { ratio, ours, other } = pair;
    let (ours, other) = (escaped(ours), escaped(other));
    let (low, middle, high) = (ratio.low, ratio.median, ratio.high);
    if [low, high].map(times) == ["1.00", "1.00"] {
        return format!("{ours} and {other} alike");
    }
    if low <= 1.0 && 1.0 <= high {
        let [low, high] = [low, high].map(times);
        return format!("{ours} and {other}: undecided <small>{low} to {high}</small>");
    }
    let (more, less, [low, middle, high]) = if middle < 1.0 {
        (
            other,
            ours,
            [1.0 / high, 1.0 / middle, 1.0 / low].map(times),
        )
    } else {
        (ours, other, [low, middle, high].map(times))
    };
    let spread = if low == high {
        String::new()
    } else {
        format!(" <small>{low} to {high}</small>")
    };
    // It may break before the number alone.
    let less = less.replace(' ', "\u{a0}");
    format!("{more} <b>{middle}\u{a0}×</b>\u{a0}{less}{spread}")
}

fn word(holds: Holds) -> &'static str {
    match holds {
        Holds::Yes => "yes",
        Holds::No => "no",
        Holds::Undecided => "undecided",
        Holds::NotMeasured => "not measured",
    }
}

fn said(claim: &Claim) -> String {
    let text = marked(&claim.text);
    match claim.holds {
        Holds::Yes => format!("<b>Holds here:</b> {text}: {}.", escaped(&claim.found)),
        Holds::No => format!(
            "<b>Does not hold here:</b> {text}: {}.",
            escaped(&claim.found)
        ),
        Holds::Undecided => format!("<b>Undecided here:</b> {text}: {}.", escaped(&claim.found)),
        Holds::NotMeasured => format!("<b>Not measured here:</b> {text}."),
    }
}
