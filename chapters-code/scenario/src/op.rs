//! What a program is made of: ops and their bodies, read from JSON by `parse.rs` and run by
//! `exec.rs`.

use std::rc::Rc;
use std::time::Duration;

use serde_json::Value;

/// A name of an object in a program.
pub(crate) type Name = Rc<str>;

/// The ops of a callback or a coroutine. Shared, since a body can run many times.
pub(crate) type Body = Rc<[Op]>;

/// A program, ready to run. Times are whole milliseconds in JSON and durations here.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// The level it belongs to, 1 to 5.
    pub level: u8,
    /// What it shows.
    pub desc: String,
    /// How it is run.
    pub mode: Mode,
    pub(crate) script: Vec<Op>,
    pub(crate) debug: bool,
    pub(crate) slow: Option<Duration>,
    pub(crate) resolution: Option<Duration>,
}

/// How a program is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// On a bare loop, with `run_forever`.
    Loop,
    /// In a `Runner`, with one or more coroutines.
    Run,
}

/// A point in time or a delay, in milliseconds; it may be negative.
pub(crate) type Millis = i64;

/// One operation.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Op {
    /// Record a value.
    Log(Value),
    /// Record the loop's time.
    Time,
    /// Move the clock.
    Block(Millis),
    /// `loop.call_soon`.
    CallSoon(Name, Body),
    /// `loop.call_later`.
    CallLater(Millis, Name, Body),
    /// `loop.call_at`.
    CallAt(Millis, Name, Body),
    /// `handle.cancel()`.
    CancelHandle(Name),
    /// `handle.cancelled()`.
    HandleCancelled(Name),
    /// A descriptor that becomes readable.
    Io(Millis, Name, Body),
    /// `loop.stop()`.
    Stop,
    /// `raise`.
    Raise(&'static str, String),
    /// `try`, with clauses and a final body.
    Try(Body, Vec<(&'static str, Body)>, Body),
    /// `raise` without an exception.
    Reraise,
    /// `for`.
    Repeat(u64, Body),
    /// `return`.
    Return(Value),
    /// `loop.run_forever()`.
    RunForever,
    /// `loop.create_future()`.
    Future(Name),
    /// `future.set_result`.
    SetResult(Name, Value),
    /// `future.set_exception`.
    SetException(Name, &'static str, String),
    /// `future.add_done_callback`, with a label for the callback.
    OnDone(Name, Name, Body),
    /// `future.remove_done_callback`.
    OffDone(Name, Name),
    /// Whether a future is done, and how.
    State(Name),
    /// `future.result()`.
    Result(Name),
    /// `future.exception()`.
    Exception(Name),
    /// `future.cancel()`.
    Cancel(Name),
    /// `loop.create_task`.
    Task(Name, Body),
    /// `await` of a future or a task.
    Await(Name),
    /// `asyncio.sleep(0)`.
    Yield,
    /// `asyncio.sleep`.
    Sleep(Millis),
    /// `await` of a coroutine, without a task.
    Nest(Body),
    /// `asyncio.gather`.
    Gather(Name, Vec<Item>, bool),
    /// `runner.run`.
    Run(Name, Body),
    /// `loop.set_debug`.
    SetDebug(bool),
    /// `loop.slow_callback_duration = …`.
    SetSlow(Millis),
    /// An asynchronous generator, opened.
    Agen(Name, Body),
    /// `await generator.aclose()`.
    Aclose(Name),
}

/// What a gathering is given: a future by name, or a coroutine.
#[derive(Debug, Clone)]
pub enum Item {
    /// A future or a task.
    Name(Name),
    /// A coroutine, of which gather makes a task.
    Body(Body),
}
