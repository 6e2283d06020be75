//! All cases, and what they share: a job that misbehaves, and a place to meet its processes.

use std::env::current_exe;
use std::io::Read as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::Duration;

use guard::{Guard, Job, Limits, Verdict};
use tempfile::TempDir;

use crate::{Case, MISBEHAVE, ends, shut_in, surroundings};

pub(crate) fn all() -> Vec<Case> {
    [ends::CASES, surroundings::CASES, shut_in::CASES].concat()
}

/// Limits that no test of another limit meets.
pub(crate) fn plenty() -> Limits {
    Limits {
        wall: Duration::from_mins(1),
        cpu: Duration::from_secs(40),
        ..Limits::test()
    }
}

pub(crate) fn job(args: &[&str]) -> Job {
    let this = current_exe().expect("a path");
    Job::new(this)
        .arg(MISBEHAVE)
        .args(args.iter().copied())
        .current_dir("/")
        .limits(plenty())
}

pub(crate) fn run(guard: &Guard, args: &[&str]) -> Verdict {
    job(args).run(guard).expect("a verdict")
}

/// Where processes under the guard report to: a connection ends with the process that made it.
pub(crate) struct Meeting {
    folder: TempDir,
    listener: UnixListener,
}

impl Meeting {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let listener = UnixListener::bind(folder.path().join("socket")).expect("a socket");
        Self { folder, listener }
    }

    pub(crate) fn socket(&self) -> String {
        self.folder
            .path()
            .join("socket")
            .to_str()
            .expect("UTF-8")
            .into()
    }

    pub(crate) fn accept(&self) -> (UnixStream, [u8; 2]) {
        let (mut one, _) = self.listener.accept().expect("a connection");
        one.set_read_timeout(Some(Duration::from_secs(20)))
            .expect("a timeout");
        let mut word = [0; 2];
        one.read_exact(&mut word).expect("a word");
        (one, word)
    }

    /// Whoever came before the job's end has ended.
    pub(crate) fn all_have_ended(&self) {
        self.listener.set_nonblocking(true).expect("no waiting");
        let mut met = 0;
        while let Ok((mut process, _)) = self.listener.accept() {
            process.set_nonblocking(false).expect("waiting");
            process
                .set_read_timeout(Some(Duration::from_secs(20)))
                .expect("a timeout");
            process
                .read_to_end(&mut Vec::new())
                .expect("the end of the process");
            met += 1;
        }
        assert!(met > 0, "nobody came");
    }

    pub(crate) fn job(&self, args: &[&str]) -> Job {
        job(&[args, &[&self.socket()]].concat()).writable(self.folder.path())
    }
}

/// The process at the other end has ended.
pub(crate) fn has_ended(mut process: &UnixStream) -> bool {
    matches!(process.read(&mut [0]), Ok(0))
}
