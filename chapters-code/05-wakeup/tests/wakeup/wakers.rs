//! The waker itself, in the hands of a future that was written by hand: kept, cloned, used too
//! often, too late, or never.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use wakeup::{Future, Outcome, Tasks, yield_now};

use crate::stage::Stage;

/// Ends once it is open, and keeps every waker it was polled with.
#[derive(Clone, Default)]
struct Gate {
    open: Rc<Cell<bool>>,
    polls: Rc<Cell<u32>>,
    wakers: Rc<RefCell<Vec<Waker>>>,
}

impl std::future::Future for Gate {
    type Output = Outcome<()>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome<()>> {
        self.polls.set(self.polls.get() + 1);
        if self.open.get() {
            return Poll::Ready(Ok(()));
        }
        self.wakers.borrow_mut().push(context.waker().clone());
        Poll::Pending
    }
}

impl Gate {
    fn wake(&self) {
        self.wakers.borrow().iter().for_each(Waker::wake_by_ref);
    }
}

/// Runs one turn in which `work` is the only callback, then the turn of what it woke.
fn in_a_turn(stage: &Stage, work: impl FnOnce() + 'static) {
    stage.event_loop.call_soon(work).unwrap();
    stage.event_loop.run_once().unwrap();
    stage.turn(1);
}

#[test]
fn waking_is_call_soon_of_the_wakeup() {
    let (stage, gate) = (Stage::new(), Gate::default());
    let task = stage.task("waits", gate.clone());
    stage.turn(1);
    let opened = gate.clone();
    in_a_turn(&stage, move || {
        opened.open.set(true);
        opened.wake();
        assert_eq!(opened.polls.get(), 1, "nothing resumes here");
    });
    assert!(task.done());
    assert!(stage.trace()[2].starts_with("wakeup:waits "));
}

#[test]
fn many_wakes_in_a_turn_are_one_step() {
    let (stage, gate) = (Stage::new(), Gate::default());
    stage.task("waits", gate.clone());
    stage.turn(1);
    let woken = gate.clone();
    in_a_turn(&stage, move || {
        for _ in 0..10_000 {
            woken.wake();
        }
    });
    assert_eq!(gate.polls.get(), 2);
    let opened = gate.clone();
    in_a_turn(&stage, move || opened.wake());
    assert_eq!(gate.polls.get(), 3, "after that step a wake counts again");
}

#[test]
fn a_spurious_wake_is_a_step_and_no_more() {
    let stage = Stage::new();
    let future: Future<u32> = stage.event_loop.create_future();
    let (gate, awaited) = (Gate::default(), future.clone());
    let once = gate.clone();
    let task = stage.task("waits", async move {
        // Leaves a clone of the task's waker behind, then waits for something else.
        let mut once = std::pin::pin!(once);
        assert!(futures::poll!(&mut once).is_pending());
        awaited.await
    });
    stage.turn(1);
    for _ in 0..100 {
        let woken = gate.clone();
        in_a_turn(&stage, move || woken.wake());
    }
    assert!(!task.done());
    future.set_result(1).unwrap();
    stage.turn(1);
    assert_eq!(task.result().unwrap(), 1);
    stage.turn(2);
    assert!(
        !stage.trace().last().unwrap().contains("waits"),
        "told once"
    );
}

#[test]
fn wakes_after_the_end_wake_nobody() {
    let (stage, gate) = (Stage::new(), Gate::default());
    let task = stage.task("waits", gate.clone());
    stage.turn(1);
    gate.open.set(true);
    let woken = gate.clone();
    in_a_turn(&stage, move || woken.wake());
    assert!(task.done());
    // Its place is another's now, who must not be woken in its stead.
    let next = Gate::default();
    let other = stage.task("other", next.clone());
    stage.turn(1);
    let woken = gate.clone();
    in_a_turn(&stage, move || woken.wake());
    assert_eq!((gate.polls.get(), next.polls.get()), (2, 1));
    assert!(!other.done());
    drop((task, gate));
}

