//! The programs that the tests run, and interrupt.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{env, future, thread};

use containers::{Event, Fd, Interest, Interrupt, Selector, Source, SystemSelector};
use runner::{Interrupted, Runner};
use signal_hook::consts::SIGINT;
use six_steps::{EventLoop, Exception};
use wakeup::{Outcome, Task, Tasks, create_task, sleep, yield_now};

const HOUR: Duration = Duration::from_hours(1);

/// Runs one of the programs below and ends as the crate's documentation says a program should.
pub(crate) fn child(program: &str) -> ExitCode {
    let ended = match program {
        "cleans up" => runner::run(cleans_up()),
        "goes on" => runner::run(goes_on()),
        "never ends" => runner::run(never_ends()),
        "leaves a task" => runner::run(leaves_a_task()),
        "blocks" => runner::run(blocks()),
        "two runs" => two_runs(),
        "after the run" => after_the_run(),
        "between runs" => between_runs(),
        "while closing" => while_closing(),
        "in the last step" => in_the_last_step(),
        "in the last turn" => in_the_last_turn(),
        "own handler" => own_handler(),
        "another thread" => another_thread(),
        "debug" => debug(),
        "runs" => runs(),
        "exits in turn 3" => runner::run(exits()),
        "takes 30,000 turns" => runner::run(turns(30_000)),
        other => panic!("no program {other:?}"),
    };
    match ended {
        Ok(()) => {
            say("ended");
            ExitCode::SUCCESS
        }
        Err(exception) if exception.downcast_ref::<Interrupted>().is_some() => {
            say("interrupted");
            Interrupted::EXIT_CODE.into()
        }
        Err(exception) => {
            say(&format!("failed: {exception}"));
            ExitCode::FAILURE
        }
    }
}

fn say(line: &str) {
    println!("{line}");
    io::stdout().flush().unwrap();
}

/// Waits for the parent to say something.
fn hear() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
}

async fn cleans_up() -> Outcome<()> {
    say("ready");
    let slept = sleep(HOUR).await;
    say("cleaning up");
    yield_now().await?;
    say("clean");
    slept
}

async fn goes_on() -> Outcome<()> {
    say("ready");
    let slept = sleep(HOUR).await;
    assert!(matches!(slept, Err(Exception::Cancelled)));
    yield_now().await
}

async fn never_ends() -> Outcome<()> {
    say("ready");
    let _ = sleep(HOUR).await;
    say("cleaning up");
    let slept = sleep(HOUR).await;
    say("never said");
    slept
}

async fn leaves_a_task() -> Outcome<()> {
    create_task(async {
        let slept = sleep(HOUR).await;
        yield_now().await?;
        say("the other one is clean");
        slept
    })?;
    yield_now().await?;
    say("ready");
    sleep(HOUR).await
}

/// The loop cannot act on the first one; the second one does not need it.
async fn blocks() -> Outcome<()> {
    say("ready");
    hear();
    say("still here");
    loop {
        thread::park();
        yield_now().await?;
    }
}

/// The first run is interrupted, the second one is not.
fn two_runs() -> Outcome<()> {
    let mut runner = Runner::new();
    let first = runner.run(cleans_up());
    assert!(first.unwrap_err().downcast_ref::<Interrupted>().is_some());
    let second = runner.run(async {
        yield_now().await?;
        Ok("undisturbed")
    });
    say(second?);
    runner.close()
}

fn after_the_run() -> Outcome<()> {
    runner::run(async { Ok(()) })?;
    say("ready");
    loop {
        thread::park();
    }
}

fn between_runs() -> Outcome<()> {
    let mut runner = Runner::new();
    runner.run(async { Ok(()) })?;
    say("ready");
    loop {
        thread::park();
    }
}

fn while_closing() -> Outcome<()> {
    runner::run(async {
        create_task(async {
            let _ = sleep(HOUR).await;
            say("ready");
            sleep(HOUR).await
        })?;
        yield_now().await
    })
}

/// The system's selector, which also notes that somebody rang: that a post is in the hatch.
struct Noting {
    selector: SystemSelector,
    rung: Rung,
}

type Rung = Arc<AtomicBool>;

struct Ring {
    interrupt: Arc<dyn Interrupt>,
    rung: Rung,
}

impl Interrupt for Ring {
    fn interrupt(&self) {
        self.interrupt.interrupt();
        self.rung.store(true, Ordering::SeqCst);
    }
}

