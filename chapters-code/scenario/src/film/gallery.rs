//! The gallery: the programs that the book shows, with a title and a sentence each.

use serde_json::Value;

use crate::op::Program;
use crate::parse::ProgramError;

/// A program of the gallery.
#[derive(Debug, Clone)]
pub struct Shown {
    /// What a person calls it.
    pub title: String,
    /// The program; its `desc` says what to look at.
    pub program: Program,
}

/// What is wrong with a gallery.
#[derive(Debug, thiserror::Error)]
pub enum GalleryError {
    /// It is no list of programs.
    #[error("a gallery is a list of programs: {0}")]
    Json(String),
    /// One of its programs cannot be read.
    #[error("program {name}: {error}")]
    Program {
        /// Its name, or its place in the list.
        name: String,
        /// What is wrong with it.
        error: ProgramError,
    },
    /// Two programs have one name.
    #[error("two programs are called {0}")]
    Twice(String),
}

/// Reads a gallery.
///
/// # Errors
/// [`GalleryError`], with the program's name.
pub fn gallery(text: &str) -> Result<Vec<Shown>, GalleryError> {
    let list: Vec<Value> =
        serde_json::from_str(text).map_err(|error| GalleryError::Json(error.to_string()))?;
    let mut shown: Vec<Shown> = Vec::new();
    for (index, value) in list.iter().enumerate() {
        let named = value["name"].as_str().map(str::to_owned);
        let wrong = |error| GalleryError::Program {
            name: named.clone().unwrap_or_else(|| format!("{}", index + 1)),
            error,
        };
        let program = Program::from_json(value).map_err(wrong)?;
        let title = value["title"].as_str();
        let title = title.ok_or_else(|| wrong(ProgramError::Key("\"title\", a string")))?;
        if program.desc.is_empty() {
            return Err(wrong(ProgramError::Key("\"desc\", a sentence")));
        }
        if shown.iter().any(|known| known.program.name == program.name) {
            return Err(GalleryError::Twice(program.name));
        }
        shown.push(Shown {
            title: title.to_owned(),
            program,
        });
    }
    Ok(shown)
}

impl Shown {
    /// Its run file.
    ///
    /// # Errors
    /// As [`run`](crate::run).
    pub fn film(&self) -> Result<film::Run, crate::RunError> {
        let run = super::film(&self.program)?;
        Ok(film::Run {
            title: self.title.clone(),
            ..run
        })
    }
}

/// The Rust of every program of a gallery: the files of a module, by name.
///
/// # Errors
/// As [`run`](crate::run).
pub fn rust_of(gallery: &[Shown]) -> Result<Vec<(String, String)>, crate::RunError> {
    let mut head = "//! The Rust of the gallery, a file for each program. Written by\n\
                    //! `cargo run -p scenario --example run_files -- --rust DIR`.\n\n"
        .to_owned();
    let mut files = Vec::new();
    for shown in gallery {
        let run = shown.film()?;
        let module = run.name.replace('-', "_");
        head.extend(["mod ", &module, ";\n"]);
        let lines = run.source.unwrap_or_default().rust;
        files.push((format!("{module}.rs"), lines.join("\n") + "\n"));
    }
    files.push(("mod.rs".to_owned(), head));
    Ok(files)
}
