//! Below the tables: what each row does, the claims of what is counted, and why cells are empty.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::record::{Holds, Record, Row};
use super::side::Column;
use super::{heading, marked};

/// The notes of the rows of a directive.
pub(super) fn html(rows: &[&Row], columns: &[Column], record: &Record) -> String {
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
            let which = if of.len() < rows.len() {
                format!(" ({})", titles.join("; "))
            } else {
                String::new()
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
