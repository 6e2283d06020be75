//! Where the system has no thread to give: the test starts itself again with stacks that no
//! address space holds.

use std::process::Command;
use std::rc::Rc;

use blocking::{ExecutorError, ThreadPool, run_in, set_default_executor, to_thread};
use runner::Runner;
use six_steps::EventLoop;

/// What std takes as the stack size of every thread that does not name its own.
const STACK: &str = "RUST_MIN_STACK";

fn main() {
    if std::env::var_os(STACK).is_some() {
        return without_threads();
    }
    let this = std::env::current_exe().expect("the test knows its own path");
    let status = Command::new(this)
        .env(STACK, (1_u64 << 60).to_string())
        .status();
    assert!(status.expect("the test can be started").success());
}

fn without_threads() {
    let event_loop = EventLoop::new();
    let pool = Rc::new(ThreadPool::new());
    set_default_executor(&event_loop, pool.clone());
    let mut runner = Runner::with_loop(event_loop);
    let theirs = Rc::clone(&pool);
    let outcome = runner.run(async move {
        let refused = to_thread(|| ()).await.unwrap_err();
        assert!(
            matches!(refused.downcast_ref(), Some(ExecutorError::NoThread(_))),
            "{refused}"
        );
        assert!(refused.to_string().starts_with("can't start new thread: "));
        // It was not kept for later, and the next one is refused as well.
        assert!(run_in(&*theirs, || ()).is_err());
        Ok(theirs.threads())
    });
    assert_eq!(outcome.unwrap(), 0);
    // Nor is there a thread for the join, so the loop's own does it.
    runner.close().unwrap();
}
