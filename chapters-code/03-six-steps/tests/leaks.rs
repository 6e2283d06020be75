//! Nothing outlives its loop: what callbacks hold is dropped when the loop is, and a loop that its
//! own callbacks hold is freed by `close`.

use std::cell::Cell;
use std::os::unix::net::UnixStream;
use std::rc::{Rc, Weak};
use std::time::Duration;

use six_steps::{EventLoop, Source, SystemSelector, VirtualSelector};

/// A selector whose end can be seen: it goes when the loop's core does.
struct Witnessed(
    SystemSelector,
    #[expect(dead_code, reason = "it is held")] Rc<()>,
);

impl six_steps::Selector for Witnessed {
    fn time(&self) -> Duration {
        self.0.time()
    }
    fn select(
        &self,
        timeout: Option<Duration>,
        events: &mut Vec<six_steps::Event>,
    ) -> std::io::Result<()> {
        self.0.select(timeout, events)
    }
    fn register(&self, source: Source, interest: containers::Interest) -> std::io::Result<()> {
        self.0.register(source, interest)
    }
    fn modify(&self, fd: six_steps::Fd, interest: containers::Interest) -> std::io::Result<()> {
        self.0.modify(fd, interest)
    }
    fn unregister(&self, fd: six_steps::Fd) -> std::io::Result<()> {
        self.0.unregister(fd)
    }
    fn interrupter(&self) -> std::sync::Arc<dyn containers::Interrupt> {
        self.0.interrupter()
    }
}

fn witnessed_loop() -> (EventLoop, Weak<()>) {
    let alive = Rc::new(());
    let seen = Rc::downgrade(&alive);
    let selector = Witnessed(SystemSelector::new(), alive);
    (EventLoop::with_selector(selector), seen)
}

fn is_freed(seen: &Weak<()>) -> bool {
    seen.upgrade().is_none()
}

/// Gives the loop one callback of each kind; each holds what `hold` makes. Returns the socket's
/// other end, without which the descriptor would be ready.
fn fill<T: 'static>(event_loop: &EventLoop, hold: impl Fn() -> T) -> UnixStream {
    let soon = hold();
    event_loop.call_soon(move || drop(soon)).unwrap();
    let later = hold();
    let hour = Duration::from_hours(1);
    event_loop.call_later(hour, move || drop(later)).unwrap();
    let (ours, theirs) = UnixStream::pair().unwrap();
    let ours = Rc::new(ours);
    let mut held = Some(hold());
    event_loop
        .add_reader(Source::new(Rc::clone(&ours)), move || drop(held.take()))
        .unwrap();
    let mut held = Some(hold());
    event_loop
        .add_writer(Source::new(ours), move || drop(held.take()))
        .unwrap();
    theirs
}

#[test]
fn a_loop_dropped_without_a_close_drops_its_closures() {
    let (event_loop, core) = witnessed_loop();
    let value = Rc::new(());
    let _end = fill(&event_loop, || Rc::clone(&value));
    assert_eq!(Rc::strong_count(&value), 5);
    drop(event_loop);
    assert_eq!(Rc::strong_count(&value), 1);
    assert!(is_freed(&core));
}

#[test]
fn a_close_drops_its_closures_though_the_loop_lives() {
    let (event_loop, core) = witnessed_loop();
    let value = Rc::new(());
    let _end = fill(&event_loop, || Rc::clone(&value));
    event_loop.close().unwrap();
    assert_eq!(Rc::strong_count(&value), 1);
    assert!(!is_freed(&core));
    drop(event_loop);
    assert!(is_freed(&core));
}

#[test]
fn a_loop_that_its_own_callbacks_hold_is_freed_by_close() {
    let (event_loop, core) = witnessed_loop();
    let _end = fill(&event_loop, || event_loop.clone());
    event_loop.close().unwrap();
    drop(event_loop);
    assert!(is_freed(&core));
}

#[test]
fn a_finished_run_holds_nothing() {
    let (event_loop, core) = witnessed_loop();
    let value = Rc::new(());
    let (stop, held) = (event_loop.clone(), Rc::clone(&value));
    let callback = move || {
        Rc::strong_count(&held);
        stop.stop();
    };
    event_loop.call_soon(callback).unwrap();
    event_loop.run_forever().unwrap();
    assert_eq!(
        Rc::strong_count(&value),
        1,
        "a callback that ran is dropped"
    );
    drop(event_loop);
    assert!(is_freed(&core), "the thread remembers no loop");
}

#[test]
fn a_handle_may_outlive_its_loop() {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let soon = event_loop.call_soon(|| ()).unwrap();
    let later = event_loop.call_later(Duration::MAX / 2_000_000_000, || ());
    let later = later.unwrap();
    drop(event_loop);
    soon.cancel();
    later.cancel();
    assert!(soon.cancelled() && later.cancelled());
}

/// What a closed loop drops may call it: no container is borrowed meanwhile.
#[test]
fn what_a_close_drops_may_call_the_loop() {
    struct CallsOnDrop(EventLoop, Rc<Cell<u32>>);
    impl Drop for CallsOnDrop {
        fn drop(&mut self) {
            assert!(self.0.call_soon(|| ()).is_err());
            assert!(self.0.call_later(Duration::ZERO, || ()).is_err());
            assert!(!self.0.remove_reader_fd(0));
            assert!(self.0.ready_len() <= 1 && self.0.scheduled_len() <= 1);
            self.0.hatch().call_soon_threadsafe(|| ()).unwrap_err();
            self.1.set(self.1.get() + 1);
        }
    }
    let (event_loop, core) = witnessed_loop();
    let dropped = Rc::new(Cell::new(0));
    let hold = || CallsOnDrop(event_loop.clone(), Rc::clone(&dropped));
    let _end = fill(&event_loop, hold);
    event_loop.close().unwrap();
    assert_eq!(dropped.get(), 4);
    drop(event_loop);
    assert!(is_freed(&core));
}
