//! `cargo course run-fenced PROGRAM …`, which nobody types: becomes the program, with two limits
//! set.
//!
//! A program behind the fence ends with whoever started it, even when that one is killed (Linux),
//! and its memory has a bound. Both are set by the process on itself, so no `unsafe` is needed to
//! start it.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};

use anyhow::{Result, anyhow};
use clap::Args;

/// Become a program that ends with the one that started it
#[derive(Args)]
pub(crate) struct Fence {
    /// The most memory that it may map, in MiB
    #[arg(long, value_name = "MIB")]
    memory: Option<u64>,
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    program: Vec<OsString>,
}

impl Fence {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        // Limits that this system does not have protect nobody; the program runs all the same.
        #[cfg(target_os = "linux")]
        let _ =
            rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
        if let Some(mib) = self.memory {
            let most = Some(mib * 1024 * 1024);
            let limit = rustix::process::Rlimit {
                current: most,
                maximum: most,
            };
            let _ = rustix::process::setrlimit(rustix::process::Resource::As, limit);
        }
        let (program, arguments) = self.program.split_first().expect("clap asks for one");
        let error = Command::new(program).args(arguments).exec();
        Err(anyhow!("cannot run {}: {error}", program.display()))
    }
}
