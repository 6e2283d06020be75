//! The hatch: callbacks from other threads. What is asserted is what arrives, in which order and
//! that the loop wakes; a lost wake-up fails by its outcome, not by a clock.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Barrier, mpsc};
use std::thread;
use std::time::Duration;

use six_steps::{EventLoop, LoopClosed, VirtualSelector, running_loop};

const THREADS: u32 = 4;
const POSTS: u32 = 2_500;

thread_local! {
    // What posted callbacks write, on the loop's thread: they must be `Send`, the log need not.
    static LOG: RefCell<Vec<(u32, u32)>> = const { RefCell::new(Vec::new()) };
}

#[test]
fn every_post_arrives_and_each_threads_order_is_kept() {
    let event_loop = EventLoop::new();
    let start = Arc::new(Barrier::new(THREADS as usize));
    let posters: Vec<_> = (0..THREADS)
        .map(|name| {
            let (hatch, start) = (event_loop.hatch(), Arc::clone(&start));
            thread::spawn(move || {
                start.wait();
                for n in 0..POSTS {
                    hatch
                        .call_soon_threadsafe(move || {
                            let arrived = LOG.with_borrow_mut(|log| {
                                log.push((name, n));
                                log.len()
                            });
                            if arrived == (THREADS * POSTS) as usize {
                                running_loop().unwrap().stop();
                            }
                        })
                        .unwrap();
                }
            })
        })
        .collect();
    event_loop.run_forever().unwrap();
    for poster in posters {
        poster.join().unwrap();
    }
    let log = LOG.take();
    for name in 0..THREADS {
        let of_one: Vec<u32> = log.iter().filter(|e| e.0 == name).map(|e| e.1).collect();
        assert_eq!(of_one, (0..POSTS).collect::<Vec<_>>(), "thread {name}");
    }
}

/// How long a post may take before the timer that rescues the test fires.
const RESCUE: Duration = Duration::from_secs(20);

/// The loop sleeps without a nearer deadline than the rescue; each post must end the sleep. What
/// tells a lost wake-up is that the rescue ran.
#[test]
fn a_post_wakes_a_sleeping_loop_each_time() {
    let event_loop = EventLoop::new();
    let hatch = event_loop.hatch();
    let (arrived, acknowledged) = mpsc::channel();
    let poster = thread::spawn(move || {
        for n in 0..2_000 {
            let arrived = arrived.clone();
            let post = move || arrived.send(n).unwrap();
            hatch.call_soon_threadsafe(post).unwrap();
            // Only after the loop ran it does the next one come: the loop is asleep again, or
            // about to be.
            if acknowledged.recv_timeout(RESCUE) != Ok(n) {
                return false;
            }
        }
        let stop = || running_loop().unwrap().stop();
        hatch.call_soon_threadsafe(stop).is_ok()
    });
    let rescued = event_loop.clone();
    event_loop
        .call_later(RESCUE * 2, move || rescued.stop())
        .unwrap();
    event_loop.run_forever().unwrap();
    assert!(poster.join().unwrap(), "a post did not wake the loop");
    assert_eq!(event_loop.scheduled_len(), 1, "the rescue ran");
}

#[test]
fn a_post_runs_behind_what_is_ready_and_before_timers() {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let log = Rc::new(RefCell::new(Vec::new()));
    let note = |line| {
        let log = Rc::clone(&log);
        move || log.borrow_mut().push(line)
    };
    let hatch = event_loop.hatch();
    event_loop
        .call_later(Duration::ZERO, note("timer"))
        .unwrap();
    hatch
        .call_soon_threadsafe(|| LOG.with_borrow_mut(|log| log.push((0, 0))))
        .unwrap();
    event_loop.call_soon(note("soon")).unwrap();
    let recorder = Rc::new(six_steps::Recorder::default());
    event_loop.watch(recorder.clone());
    event_loop.stop();
    event_loop.run_forever().unwrap();
    assert_eq!(*log.borrow(), ["soon", "timer"]);
    assert_eq!(LOG.take(), [(0, 0)]);
    let ran = &recorder.turns()[0].ran;
    assert_eq!(ran.len(), 3);
    let posted = "hatch::a_post_runs_behind_what_is_ready_and_before_timers::{{closure}}()";
    assert_eq!(ran[1], posted, "it stands between the two");
}

