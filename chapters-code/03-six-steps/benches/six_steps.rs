//! What a callback costs on its way through the loop, beside the same work written by hand. The
//! rows are those of `rows.toml`.
//!
//! `by_hand` is the other side: a queue, a heap or a locked vector of counted, cancellable handles
//! and nothing else. `forward` is a clock that is put forward, so that timers fire without a wait.

mod by_hand;
mod forward;

use std::hint::black_box;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use by_hand::{BoxedQueue, Hatch, Queue, Timers};
use forward::forward_loop;
use rows::{Figure, Rows, Scale, cpu, each, wall};
use six_steps::{EventLoop, running_loop};

const MANY: u64 = 1_000;
const TIMERS: u64 = 100_000;
const POSTS: u64 = 10_000;

/// What every callback does: it looks at the word it captured.
fn hold<T>(word: T) {
    let _ = black_box(word);
}

/// Reproduces "`call_soon`, 1,000 a turn": closures that capture a word.
fn batch() -> impl FnMut(u64) -> Duration {
    let event_loop = EventLoop::new();
    each(move || {
        for n in 0..MANY {
            event_loop.call_soon(move || hold(n)).unwrap();
        }
        event_loop.stop();
        event_loop.run_forever().unwrap();
    })
}

fn batch_by_hand() -> impl FnMut(u64) -> Duration {
    let queue = Queue::default();
    each(move || {
        for n in 0..MANY {
            queue.push(move || hold(n));
        }
        queue.turn();
    })
}

fn batch_boxed() -> impl FnMut(u64) -> Duration {
    let queue = BoxedQueue::default();
    each(move || {
        for n in 0..MANY {
            queue.push(move || hold(n));
        }
        queue.turn();
    })
}

/// Reproduces "`call_soon`, a chain": a callback queues the next one, a turn each.
fn chain() -> impl FnMut(u64) -> Duration {
    fn link(event_loop: &EventLoop, n: u64) {
        let own = event_loop.clone();
        let next = move || match n {
            0 => own.stop(),
            _ => link(&own, n - 1),
        };
        event_loop.call_soon(next).unwrap();
    }
    let event_loop = EventLoop::new();
    each(move || {
        link(&event_loop, MANY - 1);
        event_loop.run_forever().unwrap();
    })
}

fn chain_by_hand() -> impl FnMut(u64) -> Duration {
    fn link(queue: &Rc<Queue>, n: u64) {
        let own = Rc::clone(queue);
        let next = move || match n {
            0 => {}
            _ => link(&own, n - 1),
        };
        queue.push(next);
    }
    let queue = Rc::new(Queue::default());
    each(move || {
        link(&queue, MANY - 1);
        while queue.turn() {}
    })
}

fn chain_boxed() -> impl FnMut(u64) -> Duration {
    fn link(queue: &Rc<BoxedQueue>, n: u64) {
        let own = Rc::clone(queue);
        let next = move || match n {
            0 => {}
            _ => link(&own, n - 1),
        };
        queue.push(next);
    }
    let queue = Rc::new(BoxedQueue::default());
    each(move || {
        link(&queue, MANY - 1);
        while queue.turn() {}
    })
}

/// Delays that lie anywhere in 50 ms, the same on every run (xorshift).
fn delays() -> Vec<Duration> {
    let mut state = 88_172_645_463_325_252_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        Duration::from_nanos(state % 50_000_000)
    };
    (0..TIMERS).map(|_| next()).collect()
}

/// Reproduces "100,000 timers, insert and fire": as many `call_later`, then all of them ring.
fn fire() -> impl FnMut(u64) -> Duration {
    let (event_loop, by) = forward_loop();
    let delays = delays();
    each(move || {
        for (n, &delay) in delays.iter().enumerate() {
            event_loop.call_later(delay, move || hold(n)).unwrap();
        }
        by.set(by.get() + Duration::from_millis(51));
        event_loop.stop();
        event_loop.run_forever().unwrap();
        assert_eq!(event_loop.scheduled_len(), 0);
    })
}

fn fire_by_hand() -> impl FnMut(u64) -> Duration {
    let (timers, delays) = (Timers::default(), delays());
    each(move || {
        for (n, delay) in delays.iter().enumerate() {
            let when = u64::try_from(delay.as_nanos()).unwrap();
            timers.push(when, move || hold(n));
        }
        timers.fire_all();
    })
}

