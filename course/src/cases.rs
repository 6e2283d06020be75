//! A case: a `.trycmd` or `.toml` file that says what an exercise's program prints.
//!
//! trycmd compares. It also passes over what it does not understand: a program that is not
//! registered, a file without blocks, a misspelt key; and `TRYCMD=overwrite` makes it rewrite what it
//! should compare with. So it runs in a process of its own with an empty environment, the commands
//! are counted here as well, and a case passes only if each of them ran.

use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, ensure};
use clap::Args;

use crate::grade::tools;
use crate::workshop::process::{self, End, Ended, Limits, Run};
use crate::{RIGHT, WRONG};

/// What a case may take in all, its commands one after the other.
pub(crate) const LIMITS: Limits = Limits {
    wall: Duration::from_mins(1),
    output: 1 << 20,
};
/// What is said of a case that does not end.
pub(crate) const NO_END: &str = "it does not end";
/// What each command of a case may take.
const STEP: Duration = Duration::from_secs(10);
/// The tables and keys that trycmd reads from a `.toml`; it drops all others without a word.
const KEYS: [&str; 11] = [
    "bin",
    "args",
    "env",
    "stdin",
    "stdout",
    "stderr",
    "stderr-to-stdout",
    "status",
    "binary",
    "timeout",
    "fs",
];

/// Run one case against programs, and say whether all of it ran and fits
#[derive(Args)]
pub(crate) struct RunCase {
    /// A .trycmd or .toml file
    file: PathBuf,
    /// A program that the case may call
    #[arg(long = "bin", value_name = "NAME=PATH", value_parser = bin, required = true)]
    bins: Vec<(String, PathBuf)>,
    /// Hand it to trycmd in this very process
    #[arg(long, hide = true)]
    within: bool,
}

/// What came of a case.
#[derive(Debug)]
pub(crate) struct Judged {
    /// How many commands it has.
    pub(crate) steps: usize,
    /// Why it did not pass; none if it did.
    pub(crate) failure: Option<String>,
    /// What trycmd said: which command, what was expected, what came.
    pub(crate) output: String,
}

fn bin(text: &str) -> Result<(String, PathBuf)> {
    let (name, path) = text.split_once('=').context("write NAME=PATH")?;
    Ok((name.to_owned(), PathBuf::from(path)))
}

impl RunCase {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        if self.within {
            let cases = trycmd::TestCases::new();
            for (name, path) in &self.bins {
                cases.register_bin(name, path.as_path());
            }
            cases.timeout(STEP).case(&self.file).run();
            return Ok(ExitCode::SUCCESS);
        }
        let run = |command, input: &[u8]| process::run(command, input, LIMITS);
        let judged = judge(&self.file, &self.bins, &run)?;
        let shown = self.file.display();
        match judged.failure {
            None => {
                anstream::println!("{RIGHT}passed{RIGHT:#} {shown} ({} commands)", judged.steps);
            }
            Some(why) => {
                anstream::println!("{WRONG}FAILED{WRONG:#} {shown}: {why}\n{}", judged.output);
                return Ok(ExitCode::FAILURE);
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Runs a case against programs by name; `run` may put a guard around the process.
///
/// # Errors
/// The file cannot be read, or is none that trycmd could make sense of.
pub(crate) fn judge(file: &Path, bins: &[(String, PathBuf)], run: &Run) -> Result<Judged> {
    let shown = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("{shown} cannot be read"))?;
    let steps = steps(file, &text).with_context(|| format!("{shown}"))?;
    let folder = tempfile::tempdir().context("no temporary folder; is the disk full?")?;
    let this = tools::this()?;
    let mut command = Command::new(this);
    command
        .args(["run-case", "--within"])
        .arg(absolute(file).with_context(|| format!("{shown}"))?)
        // TRYCMD=overwrite would make every case pass, and rewrite it.
        .env_clear()
        .env("NO_COLOR", "1")
        // Whatever is made on the way goes with this folder, however it ends.
        .env("TMPDIR", folder.path())
        .current_dir(folder.path());
    for (name, path) in bins {
        let path = absolute(path).with_context(|| format!("{}", path.display()))?;
        ensure!(
            path.is_file(),
            "no program at {}; build it first",
            path.display()
        );
        command
            .arg("--bin")
            .arg(format!("{name}={}", path.display()));
    }
    let ended = run(command, b"").context("this program cannot be started")?;
    let (failure, output) = verdict(&ended, file, steps);
    Ok(Judged {
        steps,
        failure,
        output,
    })
}

/// Looks at a case without running it: it can be read, has a command, and each command is one of
/// this program's.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn form(file: &Path, program: &str) -> Result<()> {
    let shown = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("{shown} cannot be read"))?;
    steps(file, &text)
        .and_then(|_| programs(file, &text))
        .and_then(|named| {
            for name in named {
                ensure!(
                    name == program,
                    "it runs `{name}`; a case of {program} runs `{program}`"
                );
            }
            Ok(())
        })
        .with_context(|| format!("{shown}"))
}

