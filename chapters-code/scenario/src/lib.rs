//! Programs as data, and the traces they leave: the judge of the loop.
//!
//! A [`Program`] is a small JSON description of what a program does with an event loop. [`run`]
//! runs it on the loop with a virtual clock and writes down what every turn did. CPython recorded
//! the same programs with its own loop (`cpython/record.py`; the language is in `SPEC.md`), and
//! the loop is right when both traces are equal. Any other loop can be judged in the same way:
//! see [`candidate`].
//!
//! ```
//! let text = r#"{"name": "hello", "level": 1, "desc": "", "mode": "loop", "script":
//!     [["call_soon", "a", [["stop"]]], ["run_forever"]]}"#;
//! let program = scenario::Program::parse(text)?;
//! let trace = scenario::run(&program)?;
//! assert_eq!(trace["turns"][0]["ran"], serde_json::json!(["call:a"]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod args;
pub mod candidate;
mod compare;
mod corpus;
mod difference;
mod exec;
mod film;
mod op;
mod parse;
mod raised;
pub mod random;
mod run;
mod script_callback;
mod subject;
mod task_ops;
mod tower;
mod tower_ops;
mod tower_watch;
mod tracer;
mod world;

pub use ::film::Run;
pub use compare::{Strictness, compare};
pub use corpus::{Case, cases};
pub use difference::{Difference, Rows};
pub use film::{
    CHUNKS, GalleryError, KINDS, Kind, PERIODS, Place, Shown, TASKS, WORK, film, gallery,
    responsiveness, rust_of,
};
pub use op::{Item, Mode, Op, Program};
pub use parse::ProgramError;
pub use run::{RunError, run};

/// The highest level whose programs the floors that stand can run.
pub const LEVEL: u8 = 3;
