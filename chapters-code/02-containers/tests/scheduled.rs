//! The timers' heap against an oracle that makes heapq's moves one by one: the order of equal
//! deadlines, the two counts, and the sweep with its two conditions.

mod heapq;

use std::time::Duration;

use containers::{DeadlineOverflow, Handle, Scheduled, TimerHandle, once};
use heapq::Oracle;
use proptest::prelude::*;

const NEVER: Duration = Duration::MAX;

/// `Scheduled` and the oracle, led through the same life and compared at each step.
#[derive(Default)]
struct Both {
    ours: Scheduled,
    oracle: Oracle,
    timers: Vec<TimerHandle>,
}

impl Both {
    fn push(&mut self, when: u64) {
        let pushed = self.ours.push(Duration::from_nanos(when), once(|| ()));
        self.timers.push(pushed.expect("the deadline is near"));
        self.oracle.push(when);
        self.compare("push");
    }

    fn cancel(&mut self, timer: usize) {
        self.timers[timer].cancel();
        self.oracle.cancel(timer);
        self.compare("cancel");
    }

    fn sweep(&mut self) {
        self.ours.sweep();
        self.oracle.sweep();
        self.compare("sweep");
    }

    fn pop_due(&mut self, end: u64) -> Option<usize> {
        let ours = self.ours.pop_due(Duration::from_nanos(end));
        let ours = ours.map(|handle| self.index(&handle));
        assert_eq!(ours, self.oracle.pop_due(end), "another timer came out");
        self.compare("pop_due");
        ours
    }

    fn index(&self, handle: &Handle) -> usize {
        let found = self.timers.iter().position(|t| t.handle().is(handle));
        found.expect("what comes out went in")
    }

    fn compare(&self, after: &str) {
        let ours = (
            self.ours.len(),
            self.ours.cancelled_count(),
            self.ours.nearest(),
        );
        let theirs = (
            self.oracle.len(),
            self.oracle.cancelled_count,
            self.oracle.nearest().map(Duration::from_nanos),
        );
        assert_eq!(
            ours, theirs,
            "(len, cancelled_count, nearest) after {after}"
        );
        assert_eq!(self.ours.is_empty(), self.oracle.len() == 0);
    }

    fn with_equal_timers(n: usize) -> Self {
        let mut both = Self::default();
        (0..n).for_each(|_| both.push(5));
        both
    }

    fn pop_all(&mut self) -> Vec<usize> {
        std::iter::from_fn(|| self.pop_due(u64::MAX)).collect()
    }
}

#[derive(Debug, Clone)]
enum Action {
    Push(u64),
    Cancel(prop::sample::Index),
    CancelMany(prop::sample::Index, usize),
    PopDue(u64),
    Sweep,
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        5 => (0..6_u64).prop_map(Action::Push),
        4 => any::<prop::sample::Index>().prop_map(Action::Cancel),
        // More than half of a full heap, now and then, so that the sweep rebuilds.
        1 => (any::<prop::sample::Index>(), 1..160_usize)
            .prop_map(|(from, n)| Action::CancelMany(from, n)),
        3 => (0..8_u64).prop_map(Action::PopDue),
        1 => Just(Action::Sweep),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_500))]

    #[test]
    fn order_and_counts_are_those_of_heapq(
        first in prop::collection::vec(0..6_u64, 0..180),
        actions in prop::collection::vec(action(), 0..80),
    ) {
        let mut both = Both::default();
        for when in first {
            both.push(when);
        }
        for action in actions {
            let known = both.timers.len();
            match action {
                Action::Push(when) => both.push(when),
                Action::PopDue(end) => drop(both.pop_due(end)),
                Action::Sweep => both.sweep(),
                Action::Cancel(_) | Action::CancelMany(..) if known == 0 => {}
                Action::Cancel(which) => both.cancel(which.index(known)),
                Action::CancelMany(from, n) => {
                    let from = from.index(known);
                    (from..known.min(from + n)).for_each(|timer| both.cancel(timer));
                }
            }
        }
        both.pop_all();
        prop_assert!(both.ours.is_empty());
    }
}

/// What CPython 3.13.0 prints for ten `call_at` of one moment, followed by a later one of
/// `loop.stop`. The later timer matters: it stands last on the heap.
#[test]
fn ten_equal_timers_and_a_later_one_come_out_as_in_cpython() {
    let mut both = Both::with_equal_timers(10);
    both.push(6);
    assert_eq!(both.pop_all(), [0, 2, 6, 5, 9, 8, 7, 1, 3, 4, 10]);
}

/// The same ten with nothing behind them, pushed and popped by CPython's `heapq`.
#[test]
fn ten_equal_timers_alone_come_out_as_from_heapq() {
    let mut both = Both::with_equal_timers(10);
    assert_eq!(both.pop_all(), [0, 2, 6, 9, 8, 5, 7, 4, 1, 3]);
}

