//! What a report shows of a future and of a task, in the order of `base_futures.py`,
//! `_future_repr_info`, and `base_tasks.py`, `_task_repr_info`.

use std::any::{Any, type_name};
use std::fmt::{self, Write as _};
use std::panic::Location;

use six_steps::{ExceptionContext, SourceTraceback};

use crate::callbacks::{DoneCallback, Other};
use crate::cell::FutureCell;
use crate::future::state_of;

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
