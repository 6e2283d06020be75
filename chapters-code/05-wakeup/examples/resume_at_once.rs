//! The wrong turn: a promise that resumes its waiter within `set`. The same two programs run on
//! it and on the loop.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use six_steps::{EventLoop, Exception};
use wakeup::{Future, Outcome, Tasks, create_task, gather};

// ANCHOR: promise
/// A coroutine that whoever has news for it polls, there and then.
type Coroutine = Rc<RefCell<Pin<Box<dyn std::future::Future<Output = ()>>>>>;

thread_local! {
    static CURRENT: RefCell<Option<Coroutine>> = const { RefCell::new(None) };
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static DEEPEST: Cell<u32> = const { Cell::new(0) };
}

/// Polls a coroutine on the caller's stack.
fn resume(coroutine: &Coroutine) {
    DEPTH.set(DEPTH.get() + 1);
    DEEPEST.set(DEEPEST.get().max(DEPTH.get()));
    let outer = CURRENT.replace(Some(Rc::clone(coroutine)));
    let mut context = Context::from_waker(Waker::noop());
    let Ok(mut polled) = coroutine.try_borrow_mut() else {
        panic!("it stands in the middle of a step");
    };
    let _ = polled.as_mut().poll(&mut context);
    drop(polled);
    CURRENT.set(outer);
    DEPTH.set(DEPTH.get() - 1);
}

/// A promise of a number, with the coroutine that waits for it.
#[derive(Clone, Default)]
struct Promise(Rc<Promised>);

#[derive(Default)]
struct Promised {
    value: Cell<Option<u32>>,
    waiter: RefCell<Option<Coroutine>>,
}

impl Promise {
    fn set(&self, value: u32) {
        self.0.value.set(Some(value));
        let waiter = self.0.waiter.take();
        if let Some(waiter) = waiter {
            resume(&waiter); // the mistake
        }
    }

    async fn wait(&self) -> u32 {
        std::future::poll_fn(|_| {
            if let Some(value) = self.0.value.get() {
                return Poll::Ready(value);
            }
            self.0.waiter.replace(CURRENT.with_borrow(Clone::clone));
            Poll::Pending
        })
        .await
    }
}
// ANCHOR_END: promise

fn start(coroutine: impl std::future::Future<Output = ()> + 'static) {
    resume(&Rc::new(RefCell::new(Box::pin(coroutine))));
}

/// A till that books an order and its price; the two belong together.
#[derive(Default)]
struct Till {
    orders: Cell<u32>,
    takings: Cell<u32>,
}

// ANCHOR: till
fn booked_at_once() -> (u32, u32) {
    let (till, ordered) = (Rc::new(Till::default()), Promise::default());
    let seen = Rc::new(Cell::new((0, 0)));
    let (reader, look) = (Rc::clone(&till), Rc::clone(&seen));
    let order = ordered.clone();
    start(async move {
        order.wait().await;
        look.set((reader.orders.get(), reader.takings.get()));
    });
    start(async move {
        till.orders.set(1);
        ordered.set(1);
        till.takings.set(3); // belongs to the order
    });
    seen.get()
}

fn booked_on_the_loop(event_loop: &EventLoop) -> Outcome<(u32, u32)> {
    let (till, ordered) = (Rc::new(Till::default()), event_loop.create_future());
    let (reader, order) = (Rc::clone(&till), ordered.clone());
    event_loop.run_until_complete(async move {
        let look = create_task(async move {
            order.await?;
            Ok((reader.orders.get(), reader.takings.get()))
        })?;
        create_task(async move {
            till.orders.set(1);
            ordered.set_result(1)?;
            till.takings.set(3);
            Ok(())
        })?;
        look.await
    })
}
// ANCHOR_END: till

/// Each of a row of waiters sets the next one's promise.
fn row_at_once(length: usize) -> u32 {
    DEEPEST.set(0);
    let promises: Vec<_> = (0..=length).map(|_| Promise::default()).collect();
    for pair in promises.windows(2) {
        let (mine, next) = (pair[0].clone(), pair[1].clone());
        start(async move { next.set(mine.wait().await) });
    }
    promises[0].set(1);
    assert!(promises[length].0.value.get().is_some());
    DEEPEST.get()
}

/// The same row on the loop: how deep steps are nested in one another.
fn row_on_the_loop(event_loop: &EventLoop, length: usize) -> Outcome<u32> {
    let futures: Vec<Future<u32>> = (0..=length).map(|_| event_loop.create_future()).collect();
    DEEPEST.set(0);
    let first = futures[0].clone();
    event_loop.run_until_complete(async move {
        let row = futures.windows(2).map(|pair| {
            let (mine, next) = (pair[0].clone(), pair[1].clone());
            async move {
                let value = mine.await?;
                DEPTH.set(DEPTH.get() + 1);
                DEEPEST.set(DEEPEST.get().max(DEPTH.get()));
                next.set_result(value)?;
                DEPTH.set(DEPTH.get() - 1);
                Ok(())
            }
        });
        let row: Vec<_> = row.map(create_task).collect::<Result<_, _>>()?;
        first.set_result(1)?;
        gather(row)?.await
    })?;
    Ok(DEEPEST.get())
}

/// Two coroutines that answer each other: the second answer comes back into a coroutine that is
/// in the middle of a step.
fn ping_pong_at_once() -> Result<(), String> {
    let (ping, pong) = (Promise::default(), Promise::default());
    let (theirs, mine) = (ping.clone(), pong.clone());
    let work = AssertUnwindSafe(move || {
        start(async move {
            theirs.wait().await;
            mine.set(2);
        });
        let me = Rc::new(RefCell::new(None::<Coroutine>));
        let own = Rc::clone(&me);
        let coroutine: Coroutine = Rc::new(RefCell::new(Box::pin(async move {
            // It will wait for the answer, and says so before it asks.
            pong.0.waiter.replace(own.take());
            ping.set(1);
            pong.wait().await;
        })));
        *me.borrow_mut() = Some(Rc::clone(&coroutine));
        resume(&coroutine);
    });
    catch_unwind(work).map_err(|payload| Exception::from_panic(payload).to_string())
}

fn main() -> Result<(), Exception> {
    let event_loop = EventLoop::new();
    println!("orders and takings, as the waiter finds them");
    println!("  resumed at once: {:?}", booked_at_once());
    println!("  on the loop:     {:?}", booked_on_the_loop(&event_loop)?);
    println!("a row of 1000 waiters, steps nested in one another");
    println!("  resumed at once: {}", row_at_once(1_000));
    println!(
        "  on the loop:     {}",
        row_on_the_loop(&event_loop, 1_000)?
    );
    println!("two that answer each other");
    std::panic::set_hook(Box::new(|_| ()));
    println!("  resumed at once: {:?}", ping_pong_at_once());
    event_loop.close()?;
    Ok(())
}
