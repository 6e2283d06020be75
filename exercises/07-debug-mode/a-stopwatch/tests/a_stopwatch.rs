//! What the stopwatch keeps of callbacks that block for a known time.

use std::rc::Rc;
use std::time::Duration;

use a_stopwatch::{Slow, Stopwatch};
use lesson::{Rule, hold, virtual_loop};
use six_steps::{Callback, EventLoop, Exception, Handle};
use wakeup::{Tasks, sleep};

const LIMIT: Rule = Rule {
    says: "Slow is a handle that took at least the limit. It is kept with its name and its time, in the order in which the handles ran.",
    reread: "chapter 7, \"In CPython\"",
};
const ALONE: Rule = Rule {
    says: "The watch starts when a handle is taken up and stops when it is put away. Each handle is timed alone.",
    reread: "chapter 7, \"At the counter\"",
};
const SELECT: Rule = Rule {
    says: "The time in select belongs to nobody: the loop was free for whatever came.",
    reread: "chapter 7, \"Where it goes wrong\"",
};
const SWITCH: Rule = Rule {
    says: "The limit is read at the end of the handle.",
    reread: "chapter 7, \"When does a switch count?\"",
};
const WORST: Rule = Rule {
    says: "The worst is the one that took longest; of equals the first. An iterator's `max_by_key` gives the last of equals.",
    reread: "chapter 7, \"Where does the stopwatch hang?\"",
};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

struct Blocks(&'static str, u64);

impl Callback for Blocks {
    fn run(&self, _: &Handle) -> Result<(), Exception> {
        hold(ms(self.1));
        Ok(())
    }

    fn describe(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

fn watched(limit: Duration) -> (EventLoop, Rc<Stopwatch>) {
    let (event_loop, _) = virtual_loop();
    let stopwatch = Stopwatch::with_limit(limit);
    event_loop.watch(stopwatch.clone());
    (event_loop, stopwatch)
}

fn soon(event_loop: &EventLoop, name: &'static str, millis: u64) -> Handle {
    let handle = Handle::from_callback(Blocks(name, millis));
    event_loop.call_soon_handle(handle.clone()).unwrap();
    handle
}

fn slow(name: &str, millis: u64) -> Slow {
    Slow {
        name: name.to_owned(),
        took: ms(millis),
    }
}

#[test]
fn at_least_the_limit_is_slow() {
    let (event_loop, stopwatch) = watched(ms(100));
    for (name, millis) in [("pour", 99), ("grind", 100), ("wipe", 0), ("steam", 101)] {
        soon(&event_loop, name, millis);
    }
    event_loop.run_once().unwrap();
    let expected = vec![slow("grind", 100), slow("steam", 101)];
    LIMIT.same(
        "the slow handles of 99, 100, 0 and 101 ms",
        expected,
        stopwatch.slow(),
    );
    lesson::passed();
}

#[test]
fn a_limit_of_nothing_keeps_every_handle() {
    let (event_loop, stopwatch) = watched(Duration::ZERO);
    soon(&event_loop, "wipe", 0);
    event_loop.run_once().unwrap();
    LIMIT.same(
        "the slow handles at a limit of zero",
        vec![slow("wipe", 0)],
        stopwatch.slow(),
    );
    lesson::passed();
}

#[test]
fn many_quick_handles_are_not_one_slow_one() {
    let (event_loop, stopwatch) = watched(ms(100));
    for _ in 0..5 {
        soon(&event_loop, "pour", 60);
    }
    event_loop.run_once().unwrap();
    ALONE.same(
        "the slow handles of five times 60 ms",
        Vec::<Slow>::new(),
        stopwatch.slow(),
    );
    lesson::passed();
}

#[test]
fn time_between_handles_belongs_to_nobody() {
    let (event_loop, stopwatch) = watched(ms(100));
    soon(&event_loop, "pour", 10);
    event_loop.run_once().unwrap();
    hold(ms(500)); // between two turns
    soon(&event_loop, "wipe", 20);
    event_loop.run_once().unwrap();
    ALONE.same(
        "the slow handles of 10 and 20 ms",
        Vec::<Slow>::new(),
        stopwatch.slow(),
    );
    lesson::passed();
}

#[test]
fn a_task_asleep_for_an_hour_is_not_slow() {
    let (event_loop, stopwatch) = watched(ms(100));
    let task = event_loop.create_task(async {
        sleep(Duration::from_hours(1)).await?;
        hold(ms(150));
        Ok(())
    });
    let task = task.unwrap();
    task.set_name("nap");
    event_loop.run_until_complete(task).unwrap();
    let expected = vec![slow("wakeup:nap", 150)];
    SELECT.same(
        "the slow handles of a task that sleeps",
        expected,
        stopwatch.slow(),
    );
    lesson::passed();
}

#[test]
fn a_cancelled_handle_is_not_timed() {
    let (event_loop, stopwatch) = watched(ms(30));
    soon(&event_loop, "pour", 20);
    soon(&event_loop, "grind", 400).cancel();
    soon(&event_loop, "steam", 50);
    event_loop.run_once().unwrap();
    ALONE.same(
        "the slow handles",
        vec![slow("steam", 50)],
        stopwatch.slow(),
    );
    lesson::passed();
}

#[test]
fn the_limit_is_the_one_at_the_end() {
    let (event_loop, stopwatch) = watched(ms(100));
    for limit in [300, 200] {
        let stopwatch = Rc::clone(&stopwatch);
        event_loop
            .call_soon(move || {
                hold(ms(200));
                stopwatch.set_limit(ms(limit));
            })
            .unwrap();
    }
    event_loop.run_once().unwrap();
    let took: Vec<Duration> = stopwatch.slow().iter().map(|slow| slow.took).collect();
    SWITCH.same(
        "of two handles of 200 ms, which set the limit to 300 and then to 200 ms: those kept",
        vec![ms(200)],
        took,
    );
    lesson::passed();
}

#[test]
fn the_worst_is_the_longest_and_the_first_of_equals() {
    let (event_loop, stopwatch) = watched(ms(100));
    WORST.same("the worst of none", None::<Slow>, stopwatch.worst());
    for (name, millis) in [("pour", 120), ("grind", 250), ("steam", 250), ("wipe", 99)] {
        soon(&event_loop, name, millis);
    }
    event_loop.run_once().unwrap();
    WORST.same("the worst", Some(slow("grind", 250)), stopwatch.worst());
    WORST.same(
        "the number of slow handles after asking",
        3,
        stopwatch.slow().len(),
    );
    lesson::passed();
}
