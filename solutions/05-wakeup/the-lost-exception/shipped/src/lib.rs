//! # The lost exception
//!
//! The tea house takes several orders at once, a task each. A colleague wrote it so that nothing
//! holds up the counter. The guests complain: some get nothing, and the day's report says that all
//! were served. The log is full of "Task exception was never retrieved".
//!
//! Repair [`serve`] and [`send_mail`] so that no exception is lost:
//!
//! * [`serve`] brews all orders side by side, and its report is about what really became of them. An
//!   order that fails stops no other.
//! * [`send_mail`] stays fire and forget: it returns before the mail is sent. If the mail fails, the
//!   ledger gets a line `mail lost: ` and the exception, as soon as it is known.
//!
//! The book has the reasons in chapter 5, "The error that nobody asked for".

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use wakeup::{Outcome, create_task, sleep};

/// What became of the orders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// What was brewed, in the order of the orders.
    pub served: Vec<String>,
    /// Why the others were not, in the order of the orders.
    pub failed: Vec<String>,
}

/// The lines that somebody will read in the evening. Clones are the same ledger.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    lines: Rc<RefCell<Vec<String>>>,
}

impl Ledger {
    /// Adds a line.
    pub fn note(&self, line: String) {
        self.lines.borrow_mut().push(line);
    }

    /// The lines so far.
    pub fn lines(&self) -> Vec<String> {
        self.lines.borrow().clone()
    }
}

/// Brews all `orders` side by side, and tells what became of them once all have ended.
///
/// # Errors
/// No running loop. An order that fails is no error of this function's: it stands in the report.
pub async fn serve<F>(orders: Vec<F>) -> Outcome<Report>
where
    F: Future<Output = Outcome<String>> + 'static,
{
    let (served, mut report) = (Ledger::default(), Report::default());
    for order in orders {
        let done = served.clone();
        create_task(async move {
            done.note(order.await?);
            Ok(())
        })?;
    }
    // Brewing takes three minutes.
    sleep(Duration::from_mins(3)).await?;
    report.served = served.lines();
    Ok(report)
}

/// Sends a mail, and does not wait for it.
///
/// # Errors
/// No running loop.
pub fn send_mail(
    mail: impl Future<Output = Outcome<()>> + 'static,
    ledger: &Ledger,
) -> Outcome<()> {
    if let Err(exception) = create_task(mail) {
        ledger.note(format!("mail lost: {exception}"));
    }
    Ok(())
}
