//! How a cancellation arrives: at the await, with time to clean up. `cpython/cancel.py` prints
//! the same lines.

use std::rc::Rc;
use std::time::Duration;

use six_steps::{EventLoop, Exception, TurnCounter};
use wakeup::{Tasks, create_task, sleep, yield_now};

fn main() -> Result<(), Exception> {
    let event_loop = EventLoop::new();
    let turns = Rc::new(TurnCounter::default());
    event_loop.watch(turns.clone());
    let note = Rc::new(move |text: &str| println!("turn {}: {text}", turns.count()));

    let noted = note.clone();
    // ANCHOR: program
    let brewing = async move {
        let note = noted;
        note("brews");
        if let Err(cancelled) = sleep(Duration::from_hours(1)).await {
            note(&format!("raised: {cancelled}"));
            yield_now().await?; // clean up, with an await
            note("has swept");
            return Err(cancelled);
        }
        Ok(())
    };
    let main = async move {
        let task = create_task(brewing)?;
        yield_now().await?;
        note(&format!("cancel says {}", task.cancel()));
        note(&format!("done: {}", task.done()));
        let raised = (&task).await.is_err();
        note(&format!(
            "await raised: {raised}, cancelled: {}",
            task.cancelled()
        ));
        Ok(())
    };
    // ANCHOR_END: program
    event_loop.run_until_complete(main)?;
    event_loop.close()?;
    Ok(())
}
