//! From what was seen to the verdict.

use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::Signal;

use crate::outer::signal_of;
use crate::sandbox::Sandbox;
use crate::wire::{Answer, Done, News, Request, Size};
use crate::{Captured, End, Protection, Protections};

/// What the guard has in hand when everything has ended.
pub(crate) struct Ended {
    /// The limit for which the guard ended it.
    pub(crate) limit: Option<End>,
    /// How the sandbox or the keeper ended by itself.
    pub(crate) status: Option<ExitStatus>,
    /// What the keeper told.
    pub(crate) news: Vec<News>,
    pub(crate) stdout: Captured,
    pub(crate) stderr: Captured,
    pub(crate) wall: Duration,
    pub(crate) cpu: Option<Duration>,
    pub(crate) on: Vec<Protection>,
}

/// The answer, and the bytes that follow it.
pub(crate) fn settle(request: &Request, ended: Ended) -> (Answer, Vec<u8>, Vec<u8>) {
    let mut on = ended.on;
    let mut own_end = None;
    let mut left = 0;
    let mut started = false;
    for news in ended.news {
        match news {
            News::NotStarted(text) => return (Answer::NotStarted(text), Vec::new(), Vec::new()),
            News::Starting(more) => {
                started = true;
                on.extend(more);
                on.extend(request.sandbox.iter().flat_map(Sandbox::protections));
            }
            News::Exited { code, strays } => (own_end, left) = (Some(End::Exited(code)), strays),
            News::Signalled { signal, strays } => {
                (own_end, left) = (Some(by_signal(signal, &ended.stderr)), strays);
            }
        }
    }
    // A program that kills its keeper has ended by that signal.
    let keepers = ended.status.and_then(signal_of).map(End::Signalled);
    let Some(end) = ended.limit.or(own_end).or(keepers.filter(|_| started)) else {
        let words = ended.stderr.text();
        let text = match ended.status {
            Some(status) if !started => format!("the sandbox ended with {status}: {words}"),
            Some(status) => {
                return (
                    Answer::Lost(format!("its keeper, {status}: {words}")),
                    vec![],
                    vec![],
                );
            }
            None => {
                return (
                    Answer::Lost("its keeper ended without a word".into()),
                    vec![],
                    vec![],
                );
            }
        };
        return (Answer::NotStarted(text), Vec::new(), Vec::new());
    };
    let done = Done {
        end,
        stdout: size(&ended.stdout),
        stderr: size(&ended.stderr),
        wall: ended.wall,
        cpu: ended.cpu,
        strays: if ended.limit.is_some() { 0 } else { left },
        protections: Protections {
            notes: notes(request, &on),
            on: on.into_iter().collect(),
        },
    };
    (
        Answer::Done(Box::new(done)),
        ended.stdout.bytes,
        ended.stderr.bytes,
    )
}

fn size(stream: &Captured) -> Size {
    Size {
        bytes: stream.bytes.len(),
        truncated: stream.truncated,
    }
}

/// A limit of the kernel speaks through a signal.
fn by_signal(signal: i32, stderr: &Captured) -> End {
    // What Rust's allocation error handler prints before it aborts.
    const NO_MEMORY: &[u8] = b"memory allocation of ";
    if signal == Signal::XCPU.as_raw() {
        End::CpuLimit
    } else if signal == Signal::XFSZ.as_raw() {
        End::FileLimit
    } else if signal == Signal::ABORT.as_raw()
        && stderr
            .bytes
            .windows(NO_MEMORY.len())
            .any(|part| part == NO_MEMORY)
    {
        End::MemoryLimit
    } else {
        End::Signalled(signal)
    }
}

/// Why something is missing, for the staff.
fn notes(request: &Request, on: &[Protection]) -> Vec<String> {
    let mut notes = Vec::new();
    if request.sandbox.is_none() {
        notes.push("No sandbox: the network, the files and other processes were open.".into());
    }
    if !on.contains(&Protection::ProcessLimit) {
        let why = if rustix::process::getuid().is_root() {
            "The kernel's process limit doesn't hold root"
        } else {
            "The kernel's process limit is not set"
        };
        notes.push(format!(
            "{why}: the guard's watch and the wall limit end a fork bomb."
        ));
    }
    if !on.contains(&Protection::Watch) {
        notes
            .push("No /proc: processes are not counted, only the program's group is ended.".into());
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_abort_without_the_allocators_words_is_no_memory_limit() {
        let said = |text: &str| Captured {
            bytes: text.into(),
            truncated: false,
        };
        let abort = Signal::ABORT.as_raw();
        assert_eq!(
            by_signal(abort, &said("assertion failed")),
            End::Signalled(abort)
        );
        let words = said("memory allocation of 1099511627776 bytes failed");
        assert_eq!(by_signal(abort, &words), End::MemoryLimit);
    }
}
