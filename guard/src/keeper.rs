//! The guard's keeper: the process right above the program, inside the sandbox if there is one.
//!
//! It takes the limits on itself, which the program inherits, starts the program, tells how it
//! ended and ends what is left. It is not trusted with time or output: those are the guard's.

use std::io::{self, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{self, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;

use rustix::process::{Pid, Resource, Rlimit, WaitOptions, WaitStatus, getrlimit, setrlimit, wait};

use crate::wire::{self, News, Order};
use crate::{Protection, processes};

/// The program's group, once there is one.
static GROUP: AtomicI32 = AtomicI32::new(0);

/// The stack of the thread that feeds the program, small because the memory limit stands already.
const STDIN_STACK: usize = 64 << 10;

/// Runs one order that comes over the channel.
pub(crate) fn main() -> ExitCode {
    match wire::channel().and_then(keep) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("guard: the keeper has no order: {error}");
            ExitCode::FAILURE
        }
    }
}

fn keep(guard: UnixStream) -> io::Result<()> {
    let mut orders = BufReader::new(guard.try_clone()?);
    let Some(order) = wire::receive::<Order>(&mut orders)? else {
        return Ok(());
    };
    // Before the limits: a thread needs address space.
    thread::spawn(move || {
        wire::wait_for_close(orders);
        processes::end_all(Pid::from_raw(GROUP.load(Ordering::SeqCst)));
        process::exit(1);
    });
    let mut on = make_ready();
    on.extend(take_limits(&order));
    on.push(Protection::ProcessGroup);
    wire::send(&guard, &News::Starting(on))?;
    let program = match start(&order) {
        Ok(program) => program,
        Err(error) => {
            let text = format!("{}: {error}", order.program.display());
            return wire::send(&guard, &News::NotStarted(text));
        }
    };
    GROUP.store(program.as_raw_nonzero().get(), Ordering::SeqCst);
    let status = wait_for(program)?;
    let strays = processes::end_all(Some(program));
    let news = match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => News::Exited { code, strays },
        (None, signal) => News::Signalled {
            signal: signal.unwrap_or_default(),
            strays,
        },
    };
    wire::send(&guard, &news)
}

/// Whatever leaves its parent comes to the keeper, and nobody reads the keeper's memory.
#[cfg(target_os = "linux")]
fn make_ready() -> Vec<Protection> {
    use rustix::process::{DumpableBehavior, getpid, set_child_subreaper, set_dumpable_behavior};

    let mut on = Vec::new();
    if set_child_subreaper(Some(getpid())).is_ok() {
        on.push(Protection::Subreaper);
    }
    if set_dumpable_behavior(DumpableBehavior::NotDumpable).is_ok() {
        on.push(Protection::GuardUnreadable);
    }
    on
}

#[cfg(not(target_os = "linux"))]
fn make_ready() -> Vec<Protection> {
    Vec::new()
}

fn take_limits(order: &Order) -> Vec<Protection> {
    let limits = &order.limits;
    // A second more until the kernel kills what ignores its warning.
    let seconds = limits.cpu.as_secs() + u64::from(limits.cpu.subsec_nanos() > 0);
    let mut wanted = vec![
        (Resource::Cpu, seconds, seconds + 1, Protection::CpuLimit),
        (
            Resource::As,
            limits.memory,
            limits.memory,
            Protection::MemoryLimit,
        ),
        (
            Resource::Fsize,
            limits.file_size,
            limits.file_size,
            Protection::FileSizeLimit,
        ),
        (
            Resource::Nofile,
            limits.open_files,
            limits.open_files,
            Protection::OpenFilesLimit,
        ),
        (Resource::Core, 0, 0, Protection::NoCoreDump),
    ];
    if let Some(most) = order.user_processes {
        wanted.push((Resource::Nproc, most, most, Protection::ProcessLimit));
    }
    let mut on = Vec::new();
    for (resource, soft, hard, protection) in wanted {
        // A stricter limit that stands already is kept.
        let ceiling = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let limit = Rlimit {
            current: Some(soft.min(ceiling)),
            maximum: Some(hard.min(ceiling)),
        };
        if setrlimit(resource, limit).is_ok() {
            on.push(protection);
        }
    }
    on
}

fn start(order: &Order) -> io::Result<Pid> {
    let stdin = if order.stdin.is_empty() {
        Stdio::null()
    } else {
        Stdio::piped()
    };
    let mut child = Command::new(&order.program)
        .args(&order.args)
        .current_dir(&order.dir)
        .env_clear()
        .envs(order.env.iter().map(|(name, value)| (name, value)))
        .stdin(stdin)
        .process_group(0)
        .spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        let bytes = order.stdin.clone();
        // A program that does not read must not hold the keeper, nor one that closes the pipe.
        thread::Builder::new()
            .stack_size(STDIN_STACK)
            .spawn(move || drop(pipe.write_all(&bytes)))?;
    }
    Ok(Pid::from_child(&child))
}

/// Waits for the program and takes in every runaway that ends before it, so that none piles up.
fn wait_for(program: Pid) -> io::Result<WaitStatus> {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == program => return Ok(status),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
