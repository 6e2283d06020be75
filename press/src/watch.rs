//! Watches the pages, the code they include and `book.toml`, and says when something changed.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use anyhow::{Context, Result};
use mdbook_driver::config::Config;
use notify_debouncer_mini::notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_mini::{DebounceEventResult, Debouncer, new_debouncer};

/// How long a burst of writes must be over before the book is built again.
const QUIET: Duration = Duration::from_millis(150);

/// A running watch; it ends when it is dropped.
pub(crate) struct Watch {
    /// Receives the file that changed first in each burst.
    pub(crate) changes: Receiver<PathBuf>,
    _debouncer: Debouncer<RecommendedWatcher>,
}

/// Watches what the book of `root` is made of.
pub(crate) fn start(root: &Path, config: &Config) -> Result<Watch> {
    let (sender, changes) = channel();
    let book_toml = root.join("book.toml");
    let mut folders = vec![root.join(&config.book.src)];
    folders.extend(config.build.extra_watch_dirs.iter().map(|dir| root.join(dir)));
    folders.retain(|folder| folder.is_dir());

    let watched = folders.clone();
    let toml = book_toml.clone();
    let report = move |events: DebounceEventResult| {
        let of_the_book =
            |path: &PathBuf| *path == toml || watched.iter().any(|folder| path.starts_with(folder));
        forward(events, &sender, of_the_book);
    };
    let mut debouncer =
        new_debouncer(QUIET, report).context("the file system offers no change notices")?;
    let watcher = debouncer.watcher();
    for folder in &folders {
        watcher
            .watch(folder, RecursiveMode::Recursive)
            .with_context(|| format!("cannot watch {}", folder.display()))?;
    }
    // Editors replace a file rather than write it, so its folder is watched.
    watcher
        .watch(root, RecursiveMode::NonRecursive)
        .with_context(|| format!("cannot watch {}", root.display()))?;
    Ok(Watch { changes, _debouncer: debouncer })
}

fn forward(
    events: DebounceEventResult,
    sender: &Sender<PathBuf>,
    of_the_book: impl Fn(&PathBuf) -> bool,
) {
    match events {
        Ok(events) => {
            if let Some(event) = events.into_iter().find(|event| of_the_book(&event.path)) {
                // The receiver is gone only when the server ends.
                let _: Result<_, _> = sender.send(event.path);
            }
        }
        Err(error) => eprintln!("error: a change may have been missed: {error}"),
    }
}
