//! The hatch: how another thread hands the loop a task, and how the loop really sleeps meanwhile.
//!
//! A channel does both jobs: receiving with a time limit *is* sleeping until an alarm or a post.
//! Floor 2 puts the system's selector in its place, which can watch sockets too.

use std::collections::VecDeque;
use std::error::Error;
use std::fmt;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Clock, Task};

/// What crosses the thread boundary; it becomes a [`Task`], which never leaves its thread again.
type Post = (String, Box<dyn Iterator<Item = Duration> + Send>);

/// The outside of the hatch: posts tasks to a loop from any thread.
///
/// The loop ends when it has nothing to do and the last clone is gone, so drop yours when done.
///
/// ```
/// use counter::{RealClock, ToyLoop};
/// use std::thread;
///
/// let (clock, hatch) = RealClock::with_hatch();
/// let poster = thread::spawn(move || hatch.post("letter", []));
///
/// let ended = ToyLoop::with_clock(clock).run();
/// assert_eq!(ended[0].name, "letter");
/// # poster.join().unwrap().unwrap();
/// ```
#[derive(Clone)]
pub struct Hatch {
    posts: Sender<Post>,
}

impl Hatch {
    /// Hands a task to the loop and wakes it if it sleeps.
    ///
    /// # Errors
    ///
    /// [`Closed`] when the loop is gone; nothing of the task has run.
    ///
    /// ```
    /// let (clock, hatch) = counter::RealClock::with_hatch();
    /// drop(clock);
    /// assert!(hatch.post("too late", []).is_err());
    /// ```
    pub fn post<D>(&self, name: impl Into<String>, delays: D) -> Result<(), Closed>
    where
        D: IntoIterator<Item = Duration>,
        D::IntoIter: Send + 'static,
    {
        self.posts
            .send((name.into(), Box::new(delays.into_iter())))
            .map_err(|_| Closed)
    }
}

impl fmt::Debug for Hatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hatch")
    }
}

/// The loop behind this hatch is gone, so nothing was posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed;

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the loop behind this hatch is gone; post before you drop it")
    }
}

impl Error for Closed {}

/// The real time since the clock was made, with a hatch to be woken through.
pub struct RealClock {
    origin: Instant,
    posts: Receiver<Post>,
    wakes: u64,
}

impl RealClock {
    /// Makes a clock that starts now, and the hatch through which its loop gets tasks.
    ///
    /// ```
    /// use counter::{RealClock, ToyLoop};
    /// use std::time::Duration;
    ///
    /// let (clock, hatch) = RealClock::with_hatch();
    /// drop(hatch); // nobody will post
    /// let mut toy = ToyLoop::with_clock(clock);
    /// toy.spawn("nap", [Duration::from_millis(1)]);
    /// assert!(toy.run()[0].at >= Duration::from_millis(1));
    /// ```
    pub fn with_hatch() -> (Self, Hatch) {
        let (sender, posts) = channel();
        (
            Self {
                origin: Instant::now(),
                posts,
                wakes: 0,
            },
            Hatch { posts: sender },
        )
    }

    /// Returns how many times a wait has ended, by an alarm or by a post.
    ///
    /// ```
    /// assert_eq!(counter::RealClock::with_hatch().0.wakes(), 0);
    /// ```
    pub fn wakes(&self) -> u64 {
        self.wakes
    }
}

// ANCHOR: wait
impl Clock for RealClock {
    fn now(&self) -> Duration {
        self.origin.elapsed()
    }

    fn wait(&mut self, alarm: Option<Duration>, ready: &mut VecDeque<Task>) -> bool {
        let post = match alarm {
            Some(alarm) => match self.posts.recv_timeout(alarm.saturating_sub(self.now())) {
                Ok(post) => Some(post),
                Err(RecvTimeoutError::Timeout) => None,
                // With its last sender gone the channel answers at once, for ever: asking it
                // again would be staring at the clock. Only the alarm is left, so sleep for it.
                Err(RecvTimeoutError::Disconnected) => {
                    thread::sleep(alarm.saturating_sub(self.now()));
                    None
                }
            },
            None => match self.posts.recv() {
                Ok(post) => Some(post),
                Err(_) => return false,
            },
        };
        self.wakes += 1;
        ready.extend(post.map(into_task));
        true
    }

    fn collect(&mut self, ready: &mut VecDeque<Task>) {
        ready.extend(self.posts.try_iter().map(into_task));
    }
}
// ANCHOR_END: wait

fn into_task((name, delays): Post) -> Task {
    Task::from_box(name, delays)
}

impl fmt::Debug for RealClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RealClock")
            .field("wakes", &self.wakes)
            .finish_non_exhaustive()
    }
}