/// Reproduces "100,000 timers, insert and cancel": an hour away, each cancelled, then one turn that
/// sweeps them away.
fn cancel() -> impl FnMut(u64) -> Duration {
    let (event_loop, _) = forward_loop();
    let hour = Duration::from_hours(1);
    let delays = delays();
    each(move || {
        let timer = |(n, &delay): (usize, &Duration)| {
            let callback = move || hold(n);
            event_loop.call_later(hour + delay, callback).unwrap()
        };
        let timers: Vec<_> = delays.iter().enumerate().map(timer).collect();
        timers.iter().for_each(six_steps::TimerHandle::cancel);
        event_loop.stop();
        event_loop.run_forever().unwrap();
        assert_eq!(event_loop.scheduled_len(), 0);
    })
}

fn cancel_by_hand() -> impl FnMut(u64) -> Duration {
    let (timers, delays) = (Timers::default(), delays());
    let hour = Duration::from_hours(1);
    each(move || {
        let timer = |(n, delay): (usize, &Duration)| {
            let when = u64::try_from((hour + *delay).as_nanos()).unwrap();
            timers.push(when, move || hold(n))
        };
        let handles: Vec<_> = delays.iter().enumerate().map(timer).collect();
        for handle in &handles {
            handle.cancel();
        }
        timers.sweep();
    })
}

/// Reproduces "`call_soon_threadsafe`, 10,000 posts": from another thread, from the first to the
/// last callback.
fn post() -> impl FnMut(u64) -> Duration {
    let event_loop = EventLoop::new();
    let burst = move || {
        let hatch = event_loop.hatch();
        let burst = move || {
            for n in 0..POSTS {
                let post = move || {
                    if black_box(n) == POSTS - 1 {
                        running_loop().unwrap().stop();
                    }
                };
                hatch.call_soon_threadsafe(post).unwrap();
            }
        };
        let poster = std::thread::spawn(burst);
        event_loop.run_forever().unwrap();
        poster.join().unwrap();
    };
    move |bursts| wall(|| (0..bursts).for_each(|_| burst()))
}

fn post_by_hand() -> impl FnMut(u64) -> Duration {
    let hatch = Arc::new(Hatch::default());
    let burst = move || {
        let posting = Arc::clone(&hatch);
        let burst = move || {
            for n in 0..POSTS {
                posting.post(move || hold(n));
            }
        };
        let poster = std::thread::spawn(burst);
        let mut left = POSTS;
        while left > 0 {
            left -= hatch.run_what_is_there() as u64;
        }
        poster.join().unwrap();
    };
    move |bursts| wall(|| (0..bursts).for_each(|_| burst()))
}

/// Reproduces "processor time of an idle second": a loop that has one timer to wait for.
fn idle(scale: Scale) -> Vec<Figure> {
    let second = scale.time(Duration::from_secs(1));
    let event_loop = EventLoop::new();
    let own = event_loop.clone();
    let taken = cpu(|| {
        event_loop.call_later(second, move || own.stop()).unwrap();
        event_loop.run_forever().unwrap();
    });
    event_loop.close().unwrap();
    vec![Figure::ms("idle", taken)]
}

/// The chapter's rows.
pub(crate) fn rows() -> Rows {
    Rows::new("six-steps", include_str!("../rows.toml"))
        .batched("call-soon-batch", MANY, batch)
        .batched("call-soon-batch/by-hand", MANY, batch_by_hand)
        .batched("call-soon-batch/by-hand-boxed", MANY, batch_boxed)
        .batched("call-soon-chain", MANY, chain)
        .batched("call-soon-chain/by-hand", MANY, chain_by_hand)
        .batched("call-soon-chain/by-hand-boxed", MANY, chain_boxed)
        .batched("timers-fire", TIMERS, fire)
        .batched("timers-fire/by-hand", TIMERS, fire_by_hand)
        .batched("timers-cancel", TIMERS, cancel)
        .batched("timers-cancel/by-hand", TIMERS, cancel_by_hand)
        .batched("post", POSTS, post)
        .batched("post/by-hand", POSTS, post_by_hand)
        .whole("idle", idle)
}

fn main() {
    rows().main();
}
