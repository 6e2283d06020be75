//! `cargo course open`: the exercise in your editor, and where the book explains it.

use std::io::{IsTerminal as _, Write as _, stdin, stdout};
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use serde_json::json;

use crate::link;
use crate::manifest::{Course, Exercise};
use crate::progress::Progress;

/// Where `cargo book` serves the book.
const BOOK: &str = "http://127.0.0.1:3000";

/// Open an exercise in $VISUAL or $EDITOR, and say where the book explains it
#[derive(Args)]
pub(crate) struct Open {
    /// The exercise [default: that of this folder, or the current one]
    name: Option<String>,
    /// Print the places as JSON, and open nothing
    #[arg(long)]
    json: bool,
}

impl Open {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let course = Course::here()?;
        let progress = Progress::read(&course.root)?;
        let Some(exercise) = progress.named_or_current(&course, self.name.as_deref())? else {
            anyhow::bail!("every exercise is passed: name the one to open");
        };
        let (files, page, url) = (exercise.shown_files(), exercise.page(), exercise.url());
        let mut out = anstream::stdout().lock();
        if self.json {
            let report = json!({"exercise": exercise.id, "files": files, "page": page, "url": url});
            writeln!(out, "{report}")?;
            return Ok(ExitCode::SUCCESS);
        }
        for file in &files {
            writeln!(out, "file  {}", link::file(&course.root, file))?;
        }
        writeln!(out, "page  {}", link::file(&course.root, &page))?;
        writeln!(out, "      {url} (while `cargo book` runs)")?;
        let editor = ["VISUAL", "EDITOR"].iter().find_map(std::env::var_os);
        let editor = editor.filter(|editor| !editor.is_empty());
        let Some(editor) = editor else {
            writeln!(
                out,
                "Neither $VISUAL nor $EDITOR is set, so no editor is started."
            )?;
            return Ok(ExitCode::SUCCESS);
        };
        let editor = editor.to_string_lossy().into_owned();
        let mut words = shlex::split(&editor).unwrap_or_default().into_iter();
        let program = words
            .next()
            .context("$VISUAL or $EDITOR names no program")?;
        if is_for_a_terminal(&program) && !(stdin().is_terminal() && stdout().is_terminal()) {
            writeln!(out, "{program} needs a terminal, so it is not started.")?;
            return Ok(ExitCode::SUCCESS);
        }
        drop(out);
        Progress::change(&course.root, |progress| {
            progress.turn_to(exercise);
        })?;
        let status = Command::new(&program)
            .args(words)
            .args(files.iter().map(|file| course.root.join(file)))
            .status()
            .with_context(|| {
                format!("{program} cannot be run: set $VISUAL or $EDITOR to your editor")
            })?;
        ensure!(status.success(), "{program} ended with {status}");
        Ok(ExitCode::SUCCESS)
    }
}

fn is_for_a_terminal(program: &str) -> bool {
    let name = Path::new(program).file_name().unwrap_or_default();
    [
        "vi", "vim", "nvim", "nano", "hx", "helix", "kak", "micro", "emacs",
    ]
    .iter()
    .any(|one| name == *one)
}

impl Exercise {
    /// The editable files, from the root of the course.
    pub(crate) fn shown_files(&self) -> Vec<String> {
        let folder = self.folder(Path::new(""));
        let shown = |file| folder.join(file).display().to_string();
        self.editable.iter().map(shown).collect()
    }

    /// The chapter's page, from the root of the course.
    pub(crate) fn page(&self) -> String {
        format!("book/{}/index.md", self.chapter)
    }

    /// The section in the book that `cargo book` serves.
    pub(crate) fn url(&self) -> String {
        format!("{BOOK}/{}/index.html#{}", self.chapter, slug(&self.section))
    }
}

/// A heading's id, as mdBook makes it.
fn slug(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|letter| match letter {
        letter if letter.is_alphanumeric() || "-_".contains(letter) => {
            Some(letter.to_lowercase().next().unwrap_or(letter))
        }
        letter if letter.is_whitespace() => Some('-'),
        _ => None,
    });
    kept.collect()
}
