//! A hunt for what freezes a service: debug mode finds who holds the thread, and for how long.
//!
//! ```console
//! $ cargo run -p the-loop --example slow_callbacks
//! ```
//!
//! Three handlers serve requests. One of them now and then does a piece of work that blocks. The
//! others are blameless and yet late, so a look at who is late finds nothing; debug mode names the
//! one that held the thread.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;

use the_loop::{
    DebugMode, EventLoop, Outcome, Runner, SlowCallback, create_task, gather, running_loop, sleep,
};

/// A step that holds the thread this long is worth a line.
const SLOW: Duration = Duration::from_millis(20);

/// Serves a request every 10 ms; every third one takes `block` of work on the loop's thread.
async fn handler(requests: u32, takes: Duration, block: impl Fn(Duration)) -> Outcome<()> {
    for request in 1..=requests {
        sleep(Duration::from_millis(10)).await?;
        if request % 3 == 0 {
            block(takes);
        }
    }
    Ok(())
}

/// Three named handlers; `images` is the one that blocks.
async fn service(block: impl Fn(Duration) + Clone + 'static) -> Outcome<()> {
    let mut handlers = Vec::new();
    for (name, takes) in [("orders", 1), ("images", 60), ("health", 0)] {
        let takes = Duration::from_millis(takes);
        let task = create_task(handler(6, takes, block.clone()))?;
        task.set_name(name);
        handlers.push(task);
    }
    gather(handlers)?.await?;
    Ok(())
}

/// Who was caught: by name, how often, and the longest time.
type Caught = Rc<RefCell<BTreeMap<String, (u32, Duration)>>>;

/// Has every slow step logged, as debug mode does, and counted by who took it.
fn hunt(event_loop: &EventLoop) -> Caught {
    let caught = Caught::default();
    let list = Rc::clone(&caught);
    event_loop.set_slow_callback_duration(SLOW);
    event_loop.on_slow_callback(Some(move |slow: &SlowCallback<'_>| {
        log::warn!(target: "asyncio", "{slow}");
        let mut list = list.borrow_mut();
        let entry = list.entry(who(slow)).or_default();
        *entry = (entry.0 + 1, entry.1.max(slow.duration));
    }));
    caught
}

/// The name of the task whose step it was: the task's own text says it.
fn who(slow: &SlowCallback<'_>) -> String {
    let shown = slow.to_string();
    let name = shown
        .split_once("name='")
        .and_then(|(_, rest)| rest.split_once('\''));
    name.map_or(shown.clone(), |(name, _)| name.to_owned())
}

fn main() -> ExitCode {
    // The lines of debug mode are log records under the target `asyncio`.
    env_logger::builder()
        .filter_level(log::LevelFilter::Warn)
        .init();
    let mut runner = Runner::new().with_debug(true);
    let ran = runner.run(async {
        let caught = hunt(&running_loop()?);
        service(std::thread::sleep).await?;
        Ok(caught)
    });
    let caught = match ran {
        Ok(caught) => caught.take(),
        Err(exception) => {
            eprintln!("slow_callbacks: {exception}");
            return ExitCode::FAILURE;
        }
    };
    for (name, (times, longest)) in caught {
        println!(
            "{name} held the thread {times} times, up to {} ms",
            longest.as_millis()
        );
    }
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use the_loop::{VirtualSelector, prelude::*};

    use super::*;

    #[test]
    fn the_one_that_blocks_is_named_and_nobody_else() {
        let selector = VirtualSelector::new();
        let clock = selector.clock();
        let event_loop = EventLoop::with_selector(selector);
        event_loop.set_debug(true);
        let caught = hunt(&event_loop);
        event_loop
            .run_until_complete(service(move |takes| clock.advance(takes)))
            .unwrap();
        let images = ("images".to_owned(), (2, Duration::from_millis(60)));
        assert_eq!(caught.take(), BTreeMap::from([images]));
    }
}
