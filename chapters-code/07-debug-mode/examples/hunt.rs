//! A slow-callback hunt: three pieces of code hold the thread, each in another place. The clock is
//! virtual, so that the page can show the figures; put `thread::sleep` where `hold` is called for a
//! real one.

use std::cell::RefCell;
use std::time::Duration;

use debug_mode::DebugMode;
use six_steps::{EventLoop, Exception, VirtualClock, VirtualSelector};
use wakeup::{Outcome, Tasks, sleep};

thread_local! {
    static CLOCK: RefCell<VirtualClock> = RefCell::default();
}

fn hold(millis: u64) {
    CLOCK.with_borrow(|clock| clock.advance(Duration::from_millis(millis)));
}

// ANCHOR: hunt
fn reload_menu() {
    hold(250);
}

fn print_receipts() {
    hold(120);
}

async fn serve() -> Outcome<&'static str> {
    sleep(Duration::from_secs(2)).await?;
    hold(300); // grinds the beans by hand
    sleep(Duration::from_secs(1)).await?;
    hold(200);
    Ok("espresso")
}

fn day(event_loop: &EventLoop) -> Result<(), Exception> {
    event_loop.call_soon(reload_menu)?;
    event_loop.call_later(Duration::from_secs(1), print_receipts)?;
    let table = event_loop.create_task(serve())?;
    table.set_name("table 4");
    event_loop.run_until_complete(table)?;
    Ok(())
}
// ANCHOR_END: hunt

// ANCHOR: main
fn main() -> Result<(), Exception> {
    env_logger::Builder::new()
        .filter_module("asyncio", log::LevelFilter::Warn)
        .format(|out, record| {
            use std::io::Write;
            writeln!(
                out,
                "{} {}: {}",
                record.level(),
                record.target(),
                record.args()
            )
        })
        .init();

    let clock = CLOCK.with_borrow(VirtualClock::clone);
    let event_loop = EventLoop::with_selector(VirtualSelector::on(clock));
    event_loop.set_debug(true);
    day(&event_loop)
}
// ANCHOR_END: main
