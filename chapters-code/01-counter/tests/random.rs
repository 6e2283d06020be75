//! Random task sets against two laws that need no loop: a brute-force round robin, and addition.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use counter::ToyLoop;
use proptest::collection::vec;
use proptest::prelude::*;

type Step = (usize, u32);

// ANCHOR: brute
/// Goes round the tasks in order, one step each, skipping those that have no steps left.
fn round_robin(counts: &[u32]) -> Vec<Step> {
    let rounds = counts.iter().copied().max().unwrap_or(0);
    (0..rounds)
        .flat_map(|step| {
            counts
                .iter()
                .enumerate()
                .filter(move |&(_, &n)| step < n)
                .map(move |(t, _)| (t, step))
        })
        .collect()
}
// ANCHOR_END: brute

fn toy_order(counts: &[u32]) -> Vec<Step> {
    let log = Rc::new(RefCell::new(Vec::new()));
    let mut toy = ToyLoop::new();
    for (task, &count) in counts.iter().enumerate() {
        let log = Rc::clone(&log);
        toy.spawn(
            task.to_string(),
            (0..count).map(move |step| {
                log.borrow_mut().push((task, step));
                Duration::ZERO
            }),
        );
    }
    toy.run();
    log.take()
}

fn toy_ends(delays: &[Vec<u64>]) -> BTreeMap<String, Duration> {
    let mut toy = ToyLoop::new();
    for (task, delays) in delays.iter().enumerate() {
        toy.spawn(
            task.to_string(),
            delays.clone().into_iter().map(Duration::from_millis),
        );
    }
    toy.run()
        .into_iter()
        .map(|end| (end.name, end.at))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    // ANCHOR: laws
    #[test]
    fn without_delays_the_order_is_a_round_robin(counts in vec(0..8_u32, 0..9)) {
        prop_assert_eq!(toy_order(&counts), round_robin(&counts));
    }

    #[test]
    fn each_task_ends_at_the_sum_of_its_delays(delays in vec(vec(0..10_u64, 0..8), 0..9)) {
        let sums: BTreeMap<_, _> = delays
            .iter()
            .enumerate()
            .map(|(task, delays)| (task.to_string(), Duration::from_millis(delays.iter().sum())))
            .collect();
        prop_assert_eq!(toy_ends(&delays), sums);
    }
    // ANCHOR_END: laws
}

#[test]
fn the_brute_force_itself_is_what_the_page_says() {
    assert_eq!(round_robin(&[2, 0, 1]), [(0, 0), (2, 0), (0, 1)]);
}
