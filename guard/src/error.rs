//! Why there is no verdict: each is the grader's matter, never a learner's fault.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a job gave no verdict.
///
/// # Examples
///
/// ```
/// let error = guard::GuardError::NoProgram { program: "cargoo".into() };
/// assert!(error.to_string().contains("cargoo"));
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GuardError {
    /// There is no such program.
    #[error("there is no program {}: check its path, or the PATH given to the job", .program.display())]
    NoProgram {
        /// As the job named it.
        program: PathBuf,
    },
    /// A folder that the job names can't be used.
    #[error("can't use {}: {source}; create it before the job runs", .path.display())]
    NoFolder {
        /// As the job named it.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The guard program itself can't be started.
    #[error("can't start the guard {}: {source}; build it, or give its path", .program.display())]
    NoGuard {
        /// Where it was looked for.
        program: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The guard stood, but couldn't start the program.
    #[error("the program was not started: {0}")]
    NotStarted(String),
    /// The guard was lost before it gave its verdict, so the job counts as not passed.
    #[error("the guard gave no verdict ({0}): whatever it ran has not passed; run it again")]
    Lost(String),
}
