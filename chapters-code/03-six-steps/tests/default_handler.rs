//! What the default exception handler writes, and to where: to the logger under the target
//! `asyncio`, or to standard error where none is installed. One process each, since a logger is
//! installed for good: the second part runs this same program again.

use std::fmt;
use std::process::Command;
use std::sync::Mutex;

use six_steps::{EventLoop, Exception, ExceptionContext, VirtualSelector};

/// Set in the process that must find no logger.
const WITHOUT_A_LOGGER: &str = "SIX_STEPS_WITHOUT_A_LOGGER";

struct Collector(Mutex<Vec<String>>);

static COLLECTOR: Collector = Collector(Mutex::new(Vec::new()));

impl log::Log for Collector {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }
    fn log(&self, record: &log::Record<'_>) {
        let text = record.args().to_string();
        let line = format!("{} {}: {text}", record.level(), record.target());
        self.0.lock().unwrap().push(line);
    }
    fn flush(&self) {}
}

fn bad() -> Result<(), &'static str> {
    Err("boo")
}

fn worse(_: &EventLoop, _: &ExceptionContext) {
    panic!("the handler broke");
}

/// Something that cannot be shown.
struct Shy;

impl fmt::Debug for Shy {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("do not look");
    }
}

const OF_BAD: &str = "Exception in callback default_handler::bad()\n\
                      handle: <Handle default_handler::bad()>\n\
                      boo";

fn turn(event_loop: &EventLoop) {
    event_loop.call_soon(bad).unwrap();
    event_loop.stop();
    event_loop.run_forever().unwrap();
}

#[test]
fn the_default_handler_logs_a_message_details_and_the_exception() {
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    if std::env::var_os(WITHOUT_A_LOGGER).is_some() {
        return turn(&event_loop);
    }
    log::set_logger(&COLLECTOR).unwrap();
    log::set_max_level(log::LevelFilter::Info);
    let logged = || COLLECTOR.0.lock().unwrap().split_off(0);

    turn(&event_loop);
    assert_eq!(logged(), [format!("ERROR asyncio: {OF_BAD}")]);

    // Details stand in the order of their keys, whatever order they were added in.
    let context = ExceptionContext::new("Something is wrong")
        .with_detail("task", 2)
        .with_detail("future", "f")
        .with_exception(Exception::Cancelled);
    event_loop.call_exception_handler(&context);
    let text = "ERROR asyncio: Something is wrong\nfuture: \"f\"\ntask: 2\ncancelled";
    assert_eq!(logged(), [text]);

    // A handler that panics is reported by the default one, with what it was given.
    event_loop.set_exception_handler(Some(worse));
    turn(&event_loop);
    let text = format!(
        "ERROR asyncio: Unhandled error in exception handler\n\
         context: {OF_BAD:?}\n\
         the handler broke"
    );
    assert_eq!(logged(), [text]);

    // So is a default handler that cannot show what it was given.
    event_loop.set_exception_handler(None::<fn(&EventLoop, &ExceptionContext)>);
    event_loop.call_exception_handler(&ExceptionContext::new("A secret").with_detail("of", Shy));
    let text = "ERROR asyncio: Exception in default exception handler\n\
                context: \"A secret\"\n\
                do not look";
    assert_eq!(logged(), [text]);
}

#[test]
fn without_a_logger_it_goes_to_standard_error() {
    let name = "the_default_handler_logs_a_message_details_and_the_exception";
    let run = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env(WITHOUT_A_LOGGER, "1")
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
    let error = String::from_utf8(run.stderr).unwrap();
    assert!(error.contains(&format!("{OF_BAD}\n")), "{error}");
}
