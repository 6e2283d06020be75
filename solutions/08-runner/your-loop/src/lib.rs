//! # Your loop
//!
//! An event loop in one file: three containers, six steps, and futures and tasks on top of them.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::time::Duration;

use scenario::candidate::{
    Callback, Candidate, Coroutine, Exception, Fd, Future, OnCancel, Outcome, Outside, Resumed,
};

const MAXIMUM_SELECT_TIMEOUT: Duration = Duration::from_hours(24);

/// One callback, and the right to cancel it.
pub struct Handle {
    callback: Callback,
    cancelled: Cell<bool>,
    // Whether it stands on the heap: only then does its cancellation count.
    scheduled: Cell<bool>,
}

impl Handle {
    fn new(callback: Callback, scheduled: bool) -> Rc<Self> {
        Rc::new(Self {
            callback,
            cancelled: Cell::new(false),
            scheduled: Cell::new(scheduled),
        })
    }
}

/// A handle on the heap, with its deadline.
type Timer = (Duration, Rc<Handle>);

/// The loop.
pub struct Loop {
    outside: Outside,
    ready: RefCell<VecDeque<Rc<Handle>>>,
    scheduled: RefCell<Vec<Timer>>,
    cancelled_count: Cell<usize>,
    readers: RefCell<BTreeMap<Fd, Rc<Handle>>>,
    stopping: Cell<bool>,
}

impl Loop {
    fn run_once(&self) -> Result<(), Exception> {
        let outside = &self.outside;
        outside.turn_starts(self.scheduled.borrow().len(), self.cancelled_count.get());
        self.sweep();
        outside.swept(self.scheduled.borrow().len(), self.cancelled_count.get());
        let readable = outside.select(self.timeout())?;
        for fd in readable {
            let readers = self.readers.borrow();
            self.ready.borrow_mut().extend(readers.get(&fd).cloned());
        }
        self.collect_due_timers();
        let ntodo = self.ready.borrow().len();
        for _ in 0..ntodo {
            let handle = self.ready.borrow_mut().pop_front();
            self.run_handle(&handle.expect("only step 6 takes handles"))?;
        }
        Ok(())
    }

    /// Step 1: a rebuild, or cancelled timers off the head; never both.
    fn sweep(&self) {
        let mut heap = self.scheduled.borrow_mut();
        if heap.len() > 100 && 2 * self.cancelled_count.get() > heap.len() {
            heap.retain(|(_, handle)| !handle.cancelled.get());
            for hole in (0..heap.len() / 2).rev() {
                sink(&mut heap, hole);
            }
            self.cancelled_count.set(0);
            return;
        }
        while let Some((_, handle)) = heap.first()
            && handle.cancelled.get()
        {
            self.cancelled_count.set(self.cancelled_count.get() - 1);
            pop(&mut heap);
        }
    }

    /// Step 2.
    fn timeout(&self) -> Option<Duration> {
        if self.stopping.get() || !self.ready.borrow().is_empty() {
            return Some(Duration::ZERO);
        }
        let nearest = self.scheduled.borrow().first()?.0;
        let left = nearest.saturating_sub(self.outside.time());
        Some(left.min(MAXIMUM_SELECT_TIMEOUT))
    }

    /// Step 5. The clock is read again: the sleep may have ended early or late.
    fn collect_due_timers(&self) {
        let end = self.outside.time() + self.outside.resolution();
        let mut heap = self.scheduled.borrow_mut();
        while heap.first().is_some_and(|(when, _)| *when < end) {
            // A cancelled one stays in the count.
            self.ready.borrow_mut().push_back(pop(&mut heap));
        }
    }

    fn run_handle(&self, handle: &Handle) -> Result<(), Exception> {
        if handle.cancelled.get() {
            self.outside.skip();
            return Ok(());
        }
        if let Err(exception) = self.outside.run(&handle.callback) {
            if exception.is_exit() {
                return Err(exception);
            }
            self.outside.unhandled(&handle.callback, &exception);
        }
        Ok(())
    }
}

/// `heapq.heappop`: the last leaf takes the place of the head.
fn pop(heap: &mut Vec<Timer>) -> Rc<Handle> {
    let (_, head) = heap.swap_remove(0);
    sink(heap, 0);
    head.scheduled.set(false);
    head
}

/// `heapq._siftup`: down to a leaf along the nearer children, then up again.
fn sink(heap: &mut [Timer], start: usize) {
    let mut hole = start;
    while 2 * hole + 1 < heap.len() {
        let (left, right) = (2 * hole + 1, 2 * hole + 2);
        let right_is_nearer = right < heap.len() && heap[left].0 >= heap[right].0;
        let child = if right_is_nearer { right } else { left };
        heap.swap(hole, child);
        hole = child;
    }
    rise(heap, start, hole);
}

/// `heapq._siftdown`: up past every parent that is later.
fn rise(heap: &mut [Timer], start: usize, mut hole: usize) {
    while hole > start && heap[hole].0 < heap[(hole - 1) / 2].0 {
        heap.swap(hole, (hole - 1) / 2);
        hole = (hole - 1) / 2;
    }
}

impl Candidate for Loop {
    type Handle = Rc<Handle>;
    type Future = LoopFuture;

    fn new(outside: Outside) -> Rc<Self> {
        Rc::new(Self {
            outside,
            ready: RefCell::default(),
            scheduled: RefCell::default(),
            cancelled_count: Cell::new(0),
            readers: RefCell::default(),
            stopping: Cell::new(false),
        })
    }

    fn call_soon(self: &Rc<Self>, callback: Callback) -> Rc<Handle> {
        let handle = Handle::new(callback, false);
        self.ready.borrow_mut().push_back(handle.clone());
        handle
    }

