//! The finished loop.
pub use blocking::*;
pub use debug_mode::*;
pub use runner::*;
pub use six_steps::*;
pub use wakeup::*;
