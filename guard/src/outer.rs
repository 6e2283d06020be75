//! The guard's own process: it starts the sandbox and the keeper in it, reads, watches, ends.
//!
//! Everything that must hold against a hostile program is here, outside the sandbox: the time, the
//! output cap, the totals, and the end of all processes. One thread decides; the others send it
//! events.

use std::io::{self, BufReader, Write as _};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitId, WaitIdOptions, setsid, waitid};

use crate::capture::Stream;
use crate::processes::{self, Look};
use crate::settle::{Ended, settle};
use crate::wire::{self, Answer, News, Request};
use crate::{End, Limits, Protection};

/// How often the totals are looked at: short against the shortest useful limit, and a quick look
/// takes a small part of it.
const TICK: Duration = Duration::from_millis(20);

/// Every how many looks one is full, for what a quick one may miss.
const FULL: u32 = 8;

/// How long the streams may stay open once nobody is left to write.
const DRAIN: Duration = Duration::from_secs(2);

/// What the deciding thread is told.
pub(crate) enum Event {
    /// The sandbox, or the keeper where there is none, has ended; it is still to be waited for.
    Over,
    /// A stream grew far beyond its cap.
    Flood,
    /// A stream is at its end.
    Closed,
    /// The caller is gone.
    Abandoned,
}

/// Carries out one request that comes over the channel.
pub(crate) fn main() -> ExitCode {
    match wire::channel().and_then(carry_out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("guard: no request, or nobody to answer: {error}");
            ExitCode::FAILURE
        }
    }
}

fn carry_out(caller: UnixStream) -> io::Result<()> {
    let mut requests = BufReader::new(caller.try_clone()?);
    let Some(request) = wire::receive::<Request>(&mut requests)? else {
        return Ok(());
    };
    let (tell, events) = channel();
    let abandoned = tell.clone();
    thread::spawn(move || {
        wire::wait_for_close(requests);
        let _ = abandoned.send(Event::Abandoned);
    });
    let on = make_ready();
    match run(&request, on, tell, &events) {
        Ok(Some(ended)) => {
            let (answer, stdout, stderr) = settle(&request, ended);
            wire::send(&caller, &answer)?;
            (&caller).write_all(&stdout)?;
            (&caller).write_all(&stderr)
        }
        Ok(None) => Ok(()),
        Err(error) => wire::send(&caller, &Answer::NotStarted(error.to_string())),
    }
}