/// The program that each command names.
fn programs(file: &Path, text: &str) -> Result<Vec<String>> {
    if file
        .extension()
        .is_some_and(|extension| extension == "toml")
    {
        let table: toml::Table = text.parse().map_err(|error| anyhow!("{error}"))?;
        let name = table.get("bin").and_then(|bin| bin.get("name"));
        let name = name.and_then(toml::Value::as_str);
        return Ok(vec![
            name.context("it names no program: `bin.name`")?.to_owned(),
        ]);
    }
    let lines = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("$ "));
    lines
        .map(|line| {
            let words = shlex::split(line)
                .with_context(|| format!("`{line}` has a quote that is not closed"))?;
            // A variable for this command alone may stand before it.
            let name = words.into_iter().find(|word| !word.contains('='));
            name.with_context(|| format!("`{line}` names no program"))
        })
        .collect()
}

fn verdict(ended: &Ended, file: &Path, steps: usize) -> (Option<String>, String) {
    let said = String::from_utf8_lossy(&ended.stderr);
    let stem = file.file_name().unwrap_or_default().to_string_lossy();
    let tested = |line: &&str| line.starts_with("Testing ") && line.contains(&*stem);
    let ran = said
        .lines()
        .filter(tested)
        .filter(|line| line.contains(" ... ok"));
    let ran = ran.count();
    let ignored = said
        .lines()
        .filter(tested)
        .any(|line| line.contains(" ... ignored"));
    let failure = match ended.end {
        End::OutOfTime => Some(NO_END.to_owned()),
        End::TooMuchOutput => Some("it prints without end".to_owned()),
        End::Exited(status) if !status.success() => {
            Some("the program does not print what the case shows".to_owned())
        }
        End::Exited(_) if ignored => Some(
            "a command was passed over; its block is no ```console block, its program is not the \
             exercise's, or its status is `skipped`"
                .to_owned(),
        ),
        // The sandbox of a case reports as one more.
        End::Exited(_) if ran < steps => Some(format!("{ran} of its {steps} commands ran")),
        End::Exited(_) => None,
    };
    let kept: Vec<&str> = said
        .lines()
        .filter(|line| !line.contains("TRYCMD=") && !line.contains("RUST_BACKTRACE"))
        .collect();
    (failure, kept.join("\n"))
}

/// How many commands a case has.
fn steps(file: &Path, text: &str) -> Result<usize> {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("trycmd" | "md") => {
            // Wherever such a line stands, somebody means it to run.
            let commands = text
                .lines()
                .filter(|line| line.trim_start().starts_with("$ "));
            let count = commands.count();
            ensure!(
                count > 0,
                "it has no command: put one in a ```console block, on a line that begins with `$ `"
            );
            Ok(count)
        }
        Some("toml") => {
            let table: toml::Table = text.parse().map_err(|error| anyhow!("{error}"))?;
            for key in table.keys() {
                ensure!(
                    KEYS.contains(&key.as_str()),
                    "trycmd knows no key `{key}`; it has {}",
                    KEYS.join(", ")
                );
            }
            let beside = |extension| file.with_extension(extension).is_file();
            ensure!(
                ["stdout", "stderr"]
                    .iter()
                    .any(|key| table.contains_key(*key) || beside(key)),
                "it expects no output: give it `stdout`"
            );
            Ok(1)
        }
        _ => Err(anyhow!("a case is a .trycmd or a .toml file")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_counts_wherever_it_stands() {
        let file = Path::new("a.trycmd");
        let text = "```console\n$ a\nx\n\n```\n\n   ```console\n   $ b\n\n   ```\n";
        assert_eq!(steps(file, text).unwrap(), 2);
        assert!(steps(file, "```console\n```\n").is_err());
    }

    #[test]
    fn a_misspelt_key_is_named() {
        let file = Path::new("a.toml");
        assert_eq!(
            steps(file, "bin.name = \"a\"\nstdout = \"x\"\n").unwrap(),
            1
        );
        let error = steps(file, "bin.name = \"a\"\nstdot = \"x\"\n").unwrap_err();
        assert!(error.to_string().contains("`stdot`"), "{error}");
        let error = steps(file, "bin.name = \"a\"\n").unwrap_err();
        assert!(error.to_string().contains("no output"), "{error}");
        assert!(steps(Path::new("a.txt"), "$ a\n").is_err());
    }

    #[test]
    fn a_command_of_another_program_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let form = |name: &str, text: &str| {
            let file = folder.path().join(name);
            fs::write(&file, text).unwrap();
            form(&file, "the-round").map_err(|error| format!("{error:#}"))
        };
        let case = |command: &str| format!("```console\n$ {command}\nx\n\n```\n");
        assert!(form("a.trycmd", &case("the-round A 'B C'")).is_ok());
        assert!(form("a.trycmd", &case("MODE=x the-round")).is_ok());
        let said = form("a.trycmd", &case("the-rond A")).unwrap_err();
        assert!(said.contains("it runs `the-rond`"), "{said}");
        let said = form("a.trycmd", &case("the-round 'A")).unwrap_err();
        assert!(said.contains("not closed"), "{said}");
        assert!(form("a.trycmd", "Nothing.\n").is_err());
        assert!(form("a.toml", "bin.name = \"the-round\"\nstdout = \"\"\n").is_ok());
        let said = form("a.toml", "args = []\nstdout = \"\"\n").unwrap_err();
        assert!(said.contains("names no program"), "{said}");
    }
}
