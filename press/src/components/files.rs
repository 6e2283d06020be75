//! The files that the components load. They are written into `runs/` among the pages, and only
//! where they have changed: whoever watches the pages would else see a change in every build.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::{Components, PROGRAMS};

/// The function whose steps the stepper lights.
const TURN: &str = "chapters-code/03-six-steps/src/turn.rs";

/// `run_once`, as its chapter shows it.
pub(super) fn listings(root: &Path) -> Option<Value> {
    let text = fs::read_to_string(root.join(TURN)).ok()?;
    let lines = crate::listings::anchor(&text, "run_once").ok()?;
    Some(json!({ "run_once": { "file": TURN, "lines": lines } }))
}

impl Components {
    /// Writes the files, and removes those of programs that are gone.
    pub(crate) fn write(&self) -> Result<()> {
        let Some(folder) = self.source.join(PROGRAMS).parent().map(Path::to_owned) else {
            return Ok(());
        };
        if self.runs.is_empty() {
            return Ok(());
        }
        let why = || format!("the run files cannot be written into {}", folder.display());
        let files = self.files();
        for entry in fs::read_dir(&folder).with_context(why)? {
            let path = entry.with_context(why)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_run = name.ends_with(".json") && !PROGRAMS.ends_with(&*name);
            if is_run && !files.contains_key(&*name) {
                fs::remove_file(&path).with_context(why)?;
            }
        }
        for (name, text) in files {
            let path = folder.join(name);
            if fs::read_to_string(&path).ok().as_ref() != Some(&text) {
                fs::write(&path, text).with_context(why)?;
            }
        }
        Ok(())
    }
}
