//! The table beneath a plot: a line a row, a column a side, the ratios, and the claim below the row.

use std::collections::BTreeMap;
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
        columns,
        article,
        ratio: rows.iter().any(|row| !compared(row, columns).is_empty()),
        counted: rows[0].counted,
        spread: true,
        scale: side::scale(rows, columns),
        own,
    };
    let letters = columns.iter().map(|column| table.letters(rows, column));
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
    columns: &'a [Column],
    article: bool,
    ratio: bool,
    counted: bool,
    spread: bool,
    scale: Scale,
    own: Option<&'a Record>,
}

impl Table<'_> {
    fn caption(&self) -> String {
        let unit = capital(&self.scale.name);
        if self.counted {
            return format!("{unit}, counted");
        }
        match self.spread {
            true => format!(
                "{unit}: the median, and below it the least of the samples and their 90th percentile"
            ),
            false => format!("{unit}: medians; the plot and the record have the spread"),
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
        if self.counted {
            names.push("as claimed".to_owned());
        }
        if self.own_column().is_some() {
            names.push("your machine".to_owned());
        }
        names
            .iter()
            .map(|name| format!("<th scope=\"col\">{name}</th>"))
            .collect()
    }

    fn row(&self, html: &mut String, row: &Row) {
        let mut cells = vec![];
        let mut cell = |label: &str, class: &str, text: String| {
            let (none, text) = match text.is_empty() {
                true => (" none", "–"),
                false => ("", text.as_str()),
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
        if self.counted {
            let said = row.claim.as_ref().map(|claim| match claim.holds {
                Holds::No => format!("no <small>{}</small>", escaped(&claim.found)),
                other => word(other).to_owned(),
            });
            cell("as claimed", "ratio", said.unwrap_or_default());
        }
        if let Some(own) = self.own_column() {
            cell("your machine", "ratio own", self.own_cell(own, row));
        }
        let per = match self.counted {
            true => String::new(),
            false => format!(" <small>per {}</small>", escaped(&row.per)),
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
        if let Some(claim) = row.claim.as_ref().filter(|_| !self.counted) {
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
        short.filter(|_| self.counted).unwrap_or(title)
    }

    fn own_column(&self) -> Option<&Record> {
        self.own.filter(|_| self.columns.len() <= MANY)
    }

    /// How many letters the widest spread of a column has.
    fn letters(&self, rows: &[&Row], column: &Column) -> usize {
        let sides = rows.iter().filter_map(|row| row.side(&column.id));
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
        if self.counted {
            return self.scale.shown(median);
        }
        let [median, min, p90] = [median, min, p90].map(|value| self.scale.shown(value));
        match self.spread && min != p90 {
            true => format!("<span>{median}<small>{min} to {p90}</small></span>"),
            false => median,
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
        if self.counted {
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
    all.iter()
        .map(|pair| format!("<span>{}</span>", ratio(pair)))
        .collect()
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
    let (more, less, [low, middle, high]) = match middle < 1.0 {
        true => (
            other,
            ours,
            [1.0 / high, 1.0 / middle, 1.0 / low].map(times),
        ),
        false => (ours, other, [low, middle, high].map(times)),
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

/// Below the tables: what the rows do, the claims of what is counted, and what is missing.
pub(super) fn notes(rows: &[&Row], columns: &[Column], record: &Record) -> String {
    let mut html = String::new();
    let mut claims: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for claim in rows
        .iter()
        .filter(|row| row.counted)
        .filter_map(|row| row.claim.as_ref())
    {
        let counts = claims.entry(claim.text.as_str()).or_default();
        counts[0] += usize::from(claim.holds == Holds::Yes);
        counts[1] += 1;
    }
    for (text, [hold, of]) in claims {
        let plural = if of == 1 { "row" } else { "rows" };
        let _ = writeln!(
            html,
            "<p class=\"note\">Claimed: {}. It holds in {hold} of {of} {plural} here.</p>",
            marked(text)
        );
    }
    for why in missing(rows, columns, record) {
        let _ = writeln!(html, "<p class=\"note\">{why}</p>");
    }
    html.push_str("<details><summary>What each row does</summary>\n<dl>\n");
    for same in rows.chunk_by(|row, next| row.what == next.what) {
        let titles: Vec<String> = same.iter().map(|row| marked(&row.title)).collect();
        let _ = writeln!(
            html,
            "<dt>{}</dt><dd>{}</dd>",
            titles.join("; "),
            marked(&same[0].what)
        );
    }
    html.push_str("</dl>\n</details>\n");
    html
}

/// Why cells are empty: each reason once, with its sides, and its rows where others have the side.
fn missing(rows: &[&Row], columns: &[Column], record: &Record) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<&Column>, Vec<&Row>)> = Vec::new();
    for column in columns {
        for row in rows {
            let Some(why) = row
                .side(&column.id)
                .and_then(|side| side.missing.as_deref())
            else {
                continue;
            };
            match reasons.iter_mut().find(|(known, ..)| *known == why) {
                Some((_, columns, rows)) => {
                    if !columns.contains(&column) {
                        columns.push(column);
                    }
                    if !rows.iter().any(|known| known.id == row.id) {
                        rows.push(row);
                    }
                }
                None => reasons.push((why, vec![column], vec![row])),
            }
        }
    }
    let mut said: Vec<String> = reasons
        .iter()
        .map(|(why, columns, of)| {
            let names: Vec<String> = columns.iter().map(|column| heading(column)).collect();
            let titles: Vec<String> = of.iter().map(|row| marked(&row.title)).collect();
            let which = match of.len() < rows.len() {
                true => format!(" ({})", titles.join("; ")),
                false => String::new(),
            };
            format!(
                "{}{which}: {}.",
                names.join(", "),
                marked(why.trim_end_matches('.'))
            )
        })
        .collect();
    let all = record
        .missing
        .iter()
        .map(|why| format!("{}.", marked(why.trim_end_matches('.'))));
    said.extend(all);
    said
}
