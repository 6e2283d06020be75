//! The caller's side: the guard program, found and tried once, and a job handed to it.

use std::io::{BufReader, Read as _};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::sandbox::{Rules, Sandbox};
use crate::wire::{self, Answer, Done, Order, Request};
use crate::{Captured, GuardError, Job, Limits, Protections, Verdict};

/// How much longer than the wall limit the guard may take before it is given up.
const GRACE: Duration = Duration::from_secs(30);

/// A guard program that was tried on this machine. Share one between threads; each job gets a
/// process of its own. As data it reaches other processes on the same machine, without a trial anew.
///
/// # Examples
///
/// See the [crate's page](crate) for a whole program.
///
/// ```no_run
/// let guard = guard::Guard::at("target/debug/guard")?;
/// println!("sandbox: {}", guard.is_sandboxed());
/// # Ok::<(), guard::GuardError>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Guard {
    program: PathBuf,
    leading: Vec<String>,
    sandbox: Option<Sandbox>,
    /// Why there is no sandbox.
    bare: Option<String>,
    protections: Protections,
}

impl Guard {
    /// Takes the guard program at a path and tries what it can do here.
    ///
    /// # Errors
    ///
    /// When there is no such program, or it isn't a guard.
    ///
    /// # Examples
    ///
    /// ```
    /// let missing = guard::Guard::at("no/such/guard");
    /// assert!(matches!(missing, Err(guard::GuardError::NoGuard { .. })));
    /// ```
    pub fn at(program: impl Into<PathBuf>) -> Result<Self, GuardError> {
        Self::tried(program.into(), Vec::new())
    }

    /// Takes the running program as the guard: called with `verb` as its first argument, it has to
    /// hand the others to [`main`](crate::main()) before it does anything else.
    ///
    /// # Errors
    ///
    /// When the program can't be started again, or doesn't do that.
    ///
    /// # Examples
    ///
    /// See the [crate's page](crate).
    pub fn embedded(verb: &str) -> Result<Self, GuardError> {
        let program = std::env::current_exe().map_err(|source| GuardError::NoGuard {
            program: "itself".into(),
            source,
        })?;
        Self::embedded_at(program, verb)
    }

    /// The same with a copy of the running program, which stays where it is when the program is
    /// built anew.
    ///
    /// # Errors
    ///
    /// When there is no such program, or it isn't a guard.
    ///
    /// # Examples
    ///
    /// ```
    /// let missing = guard::Guard::embedded_at("no/such/program", "under-guard");
    /// assert!(matches!(missing, Err(guard::GuardError::NoGuard { .. })));
    /// ```
    pub fn embedded_at(program: impl Into<PathBuf>, verb: &str) -> Result<Self, GuardError> {
        Self::tried(program.into(), vec![verb.into()])
    }

    fn tried(program: PathBuf, leading: Vec<String>) -> Result<Self, GuardError> {
        let program = program
            .canonicalize()
            .map_err(|source| GuardError::NoGuard {
                program: program.clone(),
                source,
            })?;
        let protections = Protections::default();
        let mut guard = Self {
            program,
            leading,
            sandbox: None,
            bare: None,
            protections,
        };
        let mut failure = None;
        for sandbox in Sandbox::candidates() {
            guard.sandbox = Some(sandbox);
            match guard.trial() {
                Ok(protections) => {
                    return Ok(Self {
                        protections,
                        ..guard
                    });
                }
                Err(error) => failure = Some(error.to_string()),
            }
        }
        guard.without(failure.map_or_else(
            || "Bubblewrap (bwrap) is not on the PATH: install it for the sandbox.".into(),
            |error| format!("Bubblewrap doesn't work here: {}", error.trim_end()),
        ))
    }

    fn without(mut self, why: String) -> Result<Self, GuardError> {
        self.sandbox = None;
        self.bare = Some(why);
        self.protections = self.trial()?;
        Ok(self)
    }

    /// Runs nothing, as a job.
    fn trial(&self) -> Result<Protections, GuardError> {
        let job = Job::new(&self.program)
            .args(&self.leading)
            .arg(crate::NOTHING)
            .current_dir("/");
        let verdict = job.limits(Limits::test()).run(self)?;
        if verdict.end.success() {
            return Ok(verdict.protections);
        }
        let words = verdict.stderr.text();
        Err(GuardError::NotStarted(format!(
            "a trial of the guard {}: {words}",
            verdict.end
        )))
    }

