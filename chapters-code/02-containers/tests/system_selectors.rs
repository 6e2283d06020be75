//! The contract of `Selector`, held by both of the system's selectors: each test runs over epoll
//! and over poll. Nothing here sleeps or looks at a wall clock.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::rc::Rc;
use std::sync::mpsc;
use std::time::Duration;

use containers::{Event, Interest, PollSelector, Selector, Source, VirtualSelector};

const NOW: Option<Duration> = Some(Duration::ZERO);
const READ: Interest = Interest {
    readable: true,
    writable: false,
};
const WRITE: Interest = Interest {
    readable: false,
    writable: true,
};
const BOTH: Interest = Interest {
    readable: true,
    writable: true,
};

macro_rules! over_both {
    ($($test:ident)*) => {
        #[cfg(target_os = "linux")]
        mod epoll {
            $(#[test] fn $test() { super::$test(&containers::EpollSelector::new()); })*
        }
        mod poll {
            $(#[test] fn $test() { super::$test(&super::PollSelector::new()); })*
        }
    };
}

over_both! {
    reports_what_is_readable_until_it_is_read
    reports_what_is_writable
    reports_both_sides_in_one_event
    reports_a_hang_up_to_both_sides
    reports_every_ready_descriptor
    modify_changes_what_is_watched
    unregister_stops_and_gives_up_the_share
    a_second_registration_is_an_error_and_leaves_the_first
    an_unknown_descriptor_is_an_error
    a_registered_descriptor_outlives_its_callers_share
    a_virtual_descriptor_is_an_error
    an_interrupt_ends_the_next_sleep_once
    an_interrupt_does_not_hide_a_ready_descriptor
    an_interrupt_ends_a_sleep_that_goes_on
    interrupts_are_never_lost
    a_timeout_ends_a_sleep_and_the_clock_shows_it
}

fn pair() -> (Rc<UnixStream>, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    (Rc::new(ours), theirs)
}

fn source(socket: &Rc<UnixStream>) -> Source {
    Source::new(Rc::clone(socket))
}

fn select(selector: &dyn Selector, timeout: Option<Duration>) -> Vec<Event> {
    let mut events = Vec::new();
    selector.select(timeout, &mut events).unwrap();
    events
}

fn event(socket: &UnixStream, readable: bool, writable: bool) -> Event {
    Event {
        fd: socket.as_raw_fd(),
        readable,
        writable,
    }
}

fn reports_what_is_readable_until_it_is_read(selector: &dyn Selector) {
    let (ours, mut theirs) = pair();
    selector.register(source(&ours), READ).unwrap();
    assert_eq!(select(selector, NOW), []);
    theirs.write_all(b"x").unwrap();
    for timeout in [None, NOW, None] {
        assert_eq!(select(selector, timeout), [event(&ours, true, false)]);
    }
    (&*ours).read_exact(&mut [0]).unwrap();
    assert_eq!(select(selector, NOW), []);
}

fn reports_what_is_writable(selector: &dyn Selector) {
    let (ours, mut theirs) = pair();
    ours.set_nonblocking(true).unwrap();
    selector.register(source(&ours), WRITE).unwrap();
    assert_eq!(select(selector, None), [event(&ours, false, true)]);

    let block = [0; 4_096];
    let mut written = 0;
    let full = loop {
        match (&*ours).write(&block) {
            Ok(n) => written += n,
            Err(error) => break error,
        }
    };
    assert_eq!(full.kind(), io::ErrorKind::WouldBlock);
    assert_eq!(select(selector, NOW), [], "no room is left");
    theirs.read_exact(&mut vec![0; written]).unwrap();
    assert_eq!(select(selector, None), [event(&ours, false, true)]);
}

fn reports_both_sides_in_one_event(selector: &dyn Selector) {
    let (ours, mut theirs) = pair();
    selector.register(source(&ours), BOTH).unwrap();
    assert_eq!(select(selector, None), [event(&ours, false, true)]);
    theirs.write_all(b"x").unwrap();
    assert_eq!(select(selector, None), [event(&ours, true, true)]);
}

/// A writer must learn that the other side is gone, even if only its reader could find out.
fn reports_a_hang_up_to_both_sides(selector: &dyn Selector) {
    let (ours, theirs) = pair();
    selector.register(source(&ours), READ).unwrap();
    drop(theirs);
    assert_eq!(select(selector, None), [event(&ours, true, true)]);
}

fn reports_every_ready_descriptor(selector: &dyn Selector) {
    let pairs: Vec<_> = (0..200).map(|_| pair()).collect();
    for (ours, theirs) in &pairs {
        selector.register(source(ours), READ).unwrap();
        (&*theirs).write_all(b"x").unwrap();
    }
    // One `select` may report fewer than there are; what it leaves out is reported by the next.
    let mut found = Vec::new();
    while found.len() < pairs.len() {
        let events = select(selector, NOW);
        assert!(!events.is_empty(), "{} of 200 were reported", found.len());
        for event in events {
            selector.unregister(event.fd).unwrap();
            found.push(event.fd);
        }
    }
    let mut expected: Vec<_> = pairs.iter().map(|(ours, _)| ours.as_raw_fd()).collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

fn modify_changes_what_is_watched(selector: &dyn Selector) {
    let (ours, mut theirs) = pair();
    theirs.write_all(b"x").unwrap();
    selector.register(source(&ours), READ).unwrap();
    for (interest, expected) in [
        (WRITE, event(&ours, false, true)),
        (BOTH, event(&ours, true, true)),
        (READ, event(&ours, true, false)),
    ] {
        selector.modify(ours.as_raw_fd(), interest).unwrap();
        assert_eq!(select(selector, NOW), [expected]);
    }
}

fn unregister_stops_and_gives_up_the_share(selector: &dyn Selector) {
    let (ours, mut theirs) = pair();
    theirs.write_all(b"x").unwrap();
    selector.register(source(&ours), READ).unwrap();
    assert_eq!(Rc::strong_count(&ours), 2);
    selector.unregister(ours.as_raw_fd()).unwrap();
    assert_eq!(Rc::strong_count(&ours), 1);
    assert_eq!(select(selector, NOW), []);
    selector.register(source(&ours), READ).unwrap();
    assert_eq!(select(selector, NOW).len(), 1, "it may come back");
}

fn a_second_registration_is_an_error_and_leaves_the_first(selector: &dyn Selector) {
    let (ours, mut theirs) = pair();
    selector.register(source(&ours), READ).unwrap();
    let error = selector.register(source(&ours), WRITE).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(Rc::strong_count(&ours), 2, "the first share is held");
    assert_eq!(select(selector, NOW), [], "it watches for reading only");
    theirs.write_all(b"x").unwrap();
    assert_eq!(select(selector, None), [event(&ours, true, false)]);
}

fn an_unknown_descriptor_is_an_error(selector: &dyn Selector) {
    let (ours, _theirs) = pair();
    let fd = ours.as_raw_fd();
    for error in [
        selector.modify(fd, READ).unwrap_err(),
        selector.unregister(fd).unwrap_err(),
    ] {
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert_eq!(
            error.to_string(),
            format!("descriptor {fd} is not registered")
        );
    }
}

fn a_registered_descriptor_outlives_its_callers_share(selector: &dyn Selector) {
    let (ours, mut theirs) = pair();
    let (fd, share) = (ours.as_raw_fd(), Rc::downgrade(&ours));
    selector.register(Source::new(ours), READ).unwrap();
    let socket = share.upgrade().expect("the selector holds a share");
    theirs.write_all(b"x").unwrap();
    assert_eq!(select(selector, None), [event(&socket, true, false)]);
    drop(socket);
    selector.unregister(fd).unwrap();
    assert!(share.upgrade().is_none(), "the last share closes it");
    assert_eq!(theirs.read(&mut [0]).unwrap_or(0), 0);
}

fn a_virtual_descriptor_is_an_error(selector: &dyn Selector) {
    let source = VirtualSelector::new().readable_at(Duration::ZERO);
    let error = selector.register(source, READ).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
}

fn an_interrupt_ends_the_next_sleep_once(selector: &dyn Selector) {
    let interrupter = selector.interrupter();
    (0..3).for_each(|_| interrupter.interrupt());
    assert_eq!(select(selector, None), []);

    // It is used up: the next sleep ends for another reason, and for that one only.
    let (ours, mut theirs) = pair();
    selector.register(source(&ours), READ).unwrap();
    theirs.write_all(b"x").unwrap();
    assert_eq!(select(selector, None), [event(&ours, true, false)]);
    interrupter.interrupt();
    assert_eq!(select(selector, None).len(), 1);
}

fn an_interrupt_does_not_hide_a_ready_descriptor(selector: &dyn Selector) {
    let (ours, mut theirs) = pair();
    selector.register(source(&ours), READ).unwrap();
    theirs.write_all(b"x").unwrap();
    selector.interrupter().interrupt();
    assert_eq!(select(selector, None), [event(&ours, true, false)]);
}

/// How long a sleeper that missed its interrupt is left asleep before a byte wakes it, so that
/// the test fails instead of hanging. Nothing waits for it as long as interrupts arrive.
const RESCUE: Duration = Duration::from_secs(20);

/// Sleeps without a timeout, `rounds` times, while another thread interrupts each sleep; `ready`
/// is asked by that thread until the moment has come. A lost interrupt is told from the others by
/// what ended the sleep: the rescuer's byte is an event, an interrupt is none.
fn interrupted_sleeps(selector: &dyn Selector, rounds: usize, ready: impl Fn() -> bool + Send) {
    let (ours, mut rescuer) = pair();
    selector.register(source(&ours), READ).unwrap();
    let interrupter = selector.interrupter();
    let (asleep, awake) = (mpsc::channel(), mpsc::channel());
    std::thread::scope(|scope| {
        let (go, woke) = (asleep.1, awake.1);
        scope.spawn(move || {
            for () in go {
                while !ready() {
                    std::thread::yield_now();
                }
                interrupter.interrupt();
                if woke.recv_timeout(RESCUE).is_err() {
                    rescuer.write_all(b"!").unwrap();
                    return;
                }
            }
        });
        for round in 0..rounds {
            asleep.0.send(()).unwrap();
            assert_eq!(select(selector, None), [], "interrupt {round} was lost");
            awake.0.send(()).unwrap();
        }
        drop(asleep.0);
    });
}

/// Whether the thread with this `/proc` path sleeps in the kernel.
#[cfg(target_os = "linux")]
fn sleeps(thread: &std::path::Path) -> bool {
    let stat = std::fs::read_to_string(thread.join("stat")).unwrap_or_default();
    // `pid (name) state …`: a name may hold anything, a bracket included.
    let state = stat
        .rsplit(") ")
        .next()
        .and_then(|rest| rest.chars().next());
    // A thread that has ended sleeps no more, but nobody should wait for it either.
    state.is_none_or(|state| state == 'S')
}

#[cfg(target_os = "linux")]
fn an_interrupt_ends_a_sleep_that_goes_on(selector: &dyn Selector) {
    let me = std::fs::read_link("/proc/thread-self").unwrap();
    let me = std::path::Path::new("/proc").join(me);
    interrupted_sleeps(selector, 20, move || sleeps(&me));
}

#[cfg(not(target_os = "linux"))]
fn an_interrupt_ends_a_sleep_that_goes_on(selector: &dyn Selector) {
    interrupted_sleeps(selector, 20, || true);
}

/// Before the sleep, during it, or between its parts: wherever the interrupt falls, it counts.
fn interrupts_are_never_lost(selector: &dyn Selector) {
    interrupted_sleeps(selector, 5_000, || true);
}

/// Asks the selector's own clock, and only whether it woke too early: a machine under load makes
/// the sleep longer, never shorter.
fn a_timeout_ends_a_sleep_and_the_clock_shows_it(selector: &dyn Selector) {
    let timeout = Duration::from_micros(300);
    let before = selector.time();
    assert_eq!(select(selector, Some(timeout)), []);
    assert!(selector.time() >= before + timeout, "it woke too early");
}

#[cfg(target_os = "linux")]
#[test]
fn epoll_refuses_a_plain_file() {
    let selector = containers::EpollSelector::new();
    let file = Rc::new(File::open("/proc/self/exe").unwrap());
    let error = selector.register(Source::new(Rc::clone(&file)), READ);
    assert_eq!(error.unwrap_err().kind(), io::ErrorKind::PermissionDenied);
    assert_eq!(Rc::strong_count(&file), 1, "the share is given up");
    let unknown = selector.unregister(file.as_raw_fd()).unwrap_err();
    assert_eq!(unknown.kind(), io::ErrorKind::NotFound);
}

#[test]
fn poll_finds_a_plain_file_always_ready() {
    let selector = PollSelector::new();
    let file = File::open(std::env::current_exe().unwrap()).unwrap();
    let fd = file.as_raw_fd();
    selector.register(Source::new(file), BOTH).unwrap();
    let ready = Event {
        fd,
        readable: true,
        writable: true,
    };
    assert_eq!(select(&selector, None), [ready]);
    assert_eq!(select(&selector, None), [ready]);
}
