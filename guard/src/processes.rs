//! Who runs under this process, what they use, and how all of them are ended.
//!
//! Linux answers from /proc: a runaway that left its group still descends from the subreaper. Elsewhere only the program's group is known.
//!
//! A full look reads every process of the machine. A quick one goes from parent to child and reads
//! the descendants alone, but it may miss some while others end, so it serves to count and never to
//! end. That nobody is left needs no look: who has no child has no descendant.

use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, wait};

/// What the descendants use together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// Processes and threads.
    pub(crate) threads: u64,
    /// Bytes of private memory.
    pub(crate) memory: u64,
    /// Of those alive and of those they have waited for.
    pub(crate) cpu: Duration,
}

/// How much is read to find the descendants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// The descendants, from parent to child.
    Quick,
    /// Every process of the machine.
    Full,
}

/// How long a process may take to die before it is left to the kernel, as one on a dead disk is.
const PATIENCE: Duration = Duration::from_secs(10);

/// Ends everything under this process, waits for it, and says how many there were. `group` is the
/// program's, for systems that don't tell who descends from whom.
pub(crate) fn end_all(group: Option<Pid>) -> usize {
    let start = Instant::now();
    let mut first = None;
    loop {
        // An orphan comes to the subreaper in the moment it becomes one: no child, no descendant.
        if system::HAS_PROC && !reap() {
            return first.unwrap_or(0);
        }
        let left = system::kill_descendants();
        let first = *first.get_or_insert(left);
        if let Some(group) = group
            && !system::HAS_PROC
        {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let waiting = reap();
        if (left == 0 && (system::HAS_PROC || !waiting)) || start.elapsed() > PATIENCE {
            return first;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Takes in the children that ended; false if there is no other.
fn reap() -> bool {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
}

pub(crate) use system::{cpu_of_the_ended, threads_of_this_user, usage};

#[cfg(target_os = "linux")]
mod system {
    use std::collections::{BTreeSet, HashMap};
    use std::time::Duration;

    use procfs::ProcResult;
    use procfs::process::{Process, Stat, all_processes};
    use rustix::process::{Pid, Signal, getpid, getuid, kill_process, kill_process_group};

    use super::{Look, Usage};

    pub(super) const HAS_PROC: bool = true;

    /// Everything alive that descends from this process, itself left out.
    fn descendants(look: Look) -> Vec<Stat> {
        // One that ends during a quick look may have hidden another, and a kernel may not tell of
        // children: both have it begin anew, as a full one.
        let quick = (look == Look::Quick).then(from_parent_to_child);
        let mut found = match quick {
            Some(Ok(found)) => found,
            Some(Err(_)) | None => among_all(),
        };
        // A zombie holds nothing any more, unless its other threads run.
        found.retain(|stat| !matches!(stat.state, 'Z' | 'X') || stat.num_threads > 1);
        found
    }

    fn from_parent_to_child() -> ProcResult<Vec<Stat>> {
        let mut found = Vec::new();
        let mut parents = vec![Process::myself()?];
        while let Some(parent) = parents.pop() {
            // A child belongs to the thread that started it.
            for thread in parent.tasks()? {
                for child in thread?.children()? {
                    let child = Process::new(child.cast_signed())?;
                    found.push(child.stat()?);
                    parents.push(child);
                }
            }
        }
        Ok(found)
    }

    fn among_all() -> Vec<Stat> {
        let mut by_parent: HashMap<i32, Vec<Stat>> = HashMap::new();
        // A process that ends while it is read is none.
        for process in all_processes().into_iter().flatten().flatten() {
            if let Ok(stat) = process.stat() {
                by_parent.entry(stat.ppid).or_default().push(stat);
            }
        }
        let mut found = Vec::new();
        let mut parents = vec![getpid().as_raw_nonzero().get()];
        while let Some(parent) = parents.pop() {
            for stat in by_parent.remove(&parent).into_iter().flatten() {
                parents.push(stat.pid);
                found.push(stat);
            }
        }
        found
    }

    /// Ends the descendants once over, and says how many there were.
    pub(super) fn kill_descendants() -> usize {
        let alive = descendants(Look::Full);
        // This process's own group would take it along. In a sandbox that is 0, a group out of
        // view, which getpgrp(2)'s wrapper doesn't expect.
        let own = Process::myself()
            .and_then(|process| process.stat())
            .map_or(0, |stat| stat.pgrp);
        let mut groups: BTreeSet<i32> = alive.iter().map(|stat| stat.pgrp).collect();
        groups.remove(&own);
        // The kernel ends a group in one step, however fast it forks.
        for group in groups.into_iter().filter_map(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        for pid in alive.iter().filter_map(|stat| Pid::from_raw(stat.pid)) {
            let _ = kill_process(pid, Signal::KILL);
        }
        alive.len()
    }

    pub(crate) fn usage(look: Look) -> Usage {
        let page = procfs::page_size();
        let mut all = Usage::default();
        let mut ticks = 0;
        for stat in descendants(look) {
            all.threads += stat.num_threads.unsigned_abs();
            ticks += stat.utime + stat.stime;
            ticks += stat.cutime.unsigned_abs() + stat.cstime.unsigned_abs();
            // Pages that a file backs are shared between the processes that map it.
            if let Ok(pages) = Process::new(stat.pid).and_then(|process| process.statm()) {
                all.memory += pages.resident.saturating_sub(pages.shared) * page;
            }
        }
        all.cpu = time(ticks);
        all
    }

    /// Processor time of the children that ended, and of all that they waited for.
    pub(crate) fn cpu_of_the_ended() -> Option<Duration> {
        let stat = Process::myself().and_then(|process| process.stat()).ok()?;
        Some(time(
            stat.cutime.unsigned_abs() + stat.cstime.unsigned_abs(),
        ))
    }

    /// Threads of this user on the whole machine: what the kernel's limit counts.
    pub(crate) fn threads_of_this_user() -> Option<u64> {
        let me = getuid().as_raw();
        let mut threads = 0;
        for process in all_processes().ok()?.flatten() {
            if process.uid().is_ok_and(|uid| uid == me)
                && let Ok(stat) = process.stat()
            {
                threads += stat.num_threads.unsigned_abs();
            }
        }
        Some(threads)
    }

    fn time(ticks: u64) -> Duration {
        Duration::from_millis(ticks * 1000 / procfs::ticks_per_second().max(1))
    }
}

/// Without /proc: nothing is known, the group aside.
#[cfg(not(target_os = "linux"))]
mod system {
    use std::time::Duration;

    use super::{Look, Usage};

    pub(super) const HAS_PROC: bool = false;

    pub(super) fn kill_descendants() -> usize {
        0
    }

    pub(crate) fn usage(_look: Look) -> Usage {
        Usage::default()
    }

    pub(crate) fn cpu_of_the_ended() -> Option<Duration> {
        None
    }

    pub(crate) fn threads_of_this_user() -> Option<u64> {
        None
    }
}