#[test]
fn a_post_from_within_a_turn_runs_in_the_next_one() {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let hatch = event_loop.hatch();
    let post = move || hatch.call_soon_threadsafe(|| running_loop().unwrap().stop());
    let posted = move || post().unwrap();
    event_loop.call_soon(posted).unwrap();
    let turns = Rc::new(six_steps::TurnCounter::default());
    event_loop.watch(turns.clone());
    event_loop.run_forever().unwrap();
    assert_eq!(turns.count(), 2);
}

#[test]
fn a_post_that_panics_is_reported_by_name_and_place() {
    fn boo() {
        panic!("boo");
    }
    let event_loop = EventLoop::new();
    let reports = Rc::new(RefCell::new(Vec::new()));
    let collected = Rc::clone(&reports);
    event_loop.set_exception_handler(Some(
        move |_: &EventLoop, context: &six_steps::ExceptionContext| {
            let handle: &six_steps::Handle = context.detail("handle").unwrap();
            let at = handle.created_at().unwrap();
            let report = (context.message.clone(), at.file(), at.line());
            collected.borrow_mut().push(report);
        },
    ));
    event_loop.hatch().call_soon_threadsafe(boo).unwrap();
    let line = line!() - 1;
    event_loop.stop();
    event_loop.run_forever().unwrap();
    let name = "hatch::a_post_that_panics_is_reported_by_name_and_place::boo()";
    let message = format!("Exception in callback {name}");
    assert_eq!(*reports.borrow(), [(message, file!(), line)]);
}

#[test]
fn after_a_close_a_post_is_an_error_and_its_callback_is_dropped() {
    let event_loop = EventLoop::new();
    let hatch = event_loop.hatch();
    let held = Arc::new(());
    let posting = || {
        let capture = Arc::clone(&held);
        hatch.call_soon_threadsafe(move || drop(capture))
    };
    posting().unwrap();
    assert_eq!(Arc::strong_count(&held), 2);
    event_loop.close().unwrap();
    assert_eq!(Arc::strong_count(&held), 1, "what waited is dropped");
    assert_eq!(posting(), Err(LoopClosed));
    assert_eq!(Arc::strong_count(&held), 1);
    assert_eq!(format!("{hatch:?}"), "<Hatch closed=true>");
}

/// A post may drop a hatch, or post again, while the loop is being closed.
#[test]
fn what_a_dropped_post_drops_may_use_the_hatch() {
    struct PostsOnDrop(six_steps::Hatch, mpsc::Sender<Result<(), LoopClosed>>);
    impl Drop for PostsOnDrop {
        fn drop(&mut self) {
            self.1.send(self.0.call_soon_threadsafe(|| ())).unwrap();
        }
    }
    let event_loop = EventLoop::new();
    let (told, outcome) = mpsc::channel();
    let value = PostsOnDrop(event_loop.hatch(), told);
    let post = move || drop(value);
    event_loop.hatch().call_soon_threadsafe(post).unwrap();
    event_loop.close().unwrap();
    assert_eq!(outcome.recv(), Ok(Err(LoopClosed)));
}

#[test]
fn a_hatch_may_outlive_its_loop() {
    let event_loop = EventLoop::new();
    let hatch = event_loop.hatch();
    let held = Arc::new(());
    let capture = Arc::clone(&held);
    hatch.call_soon_threadsafe(move || drop(capture)).unwrap();
    drop(event_loop);
    assert_eq!(hatch.call_soon_threadsafe(|| ()), Err(LoopClosed));
    assert_eq!(Arc::strong_count(&held), 1, "nobody can run it any more");
}
