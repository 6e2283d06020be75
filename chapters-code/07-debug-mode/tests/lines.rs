//! The line and its objects, to the letter: Rust's names and places where CPython's stand.

mod common;

use std::cell::RefCell;
use std::rc::Rc;

use common::{logged, ms, text, texts, virtual_loop};
use debug_mode::DebugMode;
use log::Level;
use six_steps::{EventLoop, Handle, TimerHandle, VirtualClock};
use wakeup::{Outcome, Tasks, create_task, current_task, gather, yield_now};

/// A loop in debug mode.
fn debug_loop() -> (EventLoop, VirtualClock) {
    let (event_loop, clock) = virtual_loop();
    event_loop.set_debug(true);
    (event_loop, clock)
}

fn one_turn(event_loop: &EventLoop) {
    event_loop.stop();
    event_loop.run_forever().unwrap();
}

thread_local! {
    static CLOCK: RefCell<VirtualClock> = RefCell::default();
}

fn block() {
    CLOCK.with_borrow(|clock| clock.advance(ms(250)));
}

#[test]
fn the_level_is_warning_and_the_target_asyncio() {
    let (event_loop, clock) = debug_loop();
    CLOCK.set(clock);
    event_loop.call_soon(block).unwrap();
    one_turn(&event_loop);
    let logged = logged();
    let [(level, target, _)] = &logged[..] else {
        panic!("{logged:?}")
    };
    assert_eq!((*level, target.as_str()), (Level::Warn, "asyncio"));
}

#[test]
fn a_handle_says_which_callback_and_who_handed_it_over() {
    let (event_loop, clock) = debug_loop();
    CLOCK.set(clock);
    event_loop.call_soon(block).unwrap();
    let line = line!() - 1;
    one_turn(&event_loop);
    let at = format!("{}:{line}", file!());
    assert_eq!(
        text(Level::Warn),
        format!("Executing <Handle lines::block() created at {at}> took 0.250 seconds")
    );
}

#[test]
fn a_timer_says_also_when_it_was_due() {
    let (event_loop, clock) = debug_loop();
    CLOCK.set(clock);
    event_loop.call_later(ms(1_000), block).unwrap();
    let line = line!() - 1;
    while event_loop.scheduled_len() > 0 {
        event_loop.run_once().unwrap();
    }
    let at = format!("{}:{line}", file!());
    assert_eq!(
        text(Level::Warn),
        format!(
            "Executing <TimerHandle when=1.0 lines::block() created at {at}> took 0.250 seconds"
        )
    );
}

#[test]
fn what_came_through_the_hatch_says_which_thread_line_it_came_from() {
    let (event_loop, clock) = debug_loop();
    CLOCK.set(clock);
    let hatch = event_loop.hatch();
    std::thread::spawn(move || hatch.call_soon_threadsafe(block).unwrap())
        .join()
        .unwrap();
    let line = line!() - 3;
    one_turn(&event_loop);
    let at = format!("{}:{line}", file!());
    assert_eq!(
        text(Level::Warn),
        format!("Executing <Handle lines::block() created at {at}> took 0.250 seconds")
    );
}

async fn worker(clock: VirtualClock) -> Outcome<()> {
    yield_now().await?;
    clock.advance(ms(250));
    yield_now().await
}

/// The task is shown as it is after the step that blocked: still pending, and by its name.
#[test]
fn a_pending_task_is_shown_after_its_step() {
    let (event_loop, clock) = debug_loop();
    let line = line!() + 2;
    let main = async move {
        let task = create_task(worker(clock))?;
        task.set_name("worker");
        task.await
    };
    event_loop.run_until_complete(main).unwrap();
    let at = format!("{}:{line}", file!());
    assert_eq!(
        text(Level::Warn),
        format!(
            "Executing <Task pending name='worker' coro=<lines::worker() running> \
             cb=[wakeup:Task-1] created at {at}> took 0.250 seconds"
        )
    );
}

#[test]
fn a_task_that_waits_says_for_what() {
    let (event_loop, clock) = debug_loop();
    let future = event_loop.create_future::<u32>();
    let waits = future.clone();
    let task = event_loop.create_task(async move {
        clock.advance(ms(300));
        waits.await
    });
    let line = line!() - 4;
    task.unwrap().set_name("waits");
    one_turn(&event_loop);
    let at = format!("{}:{line}", file!());
    assert_eq!(
        text(Level::Warn),
        format!(
            "Executing <Task pending name='waits' \
             coro=<lines::a_task_that_waits_says_for_what() running> \
             wait_for=<Future pending cb=[wakeup:waits]> created at {at}> took 0.300 seconds"
        )
    );
    drop(future);
}

#[expect(clippy::unused_async, reason = "a report names the function")]
async fn ends(clock: VirtualClock, ending: Outcome<()>) -> Outcome<()> {
    clock.advance(ms(250));
    ending
}

