//! Keys, one at a time, from a terminal or a pipe.
//!
//! On a terminal only line editing and echo are off, so Ctrl-C stays a signal and printing stays as
//! it was. A byte is read when the one before it was dealt with: what you type after `q` is your
//! shell's.

use std::io::{Stdin, stdin};
use std::os::fd::AsFd;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, isatty, tcgetattr, tcsetattr,
};

/// A terminal in the mode for keys; when it is dropped, the mode before is back.
pub(crate) struct Mode<Fd: AsFd> {
    fd: Fd,
    before: Option<Termios>,
}

impl<Fd: AsFd> Mode<Fd> {
    /// Sets the mode, if this is a terminal.
    pub(crate) fn keys(fd: Fd) -> Self {
        let before = if isatty(&fd) {
            tcgetattr(&fd).ok()
        } else {
            None
        };
        let mode = Self { fd, before };
        mode.again();
        mode
    }

    /// Sets the mode again: whoever had the terminal meanwhile has set its own.
    pub(crate) fn again(&self) {
        if let Some(before) = &self.before {
            let mut keys = before.clone();
            keys.local_modes
                .remove(LocalModes::ICANON | LocalModes::ECHO);
            keys.special_codes[SpecialCodeIndex::VMIN] = 1;
            keys.special_codes[SpecialCodeIndex::VTIME] = 0;
            // `Now` keeps what was typed already; a terminal that refuses still gives lines.
            let _ = tcsetattr(&self.fd, OptionalActions::Now, &keys);
        }
    }
}

impl<Fd: AsFd> Drop for Mode<Fd> {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            let _ = tcsetattr(&self.fd, OptionalActions::Now, before);
        }
    }
}

/// The keys that are typed.
pub(crate) struct Keys {
    mode: Mode<Stdin>,
    go_on: SyncSender<()>,
}

impl Keys {
    /// Hands each key to `typed`, and waits for [`Keys::go_on`] before it reads another.
    pub(crate) fn read(typed: impl Fn(u8) + Send + 'static) -> Self {
        let mode = Mode::keys(stdin());
        let (go_on, may_read) = sync_channel(1);
        thread::spawn(move || {
            let mut escape = Escape::No;
            let mut byte = [0];
            while escape != Escape::No || may_read.recv().is_ok() {
                match rustix::io::read(stdin(), &mut byte) {
                    Err(rustix::io::Errno::INTR) if escape == Escape::No => typed(0),
                    Err(rustix::io::Errno::INTR) => {}
                    Ok(1) => {
                        escape = escape.then(byte[0]);
                        if escape == Escape::No {
                            typed(byte[0]);
                        }
                    }
                    // The end of the input: nobody types any more.
                    _ => return,
                }
            }
        });
        let keys = Self { mode, go_on };
        keys.go_on();
        keys
    }

    /// The key was dealt with: the next one may be read.
    pub(crate) fn go_on(&self) {
        let _ = self.go_on.try_send(());
    }

    /// The process was stopped and goes on: the terminal's mode is set again.
    pub(crate) fn resumed(&self) {
        self.mode.again();
    }
}

/// Arrow and function keys are several bytes, the last of which could be taken for a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escape {
    No,
    Begun,
    Sequence,
    /// The sequence's last byte; it is no key of its own.
    Ended,
}

impl Escape {
    fn then(self, byte: u8) -> Self {
        match (self, byte) {
            (_, 0x1b) => Self::Begun,
            (Self::Begun, b'[' | b'O') => Self::Sequence,
            (Self::Begun, _) | (Self::Sequence, 0x40..=0x7e) => Self::Ended,
            (Self::Sequence, _) => Self::Sequence,
            (Self::No | Self::Ended, _) => Self::No,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use rustix::fs::{Mode as Permissions, OFlags, open};
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{LocalModes, tcgetattr};

    use super::{Escape, Mode};

    #[test]
    fn a_panic_leaves_the_terminal_as_it_was() {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let terminal = open(name, OFlags::RDWR | OFlags::NOCTTY, Permissions::empty()).unwrap();
        let modes = || tcgetattr(&terminal).unwrap().local_modes;
        let before = modes();
        assert!(before.contains(LocalModes::ICANON | LocalModes::ECHO));

        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let _keys = Mode::keys(&terminal);
            assert!(!modes().intersects(LocalModes::ICANON | LocalModes::ECHO));
            assert!(modes().contains(LocalModes::ISIG));
            panic!("in the middle");
        }));
        assert_eq!(
            *panicked.unwrap_err().downcast::<&str>().unwrap(),
            "in the middle"
        );
        assert_eq!(modes(), before);
    }

    #[test]
    fn an_arrow_is_no_letter() {
        let mut escape = Escape::No;
        let mut keys = String::new();
        for byte in "a\u{1b}[1;2Db\u{1b}OQ\u{1b}hq".bytes() {
            escape = escape.then(byte);
            if escape == Escape::No {
                keys.push(char::from(byte));
            }
        }
        assert_eq!(keys, "abq");
    }
}
