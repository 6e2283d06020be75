//! Readers and writers over real sockets: who is called, who is cancelled, and how long a
//! descriptor lives. No test waits: every byte is there before the turn that reads it.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::rc::Rc;

use six_steps::{EventLoop, Handle, LoopError, Source, SystemSelector, TurnCounter};

type Log = Rc<RefCell<Vec<&'static str>>>;

fn pair() -> (Rc<UnixStream>, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    (Rc::new(ours), theirs)
}

fn source(socket: &Rc<UnixStream>) -> Source {
    Source::new(Rc::clone(socket))
}

fn noting(log: &Log, line: &'static str) -> impl FnMut() + 'static {
    let log = Rc::clone(log);
    move || log.borrow_mut().push(line)
}

/// One turn that does not sleep.
fn turn(event_loop: &EventLoop) {
    event_loop.stop();
    event_loop.run_forever().unwrap();
}

#[test]
fn a_reader_is_called_each_turn_until_there_is_nothing_to_read() {
    let (event_loop, log) = (EventLoop::new(), Log::default());
    let (ours, mut theirs) = pair();
    event_loop
        .add_reader(source(&ours), noting(&log, "read"))
        .unwrap();
    turn(&event_loop);
    assert!(log.take().is_empty());
    theirs.write_all(b"x").unwrap();
    turn(&event_loop);
    turn(&event_loop);
    assert_eq!(log.take(), ["read", "read"]);
    (&*ours).read_exact(&mut [0]).unwrap();
    turn(&event_loop);
    assert!(log.take().is_empty());
}

#[test]
fn a_descriptor_ends_a_sleep() {
    let event_loop = EventLoop::new();
    let (ours, mut theirs) = pair();
    let stop = event_loop.clone();
    event_loop
        .add_reader(source(&ours), move || stop.stop())
        .unwrap();
    theirs.write_all(b"x").unwrap();
    event_loop.run_forever().unwrap();
}

#[test]
fn both_sides_of_one_descriptor_the_reader_first() {
    let (event_loop, log) = (EventLoop::new(), Log::default());
    let (ours, mut theirs) = pair();
    event_loop
        .add_writer(source(&ours), noting(&log, "write"))
        .unwrap();
    event_loop
        .add_reader(source(&ours), noting(&log, "read"))
        .unwrap();
    theirs.write_all(b"x").unwrap();
    turn(&event_loop);
    assert_eq!(log.take(), ["read", "write"]);
    assert!(event_loop.remove_writer(&ours));
    turn(&event_loop);
    assert_eq!(log.take(), ["read"]);
    assert!(!event_loop.remove_writer(&ours));
    assert!(event_loop.remove_reader(&ours));
    turn(&event_loop);
    assert!(log.take().is_empty());
}

#[test]
fn a_second_reader_replaces_the_first_and_cancels_its_handle() {
    let (event_loop, log) = (EventLoop::new(), Log::default());
    let (ours, mut theirs) = pair();
    let first = event_loop.add_reader(source(&ours), noting(&log, "first"));
    let first = first.unwrap();
    let second = event_loop.add_reader(source(&ours), noting(&log, "second"));
    let second = second.unwrap();
    assert!(first.cancelled() && !second.cancelled());
    assert_eq!(Rc::strong_count(&log), 2, "the first closure is dropped");
    theirs.write_all(b"x").unwrap();
    turn(&event_loop);
    assert_eq!(log.take(), ["second"]);
}

#[test]
fn removing_a_reader_cancels_its_handle_and_gives_up_the_share() {
    let event_loop = EventLoop::new();
    let (ours, _theirs) = pair();
    let handle = event_loop.add_reader(source(&ours), || ()).unwrap();
    assert_eq!(Rc::strong_count(&ours), 2);
    assert!(event_loop.remove_reader(&ours));
    assert!(handle.cancelled());
    assert_eq!(Rc::strong_count(&ours), 1);
    assert!(!event_loop.remove_reader(&ours));
}

/// A handle that was cancelled by itself, without `remove_reader`, is taken away by the turn that
/// finds its descriptor ready (`selector_events.py`, `_process_events`).
#[test]
fn a_cancelled_reader_is_removed_when_its_descriptor_is_ready() {
    let event_loop = EventLoop::new();
    let (ours, mut theirs) = pair();
    let handle = event_loop.add_reader(source(&ours), || ()).unwrap();
    handle.cancel();
    turn(&event_loop);
    assert_eq!(Rc::strong_count(&ours), 2, "nothing was ready");
    theirs.write_all(b"x").unwrap();
    turn(&event_loop);
    assert_eq!((Rc::strong_count(&ours), event_loop.ready_len()), (1, 0));
}

#[test]
fn a_reader_that_an_earlier_callback_of_the_turn_removed_does_not_run() {
    let (event_loop, log) = (EventLoop::new(), Log::default());
    let (a, mut to_a) = pair();
    let (b, mut to_b) = pair();
    // Whichever runs first removes the other: the system may report them in any order.
    for (own, other) in [(&a, &b), (&b, &a)] {
        let (remover, other, log) = (event_loop.clone(), Rc::clone(other), Rc::clone(&log));
        let callback = move || {
            log.borrow_mut().push("ran");
            assert!(remover.remove_reader(&other));
        };
        event_loop.add_reader(source(own), callback).unwrap();
    }
    to_a.write_all(b"x").unwrap();
    to_b.write_all(b"x").unwrap();
    turn(&event_loop);
    assert_eq!(log.take(), ["ran"], "the other was skipped");
    event_loop.close().unwrap();
}

#[test]
fn a_writer_removed_by_its_own_reader_does_not_run() {
    let (event_loop, log) = (EventLoop::new(), Log::default());
    let (ours, mut theirs) = pair();
    event_loop
        .add_writer(source(&ours), noting(&log, "write"))
        .unwrap();
    let (remover, socket, mut note) = (event_loop.clone(), Rc::clone(&ours), noting(&log, "read"));
    let reader = move || {
        note();
        assert!(remover.remove_writer(&socket));
    };
    event_loop.add_reader(source(&ours), reader).unwrap();
    theirs.write_all(b"x").unwrap();
    turn(&event_loop);
    assert_eq!(log.take(), ["read"]);
    event_loop.close().unwrap();
}

#[test]
fn a_reader_removed_by_a_writers_callback_runs_no_more() {
    let (event_loop, log) = (EventLoop::new(), Log::default());
    let (ours, mut theirs) = pair();
    event_loop
        .add_reader(source(&ours), noting(&log, "read"))
        .unwrap();
    let (remover, socket, mut note) = (event_loop.clone(), Rc::clone(&ours), noting(&log, "write"));
    let writer = move || {
        note();
        remover.remove_reader(&socket);
    };
    event_loop.add_writer(source(&ours), writer).unwrap();
    theirs.write_all(b"x").unwrap();
    turn(&event_loop);
    turn(&event_loop);
    // In the first turn the reader stood before the writer.
    assert_eq!(log.take(), ["read", "write", "write"]);
    event_loop.close().unwrap();
}

#[test]
fn a_reader_may_remove_itself_and_come_back() {
    let (event_loop, log) = (EventLoop::new(), Log::default());
    let (ours, mut theirs) = pair();
    theirs.write_all(b"x").unwrap();
    let (again, socket, inner) = (event_loop.clone(), Rc::clone(&ours), Rc::clone(&log));
    let reader = move || {
        inner.borrow_mut().push("first");
        assert!(again.remove_reader(&socket));
        again
            .add_reader(source(&socket), noting(&inner, "second"))
            .unwrap();
    };
    event_loop.add_reader(source(&ours), reader).unwrap();
    turn(&event_loop);
    turn(&event_loop);
    assert_eq!(log.take(), ["first", "second"]);
    event_loop.close().unwrap();
}

/// asyncio's stale registration: there the number may come to mean another socket. Here the loop
/// holds a share, so the socket cannot be closed before it is removed.
#[test]
fn a_descriptor_its_caller_drops_stays_open_while_it_is_registered() {
    let (event_loop, log) = (EventLoop::new(), Log::default());
    let (ours, mut theirs) = pair();
    let (fd, share) = (ours.as_raw_fd(), Rc::downgrade(&ours));
    event_loop
        .add_reader(Source::new(ours), noting(&log, "read"))
        .unwrap();
    theirs.write_all(b"x").unwrap();
    turn(&event_loop);
    assert_eq!(log.take(), ["read"]);
    let (other, _end) = pair();
    assert_ne!(other.as_raw_fd(), fd, "the number is still taken");
    assert!(event_loop.remove_reader_fd(fd));
    assert!(share.upgrade().is_none(), "the last share closes it");
}

#[test]
fn a_descriptor_that_cannot_be_watched_is_an_error_and_leaves_nothing() {
    let event_loop = EventLoop::with_selector(SystemSelector::new());
    let file = Rc::new(File::open(std::env::current_exe().unwrap()).unwrap());
    let held = Rc::new(());
    let capture = Rc::clone(&held);
    let added = event_loop.add_reader(Source::new(Rc::clone(&file)), move || {
        Rc::strong_count(&capture);
    });
    if cfg!(target_os = "linux") {
        let error = added.unwrap_err();
        let LoopError::Selector(inner) = &error else {
            panic!("{error}")
        };
        assert_eq!(inner.kind(), io::ErrorKind::PermissionDenied);
        assert!(error.to_string().starts_with("the selector failed: "));
        assert_eq!((Rc::strong_count(&file), Rc::strong_count(&held)), (1, 1));
        assert!(!event_loop.remove_reader(&file));
    }
    turn(&event_loop);
}

#[test]
fn a_virtual_descriptor_on_the_systems_selector_is_an_error() {
    let event_loop = EventLoop::new();
    let source = six_steps::VirtualSelector::new().readable_at(std::time::Duration::ZERO);
    let error = event_loop.add_reader(source, || ()).unwrap_err();
    assert!(error.to_string().contains("virtual"), "{error}");
}

#[test]
fn one_handle_may_serve_many_descriptors() {
    let event_loop = EventLoop::new();
    let calls = Rc::new(Cell::new(0));
    let count = Rc::clone(&calls);
    let handle = Handle::repeating(move || count.set(count.get() + 1));
    let pairs: Vec<_> = (0..3).map(|_| pair()).collect();
    for (ours, theirs) in &pairs {
        event_loop
            .add_reader_handle(source(ours), handle.clone())
            .unwrap();
        (&*theirs).write_all(b"x").unwrap();
    }
    turn(&event_loop);
    assert_eq!(calls.get(), 3);
    event_loop.remove_reader(&pairs[0].0); // cancels the handle they share
    turn(&event_loop);
    assert_eq!(calls.get(), 3);
}

/// A reader that panics stays, and is reported in each turn that finds its descriptor ready.
#[test]
fn a_reader_that_panics_is_reported_each_time() {
    fn boo() {
        panic!("boo");
    }
    let event_loop = EventLoop::new();
    let reports = Rc::new(Cell::new(0));
    let count = Rc::clone(&reports);
    event_loop.set_exception_handler(Some(move |_: &EventLoop, _: &_| {
        count.set(count.get() + 1);
    }));
    let (ours, mut theirs) = pair();
    theirs.write_all(b"x").unwrap();
    event_loop.add_reader(source(&ours), boo).unwrap();
    turn(&event_loop);
    turn(&event_loop);
    assert_eq!(reports.get(), 2);
}

/// What an owner does when it is dropped is its own affair, the loop included.
#[test]
fn an_owner_whose_drop_calls_the_loop_may_be_registered() {
    struct Chatty(UnixStream, EventLoop, Rc<Cell<u32>>);
    impl AsFd for Chatty {
        fn as_fd(&self) -> BorrowedFd<'_> {
            self.0.as_fd()
        }
    }
    impl Drop for Chatty {
        fn drop(&mut self) {
            assert!(!self.1.remove_reader(&self.0));
            assert!(!self.1.remove_writer(&self.0));
            self.2.set(self.2.get() + 1);
        }
    }
    let event_loop = EventLoop::new();
    let dropped = Rc::new(Cell::new(0));
    let chatty = || {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let chatty = Chatty(ours, event_loop.clone(), Rc::clone(&dropped));
        (chatty.0.as_raw_fd(), Source::new(chatty), theirs)
    };
    let (fd, source, _theirs) = chatty();
    event_loop.add_reader(source, || ()).unwrap();
    assert!(event_loop.remove_reader_fd(fd));
    assert_eq!(dropped.get(), 1);

    let (_, source, _theirs) = chatty();
    event_loop.add_writer(source, || ()).unwrap();
    event_loop.close().unwrap();
    assert_eq!(dropped.get(), 2);
}

#[test]
fn an_idle_descriptor_does_not_keep_a_loop_awake() {
    let event_loop = EventLoop::new();
    let turns = Rc::new(TurnCounter::default());
    event_loop.watch(turns.clone());
    let (ours, _theirs) = pair();
    event_loop.add_reader(source(&ours), || ()).unwrap();
    let stop = event_loop.clone();
    let delay = std::time::Duration::from_micros(200);
    event_loop.call_later(delay, move || stop.stop()).unwrap();
    event_loop.run_forever().unwrap();
    assert_eq!(turns.count(), 1, "one sleep, ended by the timer");
}
