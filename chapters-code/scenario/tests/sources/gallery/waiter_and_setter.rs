use the_loop::{Future, Outcome, Tasks, create_task, run, running_loop, yield_now};

async fn waiter(tea: Future<&'static str>) -> Outcome<()> {
    println!("awaits");
    tea.await?;
    println!("has tea");
    Ok(())
}

async fn setter(tea: Future<&'static str>) -> Outcome<()> {
    println!("sets");
    tea.set_result("tea")?;
    println!("has set");
    yield_now().await?;
    println!("goes on");
    Ok(())
}

fn main() -> Outcome<()> {
    run(async {
        let tea = running_loop()?.create_future::<&'static str>();
        let waiter_task = create_task(waiter(tea.clone()))?;
        create_task(setter(tea.clone()))?;
        waiter_task.await?;
        println!("has waited");
        Ok(())
    })
}
