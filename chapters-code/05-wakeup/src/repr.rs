//! What a report shows of a future and of a task, in the order of `base_futures.py`,
//! `_future_repr_info`, and `base_tasks.py`, `_task_repr_info`.

use std::any::{Any, type_name};
use std::fmt::{self, Write as _};
use std::panic::Location;

use six_steps::{ExceptionContext, SourceTraceback};

use crate::callbacks::{DoneCallback, Other};
use crate::cell::FutureCell;
use crate::future::state_of;
use crate::task_cell::{AnyTask as _, TaskCell};

impl<T: 'static> FutureCell<T> {
    /// ` result=…` or ` exception=…` of a finished future.
    pub(crate) fn write_outcome(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with_finished(|outcome| match outcome {
            None => Ok(()),
            Some(Ok(value)) => write!(f, " result={}", shown(value)),
            Some(Err(exception)) => write!(f, " exception={exception:?}"),
        })
    }

    /// ` cb=[…]`: who will be told. Of more than two, the first and the last
    /// (`base_futures.py`, `_format_callbacks`).
    pub(crate) fn write_callbacks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.callbacks(ToString::to_string);
        match &names[..] {
            [] => Ok(()),
            [one] => write!(f, " cb=[{one}]"),
            [one, two] => write!(f, " cb=[{one}, {two}]"),
            [first, between @ .., last] => {
                write!(f, " cb=[{first}, <{} more>, {last}]", between.len())
            }
        }
    }
}

/// `<Future finished exception=…>`, as `base_futures.py`, `_future_repr_info` has it.
pub(crate) fn write_future<T: 'static>(
    f: &mut fmt::Formatter<'_>,
    class: &str,
    cell: &FutureCell<T>,
) -> fmt::Result {
    write!(f, "<{class} {}", state_of(cell))?;
    cell.write_outcome(f)?;
    cell.write_callbacks(f)?;
    f.write_str(">")
}

/// `<Task pending name='worker' coro=<shop::worker() running>>` (`base_tasks.py`, `_task_repr`).
/// A Rust coroutine does not tell where it stands, so only its name is shown.
impl<T: 'static> fmt::Debug for TaskCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.showing.replace(true) {
            return f.write_str("...");
        }
        let written = self.write(f);
        self.showing.set(false);
        written
    }
}

impl<T: 'static> TaskCell<T> {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let done = self.cell.done();
        let state = state_of(&self.cell);
        let cancelling = !done && self.cancelling() > 0;
        let state = if cancelling {
            "cancelling".to_owned()
        } else {
            state.to_string()
        };
        let coroutine = coroutine_name((self.coroutine_name)());
        let at = if done { "done" } else { "running" };
        write!(
            f,
            "<Task {state} name='{}' coro=<{coroutine}() {at}>",
            self.task_name()
        )?;
        if let Some(waiter) = self.waits_for() {
            write!(f, " wait_for={:?}", waiter.as_debug())?;
        }
        self.cell.write_outcome(f)?;
        self.cell.write_callbacks(f)?;
        if let Some(at) = self.created_at() {
            write!(f, " created at {}:{}", at.file(), at.line())?;
        }
        f.write_str(">")
    }
}

/// The name of the function a coroutine was written in: its type's, without the parts that the
/// compiler adds for the block inside.
fn coroutine_name(type_name: &str) -> &str {
    type_name.trim_end_matches("::{{closure}}")
}

/// Reports an exception that nobody asked for before its future was dropped
/// (`futures.py`, `Future.__del__`).
pub(crate) fn report_unretrieved<T: 'static>(
    class: &str,
    cell: &FutureCell<T>,
    created_at: Option<&'static Location<'static>>,
    shown: impl FnOnce() -> String,
) {
    let Some(exception) = cell.unretrieved() else {
        return;
    };
    let mut context = ExceptionContext::new(format!("{class} exception was never retrieved"))
        .with_detail("future", Repr(shown()))
        .with_exception(exception);
    if let Some(at) = created_at {
        context = context.with_detail("source_traceback", SourceTraceback(at));
    }
    cell.event_loop.call_exception_handler(&context);
}

/// A text that stands for what a report would show.
pub(crate) struct Repr(pub(crate) String);

impl fmt::Debug for Repr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A listener by the name its handle will have.
impl<T: 'static> fmt::Display for DoneCallback<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Handle(handle) => handle.callback().fmt(f),
            Self::Other(other) => match &**other {
                Other::Waker(_) => f.write_str("waker"),
                Other::Closure(slot) => slot.describe(f),
            },
        }
    }
}

/// How many characters of a result are shown (`reprlib.Repr.maxstring`).
const LONGEST: usize = 30;

/// A result. Its type need not be printable, and then its name stands for it.
fn shown<T: 'static>(value: &T) -> String {
    let value: &dyn Any = value;
    macro_rules! shown_if {
        ($($printable:ty),*) => {
            $(if let Some(value) = value.downcast_ref::<$printable>() {
                return shortened(&format!("{value:?}"));
            })*
        };
    }
    shown_if!(
        (),
        bool,
        char,
        i8,
        i16,
        i32,
        i64,
        i128,
        isize,
        u8,
        u16,
        u32,
        u64,
        u128,
        usize
    );
    shown_if!(f32, f64, String, &'static str);
    format!("<{}>", type_name::<T>())
}

/// The middle of a long text left out (`reprlib.Repr.repr_str`).
fn shortened(text: &str) -> String {
    let length = text.chars().count();
    if length <= LONGEST {
        return text.to_owned();
    }
    let kept = LONGEST - "...".len();
    let (head, tail) = (kept / 2, kept - kept / 2);
    let mut short: String = text.chars().take(head).collect();
    let _ = short.write_str("...");
    short.extend(text.chars().skip(length - tail));
    short
}