#[test]
fn a_task_that_ended_in_this_step_shows_how() {
    for (ending, shown) in [
        (
            Ok(()),
            "finished name='t' coro=<lines::ends() done> result=()",
        ),
        (
            Err("no tea".into()),
            "finished name='t' coro=<lines::ends() done> exception=\"no tea\"",
        ),
        (
            Err(six_steps::Exception::Cancelled),
            "cancelled name='t' coro=<lines::ends() done>",
        ),
    ] {
        let (event_loop, clock) = debug_loop();
        let task = event_loop.create_task(ends(clock, ending)).unwrap();
        let line = line!() - 1;
        task.set_name("t");
        one_turn(&event_loop);
        let at = format!("{}:{line}", file!());
        assert_eq!(
            text(Level::Warn),
            format!("Executing <Task {shown} created at {at}> took 0.250 seconds")
        );
        let _ = task.exception();
    }
}

#[test]
fn a_task_that_was_asked_to_cancel_is_cancelling() {
    let (event_loop, clock) = debug_loop();
    let task = event_loop.create_task(async move {
        if let Some(task) = current_task() {
            task.cancel();
        }
        clock.advance(ms(250));
        yield_now().await
    });
    let task = task.unwrap();
    task.set_name("t");
    one_turn(&event_loop);
    let text = text(Level::Warn);
    assert!(
        text.starts_with("Executing <Task cancelling name='t' coro=<"),
        "{text}"
    );
}

/// `base_events.py` shows the text that `Handle.cancel` saved: which callback it was.
#[test]
fn a_handle_that_cancels_itself_is_shown_as_cancelled() {
    let (event_loop, clock) = debug_loop();
    let own: Rc<RefCell<Option<Handle>>> = Rc::default();
    let this = Rc::clone(&own);
    let handle = event_loop.call_soon(move || {
        if let Some(handle) = this.take() {
            handle.cancel();
        }
        clock.advance(ms(250));
    });
    let line = line!() - 6;
    own.replace(Some(handle.unwrap()));
    one_turn(&event_loop);
    let at = format!("{}:{line}", file!());
    let name = "lines::a_handle_that_cancels_itself_is_shown_as_cancelled::{{closure}}()";
    assert_eq!(
        text(Level::Warn),
        format!("Executing <Handle cancelled {name} created at {at}> took 0.250 seconds")
    );
}

#[test]
fn a_timer_that_cancels_itself_is_shown_as_cancelled() {
    let (event_loop, clock) = debug_loop();
    let own: Rc<RefCell<Option<TimerHandle>>> = Rc::default();
    let this = Rc::clone(&own);
    let timer = event_loop.call_later(ms(500), move || {
        if let Some(timer) = this.take() {
            timer.cancel();
        }
        clock.advance(ms(250));
    });
    own.replace(Some(timer.unwrap()));
    while event_loop.scheduled_len() > 0 {
        event_loop.run_once().unwrap();
    }
    let text = text(Level::Warn);
    assert!(
        text.starts_with("Executing <TimerHandle cancelled when=0.5 lines::"),
        "{text}"
    );
    // It ran, so it no longer stood on the heap: its cancellation is not counted.
    assert_eq!(event_loop.timer_cancelled_count(), 0);
}

/// The callbacks that the library makes have a name and no place.
#[test]
fn a_handle_of_the_library_has_no_place() {
    let (event_loop, _) = debug_loop();
    event_loop.set_slow_callback_duration(ms(0));
    let main = async { gather([async { Ok(()) }])?.await };
    event_loop.run_until_complete(main).unwrap();
    let texts = texts(Level::Warn);
    let callbacks: Vec<_> = texts
        .iter()
        .filter(|text| text.starts_with("Executing <Handle"))
        .collect();
    assert_eq!(
        callbacks,
        [
            "Executing <Handle gather_cb:Task-2> took 0.000 seconds",
            "Executing <Handle run_done:Task-1> took 0.000 seconds"
        ]
    );
}

#[test]
fn tasks_of_a_gather_say_where_gather_was_called() {
    let (event_loop, _) = debug_loop();
    event_loop.set_slow_callback_duration(ms(0));
    let main = async { gather([async { Ok(()) }])?.await };
    let line = line!() - 1;
    event_loop.run_until_complete(main).unwrap();
    let at = format!(" created at {}:{line}> took", file!());
    let texts = texts(Level::Warn);
    assert!(
        texts
            .iter()
            .any(|text| text.contains("name='Task-2'") && text.contains(&at)),
        "{texts:#?}"
    );
}

#[test]
fn milliseconds_are_rounded() {
    let (event_loop, clock) = debug_loop();
    let block = move || clock.advance(std::time::Duration::from_micros(123_456));
    event_loop.call_soon(block).unwrap();
    one_turn(&event_loop);
    let text = text(Level::Warn);
    assert!(text.ends_with("> took 0.123 seconds"), "{text}");
}
