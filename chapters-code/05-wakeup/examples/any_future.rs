//! A future that has never heard of this loop, woken by another thread.

use std::rc::Rc;
use std::thread;

use six_steps::{EventLoop, Exception, Recorder};
use wakeup::Tasks;

fn main() -> Result<(), Exception> {
    let event_loop = EventLoop::new();
    let recorder = Rc::new(Recorder::default());
    event_loop.watch(recorder.clone());

    // ANCHOR: program
    let (sender, receiver) = futures::channel::oneshot::channel();
    let (parked, go) = std::sync::mpsc::channel();
    let other = thread::spawn(move || {
        go.recv().unwrap(); // the task has parked
        sender.send("tea").unwrap();
    });
    let main = event_loop.create_task(async move {
        Ok(receiver.await?) // a future of the crate `futures`
    })?;
    event_loop.call_soon(move || parked.send(()).unwrap())?; // behind the task's first step
    // ANCHOR_END: program
    main.set_name("main");
    println!("{}", event_loop.run_until_complete(main)?);
    other.join().unwrap();
    for (number, turn) in recorder.turns().iter().enumerate() {
        // Closures have no names but a path: one is ours, one came through the hatch.
        let ran = turn.ran.iter().map(|name| match name.split_once("::") {
            Some(_) if number == 0 => "go",
            Some(_) => "what came through the hatch",
            None => name,
        });
        println!(
            "turn {}: {}",
            number + 1,
            ran.collect::<Vec<_>>().join(", ")
        );
    }
    event_loop.close()?;
    Ok(())
}
