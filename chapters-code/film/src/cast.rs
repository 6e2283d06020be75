//! The cast: every task, handle and reader that was seen, by number. A handle is one *queueing*: a
//! task is its own handle and is queued many times, and asyncio would have made a handle each time.

use std::time::Duration;

use six_steps::Handle;

use crate::run::{HandleSeen, Millis, ReaderSeen};

#[derive(Default)]
pub(crate) struct Cast {
    pub(crate) origin: Duration,
    pub(crate) tasks: Vec<String>,
    pub(crate) handles: Vec<HandleSeen>,
    pub(crate) readers: Vec<ReaderSeen>,
    // Where each task's handle stands in memory. A place can be used again, but not by a task of
    // the same name, unless the program gives two tasks one name.
    places: Vec<*const ()>,
}

impl Cast {
    /// Gives a handle that was not seen before its number. `owner` is the task that was running.
    pub(crate) fn enter(&mut self, handle: &Handle, owner: Option<usize>) -> usize {
        let name = handle.callback().to_string();
        let when = handle.when();
        let task = self.task_of(&name, handle, owner);
        self.handles.push(HandleSeen {
            name,
            when: when.map(|when| Millis::between(self.origin, when)),
            task,
            reader: None,
        });
        self.handles.len() - 1
    }

    /// A task's own handle, a callback that serves one task, or the timer that a sleeping task set.
    fn task_of(&mut self, name: &str, handle: &Handle, owner: Option<usize>) -> Option<usize> {
        if let Some(task) = step_of(name) {
            return Some(self.task(task, handle.as_ptr()));
        }
        if matches!(name, "sleep" | "timeout") {
            return owner;
        }
        let (serves, task) = name.split_once(':')?;
        let known = matches!(serves, "run_done" | "gather_cb");
        let found = known.then(|| self.tasks.iter().rposition(|name| name == task));
        found.flatten()
    }

    fn task(&mut self, name: &str, place: *const ()) -> usize {
        let mut all = self.places.iter().zip(&self.tasks);
        let found = all.rposition(|(at, known)| *at == place && known == name);
        found.unwrap_or_else(|| {
            self.tasks.push(name.to_owned());
            self.places.push(place);
            self.tasks.len() - 1
        })
    }

    pub(crate) fn enter_reader(&mut self, handle: &Handle) -> usize {
        let name = handle.callback().to_string();
        self.readers.push(ReaderSeen { name });
        self.readers.len() - 1
    }

    /// The task whose step this handle is.
    pub(crate) fn steps(&self, id: usize) -> Option<usize> {
        let handle = self.handles.get(id)?;
        step_of(&handle.name).and(handle.task)
    }
}

/// The name of the task whose step a handle of this name is.
fn step_of(name: &str) -> Option<&str> {
    name.strip_prefix("step:")
        .or_else(|| name.strip_prefix("wakeup:"))
}
