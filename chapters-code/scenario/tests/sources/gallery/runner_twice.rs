use std::time::Duration;

use the_loop::{Outcome, Runner, sleep};

fn main() -> Outcome<()> {
    let mut runner = Runner::new();
    runner.run(async {
        println!("one");
        sleep(Duration::from_millis(5)).await?;
        Ok(())
    })?;
    runner.run(async {
        println!("two");
        Ok(())
    })?;
    runner.close()?;
    Ok(())
}
