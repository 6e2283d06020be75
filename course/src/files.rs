//! Writes files whole: first beside their place, then renamed into it.

use std::fs::Permissions;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow};

/// Replaces a file, or makes it. Whoever looks sees the old text or the new one, and nothing
/// between.
///
/// # Errors
/// The folder or the file cannot be written to, as in a read-only checkout.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().context("a file without a folder")?;
    let written = || -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let mode = path
            .metadata()
            .map_or(0o644, |data| data.permissions().mode());
        let mut file = tempfile::Builder::new()
            .prefix(".course-")
            .permissions(Permissions::from_mode(mode))
            .tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    written().map_err(|error| cannot_write(path, &error))
}

/// Says early that a course cannot be written to, before work is spent on it.
///
/// # Errors
/// The folder's `exercises/` refuses.
pub(crate) fn is_writable(root: &Path) -> Result<()> {
    let folder = root.join("exercises");
    rustix::fs::access(&folder, rustix::fs::Access::WRITE_OK)
        .map_err(|error| cannot_write(&folder, &error.into()))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> anyhow::Error {
    // What tempfile adds (the name it tried) helps nobody.
    let why = error.to_string();
    let why = why.split(" at path").next().unwrap_or_default().to_owned();
    anyhow!(
        "{} cannot be written ({why}): make it writable, or clone the course into a folder of your own",
        path.display()
    )
}
