//! Prints what step 2 answers in a situation: `now=70` sets the clock to 70 ms, `ready` makes a
//! callback ready, `stop` is a call of `stop`, and a number is a timer due at so many ms.

use std::process::ExitCode;
use std::time::Duration;

use containers::{Handle, once};
use the_timeout::Moment;

fn arrange(moment: &mut Moment, argument: &str) -> Option<()> {
    let ms = |text: &str| text.parse().ok().map(Duration::from_millis);
    match argument.split_once('=') {
        Some(("now", time)) => moment.now = ms(time)?,
        None if argument == "ready" => moment.ready.push(Handle::new(|| ())),
        None if argument == "stop" => moment.stopping = true,
        None => {
            moment.scheduled.push(ms(argument)?, once(|| ())).ok()?;
        }
        Some(_) => return None,
    }
    Some(())
}

fn main() -> ExitCode {
    let mut moment = Moment::default();
    for argument in std::env::args().skip(1) {
        if arrange(&mut moment, &argument).is_none() {
            eprintln!("{argument} cannot be arranged: write now=70, ready, stop or a number of ms");
            return ExitCode::FAILURE;
        }
    }
    println!("{:?}", moment.timeout());
    ExitCode::SUCCESS
}
