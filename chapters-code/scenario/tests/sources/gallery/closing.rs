use std::time::Duration;

use the_loop::{Outcome, create_task, run, sleep, yield_now};

async fn left_behind() -> Outcome<()> {
    sleep(Duration::from_millis(1000)).await?;
    Ok(())
}

fn main() -> Outcome<()> {
    run(async {
        create_task(left_behind())?;
        yield_now().await?;
        println!("main ends");
        Ok(())
    })
}
