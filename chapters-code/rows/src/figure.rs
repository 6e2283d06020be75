//! What a sample says: figures, each of one row.

use std::time::Duration;

use serde_json::{Value, json};

/// One value of one row, as a sample prints it.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    row: String,
    value: f64,
    unit: &'static str,
    /// What the value was made of, where its distribution matters.
    values: Vec<f64>,
}

impl Figure {
    /// A value in a unit.
    pub fn new(row: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self {
            row: row.into(),
            value,
            unit,
            values: Vec::new(),
        }
    }

    /// A time, in milliseconds.
    pub fn ms(row: impl Into<String>, time: Duration) -> Self {
        Self::new(row, millis(time), "ms")
    }

    /// A count of something.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub fn count(row: impl Into<String>, count: u64, unit: &'static str) -> Self {
        Self::new(row, count as f64, unit)
    }

    /// With the times it was made of, in milliseconds.
    #[must_use]
    pub fn of(mut self, times: impl IntoIterator<Item = Duration>) -> Self {
        self.values = times.into_iter().map(millis).collect();
        self
    }

    /// The row it belongs to.
    pub(crate) fn row(&self) -> &str {
        &self.row
    }

    pub(crate) fn line(&self) -> String {
        let mut line = json!({ "row": self.row, "value": self.value, "unit": self.unit });
        if !self.values.is_empty() {
            line["values"] = Value::from(self.values.clone());
        }
        line.to_string()
    }

    #[cfg(feature = "criterion")]
    pub(crate) fn shown(&self) -> String {
        format!("{:<34} {:>12.1} {}", self.row, self.value, self.unit)
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// How long a whole run may wait: as the row says, or hardly at all where only whether it runs is
/// asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// As the row says.
    Full,
    /// A hundredth of every wait and of every number.
    Tiny,
}

impl Scale {
    /// A wait of this length, or a hundredth of it.
    pub fn time(self, time: Duration) -> Duration {
        match self {
            Self::Full => time,
            Self::Tiny => time / 100,
        }
    }

    /// So many, or a hundredth of them, but one at least.
    pub fn count(self, count: u64) -> u64 {
        match self {
            Self::Full => count,
            Self::Tiny => (count / 100).max(1),
        }
    }
}
