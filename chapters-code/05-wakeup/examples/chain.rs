//! The chain from an await to its result: what is noted in which turn, and what each turn ran.

use std::rc::Rc;

use six_steps::{EventLoop, Exception, Recorder, TurnCounter};
use wakeup::{Tasks, create_task, yield_now};

fn main() -> Result<(), Exception> {
    let event_loop = EventLoop::new();
    let (recorder, turns) = (
        Rc::new(Recorder::default()),
        Rc::new(TurnCounter::default()),
    );
    event_loop.watch(recorder.clone());
    event_loop.watch(turns.clone());
    let note = Rc::new(move |text: &str| println!("turn {}: {text}", turns.count()));

    let future = event_loop.create_future();
    // ANCHOR: program
    let waiter = {
        let (future, note) = (future.clone(), note.clone());
        async move {
            note("waiter awaits");
            let tea: &str = future.await?;
            note(&format!("waiter has {tea}"));
            Ok(())
        }
    };
    let setter = {
        let note = note.clone();
        async move {
            note("setter sets");
            future.set_result("tea")?;
            note("setter has set");
            yield_now().await?;
            note("setter goes on");
            Ok(())
        }
    };
    let main = async move {
        let waiter = create_task(waiter)?;
        waiter.set_name("waiter");
        create_task(setter)?.set_name("setter");
        waiter.await?;
        note("main has waited");
        Ok(())
    };
    // ANCHOR_END: program
    let main = event_loop.create_task(main)?;
    main.set_name("main");
    event_loop.run_until_complete(main)?;

    for (number, turn) in recorder.turns().iter().enumerate() {
        println!("turn {} ran {}", number + 1, turn.ran.join(", "));
    }
    event_loop.close()?;
    Ok(())
}
