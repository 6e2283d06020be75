//! Two polite workers, then a rude third one, on a virtual clock.

use std::rc::Rc;
use std::time::Duration;

use six_steps::{EventLoop, Exception, TurnCounter, VirtualSelector};
use wakeup::{Tasks, create_task, gather, yield_now};

fn main() -> Result<(), Exception> {
    for rude in [false, true] {
        println!(
            "{}",
            if rude {
                "A, B and a rude one"
            } else {
                "A and B"
            }
        );
        run(rude)?;
    }
    Ok(())
}

fn run(rude: bool) -> Result<(), Exception> {
    let selector = VirtualSelector::new();
    let clock = selector.clock();
    let event_loop = EventLoop::with_selector(selector);
    let turns = Rc::new(TurnCounter::default());
    event_loop.watch(turns.clone());
    let shown = clock.clone();
    let note = Rc::new(move |text: String| {
        println!(
            "  turn {} at {:>3} ms: {text}",
            turns.count(),
            shown.time().as_millis()
        );
    });
    // ANCHOR: workers
    let worker = move |name: &'static str, blocks: Duration| {
        let (note, clock) = (Rc::clone(&note), clock.clone());
        async move {
            note(format!("{name}1"));
            clock.advance(blocks); // work that gives nobody else a chance
            yield_now().await?;
            note(format!("{name}2"));
            Ok(())
        }
    };
    let main = async move {
        let mut tasks = vec![create_task(worker("A", Duration::from_millis(1)))?];
        if rude {
            tasks.push(create_task(worker("rude ", Duration::from_millis(500)))?);
        }
        tasks.push(create_task(worker("B", Duration::from_millis(1)))?);
        gather(tasks)?.await
    };
    // ANCHOR_END: workers
    event_loop.run_until_complete(main)?;
    event_loop.close()?;
    Ok(())
}
