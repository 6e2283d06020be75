use the_loop::{Future, Outcome, Tasks, create_task, run, running_loop, yield_now};

async fn a(first: Future<&'static str>, second: Future<&'static str>) -> Outcome<()> {
    first.await?;
    second.set_result("from A")?;
    Ok(())
}

async fn b(second: Future<&'static str>) -> Outcome<&'static str> {
    second.await?;
    Ok("done")
}

fn main() -> Outcome<()> {
    run(async {
        let first = running_loop()?.create_future::<&'static str>();
        let second = running_loop()?.create_future::<&'static str>();
        create_task(a(first.clone(), second.clone()))?;
        let b_task = create_task(b(second.clone()))?;
        yield_now().await?;
        first.set_result("from main")?;
        b_task.await?;
        Ok(())
    })
}
