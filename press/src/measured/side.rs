//! The sides of a measurement as columns: their order, their names, and which of ours is compared
//! with which of the others.

use super::directive::Wrong;
use super::figures::Scale;
use super::record::{Ratio, Row};

/// In the order of a table; the variants of a side stand in the order of the record.
const ORDER: [&str; 7] = [
    "cpython",
    "uvloop",
    "ours",
    "by-hand",
    "tokio",
    "async-executor",
    "local-pool",
];

/// Other runtimes that do the same work.
const PEERS: [&str; 3] = ["tokio", "async-executor", "local-pool"];

/// A side that has a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    /// With its variant: `ours/static`.
    pub(super) id: String,
}

impl Column {
    /// Without the variant: `ours`.
    pub(super) fn side(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }

    fn variant(&self) -> Option<String> {
        self.id
            .split_once('/')
            .map(|(_, variant)| variant.replace('-', " "))
    }

    /// `ours, static`.
    pub(super) fn name(&self) -> String {
        let side = match self.side() {
            "cpython" => "CPython",
            "by-hand" => "by hand",
            "local-pool" => "LocalPool",
            other => other,
        };
        match self.variant() {
            Some(variant) => format!("{side}, {variant}"),
            None => side.to_owned(),
        }
    }

    /// The name beside a bar, which stands below that of another column.
    pub(super) fn short(&self, above: Option<&Self>) -> String {
        match (self.variant(), above) {
            (Some(variant), Some(above)) if above.id == self.side() && self.id.len() > 18 => {
                format!("the same, {variant}")
            }
            _ => self.name(),
        }
    }

    pub(super) fn is_peer(&self) -> bool {
        PEERS.contains(&self.side())
    }
}

/// The columns of these rows: the named sides, or all that a row has.
pub(super) fn columns(rows: &[&Row], named: &[String]) -> Result<Vec<Column>, Wrong> {
    let mut found: Vec<Column> = Vec::new();
    for side in rows.iter().flat_map(|row| &row.sides) {
        let column = Column { id: side.name() };
        if !found.contains(&column) {
            found.push(column);
        }
    }
    found.sort_by_key(|column| ORDER.iter().position(|side| *side == column.side()));
    if let Some(unknown) = named
        .iter()
        .find(|name| !found.iter().any(|column| column.id == **name))
    {
        let known: Vec<&str> = found.iter().map(|column| column.id.as_str()).collect();
        return Err(Wrong::new(
            format!("none of these rows has a side `{unknown}`"),
            format!("write some of {}", known.join(", ")),
        ));
    }
    found.retain(|column| named.is_empty() || named.contains(&column.id));
    Ok(found)
}

/// The unit of a table of these rows.
pub(super) fn scale(rows: &[&Row], columns: &[Column]) -> Scale {
    let sides = rows
        .iter()
        .flat_map(|row| columns.iter().filter_map(|column| row.side(&column.id)));
    Scale::of(&rows[0].unit, sides.filter_map(|side| side.median))
}

/// A comparison that a table shows: one of ours with another side.
pub(super) struct Compared<'a> {
    pub(super) ratio: &'a Ratio,
    /// Ours, in so many words that it is told from others of ours.
    pub(super) ours: String,
    pub(super) other: String,
}

/// Each of ours with CPython; the first of ours with the work by hand and with the best peer.
pub(super) fn compared<'a>(row: &'a Row, columns: &[Column]) -> Vec<Compared<'a>> {
    let ours: Vec<&Column> = columns
        .iter()
        .filter(|column| column.side() == "ours" && row.side(&column.id).is_some())
        .collect();
    let several = ours.len() > 1;
    let pair = |of: &Column, to: &Column| {
        Some(Compared {
            ratio: row.ratio(&of.id, &to.id)?,
            ours: of
                .variant()
                .filter(|_| several)
                .unwrap_or_else(|| "ours".to_owned()),
            other: if to.side() == "ours" {
                to.variant().unwrap_or_else(|| to.name())
            } else {
                to.name()
            },
        })
    };
    let named = |side: &'static str| columns.iter().filter(move |column| column.side() == side);
    let mut all: Vec<Compared> = Vec::new();
    for of in &ours {
        all.extend(named("cpython").filter_map(|to| pair(of, to)));
    }
    let Some(first) = ours.first() else {
        return all;
    };
    all.extend(named("by-hand").filter_map(|to| pair(first, to)));
    // The others of ours stand beside the first: the mode switched off, and never switched on.
    if !columns.iter().any(|column| column.side() == "by-hand")
        && several
        && first.variant().is_none()
    {
        all.extend(ours[1..].iter().filter_map(|to| pair(first, to)));
    }
    let peers = columns.iter().filter(|column| column.is_peer());
    let best = peers
        .filter_map(|to| pair(first, to))
        .max_by(|a, b| a.ratio.median.total_cmp(&b.ratio.median));
    all.extend(best);
    all
}
