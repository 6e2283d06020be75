//! Three callbacks that do not end well: an error, a panic, an exit. The first two stay in the
//! turn, the third leaves the loop.

use six_steps::{EventLoop, Exception, ExceptionContext, LoopError, VirtualSelector, running_loop};

fn main() -> Result<(), LoopError> {
    // The panic's own report would go to standard error; here the handler speaks for it.
    std::panic::set_hook(Box::new(|_| ()));

    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    // ANCHOR: program
    event_loop.set_exception_handler(Some(|_: &EventLoop, context: &ExceptionContext| {
        let exception = context.exception.as_ref();
        println!(
            "handler: {}",
            exception.map_or("?".into(), ToString::to_string)
        );
    }));
    event_loop.call_soon(|| Err::<(), _>(std::io::Error::other("out of tea")))?;
    event_loop.call_soon(boil)?;
    event_loop.call_soon(|| println!("still here"))?;
    event_loop.call_soon(|| Err::<(), _>(Exception::exit("closing time")))?;
    event_loop.call_soon(|| {
        println!("behind the exit");
        running_loop().map(|here| here.stop())
    })?;

    if let Err(error) = event_loop.run_forever() {
        println!("run_forever: {error}; ready {}", event_loop.ready_len());
    }
    event_loop.run_forever()
    // ANCHOR_END: program
}

fn boil() {
    panic!("the kettle fell");
}
