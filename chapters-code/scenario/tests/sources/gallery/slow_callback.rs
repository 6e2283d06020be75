use std::thread;
use std::time::Duration;

use the_loop::{Outcome, Runner, running_loop, yield_now};

fn quick() {
    thread::sleep(Duration::from_millis(20));
}

fn slow() {
    thread::sleep(Duration::from_millis(150));
}

fn main() -> Outcome<()> {
    let mut runner = Runner::new().with_debug(true);
    runner.run(async {
        running_loop()?.call_soon(quick)?;
        running_loop()?.call_soon(slow)?;
        yield_now().await?;
        println!("goes on");
        Ok(())
    })?;
    runner.close()?;
    Ok(())
}
