//! `cargo course watch`, typed on: a terminal where there is one, lines where there is none.
//!
//! No test waits for time to pass: each waits for what must be shown, with a deadline.

#[path = "learner/tiny.rs"]
#[allow(dead_code, reason = "the other tests use the rest")]
mod tiny;

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use rexpect::process::WaitStatus;
use rexpect::session::{PtySession, spawn_command};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use serde_json::Value;
use tiny::{Hung, PATIENCE, RIGHT, Tiny, WRONG};

/// What stands below every page.
const KEYS: &str = "n next  h hint  d diff  r run again  l list  q quit";

/// A terminal with the command on it, and a handle on that terminal.
fn terminal(mut command: Command) -> (PtySession, File) {
    command.env("TERM", "xterm");
    let patience = u64::try_from(PATIENCE.as_millis()).unwrap();
    let session = spawn_command(command, Some(patience)).unwrap();
    let terminal = session.process().get_file_handle().unwrap();
    (session, terminal)
}

/// Waits for a text, then for the keys below the page.
fn shows(session: &mut PtySession, text: &str) {
    session
        .exp_string(text)
        .unwrap_or_else(|error| panic!("no {text:?}: {error}"));
    session.exp_string(KEYS).unwrap();
}

fn types(session: &mut PtySession, keys: &str) {
    session.send(keys).unwrap();
    session.flush().unwrap();
}

/// A shell that knows the command as `$0`, in the course's folder.
fn shell(tiny: &Tiny, script: &str) -> Command {
    let mut shell = Command::new("sh");
    let program = tiny.command(&[]);
    shell
        .arg("-c")
        .arg(script)
        .arg(program.get_program())
        .current_dir(tiny.root());
    shell.env("NO_COLOR", "1").env_remove("CARGO_TARGET_DIR");
    shell
}

fn modes(terminal: &File) -> LocalModes {
    tcgetattr(terminal).unwrap().local_modes
}

#[test]
fn a_save_gives_a_verdict_and_keys_show_the_rest() {
    let tiny = Tiny::new();
    let (mut session, terminal) = terminal(tiny.command(&["watch"]));
    shows(&mut session, "0 of 2 tests pass in adds");
    let typing = modes(&terminal);
    assert!(!typing.intersects(LocalModes::ICANON | LocalModes::ECHO));
    assert!(typing.contains(LocalModes::ISIG));

    tiny.edit(WRONG);
    shows(&mut session, "1 of 2 tests pass in adds");
    types(&mut session, "h");
    shows(&mut session, "What do both have?");
    types(&mut session, "d");
    shows(&mut session, "the solution of adds opens");
    types(&mut session, "l");
    shows(&mut session, "> begun   adds");
    // An arrow is no key, and none is lost behind it.
    types(&mut session, "\u{1b}[Ahh");
    shows(&mut session, "`left + right`");
    types(&mut session, "d");
    shows(&mut session, "+    left + right");
    // Editors put a new file in the old one's place.
    let stub = tiny.path("exercises/01-first/adds/src/lib.rs");
    fs::write(stub.with_extension("new"), RIGHT).unwrap();
    fs::rename(stub.with_extension("new"), &stub).unwrap();
    shows(&mut session, "A sum has all of both.");
    // The next exercise is offered; only the key goes there.
    types(&mut session, "r");
    shows(&mut session, "2 of 2 tests pass in adds");
    types(&mut session, "n");
    shows(&mut session, "0 of 1 tests pass in drains");
    // A save in another exercise turns to it.
    tiny.edit(WRONG);
    shows(&mut session, "1 of 2 tests pass in adds");

    types(&mut session, "q");
    session.exp_eof().unwrap();
    assert!(matches!(
        session.process().wait().unwrap(),
        WaitStatus::Exited(_, 0)
    ));
    assert!(
        tiny.progress()
            .contains("[exercise.adds]\ntries = 2\nhints = 3\npassed")
    );
}

#[test]
fn a_new_save_cancels_the_run() {
    let tiny = Tiny::new();
    let hung = Hung::new();
    tiny.edit(&hung.text());
    // No limit ends the run in this test's time: the save does.
    let (mut session, _terminal) = terminal(tiny.command(&["watch", "--limit", "3600"]));
    let runs = hung.runs();
    tiny.edit(RIGHT);
    shows(&mut session, "2 of 2 tests pass in adds");
    runs.ends();
    // The run that was cancelled is no try.
    assert!(
        tiny.progress().contains("tries = 1\n"),
        "{}",
        tiny.progress()
    );

    tiny.edit(&hung.text());
    let runs = hung.runs();
    types(&mut session, "q");
    session.exp_eof().unwrap();
    runs.ends();
}

#[test]
fn a_run_that_hangs_is_stopped_with_a_reason() {
    let tiny = Tiny::new();
    tiny.edit(&Hung::new().text());
    let (mut session, _terminal) = terminal(tiny.command(&["watch", "--limit", "1"]));
    shows(&mut session, "The tests were stopped after 1 s in `");
}

