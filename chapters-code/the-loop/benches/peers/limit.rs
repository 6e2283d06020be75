//! The least work that does the job, by hand, on one thread. Not a target: it says how far there
//! is to go, and how fast this machine is at the moment.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::hint::black_box;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use crate::oneshot::{OneShot, WakeByRef};
use crate::workloads::{MANY, far_delays, near_delays, side};

type Job<To> = Box<dyn FnOnce(&mut To)>;

#[derive(Default)]
struct Queue(VecDeque<Job<Self>>);

impl Queue {
    fn push(&mut self, job: impl FnOnce(&mut Self) + 'static) {
        self.0.push_back(Box::new(job));
    }

    fn run(mut self) {
        while let Some(job) = self.0.pop_front() {
            job(&mut self);
        }
    }
}

pub(crate) fn call_soon_chain(n: u64) {
    fn link(queue: &mut Queue, n: u64) {
        if n > 0 {
            queue.push(move |queue| link(queue, n - 1));
        }
    }
    let mut queue = Queue::default();
    link(&mut queue, n);
    queue.run();
}

pub(crate) fn call_soon_batch(n: u64) {
    fn turn(queue: &mut Queue, left: u64) {
        if left > 0 {
            (1..MANY).for_each(|_| queue.push(|_| black_box(())));
            queue.push(move |queue| turn(queue, left - 1));
        }
    }
    let mut queue = Queue::default();
    turn(&mut queue, n / MANY);
    queue.run();
}

/// The same with handles that can be cancelled.
struct Handle {
    cancelled: Cell<bool>,
    callback: Cell<Option<Job<Handles>>>,
}

#[derive(Default)]
struct Handles(VecDeque<Rc<Handle>>);

impl Handles {
    fn push(&mut self, callback: impl FnOnce(&mut Self) + 'static) -> Rc<Handle> {
        let handle = Rc::new(Handle {
            cancelled: Cell::new(false),
            callback: Cell::new(Some(Box::new(callback))),
        });
        self.0.push_back(Rc::clone(&handle));
        handle
    }

    fn run(mut self) {
        while let Some(handle) = self.0.pop_front() {
            if !handle.cancelled.get()
                && let Some(callback) = handle.callback.take()
            {
                callback(&mut self);
            }
        }
    }
}

pub(crate) fn call_soon_chain_handles(n: u64) {
    fn link(handles: &mut Handles, n: u64) {
        if n > 0 {
            handles.push(move |handles| link(handles, n - 1));
        }
    }
    let mut handles = Handles::default();
    link(&mut handles, n);
    handles.run();
}

pub(crate) fn call_soon_batch_handles(n: u64) {
    fn turn(handles: &mut Handles, left: u64) {
        if left > 0 {
            for _ in 1..MANY {
                handles.push(|_| black_box(()));
            }
            handles.push(move |handles| turn(handles, left - 1));
        }
    }
    let mut handles = Handles::default();
    turn(&mut handles, n / MANY);
    handles.run();
}

type Coroutine = Pin<Box<dyn Future<Output = ()>>>;

/// Polls all until all are done, in turn, whether they were woken or not.
fn poll_all(tasks: &mut VecDeque<Coroutine>) {
    let mut context = Context::from_waker(Waker::noop());
    while let Some(mut task) = tasks.pop_front() {
        if task.as_mut().poll(&mut context).is_pending() {
            tasks.push_back(task);
        }
    }
}

pub(crate) fn wakes(n: u64, tasks: u64) {
    let task = || -> Coroutine {
        Box::pin(async move {
            for _ in 0..n / tasks {
                WakeByRef::default().await;
            }
        })
    };
    poll_all(&mut (0..tasks).map(|_| task()).collect());
}

fn spawn(i: u64, tasks: &mut VecDeque<Coroutine>) -> Rc<Cell<Option<u64>>> {
    let result = Rc::new(Cell::new(None));
    let there = Rc::clone(&result);
    tasks.push_back(Box::pin(async move { there.set(Some(i)) }));
    result
}

