use the_loop::{Outcome, create_task, run, yield_now};

async fn other() -> Outcome<()> {
    println!("in between");
    Ok(())
}

fn main() -> Outcome<()> {
    run(async {
        create_task(other())?;
        println!("before");
        yield_now().await?;
        println!("after");
        Ok(())
    })
}
