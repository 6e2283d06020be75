use std::thread;
use std::time::Duration;

use the_loop::{EventLoop, Outcome, running_loop};

fn spin7() -> Outcome<()> {
    thread::sleep(Duration::from_millis(2));
    running_loop()?.stop();
    Ok(())
}

fn spin6() -> Outcome<()> {
    thread::sleep(Duration::from_millis(2));
    running_loop()?.call_soon(spin7)?;
    Ok(())
}

fn spin5() -> Outcome<()> {
    thread::sleep(Duration::from_millis(2));
    running_loop()?.call_soon(spin6)?;
    Ok(())
}

fn spin4() -> Outcome<()> {
    thread::sleep(Duration::from_millis(2));
    running_loop()?.call_soon(spin5)?;
    Ok(())
}

fn spin3() -> Outcome<()> {
    thread::sleep(Duration::from_millis(2));
    running_loop()?.call_soon(spin4)?;
    Ok(())
}

fn spin2() -> Outcome<()> {
    thread::sleep(Duration::from_millis(2));
    running_loop()?.call_soon(spin3)?;
    Ok(())
}

fn spin1() -> Outcome<()> {
    thread::sleep(Duration::from_millis(2));
    running_loop()?.call_soon(spin2)?;
    Ok(())
}

fn timer() {
    println!("my turn");
}

fn main() -> Outcome<()> {
    let event_loop = EventLoop::new();
    event_loop.call_soon(spin1)?;
    event_loop.call_later(Duration::from_millis(5), timer)?;
    event_loop.run_forever()?;
    event_loop.close()?;
    Ok(())
}
