//! What the three processes tell each other: the caller, the guard and the guard's keeper inside.
//!
//! Each pair shares a socket, at descriptor 0 of the lower one. The program gets an empty
//! standard input instead, and a socket, unlike a pipe, can't be opened again through /proc. When
//! the upper end closes, for whatever reason, the lower one ends all that is under it.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::sandbox::{Rules, Sandbox};
use crate::{End, Limits, Protection, Protections};

/// What to run and how: settled by the caller, carried out by the keeper.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
    pub(crate) dir: PathBuf,
    pub(crate) env: Vec<(OsString, OsString)>,
    pub(crate) stdin: Vec<u8>,
    pub(crate) limits: Limits,
    /// Processes the user may have in all, where the kernel counts them.
    pub(crate) user_processes: Option<u64>,
}

/// From the caller to the guard.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) order: Order,
    pub(crate) rules: Rules,
    pub(crate) sandbox: Option<Sandbox>,
    /// The guard program and the arguments in front of its own.
    pub(crate) guard: PathBuf,
    pub(crate) leading: Vec<String>,
}

/// From the keeper to the guard.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum News {
    /// Said before the program runs: from then on it may kill the keeper.
    Starting(Vec<Protection>),
    NotStarted(String),
    Exited {
        code: i32,
        strays: usize,
    },
    Signalled {
        signal: i32,
        strays: usize,
    },
}

/// From the guard to the caller. The streams' bytes follow the line.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    Done(Box<Done>),
    NotStarted(String),
    Lost(String),
}

/// The verdict without the bytes.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Done {
    pub(crate) end: End,
    pub(crate) stdout: Size,
    pub(crate) stderr: Size,
    pub(crate) wall: Duration,
    pub(crate) cpu: Option<Duration>,
    pub(crate) strays: usize,
    pub(crate) protections: Protections,
}

/// How many bytes of a stream follow.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Size {
    pub(crate) bytes: usize,
    pub(crate) truncated: bool,
}

/// The socket that the one above left at descriptor 0.
pub(crate) fn channel() -> io::Result<UnixStream> {
    Ok(UnixStream::from(
        rustix::stdio::stdin().as_fd().try_clone_to_owned()?,
    ))
}

/// One message, one line.
pub(crate) fn send<T: Serialize>(mut to: &UnixStream, message: &T) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    to.write_all(&line)
}

/// The next message; `None` when the other end is closed.
pub(crate) fn receive<T: DeserializeOwned>(
    from: &mut BufReader<UnixStream>,
) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    from.read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&line)?))
}

/// Returns when the other end is closed.
pub(crate) fn wait_for_close(mut from: BufReader<UnixStream>) {
    let mut byte = [0];
    // The one above says nothing more after its first message, so anything but silence is the end.
    while let Err(error) = from.read(&mut byte) {
        if error.kind() != io::ErrorKind::Interrupted {
            break;
        }
    }
}
