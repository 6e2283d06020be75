//! Ctrl-C. The first one of a run cancels its main task, through the hatch; any other ends the
//! process, as it does without us.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::{fs, mem, thread};

use signal_hook::consts::SIGINT;
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use six_steps::{EventLoop, Hatch};
use wakeup::{Task, TaskRef};

/// The run that an interrupt is for. A mutex, and no atomics: whether there is a run, and whether it
/// has been interrupted already, must be one question, or an interrupt at the end of a run is lost.
static CURRENT: Mutex<Option<Run>> = Mutex::new(None);

/// Runs are numbered, so that a cancellation which comes too late does not meet the next run.
static NUMBER: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static MAIN: RefCell<Option<Main>> = const { RefCell::new(None) };
}

/// What the listening thread knows of a run.
struct Run {
    number: u64,
    hatch: Hatch,
    interrupted: bool,
}

/// What the loop's own thread knows of it.
struct Main {
    number: u64,
    task: TaskRef,
    cancelled: bool,
}

/// How a run was interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interrupt {
    None,
    /// The main task was cancelled.
    CancelledMain,
    /// The main task was done already.
    TooLate,
}

/// While it lives, an interrupt cancels the main task.
pub(crate) struct Interrupts {
    ours: bool,
}

impl Interrupts {
    // ANCHOR: cancel
    /// Has an interrupt cancel `main`. Does nothing outside of the main thread, nor where the
    /// program has a Ctrl-C handler of its own: as CPython.
    pub(crate) fn cancel<T: 'static>(event_loop: &EventLoop, main: &Task<T>) -> Self {
        static LISTENS: OnceLock<bool> = OnceLock::new();
        let is_main_thread = thread::current().name() == Some("main");
        if !is_main_thread || !LISTENS.get_or_init(listen) {
            return Self { ours: false };
        }
        let mut current = current();
        // A thread may call itself `main`; the first one has it.
        if current.is_some() {
            return Self { ours: false };
        }
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        MAIN.set(Some(Main {
            number,
            task: main.any(),
            cancelled: false,
        }));
        *current = Some(Run {
            number,
            hatch: event_loop.hatch(),
            interrupted: false,
        });
        Self { ours: true }
    }
    // ANCHOR_END: cancel

    /// Ends it, and tells what happened meanwhile. An interrupt after this is none of ours.
    pub(crate) fn end(mut self) -> Interrupt {
        self.take()
    }

    fn take(&mut self) -> Interrupt {
        if !mem::replace(&mut self.ours, false) {
            return Interrupt::None;
        }
        // Taken under the lock and dropped after it.
        let run = current().take();
        let main = MAIN.take();
        match (run, main) {
            (Some(run), _) if !run.interrupted => Interrupt::None,
            (_, Some(main)) if main.cancelled => Interrupt::CancelledMain,
            _ => Interrupt::TooLate,
        }
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        self.take();
    }
}

fn current() -> MutexGuard<'static, Option<Run>> {
    CURRENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts the one listening thread of the process. Where it cannot be had, an interrupt ends the
/// process, as it does without us. Returns once it listens: an interrupt of the first run is seen.
fn listen() -> bool {
    if !interrupt_ends_the_process() {
        return false;
    }
    let (listens, listening) = mpsc::channel();
    // The handler is installed by the thread: without a thread there must not be a handler.
    let listen = move || match Signals::new([SIGINT]) {
        Ok(mut signals) => {
            let _ = listens.send(true);
            signals.forever().for_each(interrupted);
        }
        Err(_) => {
            let _ = listens.send(false);
        }
    };
    let thread = thread::Builder::new().name("asyncio_interrupts".into());
    thread.spawn(listen).is_ok() && listening.recv().unwrap_or(false)
}

/// Whether nobody has a handler for it and nobody ignores it, as a shell does for a background job.
/// Where the system does not tell, it is taken to be so.
fn interrupt_ends_the_process() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let is_in = |line: &str| {
        let mask = line.split_ascii_whitespace().nth(1);
        let mask = mask.and_then(|mask| u64::from_str_radix(mask, 16).ok());
        mask.is_some_and(|mask| mask >> (SIGINT - 1) & 1 == 1)
    };
    !status
        .lines()
        .filter(|line| line.starts_with("SigIgn:") || line.starts_with("SigCgt:"))
        .any(is_in)
}

// ANCHOR: interrupted
/// An interrupt, on the listening thread.
fn interrupted(signal: i32) {
    let first = current().as_mut().is_some_and(|run| {
        let first = !mem::replace(&mut run.interrupted, true);
        if first {
            let number = run.number;
            // A loop that is closed has no run.
            let _ = run.hatch.call_soon_threadsafe(move || cancel_main(number));
        }
        first
    });
    if !first {
        // A second one, or one that no run is there for: as if nobody had caught it.
        let _ = emulate_default_handler(signal);
    }
}

/// What came through the hatch, on the loop's thread.
fn cancel_main(number: u64) {
    let main = MAIN.with_borrow(|main| {
        let main = main.as_ref().filter(|main| main.number == number);
        main.map(|main| main.task.clone())
    });
    if main.is_some_and(|main| main.cancel()) {
        MAIN.with_borrow_mut(|main| {
            if let Some(main) = main {
                main.cancelled = true;
            }
        });
    }
}
// ANCHOR_END: interrupted
