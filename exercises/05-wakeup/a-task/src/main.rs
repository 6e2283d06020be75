//! Runs tasks turn by turn: `a-task NAME:SUSPENSIONS…`. A task without a number waits for somebody
//! to wake it; that happens twice in turn 3.

use std::cell::RefCell;
use std::future::poll_fn;
use std::process::ExitCode;
use std::rc::Rc;
use std::task::{Poll, Waker};

use a_task::Task;
use six_steps::{EventLoop, LoopError, VirtualSelector};
use suspension::suspend_once;

type Wakers = Rc<RefCell<Vec<Waker>>>;

async fn yields(name: String, times: u32) -> String {
    for part in 1..=times {
        println!("  {name}{part}");
        suspend_once().await;
    }
    println!("  {name} ends");
    name
}

async fn waits(name: String, wakers: Wakers) -> String {
    println!("  {name} waits");
    let mut polled = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut polled, true) {
            return Poll::Ready(());
        }
        wakers.borrow_mut().push(cx.waker().clone());
        Poll::Pending
    })
    .await;
    println!("  {name} was woken");
    name
}

fn run(words: impl Iterator<Item = String>) -> Result<(), LoopError> {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let wakers = Wakers::default();
    let mut tasks = Vec::new();
    for word in words {
        let task = match word.split_once(':') {
            Some((name, times)) => {
                let times = times.parse().unwrap_or(0);
                Task::start(&event_loop, yields(name.to_owned(), times))?
            }
            None => Task::start(&event_loop, waits(word, wakers.clone()))?,
        };
        tasks.push(task);
    }
    for turn in 1..=5 {
        println!("turn {turn}, ready {}", event_loop.ready_len());
        if turn == 3 {
            let wakers = wakers.clone();
            event_loop.call_soon(move || {
                for waker in wakers.take() {
                    waker.wake_by_ref();
                    waker.wake();
                    println!("  woken twice");
                }
            })?;
        }
        event_loop.stop();
        event_loop.run_forever()?;
    }
    for task in &tasks {
        println!("{:?}", task.result());
    }
    Ok(())
}

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
