//! Real processes: Ctrl-C, the environment, and the system calls of a run. This program runs itself
//! as the one that is looked at; only the main thread of a process has Ctrl-C, hence a `main` of its
//! own. Parent and child keep step by the lines that the child prints; nobody sleeps.

mod films;
mod programs;

use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, ExitStatus, Stdio};
use std::thread;

use libtest_mimic::{Arguments, Failed, Trial};
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::SIGINT;

fn main() -> ExitCode {
    let mut words = env::args().skip(1);
    if words.next().as_deref() == Some("--program") {
        return programs::child(&words.next().unwrap_or_default());
    }
    let mut all = tests();
    all.extend(films::tests());
    libtest_mimic::run(&Arguments::from_args(), all).exit_code()
}

/// This program, with Ctrl-C as a terminal gives it: a shell that starts the tests in the background
/// has them ignore it, and the programs would inherit that.
fn own_program() -> io::Result<Command> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    if ignored.is_none_or(|mask| mask & 0b10 == 0) {
        return Ok(Command::new(env::current_exe()?));
    }
    let mut command = Command::new("env");
    command.arg("--default-signal=INT").arg(env::current_exe()?);
    Ok(command)
}

struct Program {
    child: Child,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Program {
    fn start(name: &str) -> Result<Self, Failed> {
        Self::start_with(name, &[])
    }

    fn start_with(name: &str, variables: &[(&str, &str)]) -> Result<Self, Failed> {
        let mut child = own_program()?
            .args(["--program", name])
            .env_remove(debug_mode::ENVIRONMENT_VARIABLE)
            .env_remove(film::FILM_VARIABLE)
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().ok_or("no stdin")?;
        let output = child.stdout.take().ok_or("no stdout")?;
        Ok(Self {
            child,
            input,
            lines: BufReader::new(output).lines(),
        })
    }

    fn says(&mut self, expected: &str) -> Result<(), Failed> {
        match self.lines.next().transpose()? {
            Some(line) if line == expected => Ok(()),
            other => Err(format!("expected {expected:?}, got {other:?}").into()),
        }
    }

    fn interrupt(&self) -> Result<(), Failed> {
        Ok(kill_process(Pid::from_child(&self.child), Signal::INT)?)
    }

    fn tell(&mut self) -> Result<(), Failed> {
        Ok(writeln!(self.input, "go on")?)
    }

    fn ends(mut self) -> Result<ExitStatus, Failed> {
        if let Some(line) = self.lines.next() {
            return Err(format!("one more line: {line:?}").into());
        }
        Ok(self.child.wait()?)
    }

    fn ends_with(self, code: i32) -> Result<(), Failed> {
        let status = self.ends()?;
        (status.code() == Some(code))
            .then_some(())
            .ok_or_else(|| format!("{status}, not exit code {code}").into())
    }

    /// The signal ended it, as it ends a program that knows nothing of signals.
    fn dies_of_it(self) -> Result<(), Failed> {
        use std::os::unix::process::ExitStatusExt;
        let status = self.ends()?;
        (status.signal() == Some(SIGINT))
            .then_some(())
            .ok_or_else(|| format!("{status}, not killed by SIGINT").into())
    }
}

/// A child that a failed test leaves behind would outlive it.
impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[expect(clippy::too_many_lines, reason = "a list, one test after another")]
fn tests() -> Vec<Trial> {
    vec![
        Trial::test("the_first_one_cancels_main_which_cleans_up", || {
            let mut program = Program::start("cleans up")?;
            program.says("ready")?;
            program.interrupt()?;
            for line in ["cleaning up", "clean", "interrupted"] {
                program.says(line)?;
            }
            program.ends_with(130)
        }),
        Trial::test("a_main_that_goes_on_has_the_last_word", || {
            let mut program = Program::start("goes on")?;
            program.says("ready")?;
            program.interrupt()?;
            program.says("ended")?;
            program.ends_with(0)
        }),
        Trial::test("the_second_one_gives_up_at_once", || {
            let mut program = Program::start("never ends")?;
            program.says("ready")?;
            program.interrupt()?;
            program.says("cleaning up")?;
            program.interrupt()?;
            program.dies_of_it()
        }),
        Trial::test("tasks_left_are_cleaned_up_too", || {
            let mut program = Program::start("leaves a task")?;
            program.says("ready")?;
            program.interrupt()?;
            program.says("the other one is clean")?;
            program.says("interrupted")?;
            program.ends_with(130)
        }),
        Trial::test("a_loop_that_is_held_is_left_by_the_second_one", || {
            let mut program = Program::start("blocks")?;
            program.says("ready")?;
            program.interrupt()?;
            program.tell()?;
            program.says("still here")?;
            // Two in short order may be one to the process, so: until it has ended.
            while program.child.try_wait()?.is_none() {
                program.interrupt()?;
                thread::yield_now();
            }
            program.dies_of_it()
        }),
        Trial::test("it_is_for_one_run_only", || {
            let mut program = Program::start("two runs")?;
            program.says("ready")?;
            program.interrupt()?;
            for line in ["cleaning up", "clean", "undisturbed", "ended"] {
                program.says(line)?;
            }
            program.ends_with(0)
        }),
        Trial::test("after_a_run_it_ends_the_program", || {
            let mut program = Program::start("after the run")?;
            program.says("ready")?;
            program.interrupt()?;
            program.dies_of_it()
        }),
        Trial::test("between_two_runs_it_ends_the_program", || {
            let mut program = Program::start("between runs")?;
            program.says("ready")?;
            program.interrupt()?;
            program.dies_of_it()
        }),
        Trial::test("while_the_loop_is_closing_it_ends_the_program", || {
            let mut program = Program::start("while closing")?;
            program.says("ready")?;
            program.interrupt()?;
            program.dies_of_it()
        }),
        Trial::test(
            "after_mains_last_step_it_is_neither_lost_nor_anothers",
            || {
                for name in ["in the last step", "in the last turn"] {
                    let mut program = Program::start(name)?;
                    program.says("ready")?;
                    program.interrupt()?;
                    program.says("told")?;
                    program.says("ended")?;
                    program.ends_with(0)?;
                }
                Ok(())
            },
        ),
        Trial::test("a_program_with_a_handler_of_its_own_keeps_it", || {
            let mut program = Program::start("own handler")?;
            program.says("ready")?;
            program.interrupt()?;
            program.says("handled")?;
            program.says("ended")?;
            program.ends_with(0)
        }),
        Trial::test("a_run_of_another_thread_ends_with_the_process", || {
            let mut program = Program::start("another thread")?;
            program.says("ready")?;
            program.interrupt()?;
            program.dies_of_it()
        }),
        Trial::test("the_environment_asks_for_debug_mode", || {
            for (value, says) in [
                (Some("1"), "debug mode"),
                (Some("0"), "debug mode"),
                (Some(""), "no debug mode"),
                (None, "no debug mode"),
            ] {
                let variable = value.map(|value| (debug_mode::ENVIRONMENT_VARIABLE, value));
                let mut program = Program::start_with("debug", variable.as_slice())?;
                program.says(says)?;
                program.says("ended")?;
                program.ends_with(0)?;
            }
            Ok(())
        }),
        Trial::test("a_run_on_a_kept_loop_makes_no_system_call", || {
            let (Some(short), Some(long)) = (system_calls(100)?, system_calls(1_000)?) else {
                eprintln!("skipped: strace is not installed, or may not trace");
                return Ok(());
            };
            // Starting a program costs a call more or less from one time to the next.
            let growth = long.abs_diff(short);
            if growth > 5 {
                return Err(format!("{growth} system calls in 900 runs").into());
            }
            Ok(())
        }),
    ]
}

/// How many system calls a program of this many runs makes; `None` if they cannot be counted.
fn system_calls(runs: u32) -> Result<Option<usize>, Failed> {
    let mut probe = Command::new("strace");
    probe
        .args(["-o", "/dev/null", "true"])
        .stderr(Stdio::null());
    if !probe.status().is_ok_and(|status| status.success()) {
        return Ok(None);
    }
    let directory = tempfile::tempdir()?;
    let file = directory.path().join("trace");
    let status = Command::new("strace")
        .args(["-f", "-qq", "-o"])
        .arg(&file)
        .arg(env::current_exe()?)
        .args(["--program", "runs", &runs.to_string()])
        .stdout(Stdio::null())
        .status()?;
    if !status.success() {
        return Err(format!("under strace: {status}").into());
    }
    Ok(Some(fs::read_to_string(file)?.lines().count()))
}
