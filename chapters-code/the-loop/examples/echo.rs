//! Echoes the lines of stdin, numbered: a thread reads and posts each line through the hatch.
//!
//! ```console
//! $ printf 'one\ntwo\n' | cargo run -q -p the-loop --example echo
//! 1 one
//! 2 two
//! ```
//!
//! A terminal can't be watched with epoll on every system, and a read of it blocks; so a thread
//! does nothing else, and the loop remains free for whatever else it serves.

use std::io::{self, BufRead, Write as _};
use std::process::ExitCode;
use std::thread;

use the_loop::{EventLoop, Exception, Hatch, LoopError, running_loop};

/// Posts each line to the loop, and at the end of the input has it stop. Lines are bytes: what is
/// not UTF-8 is echoed as it came.
fn read(mut input: impl BufRead, hatch: &Hatch, echo: fn(u64, &[u8]) -> Result<(), Exception>) {
    let mut number = 0;
    loop {
        let mut line = Vec::new();
        let posted = match input.read_until(b'\n', &mut line) {
            Ok(0) => {
                // A callback finds the loop it runs on; the loop itself can't leave its thread.
                let _ = hatch.call_soon_threadsafe(|| running_loop().map(|it| it.stop()));
                return;
            }
            Ok(_) => {
                number += 1;
                hatch.call_soon_threadsafe(move || echo(number, &line))
            }
            Err(error) => {
                let _ = hatch.call_soon_threadsafe(move || Err(Exception::exit(error)));
                return;
            }
        };
        if posted.is_err() {
            // The loop was closed: nobody wants the rest.
            return;
        }
    }
}

/// Writes a line to stdout. An error, a closed pipe for example, leaves the loop.
fn print(number: u64, line: &[u8]) -> Result<(), Exception> {
    let mut out = io::stdout().lock();
    let written = write!(out, "{number} ").and_then(|()| out.write_all(line));
    written.and_then(|()| out.flush()).map_err(Exception::exit)
}

fn main() -> ExitCode {
    let event_loop = EventLoop::new();
    let hatch = event_loop.hatch();
    thread::spawn(move || read(io::stdin().lock(), &hatch, print));
    let ran = event_loop.run_forever();
    match ran.and(event_loop.close()) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads the echo has had enough: `echo | head -1`.
        Err(LoopError::Exit(e)) if is_broken_pipe(&e) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("echo: {error}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(exception: &Exception) -> bool {
    let error: Option<&io::Error> = exception.downcast_ref();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::io::{BufReader, Cursor};

    use super::*;

    type Lines = Vec<(u64, Vec<u8>)>;

    thread_local!(static ECHOED: RefCell<Lines> = const { RefCell::new(Vec::new()) });

    fn keep(number: u64, line: &[u8]) -> Result<(), Exception> {
        if line == b"full\n" {
            return Err(Exception::exit("no room for another line"));
        }
        ECHOED.with_borrow_mut(|echoed| echoed.push((number, line.to_vec())));
        Ok(())
    }

    fn echo(input: impl BufRead + Send + 'static) -> (Result<(), LoopError>, Lines) {
        let event_loop = EventLoop::new();
        let hatch = event_loop.hatch();
        let reader = thread::spawn(move || read(input, &hatch, keep));
        let ran = event_loop.run_forever();
        reader.join().unwrap();
        (ran, ECHOED.take())
    }

    #[test]
    fn every_line_comes_in_order_and_the_end_ends_it() {
        let (ran, echoed) = echo(Cursor::new(b"one\n\xff\nlast".to_vec()));
        ran.unwrap();
        let lines: [(u64, &[u8]); 3] = [(1, b"one\n"), (2, b"\xff\n"), (3, b"last")];
        assert_eq!(echoed, lines.map(|(number, line)| (number, line.to_vec())));
    }

    #[test]
    fn nothing_to_read_ends_at_once() {
        let (ran, echoed) = echo(io::empty());
        ran.unwrap();
        assert!(echoed.is_empty());
    }

    #[test]
    fn an_echo_that_cannot_be_written_ends_it() {
        let (ran, echoed) = echo(Cursor::new(b"one\nfull\ntwo\n".to_vec()));
        let error = ran.unwrap_err().to_string();
        assert_eq!(error, "a callback left the loop: no room for another line");
        assert_eq!(echoed, [(1, b"one\n".to_vec())]);
    }

    #[test]
    fn an_input_that_fails_ends_it_with_the_error() {
        struct Broken;
        impl io::Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the tape tore"))
            }
        }
        let (ran, _) = echo(BufReader::new(Broken));
        assert_eq!(
            ran.unwrap_err().to_string(),
            "a callback left the loop: the tape tore"
        );
    }
}
