//! Floor 3: the event loop, one turn in six steps.
//!
//! [`EventLoop`] moves handles between the three containers of floor 2. It knows callbacks and
//! nothing else: tasks and futures stand on higher floors and use only
//! [`call_soon`](EventLoop::call_soon) and [`call_later`](EventLoop::call_later). The turn itself
//! is [`EventLoop::run_once`], in the file `turn.rs`.
//!
//! ```
//! use six_steps::EventLoop;
//! use std::time::Duration;
//!
//! let event_loop = EventLoop::new();
//! let stop = event_loop.clone();
//! event_loop.call_soon(|| println!("first"))?;
//! event_loop.call_later(Duration::from_millis(10), move || stop.stop())?;
//! event_loop.run_forever()?;
//! event_loop.close()?;
//! # Ok::<(), six_steps::LoopError>(())
//! ```

mod descriptors;
mod error;
mod event_loop;
mod exception_handler;
mod hatch;
mod run;
mod turn;
mod watch;
mod watchers;

pub use containers::{
    Callback, Event, Exception, Fd, Handle, IntoOutcome, Selector, Source, SystemSelector,
    TimerHandle, VirtualClock, VirtualSelector, once,
};
pub use error::{LoopClosed, LoopError};
pub use event_loop::{Attachment, EventLoop};
pub use exception_handler::{Detail, ExceptionContext, SourceTraceback};
pub use hatch::Hatch;
pub use run::{running_loop, with_running_loop};
pub use turn::MAXIMUM_SELECT_TIMEOUT;
pub use watch::{Step, Watch};
pub use watchers::{Recorder, TurnCounter, TurnRecord};

/// The chapter's page, whose examples are run as tests of this crate.
#[cfg(doctest)]
#[doc = include_str!("../../../book/03-six-steps/index.md")]
pub struct Chapter;
