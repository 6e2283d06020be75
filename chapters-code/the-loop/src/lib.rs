//! asyncio's event loop, finished: one thread, six steps a turn, and asyncio's names.
//!
//! ```
//! use std::time::Duration;
//! use the_loop::{Outcome, create_task, gather, run, sleep, to_thread};
//!
//! /// Waits without holding the thread: the other cups are brewed meanwhile.
//! async fn brew(cup: &'static str, takes: Duration) -> Outcome<&'static str> {
//!     sleep(takes).await?;
//!     println!("{cup} is ready");
//!     Ok(cup)
//! }
//!
//! let cups = run(async {
//!     // A task runs from the next turn on, whether anybody awaits it or not.
//!     let till = create_task(to_thread(|| (1..=1_000_u64).sum::<u64>()))?;
//!     let tea = brew("tea", Duration::from_millis(20));
//!     let water = brew("water", Duration::from_millis(10));
//!     let cups = gather([create_task(tea)?, create_task(water)?])?.await?;
//!     println!("the till holds {}", till.await?);
//!     Ok(cups)
//! });
//! // "water is ready" came first; the results stand in the order that was asked for.
//! assert_eq!(cups.unwrap(), ["tea", "water"]);
//! ```
//!
//! # The house
//!
//! Everything here is defined on one of the floors below, each a crate of its own that stands on
//! lower floors only. Follow a name to read how it works.
//!
//! | floor | crate | adds | names |
//! |---|---|---|---|
//! | 8 | `runner` | a first step and an orderly end | [`run`], [`Runner`], [`shutdown_asyncgens`] |
//! | 7 | `debug-mode` | what held the thread, and where it was made | [`DebugMode`], [`SlowCallback`], [`coroutine`] |
//! | 6 | `blocking` | work on other threads | [`to_thread`], [`run_in_executor`], [`ThreadPool`] |
//! | 5 | `wakeup` | what waits, and what wakes it | [`Future`], [`Task`], [`create_task`], [`gather`], [`sleep`] |
//! | 3 | `six-steps` | the turn | [`EventLoop`], [`Hatch`], [`Watch`], [`LoopError`] |
//! | 2 | `containers` | ready, scheduled, selector | [`Handle`], [`TimerHandle`], [`Selector`], [`Exception`] |
//!
//! Floors 1 and 4, a toy loop and a coroutine driven by hand, teach and carry nothing.
//!
//! # asyncio, and here
//!
//! | asyncio | here |
//! |---|---|
//! | `asyncio.run(main())` | [`run(main())`](run) |
//! | `with asyncio.Runner() as runner: runner.run(main())` | [`Runner::run`], then [`Runner::close`] or a drop |
//! | `asyncio.new_event_loop()` | [`EventLoop::new`] |
//! | `asyncio.get_running_loop()` | [`running_loop`] |
//! | `loop.call_soon`, `call_later`, `call_at` | [`EventLoop::call_soon`], [`call_later`](EventLoop::call_later), [`call_at`](EventLoop::call_at) |
//! | `loop.call_soon_threadsafe` | [`Hatch::call_soon_threadsafe`] of [`EventLoop::hatch`] |
//! | `loop.add_reader`, `add_writer` | [`EventLoop::add_reader`], [`add_writer`](EventLoop::add_writer) |
//! | `loop.run_forever`, `stop`, `close`, `time` | the same on [`EventLoop`] |
//! | `loop.run_until_complete`, `create_future`, `create_task` | the same through [`Tasks`] |
//! | `asyncio.create_task`, `sleep`, `gather` | [`create_task`], [`sleep`], [`gather`] |
//! | `await asyncio.sleep(0)` | [`yield_now().await`](yield_now) |
//! | `gather(…, return_exceptions=True)` | [`gather_return_exceptions`] |
//! | `asyncio.current_task`, `all_tasks` | [`current_task`], [`all_tasks`] |
//! | `asyncio.to_thread`, `loop.run_in_executor` | [`to_thread`], [`run_in_executor`] |
//! | `loop.set_default_executor` | [`set_default_executor`] |
//! | `loop.set_debug`, `slow_callback_duration` | the same through [`DebugMode`] |
//! | `PYTHONASYNCIODEBUG` | [`ENVIRONMENT_VARIABLE`], `ASYNCIODEBUG` |
//! | – | [`FILM_VARIABLE`], `ASYNCIOFILM`: the loop writes down its turns; a bare [`EventLoop`] through [`film_from_environment`] |
//! | `loop.set_exception_handler` | [`EventLoop::set_exception_handler`] |
//! | an exception, `CancelledError`, `SystemExit` | [`Exception`], in the `Err` of every [`Outcome`] |
//!
//! A coroutine is a std future whose output is an [`Outcome`]. Any std future can be awaited in
//! it, from whatever crate it comes; its waker is the task's wakeup.
//!
//! Methods that floors add to the loop are traits: `use the_loop::prelude::*` brings them in.

pub use blocking::{
    Executor, ExecutorError, Job, ThreadPool, VirtualExecutor, default_threads, run_in_executor,
    set_default_executor, shutdown_default_executor, to_thread,
};
pub use containers::{
    Callback, DeadlineOverflow, Event, Exception, Fd, Handle, Interest, Interrupt, IntoOutcome,
    Panicked, PollSelector, Selector, Source, SystemSelector, TimerHandle, VirtualClock,
    VirtualSelector, once,
};
pub use debug_mode::{
    Coroutine, DEFAULT_SLOW_CALLBACK_DURATION, DebugMode, ENVIRONMENT_VARIABLE, SlowCallback,
    coroutine, debug_from_environment,
};
pub use film::{FILM_VARIABLE, Film, film_from_environment};
pub use runner::{
    AsyncGenerator, Interrupted, Phase, Runner, RunnerError, run, shutdown_asyncgens,
};
pub use six_steps::{
    Detail, EventLoop, ExceptionContext, Hatch, LoopClosed, LoopError, MAXIMUM_SELECT_TIMEOUT,
    Recorder, Step, TurnCounter, TurnRecord, Watch, running_loop, with_running_loop,
};
pub use wakeup::{
    AnyFuture, Awaiting, EnsureFuture, Future, FutureError, FutureState, Outcome, Task, TaskError,
    TaskRef, Tasks, YieldNow, all_tasks, create_task, current_task, gather,
    gather_return_exceptions, sleep, yield_now,
};

/// The traits whose methods floors add to [`EventLoop`].
///
/// ```
/// use the_loop::{EventLoop, prelude::*};
///
/// let event_loop = EventLoop::new();
/// event_loop.set_debug(true);
/// assert_eq!(event_loop.run_until_complete(async { Ok(42) }).unwrap(), 42);
/// ```
pub mod prelude {
    pub use debug_mode::DebugMode;
    pub use wakeup::Tasks;
}
