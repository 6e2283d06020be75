//! Random task sets: the real loop steps its tasks in the order of the toy loop of floor 1, which
//! is the order of a round robin worked out without any loop; and with delays each task ends at
//! the sum of its own.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use counter::ToyLoop;
use proptest::collection::vec;
use proptest::prelude::*;
use six_steps::{EventLoop, VirtualSelector};
use wakeup::{Outcome, Tasks, create_task, gather, sleep, yield_now};

type Step = (usize, u32);

/// Goes round the tasks in order, one step each, skipping those that have no steps left.
fn round_robin(counts: &[u32]) -> Vec<Step> {
    let rounds = 0..counts.iter().copied().max().unwrap_or(0);
    let tasks = |step| {
        let left = counts.iter().enumerate().filter(move |&(_, &n)| step < n);
        left.map(move |(task, _)| (task, step))
    };
    rounds.flat_map(tasks).collect()
}

fn toy_order(counts: &[u32]) -> Vec<Step> {
    let log = Rc::new(RefCell::new(Vec::new()));
    let mut toy = ToyLoop::new();
    for (task, &count) in counts.iter().enumerate() {
        let log = Rc::clone(&log);
        let steps = (0..count).map(move |step| {
            log.borrow_mut().push((task, step));
            Duration::ZERO
        });
        toy.spawn(task.to_string(), steps);
    }
    toy.run();
    log.take()
}

/// Runs coroutines as tasks, in their order.
fn run<C>(coroutines: Vec<C>) -> EventLoop
where
    C: Future<Output = Outcome<()>> + 'static,
{
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let main = async {
        let tasks: Result<Vec<_>, _> = coroutines.into_iter().map(create_task).collect();
        gather(tasks?)?.await
    };
    event_loop.run_until_complete(main).unwrap();
    event_loop
}

fn real_order(counts: &[u32]) -> Vec<Step> {
    let log = Rc::new(RefCell::new(Vec::new()));
    let coroutine = |(task, &count): (usize, &u32)| {
        let log = Rc::clone(&log);
        async move {
            for step in 0..count {
                log.borrow_mut().push((task, step));
                yield_now().await?;
            }
            Ok(())
        }
    };
    run(counts.iter().enumerate().map(coroutine).collect())
        .close()
        .unwrap();
    log.take()
}

fn real_ends(delays: &[Vec<u64>]) -> Vec<u64> {
    let ends = Rc::new(RefCell::new(vec![0; delays.len()]));
    let coroutine = |(task, delays): (usize, &Vec<u64>)| {
        let (ends, delays) = (Rc::clone(&ends), delays.clone());
        async move {
            for delay in delays {
                sleep(Duration::from_millis(delay)).await?;
            }
            let now = six_steps::running_loop()?.time().as_millis();
            ends.borrow_mut()[task] = u64::try_from(now)?;
            Ok(())
        }
    };
    run(delays.iter().enumerate().map(coroutine).collect())
        .close()
        .unwrap();
    ends.take()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_500, ..ProptestConfig::default() })]

    // ANCHOR: laws
    #[test]
    fn the_real_loop_the_toy_loop_and_the_round_robin_agree(counts in vec(0..8_u32, 0..9)) {
        let expected = round_robin(&counts);
        prop_assert_eq!(&toy_order(&counts), &expected);
        prop_assert_eq!(&real_order(&counts), &expected);
    }

    #[test]
    fn each_task_ends_at_the_sum_of_its_delays(delays in vec(vec(0..10_u64, 0..8), 0..9)) {
        let sums: Vec<u64> = delays.iter().map(|delays| delays.iter().sum()).collect();
        prop_assert_eq!(real_ends(&delays), sums);
    }
    // ANCHOR_END: laws
}
