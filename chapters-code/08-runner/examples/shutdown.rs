//! What the end of a program does with what the program leaves.

use std::time::Duration;

use runner::{AsyncGenerator, Runner};
use six_steps::{EventLoop, Exception, VirtualSelector};
use wakeup::{Outcome, create_task, sleep, yield_now};

// ANCHOR: shutdown
async fn guest(name: &'static str) -> Outcome<()> {
    let stayed = sleep(Duration::from_hours(1)).await;
    println!("  {name} pays");
    yield_now().await?;
    println!("  {name} leaves");
    stayed
}

async fn evening() -> Outcome<()> {
    AsyncGenerator::open("till", async {
        println!("  the till is counted");
        Ok(())
    })?;
    for name in ["Ada", "Ben"] {
        create_task(guest(name))?;
    }
    create_task(async {
        let _ = sleep(Duration::from_hours(1)).await;
        Err::<(), _>(Exception::error("spilt the soup"))
    })?
    .set_name("Cleo");
    yield_now().await?;
    println!("main ends");
    Ok(())
}
// ANCHOR_END: shutdown

fn main() -> Result<(), Exception> {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    let mut runner = Runner::with_loop(event_loop);
    runner.run(evening())?;
    runner.close_observed(|phase| println!("{phase:?}"))
}
