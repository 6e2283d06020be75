//! How much a job may use.
//!
//! The presets are budgets for three kinds of work; every field can be set afterwards. The guard
//! holds most of them twice: the kernel's own limit on each process, and a watch on all together.

use std::time::Duration;

use serde::{Deserialize, Serialize};

const MIB: u64 = 1 << 20;

/// What one job may use, all its processes together unless a field says otherwise.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// let limits = guard::Limits { wall: Duration::from_secs(2), ..guard::Limits::test() };
/// assert_eq!(limits.output, 65_536);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Time on the wall from the start to the end of the program.
    pub wall: Duration,
    /// Processor time of all processes together. Each process alone is also held to it by the
    /// kernel, in whole seconds.
    pub cpu: Duration,
    /// Bytes of address space of each process, and bytes of private memory of all together.
    pub memory: u64,
    /// Bytes in any one file that is written, and in each private temporary folder.
    pub file_size: u64,
    /// Processes and threads alive at the same time.
    pub processes: u64,
    /// Files a process may hold open.
    pub open_files: u64,
    /// Bytes kept of each output stream. What comes after is read and thrown away, and a stream
    /// that grows to [`Limits::FLOOD`] times this, but at least to 1 MiB, ends the job.
    pub output: usize,
}

impl Limits {
    /// How many times [`Limits::output`] a stream may print before the job is ended, once it is
    /// past 1 MiB.
    ///
    /// # Examples
    ///
    /// ```
    /// let limits = guard::Limits::test();
    /// assert_eq!(limits.output as u64 * guard::Limits::FLOOD, 1 << 20);
    /// ```
    pub const FLOOD: u64 = 16;

    /// A build of one or a few crates with their dependencies at hand: five minutes.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(guard::Limits::build().wall.as_secs(), 300);
    /// ```
    pub fn build() -> Self {
        Self {
            wall: Duration::from_mins(5),
            cpu: Duration::from_mins(10),
            memory: 4096 * MIB,
            file_size: 1024 * MIB,
            // A compiler starts threads by the number of cores, several compilers at a time.
            processes: 2048,
            open_files: 4096,
            output: 1 << 20,
        }
    }

    /// One test: ten seconds.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(guard::Limits::test().processes, 64);
    /// ```
    pub fn test() -> Self {
        Self {
            wall: Duration::from_secs(10),
            cpu: Duration::from_secs(10),
            memory: 1024 * MIB,
            file_size: 16 * MIB,
            processes: 64,
            open_files: 256,
            output: 64 << 10,
        }
    }

    /// One run of a small program on given input: as a test, with half the time.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(guard::Limits::case().wall < guard::Limits::test().wall);
    /// ```
    pub fn case() -> Self {
        Self {
            wall: Duration::from_secs(5),
            cpu: Duration::from_secs(5),
            ..Self::test()
        }
    }
}
