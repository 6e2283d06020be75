//! `cargo course trace --wall -- COMMAND`: runs the command with a variable that has its loop filmed,
//! and makes a run file of the film. The film is written turn by turn, so that it is there however
//! the command ends.

use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result, anyhow, bail};
use film::{FILM_VARIABLE, TapeError, read_tape};

/// Runs the command and writes the run file.
pub(super) fn record(command: &[OsString], out: &Path) -> Result<ExitCode> {
    let Some((program, arguments)) = command.split_first() else {
        bail!("--wall needs a command: cargo course trace --wall -- COMMAND");
    };
    let place = Place::new(out)?;
    // Ctrl-C is the command's: it ends, and its film is still to be read.
    let ignored = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGINT, ignored)
        .context("Ctrl-C cannot be left to the command")?;
    let status = Command::new(program)
        .args(arguments)
        .env(FILM_VARIABLE, &place.tape)
        .status()
        .map_err(|error| cannot_run(program, &error))?;
    let tape = match fs::read_to_string(&place.tape) {
        Ok(tape) => tape,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(no_loop(status));
        }
        Err(error) => return Err(error).context("the recording cannot be read"),
    };
    let mut run = match read_tape(&tape) {
        Err(TapeError::Empty) => return Err(no_loop(status)),
        read => read.context("this program's loop is of another version than this command")?,
    };
    let words: Vec<String> = command
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    "wall".clone_into(&mut run.name);
    run.title = words.join(" ");
    "Recorded on the real clock.".clone_into(&mut run.text);
    place.put(&(run.to_json() + "\n"))?;

    let mut said = anstream::stderr().lock();
    writeln!(said, "{}", super::what_is_in(&run, out))?;
    if let Some(cut) = &run.cut {
        writeln!(said, "{cut}")?;
    }
    if !status.success() {
        writeln!(said, "The command ended with {status}.")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn cannot_run(program: &OsString, error: &std::io::Error) -> anyhow::Error {
    let program = program.to_string_lossy();
    match error.kind() {
        ErrorKind::NotFound => anyhow!(
            "there is no command {program:?}; write it as you would in a shell: -- cargo run -p my-program"
        ),
        _ => anyhow!("cannot run {program:?}: {error}"),
    }
}

fn no_loop(status: ExitStatus) -> anyhow::Error {
    anyhow!(
        "the command ended with {status}, and no loop ran in it. A loop is filmed if `the_loop::run` or a \
         `Runner` made it; for a bare `EventLoop`, call `the_loop::film_from_environment(&event_loop)`"
    )
}

/// Where the run file will be, and the film until then. Both lie in one folder, so that a place that
/// cannot be written to is found before the command has run for nothing.
struct Place<'a> {
    out: &'a Path,
    folder: tempfile::TempDir,
    tape: PathBuf,
}

impl<'a> Place<'a> {
    fn new(out: &'a Path) -> Result<Self> {
        let why = || {
            format!(
                "cannot write {}; choose another place with --out FILE",
                out.display()
            )
        };
        if out.is_dir() {
            return Err(anyhow!("it is a folder")).with_context(why);
        }
        let parent = match out.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let parent = parent.canonicalize().with_context(why)?;
        let folder = tempfile::Builder::new()
            .prefix(".film-")
            .tempdir_in(parent)
            .with_context(why)?;
        let tape = folder.path().join("tape");
        Ok(Self { out, folder, tape })
    }

    /// Puts the run file into its place, whole.
    fn put(&self, text: &str) -> Result<()> {
        let whole = self.folder.path().join("run");
        fs::write(&whole, text)
            .and_then(|()| fs::rename(&whole, self.out))
            .with_context(|| format!("cannot write {}", self.out.display()))
    }
}
