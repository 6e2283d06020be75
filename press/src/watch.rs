//! Watches the pages, the code they include and `book.toml`, and says when a burst of changes is
//! over. The server builds the book again each time.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::measured::OWN;
use anyhow::{Context, Result};
use mdbook_driver::config::Config;
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher, recommended_watcher};

/// How long nothing must change before the book is built again: an editor's save is several writes.
const QUIET: Duration = Duration::from_millis(150);

/// A running watch; it ends when it is dropped.
pub(crate) struct Watch {
    changes: Receiver<PathBuf>,
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Waits for the next burst of changes and for its end; gives the first file that changed.
    pub(crate) fn next(&self) -> Option<PathBuf> {
        let first = self.changes.recv().ok()?;
        while self.changes.recv_timeout(QUIET).is_ok() {}
        Some(first)
    }
}

/// Watches what the book of `root` is made of.
pub(crate) fn start(root: &Path, config: &Config) -> Result<Watch> {
    let book_toml = root.join("book.toml");
    let mut folders = vec![root.join(&config.book.src)];
    folders.extend(
        config
            .build
            .extra_watch_dirs
            .iter()
            .map(|dir| root.join(dir)),
    );
    let own = root.join(OWN);
    // A record that is kept while the book is served shows at once; without the folder it shows later.
    if std::fs::create_dir_all(&own).is_ok() {
        folders.push(own);
    }
    folders.retain(|folder| folder.is_dir());

    let (sender, changes) = channel();
    let watched = folders.clone();
    let report = move |event: notify::Result<Event>| match event {
        // A build reads every file: reading is no change.
        Ok(event) if event.kind.is_access() => {}
        Ok(event) => {
            let of_the_book = |path: &PathBuf| {
                if is_made(path) {
                    return false;
                }
                *path == book_toml || watched.iter().any(|folder| path.starts_with(folder))
            };
            if let Some(path) = event.paths.into_iter().find(of_the_book) {
                // The receiver is gone only when the server ends.
                let _: Result<_, _> = sender.send(path);
            }
        }
        Err(error) => eprintln!("error: a change may have been missed: {error}"),
    };
    let mut watcher =
        recommended_watcher(report).context("the system gives no notice of changed files")?;
    for folder in &folders {
        watcher
            .watch(folder, RecursiveMode::Recursive)
            .with_context(|| format!("cannot watch {}", folder.display()))?;
    }
    // Editors replace a file rather than write it, so the folder of book.toml is watched.
    watcher
        .watch(root, RecursiveMode::NonRecursive)
        .with_context(|| format!("cannot watch {}", root.display()))?;
    Ok(Watch {
        changes,
        _watcher: watcher,
    })
}

/// Whether the press writes this file itself: a run file among the pages.
fn is_made(path: &Path) -> bool {
    let in_runs = path.parent().is_some_and(|folder| folder.ends_with("runs"));
    in_runs && !path.ends_with(crate::components::PROGRAMS)
}
