//! What a task and a future show of themselves: results, listeners, and a cycle of waits.

mod common;

use std::cell::RefCell;
use std::rc::Rc;

use common::virtual_loop;
use six_steps::EventLoop;
use wakeup::Tasks;

fn one_turn(event_loop: &EventLoop) {
    event_loop.stop();
    event_loop.run_forever().unwrap();
}

#[test]
fn results_of_types_that_cannot_be_printed_show_the_type() {
    #[derive(Clone)]
    struct Tea;
    let (event_loop, _) = virtual_loop();
    let shown = |task: &dyn std::fmt::Debug| format!("{task:?}");
    let tea = event_loop.create_task(async { Ok(Tea) }).unwrap();
    let number = event_loop.create_task(async { Ok(42_u64) }).unwrap();
    let long = async { Ok("abcdefghijklmnopqrstuvwxyz".repeat(2)) };
    let long = event_loop.create_task(long).unwrap();
    one_turn(&event_loop);
    assert!(shown(&tea).contains(" result=<reprs::"), "{tea:?}");
    assert!(shown(&tea).ends_with("::Tea>>"), "{tea:?}");
    assert!(shown(&number).ends_with(" result=42>"), "{number:?}");
    // `reprlib.repr` keeps 13 characters and 14.
    let short = r#" result="abcdefghijkl...nopqrstuvwxyz">"#;
    assert!(shown(&long).ends_with(short), "{long:?}");
}

#[test]
fn of_many_listeners_the_first_and_the_last_are_shown() {
    fn told<T>(_: T) {}
    let (event_loop, _) = virtual_loop();
    let future = event_loop.create_future::<()>();
    let task = {
        let future = future.clone();
        event_loop.create_task(async move { future.await })
    };
    task.unwrap().set_name("first");
    one_turn(&event_loop);
    assert_eq!(format!("{future:?}"), "<Future pending cb=[wakeup:first]>");
    let closure = || future.add_done_callback(told::<wakeup::Future<()>>);
    let name = format!(
        "{}()",
        std::any::type_name_of_val(&told::<wakeup::Future<()>>)
    );
    closure();
    assert_eq!(
        format!("{future:?}"),
        format!("<Future pending cb=[wakeup:first, {name}]>")
    );
    closure();
    closure();
    assert_eq!(
        format!("{future:?}"),
        format!("<Future pending cb=[wakeup:first, <2 more>, {name}]>")
    );
}

/// Two tasks that wait for each other: shown without end, it would be the end of the stack.
#[test]
fn a_cycle_of_waits_is_shown_once() {
    let (event_loop, _) = virtual_loop();
    let one: Rc<RefCell<Option<wakeup::Task<()>>>> = Rc::default();
    let found = Rc::clone(&one);
    let other = event_loop.create_task(async move {
        let one = found.borrow_mut().take();
        match one {
            Some(one) => one.await,
            None => Ok(()),
        }
    });
    let other = other.unwrap();
    other.set_name("other");
    let waits_for = other.clone();
    let first = event_loop.create_task(async move { waits_for.await });
    let first = first.unwrap();
    first.set_name("one");
    one.replace(Some(first.clone()));
    one_turn(&event_loop);
    let shown = format!("{first:?}");
    assert_eq!(
        shown,
        "<Task pending name='one' coro=<reprs::a_cycle_of_waits_is_shown_once() running> \
         wait_for=<Task pending name='other' coro=<reprs::a_cycle_of_waits_is_shown_once() running> \
         wait_for=... cb=[wakeup:one]> cb=[wakeup:other]>"
    );
}
