//! The end of a shop: who gets to clean up, in which order, and what is reported.

use std::rc::Rc;
use std::time::Duration;

use an_orderly_end::{UNHANDLED, end};
use blocking::{run_in_executor, to_thread};
use lesson::{Journal, Limit, OtherThreads, Rule, hold, virtual_loop};
use runner::AsyncGenerator;
use six_steps::{EventLoop, Exception, ExceptionContext, TurnCounter, VirtualClock};
use wakeup::{Outcome, Tasks, create_task, sleep, yield_now};

const WAIT: Rule = Rule {
    says: "`cancel` is a request. The task hears of it at its await, in a later turn, and may take further awaits to clean up: the end waits for it.",
    reread: "chapter 8, \"The end, in order\", and chapter 5, \"How does a cancellation arrive?\"",
};
const ORDER: Rule = Rule {
    says: "Tasks first, then generators, then threads, then the loop: each may still need what comes after it.",
    reread: "chapter 8, \"The end, in order\"",
};
const REPORT: Rule = Rule {
    says: "An exception of a task that nobody awaits has nobody to go to, so the end reports it. A cancellation is no exception to report.",
    reread: "chapter 8, \"The end, in order\"",
};
const ALL_THE_SAME: Rule = Rule {
    says: "If a part fails, the parts behind it are left out, and the loop is closed all the same.",
    reread: "chapter 8, \"The end, in order\"",
};

const NOBODY: Rule = Rule {
    says: "Where no task is left there is nothing to wait for, and the loop is not run for it: even a gathering of nobody costs a run, and a run a turn.",
    reread: "chapter 8, \"The end, in order\"",
};

const HOUR: Duration = Duration::from_hours(1);
const MS: Duration = Duration::from_millis(1);

struct Shop {
    event_loop: EventLoop,
    clock: VirtualClock,
    threads: Rc<OtherThreads>,
    journal: Journal,
    reports: Journal,
}

impl Shop {
    fn open() -> Self {
        let (event_loop, clock) = virtual_loop();
        Limit::on(&event_loop, 1000, WAIT);
        let reports = Journal::new();
        let notes = reports.clone();
        let handler = move |_: &EventLoop, context: &ExceptionContext| {
            let exception = context.exception.as_ref().map(ToString::to_string);
            notes.note(format!(
                "{}: {}",
                context.message,
                exception.unwrap_or_default()
            ));
        };
        event_loop.set_exception_handler(Some(handler));
        Self {
            threads: OtherThreads::of(&event_loop),
            event_loop,
            clock,
            journal: Journal::new(),
            reports,
        }
    }

    /// Runs main, which leaves something behind, and one more turn.
    fn evening(&self, main: impl AsyncFnOnce(Journal) -> Outcome<()> + 'static) {
        let journal = self.journal.clone();
        let all = async move {
            main(journal).await?;
            yield_now().await
        };
        self.event_loop.run_until_complete(all).unwrap();
    }

    fn end(&self) -> Result<(), String> {
        end(&self.event_loop).map_err(|exception| exception.to_string())
    }
}

#[test]
fn every_guest_pays_before_the_door_is_locked() {
    let shop = Shop::open();
    shop.evening(async |journal| {
        for (name, pays) in [("Ada", 0), ("Ben", 300), ("Cleo", 20)] {
            let journal = journal.clone();
            create_task(async move {
                let woken = sleep(HOUR).await;
                journal.note(format!("{name} pays"));
                sleep(pays * MS).await?;
                journal.note(format!("{name} leaves"));
                woken
            })?;
        }
        Ok(())
    });
    WAIT.same("how the end ended", Ok(()), shop.end());
    WAIT.same(
        "what the guests did",
        "Ada pays Ben pays Cleo pays Ada leaves Cleo leaves Ben leaves",
        shop.journal.text(),
    );
    WAIT.same("when the last guest left", 300 * MS, shop.clock.time());
    REPORT.same("the reports", "", shop.reports.text());
    ORDER.same(
        "whether the loop is closed",
        true,
        shop.event_loop.is_closed(),
    );
    lesson::passed();
}

