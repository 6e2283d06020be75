use std::time::Duration;

use the_loop::{Outcome, create_task, run, sleep};

async fn slow() -> Outcome<()> {
    match sleep(Duration::from_millis(1000)).await {
        Ok(_) => {}
        Err(exception) if exception.is_cancelled() => {
            println!("cleaning up");
            sleep(Duration::from_millis(5)).await?;
            return Err(exception);
        }
        Err(exception) => return Err(exception),
    }
    Ok(())
}

fn main() -> Outcome<()> {
    run(async {
        let slow_task = create_task(slow())?;
        sleep(Duration::from_millis(10)).await?;
        slow_task.cancel();
        match slow_task.await {
            Ok(_) => {}
            Err(exception) if exception.is_cancelled() => {
                println!("it is gone");
            }
            Err(exception) => return Err(exception),
        }
        Ok(())
    })
}
