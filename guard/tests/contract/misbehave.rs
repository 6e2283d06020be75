//! The program under the guard: one misdeed a word.
//!
//! Exit code 0 means that it got its way, 3 that the system refused it.

use std::env::{self, current_exe};
use std::ffi::OsString;
use std::fs;
use std::hint::black_box;
use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, ExitCode};
use std::thread::park;

use guard::{Guard, Job};

use crate::{GUARD, MISBEHAVE};

pub(crate) fn main(args: impl Iterator<Item = OsString>) -> ExitCode {
    let args: Vec<String> = args.map(|arg| arg.into_string().expect("UTF-8")).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        ["exit", code] => return ExitCode::from(code.parse::<u8>().expect("a code")),
        ["abort"] => std::process::abort(),
        ["loop"] => loop {
            black_box(());
        },
        ["sleep", socket] => sleep(socket),
        ["leave", "child", socket] => again(&["sleep", socket]).and_then(|_| met(socket)),
        ["leave", "daemon", socket] => again(&["daemon", socket])
            .and_then(|mut parent| parent.wait())
            .and_then(|_| met(socket)),
        ["daemon", socket] => rustix::process::setsid()
            .map_err(Into::into)
            .and_then(|_| again(&["sleep", socket]).map(drop)),
        ["bomb", depth, socket] => bomb(depth.parse().expect("a depth"), socket),
        ["print", bytes] => print(bytes.parse().expect("a number")),
        ["allocate"] => {
            black_box(vec![1_u8; 1 << 40]);
            Ok(())
        }
        ["eat", processes] => eat(processes.parse().expect("a number")),
        ["write", path] => fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map(drop),
        ["fill", path] => fill(path),
        ["read", path] => fs::read(path).map(drop),
        ["list", path] => list(path),
        ["environment"] => {
            env::vars().for_each(|(name, value)| println!("{name}={value}"));
            Ok(())
        }
        ["stdin"] => io::stdin()
            .read_to_end(&mut Vec::new())
            .map(|read| println!("{read} bytes")),
        ["connect", address] => {
            TcpStream::connect(address.parse::<SocketAddr>().expect("an address")).map(drop)
        }
        ["keeper", what] => fs::File::open(format!(
            "/proc/{}/{what}",
            std::os::unix::process::parent_id()
        ))
        .map(drop),
        ["kill-keeper", socket] => kill_keeper(socket),
        ["call", kind, socket] => call(kind, socket),
        _ => panic!("no such misdeed: {args:?}"),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("refused: {error}");
            ExitCode::from(3)
        }
    }
}

/// Another process of this program, with the same output streams.
fn again(args: &[&str]) -> io::Result<Child> {
    Command::new(current_exe()?)
        .arg(MISBEHAVE)
        .args(args)
        .spawn()
}

/// Sleeps for ever on a connection that the test holds: its end is this process's end.
fn sleep(socket: &str) -> io::Result<()> {
    let mut test = UnixStream::connect(socket)?;
    test.write_all(b"up")?;
    loop {
        park();
        black_box(&test);
    }
}

/// Returns when the test has met the process that stays behind.
fn met(socket: &str) -> io::Result<()> {
    let mut test = UnixStream::connect(socket)?;
    test.write_all(b"me")?;
    test.read_exact(&mut [0; 2])
}

/// At most 127 processes at a depth of 6, whoever stops it.
fn bomb(depth: u32, socket: &str) -> io::Result<()> {
    assert!(depth <= 6, "the machine is others' too");
    if depth > 0 {
        let next = (depth - 1).to_string();
        for _ in 0..2 {
            again(&["bomb", &next, socket])?;
        }
    }
    sleep(socket)
}

/// Prints so many bytes, or for ever when 0.
fn print(bytes: usize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if bytes > 0 {
        return out.write_all(&vec![b'x'; bytes]);
    }
    loop {
        out.write_all(&[b'x'; 4096])?;
    }
}

/// 48 MiB in each process, which then wait for ever.
fn eat(processes: u32) -> io::Result<()> {
    if processes > 1 {
        again(&["eat", &(processes - 1).to_string()])?;
    }
    let eaten = vec![1_u8; 48 << 20];
    loop {
        park();
        black_box(&eaten);
    }
}

fn fill(path: &str) -> io::Result<()> {
    let mut file = fs::File::create(path)?;
    loop {
        file.write_all(&[0; 4096])?;
    }
}

fn list(path: &str) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        println!("{}", entry?.file_name().display());
    }
    Ok(())
}

fn kill_keeper(socket: &str) -> io::Result<()> {
    let mut test = UnixStream::connect(socket)?;
    test.write_all(b"up")?;
    let keeper = rustix::process::getppid().expect("a keeper");
    rustix::process::kill_process(keeper, rustix::process::Signal::KILL)?;
    loop {
        park();
        black_box(&test);
    }
}

/// A caller of its own, to be killed in the midst of a job.
fn call(kind: &str, socket: &str) -> io::Result<()> {
    let mut guard = Guard::embedded(GUARD).expect("a guard");
    if kind == "bare" {
        guard = guard.without_sandbox().expect("a bare guard");
    }
    let folder = std::path::Path::new(socket).parent().expect("a folder");
    let job = Job::new(current_exe()?).args([MISBEHAVE, "sleep", socket]);
    let job = job
        .current_dir("/")
        .writable(folder)
        .limits(crate::trials::plenty());
    job.run(&guard).map(drop).map_err(io::Error::other)
}
