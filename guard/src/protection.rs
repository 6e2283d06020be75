//! What stood between the job and the machine.
//!
//! A protection is listed only after the call that makes it has succeeded, so a report can say
//! which were on. What is missing is said in words beside them.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

/// One thing that holds a job.
///
/// # Examples
///
/// ```
/// assert_eq!(guard::Protection::NoNetwork.to_string(), "no network");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Protection {
    /// The program leads a process group, which is ended whole.
    ProcessGroup,
    /// No controlling terminal: nothing can be printed past the guard.
    NoTerminal,
    /// Whoever leaves its parent becomes the guard's child, so that nobody gets away.
    Subreaper,
    /// The program can't look into the guard's memory or descriptors.
    GuardUnreadable,
    /// The kernel holds each process to the processor time.
    CpuLimit,
    /// The kernel holds each process to the address space.
    MemoryLimit,
    /// The kernel holds each file to its size.
    FileSizeLimit,
    /// The kernel holds the user to a number of processes. It doesn't hold root.
    ProcessLimit,
    /// The kernel holds each process to its open files.
    OpenFilesLimit,
    /// No memory image is written when the program crashes.
    NoCoreDump,
    /// The guard counts processes, memory and processor time of all together.
    Watch,
    /// A network of its own with nobody in it.
    NoNetwork,
    /// The file system can be read but not written, the writable folders aside.
    ReadOnlyFiles,
    /// Temporary folders of its own; homes and what the caller names are hidden.
    PrivateFolders,
    /// The private temporary folders have a size.
    TmpSizeLimit,
    /// The program sees no process but its own, and they end with the first of them.
    OwnProcesses,
    /// No power of the administrator, even for root.
    NoCapabilities,
}

impl Protection {
    /// All of them, in the order of a report.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(guard::Protection::ALL.contains(&guard::Protection::Watch));
    /// ```
    pub const ALL: [Self; 17] = [
        Self::ProcessGroup,
        Self::NoTerminal,
        Self::Subreaper,
        Self::GuardUnreadable,
        Self::CpuLimit,
        Self::MemoryLimit,
        Self::FileSizeLimit,
        Self::ProcessLimit,
        Self::OpenFilesLimit,
        Self::NoCoreDump,
        Self::Watch,
        Self::NoNetwork,
        Self::ReadOnlyFiles,
        Self::PrivateFolders,
        Self::TmpSizeLimit,
        Self::OwnProcesses,
        Self::NoCapabilities,
    ];
}

impl fmt::Display for Protection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::ProcessGroup => "own process group",
            Self::NoTerminal => "no terminal",
            Self::Subreaper => "runaways caught",
            Self::GuardUnreadable => "guard unreadable",
            Self::CpuLimit => "processor time limit",
            Self::MemoryLimit => "memory limit",
            Self::FileSizeLimit => "file size limit",
            Self::ProcessLimit => "process limit",
            Self::OpenFilesLimit => "open files limit",
            Self::NoCoreDump => "no core dump",
            Self::Watch => "all processes watched together",
            Self::NoNetwork => "no network",
            Self::ReadOnlyFiles => "read-only files",
            Self::PrivateFolders => "private temporary folders, hidden homes",
            Self::TmpSizeLimit => "temporary folders of limited size",
            Self::OwnProcesses => "own process tree",
            Self::NoCapabilities => "no administrator's powers",
        })
    }
}

/// Which protections were on, and why others weren't.
///
/// # Examples
///
/// ```
/// use guard::{Protection, Protections};
///
/// let none = Protections::default();
/// assert!(!none.holds(Protection::NoNetwork));
/// assert_eq!(none.missing().count(), Protection::ALL.len());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protections {
    /// Those that were on.
    pub on: BTreeSet<Protection>,
    /// Why others were not, a sentence each, for the staff's report.
    pub notes: Vec<String>,
}

impl Protections {
    /// Whether this one was on.
    ///
    /// # Examples
    ///
    /// ```
    /// use guard::{Protection, Protections};
    ///
    /// let on = [Protection::Watch].into();
    /// assert!(Protections { on, notes: vec![] }.holds(Protection::Watch));
    /// ```
    pub fn holds(&self, protection: Protection) -> bool {
        self.on.contains(&protection)
    }

    /// Those that were not on, in the order of [`Protection::ALL`].
    ///
    /// # Examples
    ///
    /// ```
    /// use guard::{Protection, Protections};
    ///
    /// let first = Protections::default().missing().next();
    /// assert_eq!(first, Some(Protection::ProcessGroup));
    /// ```
    pub fn missing(&self) -> impl Iterator<Item = Protection> + '_ {
        Protection::ALL
            .into_iter()
            .filter(|protection| !self.holds(*protection))
    }
}
