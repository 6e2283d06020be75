//! The service whose log is read: one day, on a virtual clock. What it logs is `service.log`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use debug_mode::{DebugMode, SlowCallback};
use six_steps::{EventLoop, Exception, VirtualClock, VirtualSelector};
use wakeup::{Outcome, Tasks, sleep};

thread_local! {
    static CLOCK: RefCell<VirtualClock> = RefCell::default();
    static RECEIPTS: Cell<u64> = const { Cell::new(0) };
}

fn hold(millis: u64) {
    CLOCK.with_borrow(|clock| clock.advance(Duration::from_millis(millis)));
}

fn refresh_prices() {
    hold(130);
}

fn water_the_plants() {
    hold(99);
}

fn print_receipts() {
    RECEIPTS.set(RECEIPTS.get() + 1);
    hold(100 * RECEIPTS.get());
}

async fn serve(grinding: u64, billing: u64) -> Outcome<u64> {
    sleep(Duration::from_millis(500)).await?;
    hold(grinding);
    sleep(Duration::from_secs(1)).await?;
    hold(billing);
    Ok(billing)
}

fn morning(event_loop: &EventLoop) -> Result<(), Exception> {
    event_loop.call_soon(refresh_prices)?;
    event_loop.call_soon(water_the_plants)?;
    event_loop.call_later(Duration::from_secs(1), print_receipts)?;
    event_loop.create_task(serve(240, 150))?.set_name("table 4");
    Ok(())
}

fn evening(event_loop: &EventLoop) -> Result<(), Exception> {
    event_loop.call_later(Duration::from_secs(9), print_receipts)?;
    event_loop.create_task(serve(80, 170))?.set_name("table 7");
    event_loop.call_soon(print_receipts)?;
    Ok(())
}

/// Runs the day and returns its log.
pub(crate) fn day() -> Result<Vec<String>, Exception> {
    let clock = VirtualClock::default();
    CLOCK.set(clock.clone());
    RECEIPTS.set(0);
    let event_loop = EventLoop::with_selector(VirtualSelector::on(clock));
    event_loop.set_debug(true);
    let log = Rc::new(RefCell::new(Vec::new()));
    let lines = Rc::clone(&log);
    event_loop.on_slow_callback(Some(move |slow: &SlowCallback<'_>| {
        let text = slow.to_string().replace(module_path!(), "service");
        let text = text.replace(file!(), "service.rs");
        lines.borrow_mut().push(format!("WARN asyncio: {text}"));
    }));
    morning(&event_loop)?;
    event_loop.run_until_complete(sleep(Duration::from_secs(5)))?;
    evening(&event_loop)?;
    event_loop.run_until_complete(sleep(Duration::from_secs(20)))?;
    event_loop.close()?;
    Ok(log.take())
}