#[test]
fn the_terminal_is_as_before_and_keeps_what_is_typed() {
    let tiny = Tiny::new();
    let script = "\"$0\" watch; read line; echo \"the shell got: $line\"";
    let (mut session, _terminal) = terminal(shell(&tiny, script));
    shows(&mut session, "0 of 2 tests pass in adds");
    types(&mut session, "qhello\n");
    session.exp_string("the shell got: hello").unwrap();
    session.exp_eof().unwrap();
}

#[test]
fn every_signal_that_ends_it_restores_the_terminal() {
    let tiny = Tiny::new();
    for key in ["c", "TERM", "HUP"] {
        // The shell holds the terminal open, and says which modes it has after the watch.
        let script = "trap : INT HUP TERM; \"$0\" watch; echo \"code: $?\"; stty -a";
        let (mut session, terminal) = terminal(shell(&tiny, script));
        shows(&mut session, "0 of 2 tests pass in adds");
        assert!(!modes(&terminal).contains(LocalModes::ICANON));
        if key == "c" {
            session.send_control('c').unwrap();
        } else {
            let group = rustix::termios::tcgetpgrp(&terminal).unwrap();
            let signal = if key == "HUP" {
                rustix::process::Signal::HUP
            } else {
                rustix::process::Signal::TERM
            };
            rustix::process::kill_process_group(group, signal).unwrap();
        }
        session.exp_string("code: 130").unwrap();
        let (_, modes) = session.exp_regex(" -?icanon").unwrap();
        assert_eq!(modes, " icanon", "after {key}");
        session.exp_eof().unwrap();
    }
}

#[test]
fn a_new_size_draws_the_page_anew() {
    let tiny = Tiny::new();
    let (mut session, terminal) = terminal(tiny.command(&["watch"]));
    shows(&mut session, "0 of 2 tests pass in adds");
    let size = |columns| Winsize {
        ws_row: 24,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    for columns in [37, 61] {
        tcsetwinsize(&terminal, size(columns)).unwrap();
        // What is read from the terminal comes as one character a byte.
        let rule = "─".repeat(usize::from(columns));
        let rule: String = rule.bytes().map(char::from).collect();
        session.exp_string(&format!("\n{rule}\r\n")).unwrap();
        shows(&mut session, "0 of 2 tests pass in adds");
    }
    types(&mut session, "q");
    session.exp_eof().unwrap();
}

#[test]
fn places_are_links_on_a_terminal_that_follows_them() {
    let tiny = Tiny::new();
    let mut command = tiny.command(&["check"]);
    command.env_remove("NO_COLOR").env("FORCE_HYPERLINK", "1");
    let (mut session, _terminal) = terminal(command);
    let root = tiny.root().canonicalize().unwrap();
    let file = "exercises/01-first/adds/src/lib.rs";
    let link = format!(
        "\u{1b}]8;;file://{}/{file}#5\u{1b}\\{file}:5\u{1b}]8;;\u{1b}\\",
        root.display()
    );
    session.exp_string(&link).unwrap();
    session.exp_eof().unwrap();
}

/// A watch without a terminal: its lines come on the channel.
fn lines(mut command: Command) -> (std::process::Child, Receiver<String>) {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in output.lines() {
            if sender.send(line.unwrap()).is_err() {
                return;
            }
        }
    });
    (child, receiver)
}

#[test]
fn without_a_terminal_keys_are_lines() {
    let tiny = Tiny::new();
    let (mut child, lines) = lines(tiny.command(&["watch"]));
    let until = |text: &str| {
        let mut seen = String::new();
        while !seen.contains(text) {
            seen += &lines
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|_| panic!("no {text:?} in {seen}"));
            seen.push('\n');
        }
        seen
    };
    let seen = until("0 of 2 tests pass in adds");
    assert!(!seen.contains('\u{1b}'), "{seen}");
    let mut keys = child.stdin.take().unwrap();
    keys.write_all(b"h\n").unwrap();
    until("What do both have?");
    tiny.edit(RIGHT);
    until("2 of 2 tests pass in adds");
    keys.write_all(b"q\n").unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn programs_read_events_and_polling_finds_saves_as_well() {
    let tiny = Tiny::new();
    let (mut child, lines) = lines(tiny.command(&["watch", "--json", "--poll"]));
    let until = |wanted: &str| loop {
        let line = lines
            .recv_timeout(PATIENCE)
            .unwrap_or_else(|_| panic!("no {wanted}"));
        let event: Value =
            serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        if event["event"] == wanted {
            return event;
        }
    };
    assert_eq!(until("watching")["polls"], true);
    assert_eq!(until("verdict")["outcome"], "failed");
    tiny.edit(RIGHT);
    assert_eq!(until("run")["exercise"], "adds");
    assert_eq!(until("verdict")["next"], "drains");
    // The end of the input ends no watch: a file may still be saved.
    drop(child.stdin.take());
    tiny.edit(WRONG);
    assert_eq!(until("verdict")["outcome"], "failed");
    rustix::process::kill_process(
        rustix::process::Pid::from_child(&child),
        rustix::process::Signal::TERM,
    )
    .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
