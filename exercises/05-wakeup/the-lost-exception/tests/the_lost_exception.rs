//! The tea house: who is served, who is not, and who learns of it.

use std::pin::Pin;
use std::time::Duration;

use lesson::{Limit, Rule};
use six_steps::{EventLoop, Exception, VirtualClock};
use the_lost_exception::{Ledger, Report, send_mail, serve};
use wakeup::{Outcome, Tasks, sleep};

const AWAIT: Rule = Rule {
    says: "A task that fails keeps its exception for whoever awaits it.",
    reread: "chapter 5, \"The error that nobody asked for\"",
};
const LOST: Rule = Rule {
    says: "If nobody asks for a task's exception, the loop reports it when the last reference goes.",
    reread: "chapter 5, \"The error that nobody asked for\"",
};
const ENDED: Rule = Rule {
    says: "Only an await tells when a task has ended; no time is long enough.",
    reread: "chapter 5, \"What is one step of a task?\"",
};
const SIDE: Rule = Rule {
    says: "Tasks that were made before the first await run side by side.",
    reread: "chapter 5, \"Two workers, and a rude one\"",
};
const FORGET: Rule = Rule {
    says: "A done callback is told the result when the task ends, and nobody has to wait for it.",
    reread: "chapter 5, \"What is a future when it is done?\"",
};

type Order = Pin<Box<dyn Future<Output = Outcome<String>>>>;

/// Tea after so many seconds.
fn brews(name: &'static str, seconds: u64) -> Order {
    Box::pin(async move {
        sleep(Duration::from_secs(seconds)).await?;
        Ok(name.to_owned())
    })
}

/// An exception after so many seconds.
fn fails(message: &'static str, seconds: u64) -> Order {
    Box::pin(async move {
        sleep(Duration::from_secs(seconds)).await?;
        Err(Exception::error(message))
    })
}

fn stage() -> (EventLoop, VirtualClock) {
    let (event_loop, clock) = lesson::virtual_loop();
    Limit::on(&event_loop, 200, ENDED);
    (event_loop, clock)
}

/// The report, the second at which it came, and what the loop had to report by the next day.
fn day(orders: Vec<Order>) -> (Report, u64, String) {
    let (event_loop, clock) = stage();
    let reports = lesson::reports(&event_loop);
    let report = match event_loop.run_until_complete(serve(orders)) {
        Ok(report) => report,
        Err(error) => AWAIT.broken(format_args!(
            "serve ended with an error, but an order that fails belongs in the report: {error}"
        )),
    };
    let at = clock.time().as_secs();
    let _ = event_loop.run_until_complete(async { sleep(Duration::from_hours(24)).await });
    assert!(event_loop.close().is_ok(), "it does not run");
    (report, at, reports.text())
}

fn report(served: &[&str], failed: &[&str]) -> Report {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    Report {
        served: owned(served),
        failed: owned(failed),
    }
}

/// Sends a mail that ends after two seconds; gives the ledger as it is after one and after three.
fn mail(outcome: Outcome<()>) -> ([Vec<String>; 2], String) {
    let (event_loop, clock) = stage();
    let reports = lesson::reports(&event_loop);
    let ledgers = event_loop.run_until_complete(async move {
        let ledger = Ledger::default();
        let mail = async {
            sleep(Duration::from_secs(2)).await?;
            outcome
        };
        send_mail(mail, &ledger)?;
        FORGET.same("the clock behind send_mail", Duration::ZERO, clock.time());
        sleep(Duration::from_secs(1)).await?;
        let before = ledger.lines();
        sleep(Duration::from_secs(2)).await?;
        Ok([before, ledger.lines()])
    });
    let Ok(ledgers) = ledgers else {
        FORGET.broken("The program that sends a mail ended with an error.");
    };
    assert!(event_loop.close().is_ok(), "it does not run");
    (ledgers, reports.text())
}

#[test]
fn an_order_that_fails_stands_in_the_report() {
    let orders = vec![brews("oolong", 60), fails("no milk", 30), brews("mint", 90)];
    let (came, _, _) = day(orders);
    AWAIT.same(
        "the report",
        report(&["oolong", "mint"], &["no milk"]),
        came,
    );
    lesson::passed();
}

#[test]
fn no_exception_of_an_order_is_lost() {
    let orders = vec![
        fails("no milk", 30),
        fails("no cups", 10),
        fails("no tea", 0),
    ];
    let (came, _, reported) = day(orders);
    LOST.same("what the loop had to report", "", reported);
    AWAIT.same(
        "the report, in the order of the orders",
        report(&[], &["no milk", "no cups", "no tea"]),
        came,
    );
    lesson::passed();
}

#[test]
fn a_slow_order_is_waited_for() {
    let (came, at, _) = day(vec![brews("pu-erh", 600), brews("mint", 60)]);
    ENDED.same(
        "the report, in the order of the orders",
        report(&["pu-erh", "mint"], &[]),
        came,
    );
    // Too early nobody has waited, too late each has waited for the one before.
    let rule = if at > 600 { SIDE } else { ENDED };
    rule.same("the second at which it came", 600, at);
    lesson::passed();
}

#[test]
fn a_quick_order_is_not_held_up() {
    let (came, at, _) = day(vec![brews("mint", 20), brews("oolong", 30)]);
    ENDED.same("the report", report(&["mint", "oolong"], &[]), came);
    SIDE.same("the second at which it came", 30, at);
    let (came, at, _) = day(Vec::new());
    ENDED.same("the report of a day without orders", report(&[], &[]), came);
    ENDED.same("the second at which it came", 0, at);
    lesson::passed();
}

#[test]
fn an_order_that_panics_stands_in_the_report() {
    let falls: Order = Box::pin(async { panic!("the pot fell") });
    let (came, _, reported) = day(vec![falls, brews("mint", 5)]);
    AWAIT.same("the report", report(&["mint"], &["the pot fell"]), came);
    LOST.same("what the loop had to report", "", reported);
    lesson::passed();
}

#[test]
fn a_mail_that_fails_stands_in_the_ledger() {
    let ([before, after], reported) = mail(Err(Exception::error("no stamp")));
    FORGET.same(
        "the ledger before the mail fails",
        Vec::<String>::new(),
        before,
    );
    FORGET.same("the ledger after it", vec!["mail lost: no stamp"], after);
    LOST.same("what the loop had to report", "", reported);
    lesson::passed();
}

#[test]
fn a_mail_that_arrives_is_no_news() {
    let ([before, after], reported) = mail(Ok(()));
    FORGET.same("the ledger before", Vec::<String>::new(), before);
    FORGET.same("the ledger after it", Vec::<String>::new(), after);
    LOST.same("what the loop had to report", "", reported);
    lesson::passed();
}