impl Selector for Noting {
    fn time(&self) -> Duration {
        self.selector.time()
    }
    fn select(&self, timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()> {
        self.selector.select(timeout, events)
    }
    fn register(&self, source: Source, interest: Interest) -> io::Result<()> {
        self.selector.register(source, interest)
    }
    fn modify(&self, fd: Fd, interest: Interest) -> io::Result<()> {
        self.selector.modify(fd, interest)
    }
    fn unregister(&self, fd: Fd) -> io::Result<()> {
        self.selector.unregister(fd)
    }
    fn interrupter(&self) -> Arc<dyn Interrupt> {
        let (interrupt, rung) = (self.selector.interrupter(), Arc::clone(&self.rung));
        Arc::new(Ring { interrupt, rung })
    }
}

fn noting_loop() -> (EventLoop, impl FnOnce() + 'static) {
    let rung = Rung::default();
    let selector = SystemSelector::new();
    let event_loop = EventLoop::with_selector(Noting {
        selector,
        rung: Arc::clone(&rung),
    });
    let wait = move || {
        say("ready");
        while !rung.load(Ordering::SeqCst) {
            thread::yield_now();
        }
    };
    (event_loop, wait)
}

/// The interrupt comes in main's last step. Its cancellation is in the hatch when main is done.
fn in_the_last_step() -> Outcome<()> {
    let (event_loop, wait_for_the_post) = noting_loop();
    let main = event_loop.create_task(async {
        wait_for_the_post();
        Ok(())
    })?;
    told_and_on(event_loop, main)
}

/// It comes in main's last turn, whose look into the hatch is over: the post stays for the run
/// that follows, whose main is none of its business.
fn in_the_last_turn() -> Outcome<()> {
    let (event_loop, wait_for_the_post) = noting_loop();
    let main = event_loop.create_task(future::ready(Ok(())))?;
    main.future().add_done_callback(|_| wait_for_the_post());
    told_and_on(event_loop, main)
}

fn told_and_on(event_loop: EventLoop, main: Task<()>) -> Outcome<()> {
    let mut runner = Runner::with_loop(event_loop);
    let first = runner.run_task(main).unwrap_err();
    say(match first.downcast_ref::<Interrupted>() {
        Some(Interrupted) => "told",
        None => "lost",
    });
    runner.run(yield_now())?;
    runner.close()
}

/// A program that has a handler of its own keeps it: the runner does not touch Ctrl-C.
fn own_handler() -> Outcome<()> {
    let mut signals = signal_hook::iterator::Signals::new([SIGINT])?;
    let (tell, told) = told_from_elsewhere();
    thread::spawn(move || {
        signals.forever().next();
        tell();
    });
    runner::run(async move {
        say("ready");
        told.await?;
        say("handled");
        Ok(())
    })
}

/// A future that another thread ends, through the hatch.
fn told_from_elsewhere() -> (impl FnOnce() + Send, impl Future<Output = Outcome<()>>) {
    let (send, receive) = std::sync::mpsc::channel::<()>();
    let job = move || receive.recv().unwrap_or_default();
    (
        move || {
            let _ = send.send(());
        },
        blocking::to_thread(job),
    )
}

/// Only the main thread has Ctrl-C: a run of another thread is ended with the process.
fn another_thread() -> Outcome<()> {
    let other =
        thread::spawn(|| runner::run(cleans_up()).map_err(|exception| exception.to_string()));
    match other.join() {
        Ok(ended) => Ok(ended?),
        Err(_) => Err("it panicked".into()),
    }
}

/// Whether the environment asked for debug mode.
fn debug() -> Outcome<()> {
    use debug_mode::DebugMode;
    let debug = runner::run(async { Ok(six_steps::running_loop()?.debug()) })?;
    say(if debug { "debug mode" } else { "no debug mode" });
    Ok(())
}

/// Many runs on one loop; how many is the last word of the command line.
fn runs() -> Outcome<()> {
    let times: u32 = env::args().next_back().unwrap_or_default().parse()?;
    let mut runner = Runner::new();
    for _ in 0..times {
        runner.run(future::ready(Ok(())))?;
    }
    runner.close()
}

async fn exits() -> Outcome<()> {
    yield_now().await?;
    yield_now().await?;
    say("going");
    std::process::exit(3)
}

async fn turns(number: u32) -> Outcome<()> {
    for _ in 0..number {
        yield_now().await?;
    }
    Ok(())
}
