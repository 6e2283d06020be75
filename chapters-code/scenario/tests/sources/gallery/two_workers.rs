use the_loop::{Outcome, create_task, run, yield_now};

async fn a() -> Outcome<()> {
    println!("A1");
    yield_now().await?;
    println!("A2");
    Ok(())
}

async fn b() -> Outcome<()> {
    println!("B1");
    yield_now().await?;
    println!("B2");
    Ok(())
}

fn main() -> Outcome<()> {
    run(async {
        let a_task = create_task(a())?;
        let b_task = create_task(b())?;
        a_task.await?;
        b_task.await?;
        Ok(())
    })
}