#[test]
fn a_sweep_rebuilds_only_above_100_timers() {
    // Timer 0 stays and stands at the head, so that taking from the head removes nothing.
    for (timers, left) in [(100, 100), (101, 1)] {
        let mut both = Both::with_equal_timers(timers);
        (1..timers).for_each(|timer| both.cancel(timer));
        both.sweep();
        assert_eq!(
            both.ours.len(),
            left,
            "{timers} timers, all but one cancelled"
        );
    }
}

#[test]
fn a_sweep_rebuilds_only_with_more_than_half_cancelled() {
    for (cancelled, left) in [(60, 120), (61, 59)] {
        let mut both = Both::with_equal_timers(120);
        (1..=cancelled).for_each(|timer| both.cancel(timer));
        both.sweep();
        assert_eq!(both.ours.len(), left, "120 timers, {cancelled} cancelled");
        let count = if left == 120 { cancelled } else { 0 };
        assert_eq!(both.ours.cancelled_count(), count);
    }
}

/// After a rebuild equal timers leave in the order that `heapify` gives, which is not the order
/// of pushing the same timers one by one.
#[test]
fn a_rebuild_orders_ties_as_heapify_does() {
    let mut rebuilt = Both::default();
    (0..200).for_each(|i| rebuilt.push(i % 3));
    (0..200)
        .filter(|i| i % 5 < 3)
        .for_each(|timer| rebuilt.cancel(timer));
    rebuilt.sweep();
    let order = rebuilt.pop_all();
    assert_eq!(order.len(), 80);

    let mut pushed = Both::default();
    (0..200).for_each(|i| pushed.push(i % 3));
    let others = pushed.pop_all();
    let others: Vec<usize> = others.into_iter().filter(|i| i % 5 >= 3).collect();
    assert_ne!(order, others, "a rebuild changes the order of ties");
}

#[test]
fn a_sweep_takes_cancelled_timers_off_the_head_and_no_deeper() {
    let mut both = Both::default();
    (0..5).for_each(|when| both.push(when));
    for timer in [0, 1, 3] {
        both.cancel(timer);
    }
    both.sweep();
    assert_eq!((both.ours.len(), both.ours.cancelled_count()), (3, 1));
    assert_eq!(both.pop_all(), [2, 3, 4]);
}

/// CPython subtracts from the count only in the sweep, so a cancelled timer that came due first
/// leaves its mark until the next rebuild.
#[test]
fn a_cancelled_timer_that_came_due_stays_in_the_count() {
    let mut both = Both::with_equal_timers(1);
    both.cancel(0);
    assert_eq!(both.pop_due(6), Some(0));
    assert_eq!((both.ours.len(), both.ours.cancelled_count()), (0, 1));
    both.sweep();
    assert_eq!(both.ours.cancelled_count(), 1);
}

#[test]
fn cancelling_counts_once_and_only_on_the_heap() {
    let mut both = Both::with_equal_timers(2);
    both.cancel(0);
    both.cancel(0);
    assert_eq!(both.ours.cancelled_count(), 1);
    both.pop_all();
    both.cancel(1); // already off the heap
    assert_eq!(both.ours.cancelled_count(), 1);
}

#[test]
fn a_timer_is_due_strictly_before_the_end() {
    let mut both = Both::with_equal_timers(1);
    assert_eq!(both.pop_due(5), None);
    assert_eq!(both.pop_due(6), Some(0));
}

#[test]
fn a_deadline_beyond_the_clock_is_an_error_and_changes_nothing() {
    let mut scheduled = Scheduled::new();
    let last = Duration::from_nanos(u64::MAX);
    let beyond = last + Duration::from_nanos(1);
    for when in [beyond, NEVER] {
        let error = scheduled.push(when, once(|| ())).unwrap_err();
        assert_eq!(error, DeadlineOverflow);
        assert!(error.to_string().contains("not representable"));
    }
    assert!(scheduled.is_empty());
    assert_eq!(scheduled.push(last, once(|| ())).unwrap().when(), last);
}

#[test]
fn a_drained_heap_counts_nothing() {
    let mut scheduled = Scheduled::new();
    let a = scheduled.push(NEVER / 2_000_000_000, once(|| ())).unwrap();
    let b = scheduled.push(Duration::ZERO, once(|| ())).unwrap();
    a.cancel();
    assert_eq!(scheduled.drain().count(), 2);
    b.cancel(); // no longer on a heap
    assert_eq!((scheduled.len(), scheduled.cancelled_count()), (0, 0));
}

/// A timer may be cancelled after the heap is gone.
#[test]
fn a_timer_outlives_its_heap() {
    let mut scheduled = Scheduled::new();
    let timer = scheduled.push(Duration::ZERO, once(|| ())).unwrap();
    drop(scheduled);
    timer.cancel();
    assert!(timer.cancelled());
}
