//! Notices saves: by the system's events, or by looking again and again where none come.

use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use notify::event::{AccessKind, AccessMode};
use notify::{Config, Event, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};

/// How often the files are looked at, where events do not come.
const OFTEN: Duration = Duration::from_millis(300);
/// How long an event may take before there is none.
const PATIENCE: Duration = Duration::from_secs(3);

/// Watches a folder, as long as it lives.
pub(crate) type Saves = Box<dyn Watcher + Send>;

/// Watches a folder and what lies below it; `heard` gets each file that may have changed.
///
/// # Errors
/// The folder cannot be watched.
pub(crate) fn watch(
    folder: &Path,
    poll: bool,
    heard: impl Fn(PathBuf) + Send + 'static,
) -> Result<Saves> {
    let handler = move |event: notify::Result<Event>| {
        // An error here is one event lost; the next save makes another.
        for path in event
            .into_iter()
            .filter(may_be_a_save)
            .flat_map(|event| event.paths)
        {
            heard(path);
        }
    };
    let mut saves: Saves = if poll {
        // Texts are compared, not times: some file systems round their times.
        let config = Config::default()
            .with_poll_interval(OFTEN)
            .with_compare_contents(true);
        Box::new(PollWatcher::new(handler, config)?)
    } else {
        Box::new(RecommendedWatcher::new(handler, Config::default())?)
    };
    saves
        .watch(folder, RecursiveMode::Recursive)
        .with_context(|| format!("{} cannot be watched", folder.display()))?;
    Ok(saves)
}

/// Reading is no save, and neither is a write that has only begun.
fn may_be_a_save(event: &Event) -> bool {
    match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) | EventKind::Remove(_) => false,
        _ => true,
    }
}

/// Writes a file and waits for its event. Returns how long that took.
///
/// # Errors
/// The folder cannot be written to or watched, or no event comes.
pub(crate) fn try_out(folder: &Path) -> Result<Duration> {
    let (sender, receiver) = channel();
    let saves = watch(folder, false, move |path| {
        let _ = sender.send(path);
    })?;
    let start = Instant::now();
    let file = tempfile::Builder::new()
        .prefix(".course-")
        .tempfile_in(folder)
        .with_context(|| format!("{} cannot be written to", folder.display()))?;
    let name = file.path().file_name();
    while let Ok(path) = receiver.recv_timeout(PATIENCE.saturating_sub(start.elapsed())) {
        if path.file_name() == name {
            drop(saves);
            return Ok(start.elapsed());
        }
    }
    bail!("no event came for a new file in {} s", PATIENCE.as_secs());
}
