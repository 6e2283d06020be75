//! What tasks and futures cost in allocations, counted in steady state, and how large a task is
//! while it waits.

use std::time::Duration;

use allocation_counter::measure;
use six_steps::{EventLoop, VirtualSelector};
use wakeup::{Future, Outcome, Task, Tasks, gather, sleep, yield_now};

const N: usize = 1_000;

fn virtual_loop() -> EventLoop {
    EventLoop::with_selector(VirtualSelector::new())
}

fn turns(event_loop: &EventLoop, turns: usize) {
    for _ in 0..turns {
        event_loop.stop();
        event_loop.run_forever().unwrap();
    }
}

/// The allocations of `work`, once it has been done twice for practice.
fn count(mut work: impl FnMut()) -> u64 {
    work();
    work();
    measure(work).count_total
}

async fn yield_for_ever() -> Outcome<()> {
    loop {
        yield_now().await?;
    }
}

#[test]
fn a_yield_and_the_step_after_it_allocate_nothing() {
    let event_loop = virtual_loop();
    for _ in 0..N {
        event_loop
            .create_task(yield_for_ever())
            .unwrap()
            .keep_quiet_if_destroyed();
    }
    assert_eq!(count(|| turns(&event_loop, 10)), 0, "{} steps", 10 * N);
    event_loop.close().unwrap();
}

#[test]
fn call_soon_allocates_once() {
    let event_loop = virtual_loop();
    let batch = || {
        for _ in 0..N {
            event_loop.call_soon(|| ()).unwrap();
        }
        turns(&event_loop, 1);
    };
    assert_eq!(count(batch), N as u64);
}

#[test]
fn an_await_and_the_wakeup_after_it_allocate_nothing() {
    let event_loop = virtual_loop();
    let futures: Vec<Future<()>> = (0..3 * N).map(|_| event_loop.create_future()).collect();
    let awaited = futures.clone();
    let main = event_loop.create_task(async move {
        for future in awaited {
            future.await?;
        }
        Ok(())
    });
    let mut next = futures.iter();
    turns(&event_loop, 1);
    let round = || {
        for future in next.by_ref().take(N) {
            future.set_result(()).unwrap();
            turns(&event_loop, 1);
        }
    };
    assert_eq!(count(round), 0);
    assert!(main.unwrap().done());
}

/// The allocations of one task, made and run to its end.
const A_TASK: u64 = 2;

#[test]
fn create_task_allocates_the_task_and_its_coroutine() {
    let event_loop = virtual_loop();
    let spawn = || {
        for n in 0..N {
            event_loop.create_task(async move { Ok(n) }).unwrap();
        }
        turns(&event_loop, 1);
    };
    assert_eq!(count(spawn), A_TASK * N as u64);
}

#[test]
fn a_sleep_is_one_allocation() {
    let event_loop = virtual_loop();
    let naps = || {
        let main = async {
            for _ in 0..N {
                sleep(Duration::from_millis(1)).await?;
            }
            Ok(())
        };
        event_loop.run_until_complete(main).unwrap();
    };
    // The future is its own timer's callback. Beside them stand the run's own task, and the handle
    // of the callback that stops the loop.
    assert_eq!(count(naps), N as u64 + A_TASK + 1);
}

#[test]
fn a_future_is_one_allocation_whoever_waits() {
    let event_loop = virtual_loop();
    let round = || {
        for _ in 0..N {
            let future: Future<u32> = event_loop.create_future();
            let waiter = event_loop
                .create_task(future.clone().into_future())
                .unwrap();
            turns(&event_loop, 1);
            future.set_result(1).unwrap();
            turns(&event_loop, 1);
            assert_eq!(waiter.result().unwrap(), 1);
        }
    };
    assert_eq!(count(round), (A_TASK + 1) * N as u64);
}

/// Bytes and allocations that live on for each of `N` tasks, once they all wait.
fn kept_by(make: impl Fn(&EventLoop) -> Task<()>) -> (u64, u64) {
    let event_loop = virtual_loop();
    // The containers and the list of tasks grow by doubling: let them have their size first.
    for _ in 0..N {
        make(&event_loop).keep_quiet_if_destroyed();
    }
    turns(&event_loop, 1);
    let mut tasks = Vec::with_capacity(N);
    let before = measure(|| {
        for _ in 0..N {
            tasks.push(make(&event_loop));
        }
        turns(&event_loop, 1);
    });
    tasks.iter().for_each(Task::keep_quiet_if_destroyed);
    event_loop.close().unwrap();
    let each = |total: i64| u64::try_from(total).unwrap() / N as u64;
    (each(before.bytes_current), each(before.count_current))
}

#[test]
fn a_task_that_waits_is_a_few_hundred_bytes() {
    let hour = Duration::from_hours(1);
    let asleep = kept_by(|event_loop| {
        event_loop
            .create_task(async move { sleep(hour).await })
            .unwrap()
    });
    let shared: std::cell::OnceCell<Future<()>> = std::cell::OnceCell::new();
    let on_a_future = kept_by(|event_loop| {
        let future = shared.get_or_init(|| event_loop.create_future());
        let future = if future.event_loop().is(event_loop) {
            future.clone()
        } else {
            event_loop.create_future()
        };
        event_loop.create_task(future.into_future()).unwrap()
    });
    println!("asleep: {} bytes in {} allocations", asleep.0, asleep.1);
    println!(
        "on a shared future: {} bytes in {} allocations",
        on_a_future.0, on_a_future.1
    );
    assert!(asleep.0 <= 384 && asleep.1 <= A_TASK + 1, "{asleep:?}");
    assert!(
        on_a_future.0 <= 240 && on_a_future.1 <= A_TASK,
        "{on_a_future:?}"
    );
}

#[test]
fn a_gathering_allocates_its_children_and_little_more() {
    let event_loop = virtual_loop();
    let round = || {
        let main = async { gather((0..N).map(|n| async move { Ok(n) }))?.await };
        assert_eq!(event_loop.run_until_complete(main).unwrap().len(), N);
    };
    let allocated = count(round);
    println!("gather of {N}: {allocated} allocations");
    // A task and a done callback each; the rest is lists.
    assert!(allocated <= (A_TASK + 1) * N as u64 + 40, "{allocated}");
}
