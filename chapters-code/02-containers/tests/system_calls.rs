//! What a selector asks the system for, read from `/proc`: no descriptor before it needs one, and
//! one write for a whole burst of interrupts. A test program of its own, because it looks at the
//! descriptors of the whole process; one test, because another one would open some meanwhile.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use containers::{EpollSelector, PollSelector, Selector};

fn descriptors() -> BTreeSet<PathBuf> {
    let open = fs::read_dir("/proc/self/fd").unwrap();
    open.map(|entry| entry.unwrap().path())
        // The descriptor of the listing itself is gone by now.
        .filter(|path| path.read_link().is_ok_and(|to| !to.starts_with("/proc")))
        .collect()
}

/// The counter of an `eventfd`, which each write adds to and a read empties.
fn counter_of_the_only_eventfd() -> u64 {
    let mut counters = descriptors().into_iter().filter_map(|path| {
        let number = path.file_name()?.to_str()?;
        let info = fs::read_to_string(format!("/proc/self/fdinfo/{number}")).ok()?;
        let line = info
            .lines()
            .find(|line| line.starts_with("eventfd-count:"))?;
        u64::from_str_radix(line.split_whitespace().nth(1)?, 16).ok()
    });
    let counter = counters.next().expect("there is an eventfd");
    assert_eq!(counters.next(), None, "there are two");
    counter
}

fn lives_without_the_system_until_it_must_sleep(selector: &dyn Selector) {
    let before = descriptors();
    let select = |timeout| selector.select(timeout, &mut Vec::new()).unwrap();
    let interrupter = selector.interrupter();

    (0..100).for_each(|_| select(Some(Duration::ZERO)));
    interrupter.interrupt(); // nobody sleeps: a flag is enough
    assert_eq!(descriptors(), before, "it asked for a descriptor");

    select(None); // ended by that flag, but ready to sleep
    (0..10_000).for_each(|_| interrupter.interrupt());
    assert_eq!(counter_of_the_only_eventfd(), 1, "10,000 interrupts");
    select(None);
    assert_eq!(counter_of_the_only_eventfd(), 0, "taken note of");
}

#[test]
fn nothing_is_asked_of_the_system_without_need() {
    let epoll = EpollSelector::new();
    lives_without_the_system_until_it_must_sleep(&epoll);
    drop(epoll);
    lives_without_the_system_until_it_must_sleep(&PollSelector::new());
}
