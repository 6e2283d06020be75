//! Two knobs: the mode, and the threshold. A block of 0.25 s in each of the four places where code
//! can block, on the virtual clock.

mod common;

use std::time::Duration;

use common::{ms, texts, virtual_loop};
use debug_mode::{DEFAULT_SLOW_CALLBACK_DURATION, DebugMode};
use log::Level;
use six_steps::{EventLoop, VirtualClock};
use wakeup::{Tasks, create_task};

type Place = fn(&EventLoop, VirtualClock);

fn call_soon(event_loop: &EventLoop, clock: VirtualClock) {
    event_loop
        .call_soon(move || clock.advance(ms(250)))
        .unwrap();
    event_loop.stop();
    event_loop.run_forever().unwrap();
}

fn call_later(event_loop: &EventLoop, clock: VirtualClock) {
    let stop = event_loop.clone();
    let block = move || {
        clock.advance(ms(250));
        stop.stop();
    };
    event_loop.call_later(ms(10), block).unwrap();
    event_loop.run_forever().unwrap();
}

fn a_task(event_loop: &EventLoop, clock: VirtualClock) {
    let main = async move {
        let worker = create_task(async move {
            clock.advance(ms(250));
            Ok(())
        })?;
        worker.await
    };
    event_loop.run_until_complete(main).unwrap();
}

fn main_itself(event_loop: &EventLoop, clock: VirtualClock) {
    let main = async move {
        clock.advance(ms(250));
        Ok(())
    };
    event_loop.run_until_complete(main).unwrap();
}

const PLACES: [(&str, Place); 4] = [
    ("call_soon", call_soon),
    ("call_later", call_later),
    ("a task", a_task),
    ("main", main_itself),
];

/// How many lines a block of 0.25 s gives, for each place.
fn lines(debug: bool, threshold: Option<Duration>) -> Vec<(&'static str, usize)> {
    let count = |(name, block): (&'static str, Place)| {
        let (event_loop, clock) = virtual_loop();
        event_loop.set_debug(debug);
        if let Some(threshold) = threshold {
            event_loop.set_slow_callback_duration(threshold);
        }
        block(&event_loop, clock);
        let texts = texts(Level::Warn);
        for text in &texts {
            assert!(text.starts_with("Executing <"), "{text}");
            assert!(text.ends_with("> took 0.250 seconds"), "{text}");
        }
        (name, texts.len())
    };
    PLACES.into_iter().map(count).collect()
}

fn each(lines: usize) -> Vec<(&'static str, usize)> {
    PLACES.iter().map(|(name, _)| (*name, lines)).collect()
}

#[test]
fn off_and_the_default_threshold_say_nothing() {
    assert_eq!(lines(false, None), each(0));
}

#[test]
fn off_and_a_low_threshold_say_nothing() {
    assert_eq!(lines(false, Some(ms(50))), each(0));
}

#[test]
fn off_and_a_high_threshold_say_nothing() {
    assert_eq!(lines(false, Some(ms(500))), each(0));
}

#[test]
fn on_and_the_default_threshold_give_one_line() {
    assert_eq!(lines(true, None), each(1));
}

#[test]
fn on_and_a_low_threshold_give_one_line() {
    assert_eq!(lines(true, Some(ms(50))), each(1));
}

#[test]
fn on_and_a_high_threshold_say_nothing() {
    assert_eq!(lines(true, Some(ms(500))), each(0));
}

#[test]
fn the_threshold_itself_is_slow() {
    let nanosecond = Duration::from_nanos(1);
    assert_eq!(lines(true, Some(ms(250))), each(1));
    assert_eq!(lines(true, Some(ms(250) + nanosecond)), each(0));
}

#[test]
fn a_threshold_of_nothing_makes_every_handle_slow() {
    let (event_loop, _) = virtual_loop();
    event_loop.set_debug(true);
    event_loop.set_slow_callback_duration(Duration::ZERO);
    event_loop.run_until_complete(async { Ok(()) }).unwrap();
    // The step of main, and the callback that stops the loop.
    assert_eq!(texts(Level::Warn).len(), 2);
}

#[test]
fn the_knobs_start_as_asyncio_sets_them() {
    let (event_loop, _) = virtual_loop();
    assert!(!event_loop.debug());
    assert_eq!(event_loop.slow_callback_duration(), ms(100));
    assert_eq!(DEFAULT_SLOW_CALLBACK_DURATION, ms(100));
}

#[test]
fn setting_one_knob_leaves_the_other() {
    let (event_loop, _) = virtual_loop();
    event_loop.set_slow_callback_duration(ms(7));
    assert!(!event_loop.debug());
    event_loop.set_debug(true);
    event_loop.set_debug(false);
    assert_eq!(event_loop.slow_callback_duration(), ms(7));
}

/// An hour in select, and steps of no length: nobody held the thread.
#[test]
fn time_in_select_is_never_counted() {
    let (event_loop, clock) = virtual_loop();
    event_loop.set_debug(true);
    event_loop.set_slow_callback_duration(Duration::from_nanos(1));
    let asleep = wakeup::sleep(Duration::from_hours(1));
    event_loop.run_until_complete(asleep).unwrap();
    assert_eq!(clock.time(), Duration::from_hours(1));
    assert_eq!(texts(Level::Warn), [""; 0]);
}

/// Two blocks of 60 ms in two handles of one turn are not one of 120.
#[test]
fn a_turn_is_not_a_callback() {
    let (event_loop, clock) = virtual_loop();
    event_loop.set_debug(true);
    for _ in 0..2 {
        let clock = clock.clone();
        event_loop.call_soon(move || clock.advance(ms(60))).unwrap();
    }
    event_loop.stop();
    event_loop.run_forever().unwrap();
    assert_eq!(clock.time(), ms(120));
    assert_eq!(texts(Level::Warn), [""; 0]);
}

#[test]
fn another_loop_has_knobs_of_its_own() {
    let (one, _) = virtual_loop();
    let (other, clock) = virtual_loop();
    one.set_debug(true);
    one.set_slow_callback_duration(ms(1));
    assert!(!other.debug());
    main_itself(&other, clock);
    assert_eq!(texts(Level::Warn), [""; 0]);
}
