//! What a callback costs on its way through the loop, beside the same work written by hand.
//!
//! Both sides of a row take turns, one repetition each, so that a machine that slows down slows
//! both; after a row its ratio by the fastest repetitions is printed. `by_hand.rs` is the other
//! side: a queue or a heap of counted, cancellable handles and nothing else.

mod by_hand;

use std::cell::Cell;
use std::hint::black_box;
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use by_hand::{BoxedQueue, Hatch, Queue, Timers};
use containers::{Interest, Interrupt};
use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use six_steps::{Event, EventLoop, Fd, Selector, Source, SystemSelector, running_loop};

const TIMERS: usize = 100_000;

/// What every callback does: it looks at the word it captured.
fn hold<T>(word: T) {
    let _ = black_box(word);
}

/// One way to do the work of a row.
type Side = (&'static str, Box<dyn FnMut()>);

fn side(name: &'static str, work: impl FnMut() + 'static) -> Side {
    (name, Box::new(work))
}

/// A row of the table: `operations` a repetition, the sides in turn. Ours is the first.
#[expect(clippy::cast_precision_loss, reason = "a count of operations is small")]
fn row(c: &mut Criterion, name: &str, operations: usize, mut sides: Vec<Side>) {
    let mut group: BenchmarkGroup<'_, WallTime> = c.benchmark_group(name);
    group.throughput(Throughput::Elements(operations as u64));
    group.sample_size(10);
    group.sampling_mode(SamplingMode::Flat);
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(1));
    let names: Vec<&str> = sides.iter().map(|(name, _)| *name).collect();
    let mut fastest = vec![Duration::MAX; sides.len()];
    for (asked, name) in names.iter().enumerate() {
        group.bench_function(*name, |bencher| {
            bencher.iter_custom(|repetitions| {
                let mut total = Duration::ZERO;
                for _ in 0..repetitions {
                    for (i, (_, work)) in sides.iter_mut().enumerate() {
                        let start = Instant::now();
                        work();
                        let took = start.elapsed();
                        fastest[i] = fastest[i].min(took);
                        if i == asked {
                            total += took;
                        }
                    }
                }
                total
            });
        });
    }
    group.finish();
    if fastest[0] == Duration::MAX {
        return; // the row was filtered out
    }
    let each = fastest
        .iter()
        .map(|took| took.as_secs_f64() * 1e9 / operations as f64);
    let each: Vec<f64> = each.collect();
    print!("{name}: {:.1} ns", each[0]);
    for (name, other) in names.iter().zip(&each).skip(1) {
        print!(", {:.2} times {name} ({other:.1} ns)", each[0] / other);
    }
    println!("\n");
}

/// `call_soon` of closures that capture a word, 1,000 a turn (PEERS: `a call_soon, 1000 a turn`).
fn batch(c: &mut Criterion) {
    let event_loop = EventLoop::new();
    let ours = move || {
        for n in 0..1_000_u64 {
            event_loop.call_soon(move || hold(n)).unwrap();
        }
        event_loop.stop();
        event_loop.run_forever().unwrap();
    };
    let queue = Queue::default();
    let by_hand = move || {
        for n in 0..1_000_u64 {
            queue.push(move || hold(n));
        }
        queue.turn();
    };
    let queue = BoxedQueue::default();
    let boxed = move || {
        for n in 0..1_000_u64 {
            queue.push(move || hold(n));
        }
        queue.turn();
    };
    let sides = vec![
        side("ours", ours),
        side("by hand, boxed", boxed),
        side("by hand, one allocation", by_hand),
    ];
    row(c, "call_soon, 1,000 a turn", 1_000, sides);
}

/// A callback that queues the next one, a turn each (`a call_soon, chain`).
fn chain(c: &mut Criterion) {
    fn link(event_loop: &EventLoop, n: u64) {
        let own = event_loop.clone();
        let next = move || match n {
            0 => own.stop(),
            _ => link(&own, n - 1),
        };
        event_loop.call_soon(next).unwrap();
    }
    fn link_by_hand(queue: &Rc<Queue>, n: u64) {
        let own = Rc::clone(queue);
        let next = move || match n {
            0 => {}
            _ => link_by_hand(&own, n - 1),
        };
        queue.push(next);
    }
    fn link_boxed(queue: &Rc<BoxedQueue>, n: u64) {
        let own = Rc::clone(queue);
        let next = move || match n {
            0 => {}
            _ => link_boxed(&own, n - 1),
        };
        queue.push(next);
    }
    let event_loop = EventLoop::new();
    let ours = move || {
        link(&event_loop, 999);
        event_loop.run_forever().unwrap();
    };
    let queue = Rc::new(Queue::default());
    let by_hand = move || {
        link_by_hand(&queue, 999);
        while queue.turn() {}
    };
    let queue = Rc::new(BoxedQueue::default());
    let boxed = move || {
        link_boxed(&queue, 999);
        while queue.turn() {}
    };
    let sides = vec![
        side("ours", ours),
        side("by hand, boxed", boxed),
        side("by hand, one allocation", by_hand),
    ];
    row(c, "call_soon, a chain", 1_000, sides);
}

