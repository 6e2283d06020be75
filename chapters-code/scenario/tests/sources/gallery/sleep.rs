use std::time::Duration;

use the_loop::{Outcome, run, sleep};

fn main() -> Outcome<()> {
    run(async {
        println!("before");
        sleep(Duration::from_millis(10)).await?;
        println!("after");
        Ok(())
    })
}
