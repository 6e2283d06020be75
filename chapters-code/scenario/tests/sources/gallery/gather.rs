use std::time::Duration;

use the_loop::{Outcome, create_task, gather, run, sleep};

async fn both_0() -> Outcome<&'static str> {
    sleep(Duration::from_millis(10)).await?;
    Ok("tea")
}

async fn both_1() -> Outcome<&'static str> {
    sleep(Duration::from_millis(20)).await?;
    Ok("water")
}

fn main() -> Outcome<()> {
    run(async {
        let both = gather([create_task(both_0())?, create_task(both_1())?])?;
        both.await?;
        Ok(())
    })
}
