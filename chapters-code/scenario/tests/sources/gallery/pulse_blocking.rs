use std::thread;
use std::time::Duration;

use the_loop::{Outcome, create_task, run, sleep, yield_now};

async fn pulse() -> Outcome<()> {
    for _ in 0..1000 {
        sleep(Duration::from_millis(10)).await?;
        println!("tick");
    }
    Ok(())
}

async fn worker() -> Outcome<()> {
    for _ in 0..10 {
        thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

fn main() -> Outcome<()> {
    run(async {
        let pulse_task = create_task(pulse())?;
        let worker_task = create_task(worker())?;
        worker_task.await?;
        yield_now().await?;
        yield_now().await?;
        pulse_task.cancel();
        match pulse_task.await {
            Ok(_) => {}
            Err(exception) if exception.is_cancelled() => {}
            Err(exception) => return Err(exception),
        }
        Ok(())
    })
}
