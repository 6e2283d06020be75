//! From an await to its result: which turn does what, and how the count of turns follows the
//! depth of suspension and not the number of tasks.

use std::cell::RefCell;
use std::rc::Rc;

use six_steps::{EventLoop, VirtualSelector};
use wakeup::{Future, Tasks, create_task, gather, sleep, yield_now};

use crate::stage::{MS, Stage};

#[test]
fn set_result_does_not_resume_the_coroutine() {
    let stage = Stage::new();
    let future: Future<&str> = stage.event_loop.create_future();
    let (notes, awaited) = (stage.notes(), future.clone());
    let waiter = stage.task("waiter", async move {
        notes.add("awaits");
        let tea = awaited.await?;
        notes.add(format!("has {tea}"));
        Ok(())
    });
    let notes = stage.notes();
    let setter = stage.task("setter", async move {
        notes.add("sets");
        future.set_result("tea")?;
        notes.add("has set");
        yield_now().await?;
        notes.add("goes on");
        Ok(())
    });
    stage.event_loop.run_until_complete(waiter).unwrap();
    assert!(setter.done());
    // ANCHOR: order
    assert_eq!(
        stage.noted(),
        [
            "1: awaits",
            "1: sets",
            "1: has set",
            "2: has tea",
            "2: goes on"
        ],
    );
    assert_eq!(
        stage.trace(),
        [
            "step:waiter step:setter",
            "wakeup:waiter step:setter",
            "run_done:waiter"
        ],
    );
    // ANCHOR_END: order
}

#[test]
fn each_link_of_the_chain_is_one_turn() {
    let stage = Stage::new();
    let future: Future<u32> = stage.event_loop.create_future();
    let awaited = future.clone();
    let inner = stage.task("inner", async move { awaited.await });
    let outer = stage.task("outer", async move { inner.await });
    let set = move || future.set_result(1).unwrap();
    stage.event_loop.call_soon(set).unwrap();
    assert_eq!(stage.event_loop.run_until_complete(outer).unwrap(), 1);
    let trace = stage.trace();
    assert!(
        trace[0].starts_with("step:inner step:outer "),
        "{}",
        trace[0]
    );
    assert_eq!(
        trace[1..],
        ["wakeup:inner", "wakeup:outer", "run_done:outer"]
    );
}

#[test]
fn an_await_of_what_is_done_takes_no_turn() {
    let stage = Stage::new();
    let notes = stage.notes();
    let done: Future<u32> = stage.event_loop.create_future();
    done.set_result(1).unwrap();
    let main = async move {
        for _ in 0..100 {
            (&done).await?;
        }
        notes.add("all");
        Ok(())
    };
    stage.run(main).unwrap();
    assert_eq!(stage.noted(), ["1: all"]);
}

#[test]
fn two_workers_that_yield_take_turns_on_every_run() {
    let order = || {
        let stage = Stage::new();
        for name in ["A", "B"] {
            let notes = stage.notes();
            stage.task(name, async move {
                notes.add(format!("{name}1"));
                yield_now().await?;
                notes.add(format!("{name}2"));
                Ok(())
            });
        }
        stage.turn(2);
        stage.noted()
    };
    for _ in 0..100 {
        assert_eq!(order(), ["1: A1", "1: B1", "2: A2", "2: B2"]);
    }
}

/// The turns of a gathering of `n` coroutines that each yield `depth` times.
fn turns(n: usize, depth: usize) -> usize {
    let stage = Stage::new();
    let main = async move {
        let each = |_| async move {
            for _ in 0..depth {
                yield_now().await?;
            }
            Ok(())
        };
        gather((0..n).map(each))?.await
    };
    stage.run(main).unwrap();
    stage.trace().len()
}

#[test]
fn a_thousand_coroutines_take_as_many_turns_as_ten() {
    for depth in [0, 1, 5] {
        let expected = 5 + depth;
        assert_eq!(turns(1, depth), expected);
        assert_eq!(turns(10, depth), expected);
        assert_eq!(turns(1_000, depth), expected);
    }
}

#[test]
fn a_hundred_waits_at_once_take_as_long_as_one_and_five_in_a_row_take_five() {
    let stage = Stage::new();
    let at_once = async {
        gather((0..100).map(|_| sleep(200 * MS)))?.await?;
        Ok(())
    };
    stage.run(at_once).unwrap();
    assert_eq!(stage.event_loop.time(), 200 * MS);

    let stage = Stage::new();
    let in_a_row = async {
        for _ in 0..5 {
            sleep(200 * MS).await?;
        }
        Ok(())
    };
    stage.run(in_a_row).unwrap();
    assert_eq!(stage.event_loop.time(), 1_000 * MS);
}

#[test]
fn ten_thousand_waits_on_one_thread_end_together() {
    let stage = Stage::new();
    let main = async {
        let waits = (0..10_000_u64).map(|n| async move {
            sleep(1_000 * MS).await?;
            Ok(n)
        });
        gather(waits)?.await
    };
    let ended = stage.run(main).unwrap();
    assert!(ended.iter().copied().eq(0..10_000));
    assert_eq!(stage.event_loop.time(), 1_000 * MS);
}

#[test]
fn finished_first_is_who_slept_least() {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let ended = Rc::new(RefCell::new(Vec::new()));
    let main = {
        let ended = Rc::clone(&ended);
        async move {
            let sleeper = |name: char, naps: &'static [u32]| {
                let ended = Rc::clone(&ended);
                create_task(async move {
                    for nap in naps {
                        sleep(1_000 * MS * *nap).await?;
                    }
                    let now = six_steps::running_loop()?.time();
                    ended.borrow_mut().push((now.as_secs(), name));
                    Ok(())
                })
            };
            let all = [
                sleeper('A', &[3])?,
                sleeper('B', &[1])?,
                sleeper('C', &[1, 1])?,
            ];
            gather(all)?.await
        }
    };
    event_loop.run_until_complete(main).unwrap();
    assert_eq!(*ended.borrow(), [(1, 'B'), (2, 'C'), (3, 'A')]);
}
