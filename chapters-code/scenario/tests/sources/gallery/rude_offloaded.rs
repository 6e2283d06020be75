use std::time::Duration;

use the_loop::{Future, Outcome, Tasks, create_task, run, running_loop, sleep};

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

fn thread_ends(result: Future<&'static str>) -> Outcome<()> {
    result.set_result("done")?;
    Ok(())
}

async fn polite() -> Outcome<()> {
    sleep(Duration::from_millis(30)).await?;
    println!("sent away");
    let result = running_loop()?.create_future::<&'static str>();
    let ours = result.clone();
    running_loop()?.call_later(Duration::from_millis(100), move || thread_ends(ours))?;
    result.await?;
    println!("it is back");
    Ok(())
}

fn main() -> Outcome<()> {
    run(async {
        let a_task = create_task(a())?;
        let b_task = create_task(b())?;
        let polite_task = create_task(polite())?;
        a_task.await?;
        b_task.await?;
        polite_task.await?;
        Ok(())
    })
}