#[test]
fn a_waker_lent_to_many_tasks_in_turn_wakes_the_one_it_was_kept_by() {
    let stage = Stage::new();
    let gates: Vec<_> = (0..50).map(|_| Gate::default()).collect();
    for gate in &gates {
        let gate = gate.clone();
        stage.task("waits", async move {
            yield_now().await?;
            gate.await
        });
    }
    stage.turn(2);
    for chosen in [7, 31, 0] {
        let woken = gates[chosen].clone();
        let before: Vec<_> = gates.iter().map(|gate| gate.polls.get()).collect();
        in_a_turn(&stage, move || woken.wake());
        for (number, gate) in gates.iter().enumerate() {
            assert_eq!(
                gate.polls.get(),
                before[number] + u32::from(number == chosen)
            );
        }
    }
}

#[test]
fn a_wake_during_the_own_step_is_the_next_turn() {
    let stage = Stage::new();
    let polls = Rc::new(Cell::new(0));
    let counted = Rc::clone(&polls);
    let task = stage.task(
        "eager",
        std::future::poll_fn(move |context| {
            counted.set(counted.get() + 1);
            context.waker().wake_by_ref();
            if counted.get() < 3 {
                Poll::Pending
            } else {
                Poll::Ready(Ok(()))
            }
        }),
    );
    for expected in 1..=3 {
        stage.turn(1);
        assert_eq!(polls.get(), expected);
    }
    assert!(task.done());
    stage.turn(2);
    assert_eq!(polls.get(), 3);
}

#[test]
fn outside_of_a_turn_a_wake_goes_through_the_hatch() {
    let (stage, gate) = (Stage::new(), Gate::default());
    let task = stage.task("waits", gate.clone());
    stage.turn(1);
    gate.open.set(true);
    gate.wake();
    assert_eq!(stage.event_loop.ready_len(), 0);
    stage.turn(1);
    assert_eq!(gate.polls.get(), 1, "what came through the hatch wakes it");
    stage.turn(1);
    assert!(task.done());
}

#[test]
fn another_loop_on_the_same_thread_is_reached_through_its_hatch() {
    let (here, there, gate) = (Stage::new(), Stage::new(), Gate::default());
    let task = there.task("waits", gate.clone());
    there.turn(1);
    gate.open.set(true);
    let woken = gate.clone();
    in_a_turn(&here, move || woken.wake());
    assert_eq!(gate.polls.get(), 1);
    there.turn(2);
    assert!(task.done());
}

#[test]
fn a_waker_kept_after_the_loop_was_closed_does_nothing() {
    let (stage, gate) = (Stage::new(), Gate::default());
    stage.task("waits", gate.clone());
    stage.turn(1);
    stage.event_loop.close().unwrap();
    gate.wake();
    drop(stage);
    gate.wake();
    assert_eq!(gate.polls.get(), 1);
    let other = Stage::new();
    let woken = gate.clone();
    in_a_turn(&other, move || woken.wake());
    assert_eq!(gate.polls.get(), 1);
}

#[test]
fn a_wake_does_not_hasten_a_task_that_waits_for_a_turn_already() {
    let (stage, gate) = (Stage::new(), Gate::default());
    let left = gate.clone();
    let steps = Rc::new(Cell::new(0));
    let counted = Rc::clone(&steps);
    stage.task("yields", async move {
        let mut left = std::pin::pin!(left);
        assert!(futures::poll!(&mut left).is_pending());
        loop {
            counted.set(counted.get() + 1);
            yield_now().await?;
        }
        #[expect(unreachable_code, reason = "names the result's type")]
        Ok(())
    });
    stage.turn(1);
    for turn in 2..50 {
        let woken = gate.clone();
        stage.event_loop.call_soon(move || woken.wake()).unwrap();
        stage.event_loop.run_once().unwrap();
        assert!(steps.get() <= turn, "one step a turn at most");
    }
}