    fn call_at(self: &Rc<Self>, when: Duration, callback: Callback) -> Rc<Handle> {
        let handle = Handle::new(callback, true);
        let mut heap = self.scheduled.borrow_mut();
        let last = heap.len();
        heap.push((when, handle.clone()));
        rise(&mut heap, 0, last);
        handle
    }

    fn cancel(&self, handle: &Rc<Handle>) {
        if !handle.cancelled.replace(true) && handle.scheduled.get() {
            self.cancelled_count.set(self.cancelled_count.get() + 1);
        }
    }

    fn cancelled(&self, handle: &Rc<Handle>) -> bool {
        handle.cancelled.get()
    }

    fn add_reader(self: &Rc<Self>, fd: Fd, callback: Callback) {
        self.readers
            .borrow_mut()
            .insert(fd, Handle::new(callback, false));
        self.outside.watch(fd);
    }

    fn remove_reader(&self, fd: Fd) {
        self.readers.borrow_mut().remove(&fd);
        self.outside.unwatch(fd);
    }

    fn run_forever(self: &Rc<Self>) -> Result<(), Exception> {
        loop {
            let turned = self.run_once();
            if turned.is_err() || self.stopping.get() {
                self.stopping.set(false);
                return turned;
            }
        }
    }

    fn stop(&self) {
        self.stopping.set(true);
    }

    fn create_future(self: &Rc<Self>, on_cancel: Option<OnCancel>) -> LoopFuture {
        LoopFuture::new(self, on_cancel, None)
    }

    fn create_task(self: &Rc<Self>, name: &str, coroutine: Coroutine<LoopFuture>) -> LoopFuture {
        let task = Task {
            name: name.to_owned(),
            coroutine,
            waits_for: RefCell::default(),
            must_cancel: Cell::new(false),
        };
        let future = LoopFuture::new(self, None, Some(task));
        future.queue_step("step");
        future
    }
}

/// A future, and a task if it has a coroutine. Clones are the same future.
#[derive(Clone)]
pub struct LoopFuture(Rc<State>);

struct State {
    event_loop: Rc<Loop>,
    outcome: RefCell<Option<Outcome>>,
    callbacks: RefCell<Vec<Callback>>,
    on_cancel: Option<OnCancel>,
    task: Option<Task>,
}

struct Task {
    name: String,
    coroutine: Coroutine<LoopFuture>,
    waits_for: RefCell<Option<LoopFuture>>,
    must_cancel: Cell<bool>,
}

impl LoopFuture {
    fn new(event_loop: &Rc<Loop>, on_cancel: Option<OnCancel>, task: Option<Task>) -> Self {
        Self(Rc::new(State {
            event_loop: Rc::clone(event_loop),
            outcome: RefCell::default(),
            callbacks: RefCell::default(),
            on_cancel,
            task,
        }))
    }

    fn queue_step(&self, kind: &str) {
        self.0.event_loop.call_soon(self.stepper(kind));
    }

    /// The callback that takes the task's next step.
    fn stepper(&self, kind: &str) -> Callback {
        let this = self.clone();
        let name = self.0.task.as_ref().map_or("", |task| &task.name);
        Callback::new(format!("{kind}:{name}"), move || this.step())
    }

    fn step(&self) -> Result<(), Exception> {
        let Some(task) = &self.0.task else {
            return Ok(());
        };
        task.waits_for.take();
        let thrown = task.must_cancel.take().then_some(Exception::Cancelled);
        match task.coroutine.resume(thrown) {
            Resumed::Yielded => self.queue_step("step"),
            Resumed::Awaits(future) => {
                future.add_done_callback(self.stepper("wakeup"));
                if task.must_cancel.get() && future.cancel() {
                    task.must_cancel.set(false);
                }
                task.waits_for.replace(Some(future));
            }
            // Asked for in this very step, with no await behind it to raise it.
            Resumed::Ended(Ok(_)) if task.must_cancel.get() => {
                self.finish(Err(Exception::Cancelled));
            }
            Resumed::Ended(outcome) => {
                let exit = outcome.clone().err().filter(Exception::is_exit);
                self.finish(outcome);
                return exit.map_or(Ok(()), Err);
            }
        }
        Ok(())
    }
}

impl Future for LoopFuture {
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome.borrow().clone()
    }

    fn finish(&self, outcome: Outcome) -> bool {
        if self.0.outcome.borrow().is_some() {
            return false;
        }
        self.0.outcome.replace(Some(outcome));
        for callback in self.0.callbacks.take() {
            self.0.event_loop.call_soon(callback);
        }
        true
    }

    fn cancel(&self) -> bool {
        if self.0.outcome.borrow().is_some() {
            return false;
        }
        if let Some(on_cancel) = &self.0.on_cancel {
            return on_cancel();
        }
        let Some(task) = &self.0.task else {
            return self.finish(Err(Exception::Cancelled));
        };
        // Whatever it waits for is cancelled, and the task's wakeup follows from that.
        let awaited = task.waits_for.borrow().clone();
        if !awaited.is_some_and(|future| future.cancel()) {
            task.must_cancel.set(true);
        }
        true
    }

    fn add_done_callback(&self, callback: Callback) {
        if self.0.outcome.borrow().is_some() {
            self.0.event_loop.call_soon(callback);
        } else {
            self.0.callbacks.borrow_mut().push(callback);
        }
    }

    fn remove_done_callback(&self, callback: &Callback) -> usize {
        let mut callbacks = self.0.callbacks.borrow_mut();
        let before = callbacks.len();
        callbacks.retain(|found| !found.is(callback));
        before - callbacks.len()
    }
}