/// No terminal and no stray descriptor, and every runaway comes here.
fn make_ready() -> Vec<Protection> {
    // What the caller inherited without its knowing, a build server's pipes say, goes no further.
    close_fds::set_fds_cloexec(3, &[]);
    let mut on = Vec::new();
    if setsid().is_ok() {
        on.push(Protection::NoTerminal);
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{
            DumpableBehavior, getpid, set_child_subreaper, set_dumpable_behavior,
        };
        // The keeper's word on both counts; this is the second line.
        let _ = set_child_subreaper(Some(getpid()));
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
    if processes::cpu_of_the_ended().is_some() {
        on.push(Protection::Watch);
    }
    on
}

/// Runs the job to its end; `None` if the caller went away.
fn run(
    request: &Request,
    on: Vec<Protection>,
    tell: Sender<Event>,
    events: &Receiver<Event>,
) -> io::Result<Option<Ended>> {
    let (ours, theirs) = UnixStream::pair()?;
    let start = Instant::now();
    let mut keeper = command(request)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    // The command held the other end of the socket; it is dropped, so an end is seen as one.
    let order = crate::wire::Order {
        user_processes: user_processes(&request.order.limits),
        ..request.order.clone()
    };
    // A sandbox that failed has closed it: its own words say more than a broken pipe.
    let _ = wire::send(&ours, &order);
    let news = follow_news(ours.try_clone()?);
    let cap = request.order.limits.output;
    let (stdout, stderr) = follow_streams(&mut keeper, cap, &tell)?;
    watch_for_end(&keeper, tell);

    let mut open = 2;
    let decided = decide(&request.order.limits, start, events, &mut open);
    let wall = start.elapsed();
    // Those that a sandbox's end takes along are waited for by nobody and counted nowhere.
    let look = match decided {
        Decided::Over => Look::Quick,
        Decided::Limit(_) | Decided::Abandoned => Look::Full,
    };
    let cpu_before = processes::usage(look).cpu;
    // Closing the channel has the keeper end its program, also where there is no /proc.
    let _ = ours.shutdown(Shutdown::Write);
    let status = match decided {
        Decided::Over => Some(keeper.wait()?),
        Decided::Limit(_) | Decided::Abandoned => None,
    };
    processes::end_all(None);
    if matches!(decided, Decided::Abandoned) {
        return Ok(None);
    }
    let drained = Instant::now() + DRAIN;
    while open > 0 {
        match events.recv_timeout(drained.saturating_duration_since(Instant::now())) {
            Ok(Event::Closed) => open -= 1,
            Ok(_) => {}
            Err(_) => break,
        }
    }
    Ok(Some(Ended {
        limit: if let Decided::Limit(end) = decided {
            Some(end)
        } else {
            None
        },
        status,
        news: news.join().unwrap_or_default(),
        stdout: stdout.take(),
        stderr: stderr.take(),
        wall,
        cpu: processes::cpu_of_the_ended().map(|cpu| cpu.max(cpu_before)),
        on,
    }))
}

enum Decided {
    Over,
    Limit(End),
    Abandoned,
}

/// Waits for the end or makes one.
fn decide(limits: &Limits, start: Instant, events: &Receiver<Event>, open: &mut u32) -> Decided {
    let mut looks = 0_u32;
    loop {
        let left = limits.wall.saturating_sub(start.elapsed());
        match events.recv_timeout(TICK.min(left)) {
            Ok(Event::Over) => return Decided::Over,
            Ok(Event::Flood) => return Decided::Limit(End::OutputLimit),
            Ok(Event::Abandoned) => return Decided::Abandoned,
            Ok(Event::Closed) => *open -= 1,
            Err(_) => {
                looks = looks.wrapping_add(1);
                let full = looks.is_multiple_of(FULL);
                let usage = processes::usage(if full { Look::Full } else { Look::Quick });
                if start.elapsed() >= limits.wall {
                    return Decided::Limit(End::WallLimit);
                } else if usage.cpu > limits.cpu {
                    return Decided::Limit(End::CpuLimit);
                } else if usage.memory > limits.memory {
                    return Decided::Limit(End::MemoryLimit);
                } else if usage.threads > limits.processes + OWN_THREADS {
                    return Decided::Limit(End::ProcessLimit);
                }
            }
        }
    }
}

/// The sandbox's two processes and the keeper with its three threads.
const OWN_THREADS: u64 = 5;

/// The keeper, in the sandbox if there is one.
fn command(request: &Request) -> Command {
    let mut command = match &request.sandbox {
        Some(sandbox) => {
            let mut command = Command::new(sandbox.program());
            command.args(sandbox.arguments(&request.rules, &request.order.limits));
            command.arg("--").arg(&request.guard);
            command
        }
        None => Command::new(&request.guard),
    };
    command.args(&request.leading).arg(crate::KEEPER);
    command
}

/// How many processes the user may have: a backstop behind the watch, with room for what else the
/// user runs meanwhile. The kernel doesn't hold root to it.
fn user_processes(limits: &Limits) -> Option<u64> {
    const ROOM: u64 = 1024;
    if rustix::process::getuid().is_root() {
        return None;
    }
    processes::threads_of_this_user().map(|now| now + limits.processes + ROOM)
}

fn follow_news(from: UnixStream) -> JoinHandle<Vec<News>> {
    thread::spawn(move || {
        let mut from = BufReader::new(from);
        std::iter::from_fn(|| wire::receive(&mut from).ok().flatten()).collect()
    })
}

fn follow_streams(
    keeper: &mut Child,
    cap: usize,
    tell: &Sender<Event>,
) -> io::Result<(Stream, Stream)> {
    let none = || io::Error::other("the keeper has no output pipes");
    let stdout = keeper.stdout.take().ok_or_else(none)?;
    let stderr = keeper.stderr.take().ok_or_else(none)?;
    Ok((
        Stream::follow(stdout, cap, tell.clone()),
        Stream::follow(stderr, cap, tell.clone()),
    ))
}

/// Tells when the keeper has ended and leaves it to be waited for, so that its pid stays its own.
fn watch_for_end(keeper: &Child, tell: Sender<Event>) {
    let pid = Pid::from_child(keeper);
    thread::spawn(move || {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(
            waitid(WaitId::Pid(pid), options),
            Err(rustix::io::Errno::INTR)
        ) {}
        let _ = tell.send(Event::Over);
    });
}

/// The signal that a status tells of, also in the way that a sandbox passes it on.
pub(crate) fn signal_of(status: ExitStatus) -> Option<i32> {
    let shells = status
        .code()
        .filter(|code| (129..=192).contains(code))
        .map(|code| code - 128);
    status.signal().or(shells)
}