#[test]
fn a_guest_who_pays_by_telephone_gets_a_thread() {
    let shop = Shop::open();
    shop.evening(async |journal| {
        create_task(async move {
            let woken = sleep(HOUR).await;
            to_thread(|| hold(50 * MS)).await?;
            journal.note("paid");
            woken
        })?;
        Ok(())
    });
    ORDER.same("how the end ended", Ok(()), shop.end());
    ORDER.same("what the guest did", "paid", shop.journal.text());
    ORDER.same("the reports", "", shop.reports.text());
    lesson::passed();
}

#[test]
fn tasks_come_before_generators_and_generators_before_threads() {
    let shop = Shop::open();
    shop.evening(async |journal| {
        let till = journal.clone();
        AsyncGenerator::open("till", async move {
            to_thread(|| hold(50 * MS)).await?;
            till.note("till");
            Ok(())
        })?;
        create_task(async move {
            let woken = sleep(HOUR).await;
            sleep(10 * MS).await?;
            journal.note("guest");
            AsyncGenerator::open("tip", async move {
                journal.note("tip");
                Ok(())
            })?;
            woken
        })?;
        Ok(())
    });
    ORDER.same("how the end ended", Ok(()), shop.end());
    ORDER.same("what was done", "guest tip till", shop.journal.text());
    ORDER.same("the reports", "", shop.reports.text());
    lesson::passed();
}

#[test]
fn the_dishwasher_runs_to_its_end() {
    let shop = Shop::open();
    shop.evening(async |_| {
        drop(run_in_executor(|| hold(700 * MS))?);
        Ok(())
    });
    ORDER.same("how the end ended", Ok(()), shop.end());
    ORDER.same(
        "whether the threads were joined",
        true,
        shop.threads.joined(),
    );
    ORDER.same("when the end was over", 700 * MS, shop.clock.time());
    ORDER.same(
        "whether the loop is closed",
        true,
        shop.event_loop.is_closed(),
    );
    lesson::passed();
}

#[test]
fn the_spilt_soup_is_reported_and_a_cancellation_is_not() {
    let shop = Shop::open();
    shop.evening(async |_| {
        create_task(sleep(HOUR))?;
        create_task(async {
            let _woken = sleep(HOUR).await;
            Err::<(), _>(Exception::error("spilt the soup"))
        })?;
        create_task(async {
            let _woken = sleep(HOUR).await;
            Ok(()) // goes on as if nothing had been
        })?;
        Ok(())
    });
    REPORT.same("how the end ended", Ok(()), shop.end());
    REPORT.same(
        "the reports",
        vec![format!("{UNHANDLED}: spilt the soup")],
        shop.reports.entries(),
    );
    lesson::passed();
}

#[test]
fn a_part_that_fails_does_not_keep_the_door_open() {
    let shop = Shop::open();
    shop.evening(async |journal| {
        AsyncGenerator::open("till", async move {
            journal.note("till");
            Ok(())
        })?;
        create_task(async {
            let _woken = sleep(HOUR).await;
            Err::<(), _>(Exception::exit("the house is on fire"))
        })?;
        Ok(())
    });
    let ended = shop.end();
    ALL_THE_SAME.same(
        "what the end returned",
        Err("the house is on fire".to_owned()),
        ended,
    );
    ALL_THE_SAME.same("what the parts behind it did", "", shop.journal.text());
    ALL_THE_SAME.same(
        "whether the threads were joined",
        false,
        shop.threads.joined(),
    );
    ALL_THE_SAME.same(
        "whether the loop is closed",
        true,
        shop.event_loop.is_closed(),
    );
    lesson::passed();
}

#[test]
fn an_empty_shop_closes_in_four_turns() {
    let (event_loop, _) = virtual_loop(); // without threads, which take two more to be joined
    let turns = Rc::new(TurnCounter::default());
    event_loop.watch(turns.clone());
    let ended = end(&event_loop).map_err(|exception| exception.to_string());
    ORDER.same("how the end ended", Ok(()), ended);
    NOBODY.same("the turns of an end without tasks", 4, turns.count());
    ORDER.same("whether the loop is closed", true, event_loop.is_closed());
    lesson::passed();
}
