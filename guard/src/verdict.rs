//! How a job ended and what it left: the answer to [`Job::run`](crate::Job::run).

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Protections;

/// How a program ended.
///
/// # Examples
///
/// ```
/// use guard::End;
///
/// assert!(End::Exited(0).success());
/// assert!(!End::WallLimit.success());
/// assert_eq!(End::Signalled(11).to_string(), "ended by signal 11 (SIGSEGV)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum End {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal, which was not the guard's.
    Signalled(i32),
    /// The guard ended it: the time on the wall was over.
    WallLimit,
    /// The processor time was used up.
    CpuLimit,
    /// The memory was used up. Seen when all processes together hold more than the limit, and when
    /// Rust aborts because an allocation failed; a program that gets no memory and copes, or
    /// exits with a code of its own, ends as [`End::Exited`].
    MemoryLimit,
    /// It printed far more than is kept, see [`Limits::FLOOD`](crate::Limits::FLOOD).
    OutputLimit,
    /// It wrote a file beyond the size.
    FileLimit,
    /// More processes and threads at a time than it may have.
    ProcessLimit,
}

impl End {
    /// Whether the program ended by itself with code 0. This alone proves nothing about what it
    /// did: any program can exit with 0.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(!guard::End::Exited(101).success());
    /// ```
    pub fn success(self) -> bool {
        self == Self::Exited(0)
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "exited with code {code}"),
            Self::Signalled(signal) => {
                write!(f, "ended by signal {signal}")?;
                name(*signal).map_or(Ok(()), |name| write!(f, " ({name})"))
            }
            Self::WallLimit => f.write_str("ended by the guard: out of time"),
            Self::CpuLimit => f.write_str("ended by the guard: out of processor time"),
            Self::MemoryLimit => f.write_str("ended by the guard: out of memory"),
            Self::OutputLimit => f.write_str("ended by the guard: too much output"),
            Self::FileLimit => f.write_str("ended by the guard: a file too large"),
            Self::ProcessLimit => f.write_str("ended by the guard: too many processes"),
        }
    }
}

/// The signals a report names. Their numbers are the same on Linux and macOS.
fn name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        2 => "SIGINT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        _ => return None,
    })
}

/// What was kept of an output stream.
///
/// # Examples
///
/// ```
/// let kept = guard::Captured { bytes: b"\xffok".to_vec(), truncated: false };
/// assert_eq!(kept.text(), "\u{fffd}ok");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The first bytes, at most [`Limits::output`](crate::Limits::output).
    pub bytes: Vec<u8>,
    /// Whether there was more.
    pub truncated: bool,
}

impl Captured {
    /// The bytes as text; what is not UTF-8 is replaced. Control characters stand: escape them
    /// before they reach a terminal or a report.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(guard::Captured::default().text(), "");
    /// ```
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}

/// How a job ended, what it printed and what it took.
///
/// # Examples
///
/// ```
/// use guard::{End, Verdict};
///
/// fn line(verdict: &Verdict) -> String {
///     format!("{} after {:?}", verdict.end, verdict.wall)
/// }
/// # let verdict = Verdict { end: End::Exited(0), stdout: Default::default(),
/// #     stderr: Default::default(), wall: std::time::Duration::ZERO, cpu: None, strays: 0,
/// #     protections: Default::default() };
/// assert_eq!(line(&verdict), "exited with code 0 after 0ns");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How the program ended.
    pub end: End,
    /// What it printed on standard output.
    pub stdout: Captured,
    /// What it printed on standard error.
    pub stderr: Captured,
    /// Time on the wall, from the start to the end of the program.
    pub wall: Duration,
    /// Processor time of everything that ran under the guard, the sandbox's own
    /// included; `None` where there is no `/proc` to read it from.
    pub cpu: Option<Duration>,
    /// Processes still alive when the program had ended by itself. They were ended. 0 when the
    /// guard ended the program, and where there is no `/proc`.
    pub strays: usize,
    /// What stood between the program and the machine.
    pub protections: Protections,
}