/// The system's clock, which can be put forward: timers fire without a wait, and asking the time
/// costs what it costs.
struct Forward {
    system: SystemSelector,
    by: Rc<Cell<Duration>>,
}

impl Selector for Forward {
    fn time(&self) -> Duration {
        self.system.time() + self.by.get()
    }
    fn select(&self, timeout: Option<Duration>, _: &mut Vec<Event>) -> io::Result<()> {
        self.by.set(self.by.get() + timeout.unwrap_or_default());
        Ok(())
    }
    fn register(&self, source: Source, interest: Interest) -> io::Result<()> {
        self.system.register(source, interest)
    }
    fn modify(&self, fd: Fd, interest: Interest) -> io::Result<()> {
        self.system.modify(fd, interest)
    }
    fn unregister(&self, fd: Fd) -> io::Result<()> {
        self.system.unregister(fd)
    }
    fn interrupter(&self) -> Arc<dyn Interrupt> {
        self.system.interrupter()
    }
}

fn forward_loop() -> (EventLoop, Rc<Cell<Duration>>) {
    let by = Rc::new(Cell::new(Duration::ZERO));
    let system = SystemSelector::new();
    let selector = Forward {
        system,
        by: Rc::clone(&by),
    };
    (EventLoop::with_selector(selector), by)
}

/// Delays that lie anywhere in 50 ms, the same on every run (xorshift).
fn delays() -> Rc<[Duration]> {
    let mut state = 88_172_645_463_325_252_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        Duration::from_nanos(state % 50_000_000)
    };
    (0..TIMERS).map(|_| next()).collect()
}

/// 100,000 `call_later`, then all of them fire (`e 1e5 call_later fire`).
fn fire(c: &mut Criterion) {
    let (event_loop, by) = forward_loop();
    let ours_delays = delays();
    let ours = move || {
        for (n, &delay) in ours_delays.iter().enumerate() {
            event_loop.call_later(delay, move || hold(n)).unwrap();
        }
        by.set(by.get() + Duration::from_millis(51));
        event_loop.stop();
        event_loop.run_forever().unwrap();
        assert_eq!(event_loop.scheduled_len(), 0);
    };
    let (timers, delays) = (Timers::default(), delays());
    let by_hand = move || {
        for (n, delay) in delays.iter().enumerate() {
            let when = u64::try_from(delay.as_nanos()).unwrap();
            timers.push(when, move || hold(n));
        }
        timers.fire_all();
    };
    let sides = vec![side("ours", ours), side("by hand", by_hand)];
    row(c, "100,000 timers, insert and fire", TIMERS, sides);
}

/// 100,000 `call_later` an hour away, each cancelled, then one turn that sweeps them away
/// (`e insert + cancel`).
fn cancel(c: &mut Criterion) {
    let (event_loop, _) = forward_loop();
    let hour = Duration::from_hours(1);
    let ours_delays = delays();
    let ours = move || {
        let timer = |(n, &delay): (usize, &Duration)| {
            let callback = move || hold(n);
            event_loop.call_later(hour + delay, callback).unwrap()
        };
        let timers: Vec<_> = ours_delays.iter().enumerate().map(timer).collect();
        timers.iter().for_each(six_steps::TimerHandle::cancel);
        event_loop.stop();
        event_loop.run_forever().unwrap();
        assert_eq!(event_loop.scheduled_len(), 0);
    };
    let (timers, delays) = (Timers::default(), delays());
    let by_hand = move || {
        let timer = |(n, delay): (usize, &Duration)| {
            let when = u64::try_from((hour + *delay).as_nanos()).unwrap();
            timers.push(when, move || hold(n))
        };
        let handles: Vec<_> = delays.iter().enumerate().map(timer).collect();
        for handle in &handles {
            handle.cancel();
        }
        timers.sweep();
    };
    let sides = vec![side("ours", ours), side("by hand", by_hand)];
    row(c, "100,000 timers, insert and cancel", TIMERS, sides);
}

/// 10,000 posts from another thread, from the first to the last callback (`g post, own API`).
fn post(c: &mut Criterion) {
    const POSTS: usize = 10_000;
    let event_loop = EventLoop::new();
    let ours = move || {
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
    let hatch = Arc::new(Hatch::default());
    let by_hand = move || {
        let posting = Arc::clone(&hatch);
        let burst = move || {
            for n in 0..POSTS {
                posting.post(move || hold(n));
            }
        };
        let poster = std::thread::spawn(burst);
        let mut left = POSTS;
        while left > 0 {
            left -= hatch.run_what_is_there();
        }
        poster.join().unwrap();
    };
    let sides = vec![side("ours", ours), side("by hand", by_hand)];
    row(c, "call_soon_threadsafe, 10,000 posts", POSTS, sides);
}

criterion_group!(benches, batch, chain, fire, cancel, post);
criterion_main!(benches);
