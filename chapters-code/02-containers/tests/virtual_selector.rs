//! The virtual selector by the rules of the scenario language (SPEC.md, "The virtual clock"):
//! the clock moves in `select` and where it is told to, and nowhere else.

use std::io;
use std::time::Duration;

use containers::{Event, Fd, Interest, Selector, Source, VirtualClock, VirtualSelector};

const READ: Interest = Interest {
    readable: true,
    writable: false,
};
const WRITE: Interest = Interest {
    readable: false,
    writable: true,
};

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// Selects; returns the numbers of what is ready, and the clock.
fn select(selector: &VirtualSelector, timeout: Option<u64>) -> (Vec<Fd>, Duration) {
    let mut events = Vec::new();
    selector.select(timeout.map(ms), &mut events).unwrap();
    assert!(events.iter().all(|e: &Event| e.readable && !e.writable));
    (events.iter().map(|e| e.fd).collect(), selector.time())
}

fn register(selector: &VirtualSelector, at: u64) -> Source {
    let source = selector.readable_at(ms(at));
    selector.register(source.clone(), READ).unwrap();
    source
}

#[test]
fn without_a_timeout_the_clock_moves_to_the_next_readable_descriptor() {
    let selector = VirtualSelector::new();
    let (late, early) = (register(&selector, 70), register(&selector, 30));
    assert_eq!(select(&selector, None), (vec![early.fd()], ms(30)));
    selector.unregister(early.fd()).unwrap();
    assert_eq!(select(&selector, None), (vec![late.fd()], ms(70)));
}

#[test]
fn the_clock_never_goes_back() {
    let selector = VirtualSelector::new();
    let source = register(&selector, 30);
    selector.clock().advance(ms(100));
    assert_eq!(select(&selector, None), (vec![source.fd()], ms(100)));
    assert_eq!(select(&selector, Some(10)), (vec![source.fd()], ms(100)));
}

#[test]
fn without_anything_to_wait_for_it_is_a_deadlock() {
    let selector = VirtualSelector::new();
    let deadlock = |why| {
        let error = selector.select(None, &mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::Deadlock, "{why}");
        assert!(error.to_string().contains("nothing will ever happen"));
    };
    deadlock("nothing is registered");
    let source = selector.readable_at(ms(30));
    deadlock("it is not registered yet");
    selector.register(source.clone(), WRITE).unwrap();
    deadlock("nobody waits to read");
    selector.modify(source.fd(), READ).unwrap();
    assert_eq!(select(&selector, None).0, [source.fd()]);
    selector.unregister(source.fd()).unwrap();
    deadlock("it is not registered any more");
    assert_eq!(selector.time(), ms(30), "an error moves no clock");
}

#[test]
fn a_timeout_moves_the_clock_exactly_so_far() {
    let selector = VirtualSelector::new();
    assert_eq!(select(&selector, Some(25)), (vec![], ms(25)));
    assert_eq!(select(&selector, Some(5)), (vec![], ms(30)));
}

#[test]
fn a_readable_descriptor_ends_a_timeout_early() {
    let selector = VirtualSelector::new();
    let source = register(&selector, 40);
    assert_eq!(select(&selector, Some(39)), (vec![], ms(39)));
    assert_eq!(select(&selector, Some(39)), (vec![source.fd()], ms(40)));
}

#[test]
fn both_at_one_moment_is_an_event_too() {
    let selector = VirtualSelector::new();
    let source = register(&selector, 40);
    assert_eq!(select(&selector, Some(40)), (vec![source.fd()], ms(40)));
}

#[test]
fn timeout_zero_leaves_the_clock() {
    let selector = VirtualSelector::new();
    let now = register(&selector, 0);
    register(&selector, 1);
    assert_eq!(select(&selector, Some(0)), (vec![now.fd()], ms(0)));
}

#[test]
fn order_is_by_moment_and_then_by_creation() {
    let selector = VirtualSelector::new();
    let sources: Vec<Source> = [20, 10, 20, 0, 10]
        .map(|at| selector.readable_at(ms(at)))
        .into();
    for source in sources.iter().rev() {
        selector.register(source.clone(), READ).unwrap();
    }
    selector.clock().advance(ms(50));
    let expected = [3, 1, 4, 0, 2].map(|i: usize| sources[i].fd());
    assert_eq!(select(&selector, Some(0)).0, expected);
}

#[test]
fn a_descriptor_is_reported_until_it_is_unregistered() {
    let selector = VirtualSelector::new();
    let source = register(&selector, 10);
    for _ in 0..3 {
        assert_eq!(select(&selector, None), (vec![source.fd()], ms(10)));
    }
    selector.unregister(source.fd()).unwrap();
    assert_eq!(select(&selector, Some(0)).0, []);
}

#[test]
fn registering_twice_is_an_error_and_leaves_the_first() {
    let selector = VirtualSelector::new();
    let source = register(&selector, 10);
    let error = selector.register(source.clone(), WRITE).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(select(&selector, None).0, [source.fd()]);
}

#[test]
fn an_unknown_descriptor_is_an_error() {
    let selector = VirtualSelector::new();
    let fd = selector.readable_at(ms(10)).fd();
    for error in [
        selector.modify(fd, READ).unwrap_err(),
        selector.unregister(fd).unwrap_err(),
    ] {
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
    assert!(selector.select(None, &mut Vec::new()).is_err());
}

#[test]
fn an_interrupt_ends_one_sleep_where_the_clock_stands() {
    let selector = VirtualSelector::new();
    selector.interrupter().interrupt();
    assert_eq!(select(&selector, None), (vec![], ms(0)));
    assert!(selector.select(None, &mut Vec::new()).is_err());
    selector.interrupter().interrupt();
    assert_eq!(select(&selector, Some(50)), (vec![], ms(0)));
    assert_eq!(select(&selector, Some(50)), (vec![], ms(50)));
}

#[test]
fn a_clock_may_be_shared_and_start_anywhere() {
    let clock = VirtualClock::starting_at(ms(1_000));
    let (a, b) = (
        VirtualSelector::on(clock.clone()),
        VirtualSelector::on(clock.clone()),
    );
    select(&a, Some(5));
    assert_eq!((b.time(), clock.time()), (ms(1_005), ms(1_005)));
    clock.advance(Duration::MAX); // stops at the end of its range
    assert_eq!(clock.time(), Duration::MAX);
}

#[test]
fn the_resolution_is_a_nanosecond_unless_told_otherwise() {
    let selector = VirtualSelector::new();
    assert_eq!(selector.resolution(), Duration::from_nanos(1));
    assert_eq!(selector.with_resolution(ms(16)).resolution(), ms(16));
}
