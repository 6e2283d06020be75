//! A day at the tea house: `the-lost-exception ORDER…`. An order is `NAME:SECONDS`; with an `x` behind
//! the seconds it fails. `mail:SECONDS` and `mail:SECONDSx` are mails. Prints the report, the ledger
//! in the evening, and what the loop had to report.

use std::process::ExitCode;
use std::time::Duration;

use six_steps::{EventLoop, Exception, ExceptionContext, VirtualSelector};
use the_lost_exception::{Ledger, send_mail, serve};
use wakeup::{Outcome, Tasks, sleep};

async fn takes(name: String, time: String) -> Outcome<String> {
    let (seconds, fails) = match time.strip_suffix('x') {
        Some(seconds) => (seconds, true),
        None => (time.as_str(), false),
    };
    sleep(Duration::from_secs(seconds.parse()?)).await?;
    if fails {
        return Err(Exception::error(format!("{name} spilt")));
    }
    Ok(name)
}

fn main() -> ExitCode {
    let (mut orders, mut mails) = (Vec::new(), Vec::new());
    for word in std::env::args().skip(1) {
        let Some((name, time)) = word.split_once(':') else {
            eprintln!("usage: the-lost-exception NAME:SECONDS… mail:SECONDS…");
            return ExitCode::from(2);
        };
        let coroutine = takes(name.to_owned(), time.to_owned());
        match name {
            "mail" => mails.push(coroutine),
            _ => orders.push(coroutine),
        }
    }
    let event_loop = EventLoop::with_selector(VirtualSelector::new());
    event_loop.set_exception_handler(Some(|_: &EventLoop, context: &ExceptionContext| {
        println!("reported: {}", context.message);
    }));
    let ended = event_loop.run_until_complete(async move {
        let (event_loop, ledger) = (six_steps::running_loop()?, Ledger::default());
        for mail in mails {
            send_mail(async { mail.await.map(drop) }, &ledger)?;
        }
        let report = serve(orders).await?;
        println!("after {} s", event_loop.time().as_secs());
        println!("served: {:?}", report.served);
        println!("failed: {:?}", report.failed);
        sleep(Duration::from_hours(1)).await?;
        for line in ledger.lines() {
            println!("ledger: {line}");
        }
        Ok(())
    });
    match ended.and_then(|()| Ok(event_loop.close()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
