//! How far it is and how long it takes still, on a terminal only.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of submissions.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar that is drawn if standard error is a terminal.
    pub(crate) fn new(submissions: usize) -> Self {
        let bar = ProgressBar::new(submissions as u64);
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len}, {eta} left  {msg:.dim}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(500));
        Self(bar)
    }

    /// One more is graded.
    pub(crate) fn one(&self, name: &str) {
        self.0.set_message(name.to_owned());
        self.0.inc(1);
    }

    /// All are.
    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}
