//! A task: a named iterator whose items are the delays it asks for.
//!
//! The iterator plays the coroutine. Everything else in the crate moves tasks between containers.

use std::fmt;
use std::time::Duration;

// ANCHOR: task
/// One job that runs in steps and says after each step how long it wants to wait.
pub struct Task {
    name: String,
    delays: Box<dyn Iterator<Item = Duration>>,
}
// ANCHOR_END: task

impl Task {
    /// Makes a task out of anything that yields delays; no step runs yet.
    ///
    /// ```
    /// use counter::Task;
    /// use std::time::Duration;
    ///
    /// let task = Task::new("nap", [Duration::from_secs(1)]);
    /// assert_eq!(task.name(), "nap");
    /// ```
    pub fn new<D>(name: impl Into<String>, delays: D) -> Self
    where
        D: IntoIterator<Item = Duration>,
        D::IntoIter: 'static,
    {
        Self {
            name: name.into(),
            delays: Box::new(delays.into_iter()),
        }
    }

    /// Runs to the next point where the task gives the thread back.
    ///
    /// `Some(delay)` asks to be woken after `delay` (zero: in the next round). `None` says that
    /// the task has ended.
    ///
    /// ```
    /// use counter::Task;
    /// use std::time::Duration;
    ///
    /// let mut task = Task::new("nap", [Duration::from_secs(1)]);
    /// assert_eq!(task.step(), Some(Duration::from_secs(1)));
    /// assert_eq!(task.step(), None);
    /// ```
    // ANCHOR: step
    pub fn step(&mut self) -> Option<Duration> {
        self.delays.next()
    }
    // ANCHOR_END: step

    /// Returns the name the task was made with.
    ///
    /// ```
    /// assert_eq!(counter::Task::new("A", []).name(), "A");
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn into_name(self) -> String {
        self.name
    }

    pub(crate) fn from_box(name: String, delays: Box<dyn Iterator<Item = Duration>>) -> Self {
        Self { name, delays }
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
