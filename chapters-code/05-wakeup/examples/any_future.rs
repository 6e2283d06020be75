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
        go.recv().unwrap(); // the loop is about to go to sleep
        sender.send("tea").unwrap();
    });
    let main = async move {
        parked.send(())?;
        Ok(receiver.await?) // a future of the crate `futures`
    };
    // ANCHOR_END: program
    let main = event_loop.create_task(main)?;
    main.set_name("main");
    println!("{}", event_loop.run_until_complete(main)?);
    other.join().unwrap();
    for (number, turn) in recorder.turns().iter().enumerate() {
        // What comes through the hatch is a closure, whose name is a path.
        let ran = turn.ran.iter().map(|name| match name.split_once("::") {
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
