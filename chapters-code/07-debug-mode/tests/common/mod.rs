//! What the tests of debug mode share: a logger that keeps what this thread logs, and a loop on a
//! virtual clock whose callbacks block for exactly as long as they say.
#![allow(dead_code, reason = "each test file uses its part")]

use std::cell::RefCell;
use std::sync::Once;
use std::time::Duration;

use log::{Level, LevelFilter, Log, Metadata, Record};
use six_steps::{EventLoop, VirtualClock, VirtualSelector};

/// A record: its level, its target, its text.
pub(crate) type Logged = (Level, String, String);

thread_local! {
    static LOGGED: RefCell<Vec<Logged>> = const { RefCell::new(Vec::new()) };
}

struct Capture;

impl Log for Capture {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        let (target, text) = (record.target().to_owned(), record.args().to_string());
        LOGGED.with_borrow_mut(|logged| logged.push((record.level(), target, text)));
    }

    fn flush(&self) {}
}

/// From here on this thread's log is kept; tests run on a thread each.
pub(crate) fn capture() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        log::set_logger(&Capture).unwrap();
        log::set_max_level(LevelFilter::Trace);
    });
}

/// What this thread has logged since the last call.
pub(crate) fn logged() -> Vec<Logged> {
    LOGGED.take()
}

/// The texts alone, after a look at level and target.
pub(crate) fn texts(level: Level) -> Vec<String> {
    let text = |(found, target, text): Logged| {
        assert_eq!((found, target.as_str()), (level, "asyncio"), "{text}");
        text
    };
    logged().into_iter().map(text).collect()
}

/// The one text that was logged.
pub(crate) fn text(level: Level) -> String {
    let texts = texts(level);
    assert_eq!(texts.len(), 1, "{texts:#?}");
    texts.into_iter().next().unwrap()
}

/// A loop on a virtual clock, and the clock.
pub(crate) fn virtual_loop() -> (EventLoop, VirtualClock) {
    capture();
    let clock = VirtualClock::default();
    let event_loop = EventLoop::with_selector(VirtualSelector::on(clock.clone()));
    (event_loop, clock)
}

pub(crate) const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}
