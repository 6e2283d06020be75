use std::thread;
use std::time::Duration;

use the_loop::{Outcome, create_task, run, sleep};

async fn a() -> Outcome<()> {
    for _ in 0..6 {
        println!("A");
        sleep(Duration::from_millis(20)).await?;
    }
    Ok(())
}

async fn b() -> Outcome<()> {
    for _ in 0..6 {
        println!("B");
        sleep(Duration::from_millis(20)).await?;
    }
    Ok(())
}

async fn rude() -> Outcome<()> {
    sleep(Duration::from_millis(30)).await?;
    println!("rude begins");
    thread::sleep(Duration::from_millis(100));
    println!("rude ends");
    Ok(())
}

fn main() -> Outcome<()> {
    run(async {
        let a_task = create_task(a())?;
        let b_task = create_task(b())?;
        create_task(rude())?;
        a_task.await?;
        b_task.await?;
        Ok(())
    })
}
