//! What to run: the program, its surroundings and its limits.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use crate::sandbox::{Access, Rules};
use crate::wire::Order;
use crate::{Guard, GuardError, Limits, Verdict};

/// One program to run under the guard, with [`Limits::test`] unless told otherwise.
///
/// Its standard input is empty unless given. Its environment holds the named variables and nothing else. In a
/// sandbox it can read the machine's files and write only the writable folders; homes, `/run`,
/// `/mnt`, `/media` and what is hidden are empty, and temporary folders are its own. Of the folders named, the deepest
/// one above a path decides. The program's own file and its working directory can always be read.
///
/// # Examples
///
/// ```
/// use guard::{Job, Limits};
///
/// let job = Job::new("cargo")
///     .args(["build", "--offline"])
///     .current_dir("/srv/class/ada")
///     .env("PATH", "/usr/local/cargo/bin:/usr/bin:/bin")
///     .env("HOME", "/srv/class/ada/home")
///     .writable("/srv/class/ada")
///     .hidden("/srv/class")
///     .limits(Limits::build());
/// # let _ = job;
/// ```
#[derive(Clone, Debug)]
#[must_use = "a job does nothing until it is run"]
pub struct Job {
    program: PathBuf,
    args: Vec<OsString>,
    dir: Option<PathBuf>,
    env: Vec<(OsString, OsString)>,
    folders: Vec<(PathBuf, Access)>,
    stdin: Vec<u8>,
    limits: Limits,
}

impl Job {
    /// A program by its path, or by its name alone to be looked up in the `PATH` given to the job
    /// (the caller's own if none is given).
    ///
    /// # Examples
    ///
    /// ```
    /// let job = guard::Job::new("/bin/true");
    /// # let _ = job;
    /// ```
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            dir: None,
            env: Vec::new(),
            folders: Vec::new(),
            stdin: Vec::new(),
            limits: Limits::test(),
        }
    }

    /// Adds an argument.
    ///
    /// # Examples
    ///
    /// ```
    /// let job = guard::Job::new("/bin/sh").arg("-c").arg("exit 3");
    /// # let _ = job;
    /// ```
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Adds arguments.
    ///
    /// # Examples
    ///
    /// ```
    /// let job = guard::Job::new("/bin/sh").args(["-c", "exit 3"]);
    /// # let _ = job;
    /// ```
    pub fn args<S: Into<OsString>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets the working directory; the caller's own if never set.
    ///
    /// # Examples
    ///
    /// ```
    /// let job = guard::Job::new("/bin/ls").current_dir("/usr");
    /// # let _ = job;
    /// ```
    pub fn current_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.dir = Some(dir.into());
        self
    }

    /// Gives the program a variable. No other passes.
    ///
    /// # Examples
    ///
    /// ```
    /// let job = guard::Job::new("/usr/bin/env").env("HOME", "/tmp");
    /// # let _ = job;
    /// ```
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Lets the program write a folder or file. Without a sandbox it can write whatever the caller
    /// can.
    ///
    /// # Examples
    ///
    /// ```
    /// let job = guard::Job::new("/bin/touch").arg("/srv/out/x").writable("/srv/out");
    /// # let _ = job;
    /// ```
    pub fn writable(mut self, path: impl Into<PathBuf>) -> Self {
        self.folders.push((path.into(), Access::Writable));
        self
    }

    /// Lets the program read a folder or file inside a hidden one, as a toolchain in a home.
    ///
    /// # Examples
    ///
    /// ```
    /// let job = guard::Job::new("/bin/ls").readable("/home/ada/.rustup");
    /// # let _ = job;
    /// ```
    pub fn readable(mut self, path: impl Into<PathBuf>) -> Self {
        self.folders.push((path.into(), Access::Readable));
        self
    }

    /// Empties a folder to the program's eyes, as the other submissions, or refuses it a file. What
    /// isn't there needs no hiding. A path that is also readable or writable is not hidden.
    ///
    /// # Examples
    ///
    /// ```
    /// let job = guard::Job::new("/bin/ls").hidden("/srv/class").readable("/srv/class/ada");
    /// # let _ = job;
    /// ```
    pub fn hidden(mut self, path: impl Into<PathBuf>) -> Self {
        self.folders.push((path.into(), Access::Hidden));
        self
    }

    /// Gives the program these bytes on its standard input, and then the end.
    ///
    /// # Examples
    ///
    /// ```
    /// let job = guard::Job::new("/bin/cat").stdin("hello\n");
    /// # let _ = job;
    /// ```
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Sets the limits.
    ///
    /// # Examples
    ///
    /// ```
    /// let job = guard::Job::new("/bin/true").limits(guard::Limits::case());
    /// # let _ = job;
    /// ```
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Runs the program and waits until it and everything it started have ended.
    ///
    /// # Errors
    ///
    /// When there is no verdict: the program or a folder isn't there, or the guard was lost. A
    /// program that fails or is ended is a [`Verdict`], not an error.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use guard::{End, Guard, Job};
    ///
    /// let guard = Guard::at("target/debug/guard")?;
    /// let verdict = Job::new("/bin/sh").args(["-c", "exit 3"]).run(&guard)?;
    /// assert_eq!(verdict.end, End::Exited(3));
    /// # Ok::<(), guard::GuardError>(())
    /// ```
    pub fn run(self, guard: &Guard) -> Result<Verdict, GuardError> {
        let dir = self.dir.clone().unwrap_or_else(|| PathBuf::from("."));
        let dir = real(&dir)?;
        let program = self.find(&dir)?;
        let mut rules = Rules::new();
        for (path, access) in self.folders {
            if access == Access::Hidden {
                rules.add_if_there(&path, access);
            } else {
                rules.add(real(&path)?, access);
            }
        }
        let Self {
            args,
            env,
            stdin,
            limits,
            ..
        } = self;
        let order = Order {
            program,
            args,
            dir,
            env,
            stdin,
            limits,
            user_processes: None,
        };
        guard.carry_out(order, rules)
    }

    /// The program's absolute path. Links are kept: what it does may depend on its name.
    fn find(&self, dir: &Path) -> Result<PathBuf, GuardError> {
        let program = &self.program;
        let found = if program.components().count() > 1 {
            Some(dir.join(program)).filter(|path| path.is_file())
        } else {
            let given = self
                .env
                .iter()
                .rev()
                .find(|(name, _)| name == OsStr::new("PATH"));
            let own = || std::env::var_os("PATH").unwrap_or_default();
            let path = given.map_or_else(own, |(_, path)| path.clone());
            let folders: Vec<_> = std::env::split_paths(&path).collect();
            let mut places = folders.iter().map(|folder| dir.join(folder).join(program));
            places.find(|path| path.is_file())
        };
        found.ok_or_else(|| GuardError::NoProgram {
            program: program.clone(),
        })
    }
}

/// The path without links and dots.
fn real(path: &Path) -> Result<PathBuf, GuardError> {
    let fail = |source: io::Error| GuardError::NoFolder {
        path: path.to_owned(),
        source,
    };
    path.canonicalize().map_err(fail)
}
