//! Ctrl-C. The first one cancels the main task of the run, through the hatch; the second one does
//! what it does without us.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::thread;

use signal_hook::consts::SIGINT;
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use six_steps::{EventLoop, Hatch};
use wakeup::{Task, TaskRef};

/// The run that an interrupt is for. One at a time: only the main thread has one.
static CURRENT: Mutex<Option<Run>> = Mutex::new(None);
static LISTENER: Once = Once::new();

thread_local! {
    static MAIN: RefCell<Option<TaskRef>> = const { RefCell::new(None) };
}

struct Run {
    hatch: Hatch,
    interrupted: Arc<AtomicBool>,
}

/// While it lives, an interrupt cancels the main task.
pub(crate) struct Interrupts {
    interrupted: Option<Arc<AtomicBool>>,
}

impl Interrupts {
    /// Has an interrupt cancel `main`; does nothing outside of the main thread, as CPython.
    pub(crate) fn cancel<T: 'static>(event_loop: &EventLoop, main: &Task<T>) -> Self {
        if thread::current().name() != Some("main") {
            return Self { interrupted: None };
        }
        LISTENER.call_once(listen);
        let interrupted = Arc::new(AtomicBool::new(false));
        MAIN.set(Some(main.any()));
        let run = Run {
            hatch: event_loop.hatch(),
            interrupted: Arc::clone(&interrupted),
        };
        current().replace(run);
        Self {
            interrupted: Some(interrupted),
        }
    }

    /// Whether there was an interrupt.
    pub(crate) fn any(&self) -> bool {
        self.interrupted
            .as_ref()
            .is_some_and(|interrupted| interrupted.load(Ordering::SeqCst))
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        if self.interrupted.is_some() {
            current().take();
            MAIN.take();
        }
    }
}

fn current() -> MutexGuard<'static, Option<Run>> {
    CURRENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One thread for the whole process, from the first run on. Where it cannot be had, an interrupt
/// ends the process, as it does without us.
fn listen() {
    let Ok(mut signals) = Signals::new([SIGINT]) else {
        return;
    };
    let listen = move || {
        for signal in signals.forever() {
            interrupted(signal);
        }
    };
    let _ = thread::Builder::new()
        .name("asyncio_interrupts".into())
        .spawn(listen);
}

fn interrupted(signal: i32) {
    let first = current().as_ref().is_some_and(|run| {
        let first = !run.interrupted.swap(true, Ordering::SeqCst);
        if first {
            let _ = run.hatch.call_soon_threadsafe(|| {
                let main = MAIN.with_borrow(Clone::clone);
                main.map(|main| main.cancel());
            });
        }
        first
    });
    if !first {
        // A second one, or one that no run is there for: as if nobody had caught it.
        let _ = emulate_default_handler(signal);
    }
}
