//! Runs a program that nobody vouches for, and says how it ended.
//!
//! A [`Job`] is run by a [`Guard`] and gives a [`Verdict`], whatever the program does: it may loop,
//! sleep, flood its output, take all memory, multiply, or leave a process behind that holds the
//! pipe. When the verdict is there, nothing that the job started is alive. Where bubblewrap works,
//! the program also sees no network, no other process and no file it wasn't shown, and writes only
//! where it may. [`Protections`] says which of this was on.
//!
//! # How it stands
//!
//! ```text
//! caller ── guard ── [ bubblewrap ── ] keeper ── program ── whatever it starts
//! ```
//!
//! The *guard* is a process outside the sandbox. It has no terminal, reads the output, watches the
//! time and the totals, and ends everything. The *keeper* is a process inside: it takes the kernel's
//! limits on itself, starts the program and reports how it ended. Each is told its task over a
//! socket that the program doesn't have; when the upper end closes, because the one above was
//! killed say, the lower one ends everything under it. Both are processes of their own because a
//! process can limit itself in safe Rust, but not its child.
//!
//! # A whole program
//!
//! A program can be its own guard. The verb is hidden: no user types it.
//!
//! ```standalone_crate
//! use guard::{End, Guard, Job, Limits};
//!
//! fn main() -> std::process::ExitCode {
//!     let mut args = std::env::args_os().skip(1);
//!     if args.next().is_some_and(|verb| verb == "under-guard") {
//!         return guard::main(args);
//!     }
//!     let guard = Guard::embedded("under-guard").unwrap();
//!     let job = Job::new("/bin/sh").args(["-c", "echo hello; exit 3"]).limits(Limits::case());
//!     let verdict = job.run(&guard).unwrap();
//!     assert_eq!(verdict.end, End::Exited(3));
//!     assert_eq!(verdict.stdout.text(), "hello\n");
//!     std::process::ExitCode::SUCCESS
//! }
//! ```
//!
//! # What it doesn't do
//!
//! * Without a sandbox the program is held to its limits and ended whole, but it reads and writes
//!   what the caller can, and could kill the guard: then there is no verdict, and no pass.
//! * Run by root, the program is root without root's powers: it can read files that are only
//!   root's, unless they are hidden. Run the caller as a user of its own where you can.
//! * A file has a size limit, a writable folder has none: give each job one that you throw away.
//! * Totals are looked at every 20 ms. What a program takes between two looks, it has.
//! * No control groups, no filter on system calls: the kernel is trusted.
//! * macOS: no sandbox and no `/proc`, so only the program's process group is ended.

mod capture;
mod error;
mod host;
mod job;
mod keeper;
mod limits;
mod outer;
mod processes;
mod protection;
mod sandbox;
mod settle;
mod verdict;
mod wire;

use std::ffi::OsString;
use std::process::ExitCode;

pub use error::GuardError;
pub use host::Guard;
pub use job::Job;
pub use limits::Limits;
pub use protection::{Protection, Protections};
pub use verdict::{Captured, End, Verdict};

/// The argument that makes a process the guard.
const GUARD: &str = "guard";
/// The argument that makes a process the keeper.
const KEEPER: &str = "keeper";
/// The argument that makes a process end at once, for a trial.
const NOTHING: &str = "nothing";

/// What the guard program does with its arguments, for programs that are their own guard.
///
/// # Examples
///
/// ```
/// use std::process::ExitCode;
///
/// // A person who types the hidden verb is told what it is.
/// assert_eq!(guard::main([]), ExitCode::from(2));
/// ```
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    match args.as_slice() {
        [role] if role == GUARD => outer::main(),
        [role] if role == KEEPER => keeper::main(),
        [role] if role == NOTHING => ExitCode::SUCCESS,
        _ => {
            eprintln!("guard: started by a program that runs others, not by hand");
            ExitCode::from(2)
        }
    }
}