    /// The same guard without its sandbox, for a program that is trusted with the machine but not
    /// with its time.
    ///
    /// # Errors
    ///
    /// When the guard no longer works.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// let bare = guard::Guard::at("target/debug/guard")?.without_sandbox()?;
    /// assert!(!bare.protections().holds(guard::Protection::NoNetwork));
    /// # Ok::<(), guard::GuardError>(())
    /// ```
    pub fn without_sandbox(self) -> Result<Self, GuardError> {
        self.without("The caller wanted no sandbox.".into())
    }

    /// Whether jobs run in a sandbox here.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// if !guard::Guard::at("target/debug/guard")?.is_sandboxed() {
    ///     eprintln!("grade only programs you trust with your files");
    /// }
    /// # Ok::<(), guard::GuardError>(())
    /// ```
    pub fn is_sandboxed(&self) -> bool {
        self.sandbox.is_some()
    }

    /// The protections that held in the trial, and why others are missing.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// let guard = guard::Guard::at("target/debug/guard")?;
    /// for missing in guard.protections().missing() {
    ///     println!("not here: {missing}");
    /// }
    /// # Ok::<(), guard::GuardError>(())
    /// ```
    pub fn protections(&self) -> &Protections {
        &self.protections
    }

    /// Hands the order to a guard process of its own and waits for the answer.
    pub(crate) fn carry_out(&self, order: Order, rules: Rules) -> Result<Verdict, GuardError> {
        let lost = |error: std::io::Error| GuardError::Lost(error.to_string());
        let wall = order.limits.wall;
        let request = Request {
            rules: self.shown(rules, &order),
            order,
            sandbox: self.sandbox.clone(),
            guard: self.program.clone(),
            leading: self.leading.clone(),
        };
        let (ours, theirs) = UnixStream::pair().map_err(lost)?;
        ours.set_read_timeout(Some(wall.saturating_add(GRACE)))
            .map_err(lost)?;
        let guard = self.start(theirs)?;
        let mut guard = Ending(guard, ours.try_clone().map_err(lost)?);
        wire::send(&ours, &request).map_err(lost)?;
        let mut answers = BufReader::new(ours);
        let mut answer = receive(&mut answers).map_err(lost)?;
        if let Ok(verdict) = &mut answer {
            verdict.protections.notes.extend(self.bare.clone());
        }
        guard.1.shutdown(Shutdown::Both).map_err(lost)?;
        guard.0.wait().map_err(lost)?;
        answer
    }

    /// What has to be seen for the job to start at all.
    fn shown(&self, mut rules: Rules, order: &Order) -> Rules {
        for path in [&order.dir, &order.program, &self.program] {
            rules.show(path);
        }
        rules
    }

    fn start(&self, channel: UnixStream) -> Result<Child, GuardError> {
        Command::new(&self.program)
            .args(&self.leading)
            .arg(crate::GUARD)
            // What the caller has in its environment is not the program's to read.
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(OwnedFd::from(channel)))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|source| GuardError::NoGuard {
                program: self.program.clone(),
                source,
            })
    }
}

/// A guard process: closing the channel has it end everything, also when the caller gives up.
struct Ending(Child, UnixStream);

impl Drop for Ending {
    fn drop(&mut self) {
        // Both fail when the guard has ended already, which is the aim.
        let _ = self.1.shutdown(Shutdown::Both);
        let _ = self.0.wait();
    }
}

fn receive(answers: &mut BufReader<UnixStream>) -> std::io::Result<Result<Verdict, GuardError>> {
    let done = match wire::receive::<Answer>(answers)? {
        Some(Answer::Done(done)) => *done,
        Some(Answer::NotStarted(why)) => return Ok(Err(GuardError::NotStarted(why))),
        Some(Answer::Lost(why)) => return Ok(Err(GuardError::Lost(why))),
        None => return Ok(Err(GuardError::Lost("it ended without an answer".into()))),
    };
    let Done {
        end,
        stdout,
        stderr,
        wall,
        cpu,
        strays,
        protections,
    } = done;
    let mut take = |size: wire::Size| {
        let mut bytes = vec![0; size.bytes];
        answers.read_exact(&mut bytes)?;
        Ok::<_, std::io::Error>(Captured {
            bytes,
            truncated: size.truncated,
        })
    };
    let (stdout, stderr) = (take(stdout)?, take(stderr)?);
    Ok(Ok(Verdict {
        end,
        stdout,
        stderr,
        wall,
        cpu,
        strays,
        protections,
    }))
}
