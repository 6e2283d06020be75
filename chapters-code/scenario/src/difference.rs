//! One difference between two traces, written so that the eye sees where they part. Long lists
//! are cut down to what stands around their first differing element.

use std::fmt;

use serde_json::Value;

/// How many equal elements are shown before the first differing one.
const BEFORE: usize = 2;
/// How wide a row may grow before the rest of its list is left out, in characters.
const WIDTH: usize = 80;

/// The first place in which two traces differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Where: the turn, or the part after the turns.
    pub place: String,
    /// The key that differs there.
    pub key: String,
    /// What CPython recorded; `None` if it has nothing there.
    pub expected: Option<Value>,
    /// What the loop did; `None` if it has nothing there.
    pub got: Option<Value>,
}

/// A difference as aligned text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    /// What CPython recorded.
    pub expected: String,
    /// What the loop did.
    pub got: String,
    /// Stands under the two and points at the first differing element; empty if they are no lists.
    pub marker: String,
}

impl Difference {
    /// The two values, element under element.
    ///
    /// ```
    /// use scenario::{Strictness, compare};
    /// use serde_json::json;
    ///
    /// let trace = |ran| json!({"turns": [{"turn": 1, "ran": ran}]});
    /// let (theirs, ours) = (trace(json!(["a", "b", "c", "d"])), trace(json!(["a", "b", "c"])));
    /// let rows = compare(&theirs, &ours, Strictness::Strict).unwrap().rows();
    /// assert_eq!(rows.expected, r#"[… 1 equal, "b", "c", "d"]"#);
    /// assert_eq!(rows.got, r#"[… 1 equal, "b", "c"]"#);
    /// assert_eq!(rows.marker, "                      ^^^");
    /// ```
    pub fn rows(&self) -> Rows {
        if let (Some(Value::Array(theirs)), Some(Value::Array(ours))) = (&self.expected, &self.got)
        {
            return align(theirs, ours);
        }
        let show = |value: &Option<Value>| match value {
            Some(value) => value.to_string(),
            None => "nothing".to_owned(),
        };
        Rows {
            expected: show(&self.expected),
            got: show(&self.got),
            marker: String::new(),
        }
    }
}

fn align(theirs: &[Value], ours: &[Value]) -> Rows {
    let parted = theirs.iter().zip(ours).take_while(|(a, b)| a == b).count();
    let start = parted.saturating_sub(BEFORE);
    let mut rows = Rows {
        expected: "[".to_owned(),
        got: "[".to_owned(),
        marker: " ".to_owned(),
    };
    if start > 0 {
        rows.all(&format!("… {start} equal, "));
    }
    let longest = theirs.len().max(ours.len());
    for index in start..longest {
        if index > parted && rows.marker.chars().count() > WIDTH {
            rows.expected += &rest(theirs.len(), index);
            rows.got += &rest(ours.len(), index);
            break;
        }
        let element = |list: &[Value]| list.get(index).map(Value::to_string);
        let cells = [element(theirs), element(ours)];
        let last = [index + 1 >= theirs.len(), index + 1 >= ours.len()];
        rows.column(&cells, last, index == parted);
    }
    for row in [&mut rows.expected, &mut rows.got] {
        row.truncate(row.trim_end().len());
        row.push(']');
    }
    rows.marker.truncate(rows.marker.trim_end().len());
    rows
}

/// What is left out of a list from `index` on.
fn rest(length: usize, index: usize) -> String {
    match length.saturating_sub(index) {
        0 => String::new(),
        more => format!("… {more} more"),
    }
}

impl Rows {
    fn all(&mut self, text: &str) {
        self.expected += text;
        self.got += text;
        self.marker += &" ".repeat(text.chars().count());
    }

    /// Adds an element to each row, both as wide as the wider of the two.
    fn column(&mut self, cells: &[Option<String>; 2], last: [bool; 2], marked: bool) {
        let text = |side: usize| match &cells[side] {
            Some(cell) if last[side] => cell.clone(),
            Some(cell) => format!("{cell}, "),
            None => String::new(),
        };
        let (theirs, ours) = (text(0), text(1));
        let width = theirs.chars().count().max(ours.chars().count());
        let pad = |text: &str| " ".repeat(width - text.chars().count());
        self.expected += &(theirs.clone() + &pad(&theirs));
        self.got += &(ours.clone() + &pad(&ours));
        let shown = cells
            .iter()
            .flatten()
            .map(|cell| cell.chars().count())
            .max();
        let marks = if marked { shown.unwrap_or_default() } else { 0 };
        self.marker += &("^".repeat(marks) + &" ".repeat(width - marks));
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.rows();
        writeln!(f, "{}, {}:", self.place, self.key)?;
        writeln!(f, "  CPython   {}", rows.expected)?;
        write!(f, "  the loop  {}", rows.got)?;
        if !rows.marker.is_empty() {
            write!(f, "\n            {}", rows.marker)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(expected: Value, got: Value) -> String {
        let difference = Difference {
            place: "turn 3".to_owned(),
            key: "ran".to_owned(),
            expected: Some(expected),
            got: Some(got),
        };
        difference.to_string()
    }

    #[test]
    fn elements_of_different_width_stay_under_each_other() {
        assert_eq!(
            shown(json!(["a", "long:name", "c"]), json!(["a", "b", "c", "d"])),
            "turn 3, ran:\n\
             \x20 CPython   [\"a\", \"long:name\", \"c\"]\n\
             \x20 the loop  [\"a\", \"b\",         \"c\", \"d\"]\n\
             \x20                 ^^^^^^^^^^^"
        );
    }

    #[test]
    fn scalars_need_no_marker() {
        assert_eq!(
            shown(json!(5), Value::Null),
            "turn 3, ran:\n  CPython   5\n  the loop  null"
        );
    }

    #[test]
    fn long_lists_are_cut_around_the_first_differing_element() {
        let mut ours: Vec<u32> = (0..1000).collect();
        let theirs = json!(ours);
        ours[500] = 7;
        let shown = shown(theirs, json!(ours));
        let rows: Vec<&str> = shown.lines().skip(1).collect();
        assert!(rows[0].starts_with("  CPython   [… 498 equal, 498, 499, 500, 501,"));
        assert!(rows[1].starts_with("  the loop  [… 498 equal, 498, 499, 7,   501,"));
        assert!(rows[0].ends_with(" more]") && rows[1].ends_with(" more]"));
        assert_eq!(
            rows[2].find('^'),
            Some("  the loop  [… 498 equal, 498, 499, ".chars().count())
        );
        assert!(shown.lines().all(|line| line.chars().count() < 120));
    }
}
