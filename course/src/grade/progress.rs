//! How far it is and how long it takes still, on a terminal only, and what is said when it is
//! interrupted.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::outcome::counted;

/// A bar of submissions. Its copies are the same bar.
#[derive(Clone)]
pub(crate) struct Progress {
    bar: ProgressBar,
    interrupted: Arc<AtomicBool>,
}

impl Progress {
    /// A bar that is drawn if standard error is a terminal, once it has begun.
    pub(crate) fn new(submissions: usize) -> Self {
        let bar = ProgressBar::new(submissions as u64);
        // Before the first one is graded, nothing is known of how long one takes.
        let left = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
            let _ = match state.pos() {
                0 => write!(text, "grading the first"),
                _ if state.eta() < Duration::from_secs(1) => write!(text, "a moment left"),
                _ => write!(text, "{:#} left", indicatif::HumanDuration(state.eta())),
            };
        };
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len}, {left}  {msg:.dim}");
        if let Ok(style) = style {
            bar.set_style(style.with_key("left", left));
        }
        Self {
            bar,
            interrupted: Arc::default(),
        }
    }

    /// The first one is on its way.
    pub(crate) fn begin(&self) {
        self.bar.reset_elapsed();
        self.bar.enable_steady_tick(Duration::from_millis(500));
    }

    /// One more is graded.
    pub(crate) fn one(&self, name: &str) {
        self.bar.set_message(name.to_owned());
        self.bar.inc(1);
    }

    /// All are, or nothing more will be.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Goes no further once the run was interrupted: what is found from then on is no grade, because
    /// its processes were ended.
    pub(crate) fn hold(&self) {
        while self.interrupted.load(Ordering::SeqCst) {
            thread::park();
        }
    }

    /// Ends what runs, and says what was graded so far and how to go on; `temporary` goes.
    pub(crate) fn interrupt(&self, end_all: &dyn Fn(), out: &Path, temporary: &Path) {
        self.interrupted.store(true, Ordering::SeqCst);
        end_all();
        let graded = usize::try_from(self.bar.position()).unwrap_or(usize::MAX);
        let all = usize::try_from(self.bar.length().unwrap_or(0)).unwrap_or(usize::MAX);
        self.finish();
        anstream::eprintln!("{}", told(graded, all, out));
        // What was running may be about to write its last file there.
        for _ in 0..100 {
            match std::fs::remove_dir_all(temporary) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {}
                _ => break,
            }
        }
    }
}

/// What stands after an interruption, on one line.
fn told(graded: usize, all: usize, out: &Path) -> String {
    match graded {
        0 => {
            "Interrupted before a submission was graded: the same command begins again.".to_owned()
        }
        _ => format!(
            "Interrupted: {graded} of {} graded and kept in {}. The same command with --resume goes on.",
            counted(all, "submission"),
            out.display()
        ),
    }
}
