//! A question of the page: what prints, and in which turn?

use std::rc::Rc;

use six_steps::{EventLoop, Exception, TurnCounter};
use wakeup::{Tasks, create_task, yield_now};

fn main() -> Result<(), Exception> {
    let event_loop = EventLoop::new();
    let turns = Rc::new(TurnCounter::default());
    event_loop.watch(turns.clone());
    let say = Rc::new(move |text: &str| println!("turn {}: {text}", turns.count()));
    let inner = say.clone();
    // ANCHOR: quiz
    let main = async move {
        let task = create_task(async move {
            inner("child in");
            yield_now().await?;
            inner("child out");
            Ok(())
        })?;
        say("made");
        yield_now().await?;
        say("yielded");
        task.await?;
        say("awaited");
        Ok(())
    };
    // ANCHOR_END: quiz
    event_loop.run_until_complete(main)?;
    event_loop.close()?;
    Ok(())
}
