//! What the exercises' tests say. A test checks one rule of the loop, and a [`Rule`] says the rest:
//! what was expected, what came instead, which rule that breaks, and the section to read again.
//!
//! ```
//! use lesson::Rule;
//!
//! const ROUND: Rule = Rule {
//!     says: "A round runs the slips that were there when it began.",
//!     reread: "chapter 1, \"How long is a round?\"",
//! };
//!
//! ROUND.same("the slips that ran", &["A", "B"], &["A", "B"]);
//! lesson::passed();
//! ```

mod journal;
mod limit;
mod number;
mod passed;
mod prediction;
mod rule;
mod threads;
mod turns;

pub use journal::Journal;
pub use limit::{Limit, virtual_loop};
pub use number::many;
pub use passed::passed;
pub use rule::Rule;
pub use threads::{OtherThreads, hold};
pub use turns::{count_turns, reports, turn};
