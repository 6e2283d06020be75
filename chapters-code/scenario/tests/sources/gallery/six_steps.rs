use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::rc::Rc;
use std::thread;
use std::time::Duration;

use the_loop::{EventLoop, Outcome, Source, running_loop};

fn coffee() {}

fn tea() {
    println!("the tea is ready");
}

fn greet() {}

fn guest(door: &UnixStream) -> Outcome<()> {
    (&*door).read_exact(&mut [0])?;
    running_loop()?.remove_reader(&door);
    running_loop()?.call_soon(greet)?;
    Ok(())
}

fn closing() -> Outcome<()> {
    running_loop()?.stop();
    Ok(())
}

fn main() -> Outcome<()> {
    let event_loop = EventLoop::new();
    let coffee_handle = event_loop.call_later(Duration::from_millis(5), coffee)?;
    event_loop.call_later(Duration::from_millis(10), tea)?;
    let (door, knock) = UnixStream::pair()?;
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(10));
        (&knock).write_all(b"x")
    });
    let door = Rc::new(door);
    event_loop.add_reader(Source::new(door.clone()), move || guest(&door))?;
    event_loop.call_later(Duration::from_millis(25), closing)?;
    coffee_handle.cancel();
    event_loop.run_forever()?;
    event_loop.close()?;
    Ok(())
}
