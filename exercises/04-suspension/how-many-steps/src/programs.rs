//! The seven programs whose polls are to be predicted. `watched` marks the coroutine that counts.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::Pin;

use suspension::{finish, suspend_once};

/// What is seen of a run.
#[derive(Debug, Default)]
pub struct Table {
    // What each poll of the watched coroutine came back with.
    polls: RefCell<Vec<String>>,
    // The name of the latest stop.
    at: Cell<&'static str>,
}

/// A program.
pub type Main<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// A name, and what makes its program.
pub type Program = (&'static str, for<'a> fn(&'a Table) -> Main<'a>);

/// Suspends once, at a place with a name.
async fn stop(table: &Table, at: &'static str) {
    table.at.set(at);
    suspend_once().await;
}

/// A coroutine whose polls are counted.
fn watched<F: Future>(table: &Table, coroutine: F) -> impl Future<Output = F::Output> {
    let mut coroutine = Box::pin(coroutine);
    poll_fn(move |cx| {
        let polled = coroutine.as_mut().poll(cx);
        let came = if polled.is_pending() {
            format!("is suspended at {}", table.at.get())
        } else {
            "has returned".to_owned()
        };
        table.polls.borrow_mut().push(came);
        polled
    })
}

/// `DEEP`.
async fn deep(table: &Table) {
    async fn fifth() -> u32 {
        std::future::ready(5).await
    }
    async fn fourth() -> u32 {
        fifth().await + 4
    }
    async fn third() -> u32 {
        fourth().await + 3
    }
    async fn second() -> u32 {
        third().await + 2
    }
    watched(table, async { second().await + 1 }).await;
}

/// `FROM_BELOW`.
async fn from_below(table: &Table) {
    async fn bottom(table: &Table) {
        stop(table, "the first stop").await;
        stop(table, "the second stop").await;
    }
    async fn middle(table: &Table) {
        bottom(table).await;
    }
    watched(table, middle(table)).await;
}

async fn two_stops(table: &Table) {
    stop(table, "the first stop of the second").await;
    stop(table, "the second stop of the second").await;
}

/// `IN_A_ROW`.
async fn in_a_row(table: &Table) {
    let both = async {
        stop(table, "the stop of the first").await;
        two_stops(table).await;
    };
    watched(table, both).await;
}

/// `SECOND`.
async fn second(table: &Table) {
    stop(table, "the stop of the first").await;
    watched(table, two_stops(table)).await;
}

/// `EARLY`.
async fn early(table: &Table) {
    let leaves = async {
        for at in ["stop 1", "stop 2", "stop 3", "stop 4", "stop 5", "stop 6"] {
            stop(table, at).await;
            if at == "stop 4" {
                return;
            }
        }
    };
    watched(table, leaves).await;
}

/// `CHILD`.
async fn child(table: &Table) {
    watched(table, stop(table, "its only stop")).await;
    for _ in 0..3 {
        stop(table, "a stop of the outer one").await;
    }
}

/// `KEPT`.
async fn kept(table: &Table) {
    let made = watched(table, stop(table, "a stop that nobody comes to"));
    stop(table, "a stop of the outer one").await;
    drop(made);
}

/// All of them, by name.
pub const PROGRAMS: [Program; 7] = [
    ("deep", |table| Box::pin(deep(table))),
    ("from-below", |table| Box::pin(from_below(table))),
    ("in-a-row", |table| Box::pin(in_a_row(table))),
    ("second", |table| Box::pin(second(table))),
    ("early", |table| Box::pin(early(table))),
    ("child", |table| Box::pin(child(table))),
    ("kept", |table| Box::pin(kept(table))),
];

/// Steps the program of this name to its end. Returns what each poll of its watched coroutine came
/// back with; nothing if there is no program of this name.
pub fn polls(name: &str) -> Option<Vec<String>> {
    let (_, main) = PROGRAMS.iter().find(|(known, _)| *known == name)?;
    let table = Table::default();
    let finished = finish(&mut main(&table), 100);
    finished.ok()?;
    Some(table.polls.take())
}
