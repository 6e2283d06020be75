//! Switching debug mode on and off.

use std::cell::Cell;
use std::ffi::OsStr;
use std::fmt;
use std::rc::Rc;
use std::time::Duration;

use six_steps::{Attachment, Callback, EventLoop, Handle, Watch};
use wakeup::{Outcome, set_show_origins};

use crate::slow::{SlowCallback, Timing};

/// Set to anything but nothing, it has `run` and `Runner` start in debug mode (CPython's is
/// `PYTHONASYNCIODEBUG`).
pub const ENVIRONMENT_VARIABLE: &str = "ASYNCIODEBUG";

/// Whether the environment asks for debug mode.
pub fn debug_from_environment() -> bool {
    asks_for_debug(std::env::var_os(ENVIRONMENT_VARIABLE).as_deref())
}

/// Whether the variable, if it is set, asks for debug mode. `0` does: it is not nothing, and CPython
/// reads it the same way (`coroutines.py`, `_is_debug_mode`).
pub fn asks_for_debug(variable: Option<&OsStr>) -> bool {
    variable.is_some_and(|value| !value.is_empty())
}

/// Debug mode of an [`EventLoop`].
pub trait DebugMode {
    /// Switches debug mode on or off (`loop.set_debug`). Within a turn it counts from the next
    /// handle on.
    fn set_debug(&self, enabled: bool);

    /// Whether debug mode is on (`loop.get_debug`).
    fn debug(&self) -> bool;

    /// From which duration on a callback is slow. It matters only in debug mode.
    fn set_slow_callback_duration(&self, duration: Duration);

    /// From which duration on a callback is slow (`loop.slow_callback_duration`).
    fn slow_callback_duration(&self) -> Duration;

    /// What is done with slow callbacks; `None` brings back the default, a line at level warning
    /// under the target `asyncio`.
    fn on_slow_callback(&self, report: Option<impl Fn(&SlowCallback<'_>) + 'static>);
}

/// What a loop keeps of this floor.
#[derive(Default)]
struct State {
    enabled: Cell<bool>,
    timing: Rc<Timing>,
}

impl Attachment for State {}

impl DebugMode for EventLoop {
    // ANCHOR: set_debug
    fn set_debug(&self, enabled: bool) {
        let state = self.attachment::<State>();
        if state.enabled.replace(enabled) != enabled {
            let timing: Rc<dyn Watch> = state.timing.clone();
            if enabled {
                self.watch(timing);
            } else {
                self.unwatch(&timing);
            }
        }
        if self.is_running() {
            // As asyncio does: the tracking of origins changes in the next turn.
            let _ = self.call_soon_handle(Handle::from_callback(SetOriginTracking {
                event_loop: self.clone(),
                enabled,
            }));
        } else {
            set_show_origins(self, enabled);
        }
    }
    // ANCHOR_END: set_debug

    fn debug(&self) -> bool {
        self.attachment::<State>().enabled.get()
    }

    fn set_slow_callback_duration(&self, duration: Duration) {
        self.attachment::<State>().timing.threshold.set(duration);
    }

    fn slow_callback_duration(&self) -> Duration {
        self.attachment::<State>().timing.threshold.get()
    }

    fn on_slow_callback(&self, report: Option<impl Fn(&SlowCallback<'_>) + 'static>) {
        let report = report.map(|report| Rc::new(report) as Rc<dyn Fn(&SlowCallback<'_>)>);
        drop(self.attachment::<State>().timing.report.replace(report));
    }
}

/// The handle that `set_debug` queues in a running loop (`base_events.py`,
/// `_set_coroutine_origin_tracking`).
struct SetOriginTracking {
    event_loop: EventLoop,
    enabled: bool,
}

impl Callback for SetOriginTracking {
    fn run(&self, _: &Handle) -> Outcome<()> {
        set_show_origins(&self.event_loop, self.enabled);
        Ok(())
    }

    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("set_debug")
    }
}
