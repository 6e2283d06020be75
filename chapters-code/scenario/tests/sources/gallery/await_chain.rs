use the_loop::{Outcome, run, yield_now};

async fn nested() -> Outcome<&'static str> {
    println!("inner, before");
    yield_now().await?;
    println!("inner, after");
    Ok("tea")
}

async fn nested_2() -> Outcome<&'static str> {
    println!("outer");
    nested().await?;
    Ok("and milk")
}

fn main() -> Outcome<()> {
    run(async {
        println!("main");
        nested_2().await?;
        println!("main again");
        Ok(())
    })
}