pub(crate) fn spawn_join(n: u64, at_once: u64) {
    let mut tasks = VecDeque::new();
    for _ in 0..n / at_once {
        let results: Vec<_> = (0..at_once).map(|i| spawn(i, &mut tasks)).collect();
        poll_all(&mut tasks);
        let sum: u64 = results.iter().filter_map(|result| result.get()).sum();
        assert_eq!(sum, at_once * (at_once - 1) / 2);
    }
}

pub(crate) fn gather(n: u64) {
    let mut tasks = VecDeque::new();
    for _ in 0..n / MANY {
        let results: Vec<_> = (0..MANY).map(|i| spawn(i, &mut tasks)).collect();
        poll_all(&mut tasks);
        let results: Vec<u64> = results.iter().filter_map(|result| result.get()).collect();
        assert_eq!(results.iter().sum::<u64>(), MANY * (MANY - 1) / 2);
    }
}

pub(crate) fn ping_pong(n: u64) {
    let (a, b) = (Rc::default(), Rc::default());
    let first = Box::pin(side(n, Rc::clone(&a), Rc::clone(&b)));
    let second = Box::pin(side(n, b, a));
    poll_all(&mut VecDeque::from([first as Coroutine, second]));
}

thread_local! {
    static TIMERS: RefCell<BinaryHeap<Reverse<(Instant, usize)>>> = const {
        RefCell::new(BinaryHeap::new())
    };
}

/// Sleeps once: the first poll puts the timer on the heap, the second is the wake-up.
struct Sleep {
    when: Option<Instant>,
    task: usize,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        let Some(when) = self.when.take() else {
            return Poll::Ready(());
        };
        TIMERS.with_borrow_mut(|timers| timers.push(Reverse((when, self.task))));
        Poll::Pending
    }
}

fn sleeping(delays: impl Iterator<Item = Duration>) -> Vec<Coroutine> {
    let mut tasks: Vec<Coroutine> = Vec::new();
    for (task, delay) in delays.enumerate() {
        let when = Some(Instant::now() + delay);
        tasks.push(Box::pin(Sleep { when, task }));
    }
    let mut context = Context::from_waker(Waker::noop());
    for task in &mut tasks {
        assert!(task.as_mut().poll(&mut context).is_pending());
    }
    tasks
}

pub(crate) fn sleeps(n: u64) {
    let mut tasks = sleeping(near_delays(n));
    let mut context = Context::from_waker(Waker::noop());
    while let Some(Reverse((when, task))) = TIMERS.with_borrow_mut(BinaryHeap::pop) {
        let early = when.saturating_duration_since(Instant::now());
        if !early.is_zero() {
            std::thread::sleep(early);
        }
        assert!(tasks[task].as_mut().poll(&mut context).is_ready());
    }
}

pub(crate) fn cancel_timers(n: u64) {
    let now = Instant::now();
    let mut heap = BinaryHeap::new();
    let mut flags = Vec::new();
    for delay in far_delays(n) {
        let cancelled = Rc::new(Cell::new(false));
        heap.push((Reverse(now + delay), Rc::clone(&cancelled)));
        flags.push(cancelled);
    }
    for cancelled in &flags {
        cancelled.set(true);
    }
    heap.retain(|(_, cancelled)| !cancelled.get());
    assert!(heap.is_empty());
}

pub(crate) fn asleep(n: u64) -> impl Sized {
    sleeping((0..n).map(|_| Duration::from_hours(1)))
}

pub(crate) fn waiting(n: u64) -> impl Sized {
    let mut tasks: Vec<(Coroutine, OneShot)> = Vec::new();
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..n {
        let future = OneShot::default();
        let mut task: Coroutine = Box::pin(future.clone());
        assert!(task.as_mut().poll(&mut context).is_pending());
        tasks.push((task, future));
    }
    tasks
}

pub(crate) fn run_kept(n: u64) {
    let mut context = Context::from_waker(Waker::noop());
    for i in 0..n {
        // Held up to the optimiser, or the allocation is gone.
        let mut task: Coroutine = black_box(Box::pin(async move {
            black_box(i);
        }));
        assert!(task.as_mut().poll(&mut context).is_ready());
    }
}
