//! # Which callback?
//!
//! A service has run for a day in debug mode. Its log is `service.log`, in this package; each line is
//! a callback that held the thread for 0.1 s or longer. In the morning and in the evening the same
//! work was handed over from two places, so the name alone does not say whom to ask.
//!
//! Read the log and fill in the constants. You need no more than the log. Read each line from both
//! ends: its end says how long, its object what, and `created at` who handed it over.
//!
//! That is what you do with a service that is slow at noon and that nobody can stop. The book reads
//! such lines in chapter 7, "Watch it run".

/// What a line is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Object {
    /// Not read yet.
    Unread,
    /// A callback that somebody handed to `call_soon`.
    Handle,
    /// A callback that was due at a moment.
    TimerHandle,
    /// A step of a coroutine.
    Task,
}

/// What each line of the log is about, in the log's order.
pub const OBJECTS: &[Object] = &[Object::Unread];

/// For how many milliseconds the thread was held at most, in one go.
pub const LONGEST_MILLIS: u64 = 0;

/// Who held it then: the name of the function, without its module and its brackets, or the name of
/// the task.
pub const WHO_HELD_IT: &str = "";

/// In which line of `service.rs` that callback was handed over.
pub const HANDED_OVER_AT: u32 = 0;

/// For how many milliseconds the task `table 4` held the thread, in all its slow steps together.
pub const TABLE_4_MILLIS: u64 = 0;

/// Which lines of the log are about the last step of a task. The first line is line 1.
pub const LAST_STEPS: &[usize] = &[];
