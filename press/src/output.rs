//! The folder a book is built into. A list of the files the press wrote lies inside it; a folder
//! that holds anything else is somebody's own and is refused, never emptied.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use mdbook_driver::book::BookItem;
use tempfile::TempDir;

/// Names every file of the folder that the press wrote.
const LIST: &str = ".printed-by-press";

/// mdBook writes this file with this beginning into each book it builds.
const MDBOOK_MARK: (&str, &str) = (".nojekyll", "This file makes sure that Github Pages");

/// Whether this entry of the table of contents is a page (not a draft, a part title or a line).
pub(crate) fn is_page(item: &BookItem) -> bool {
    matches!(item, BookItem::Chapter(chapter) if chapter.path.is_some())
}

/// Refuses a destination that is not new, empty or a book built by the press before. In the
/// book's own `build-dir` a book that `mdbook build` left there may be replaced as well.
pub(crate) fn ensure_replaceable(destination: &Path, own_build_dir: bool) -> Result<()> {
    let found = match files_below(destination) {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => {
            let why = format!("cannot build into {}", destination.display());
            return Err(error).context(why);
        }
    };
    if found.is_empty() {
        return Ok(());
    }
    if let Ok(list) = fs::read_to_string(destination.join(LIST)) {
        let ours: BTreeSet<&str> = list.lines().collect();
        let strange = found
            .iter()
            .find(|file| *file != LIST && !ours.contains(file.as_str()));
        return match strange {
            None => Ok(()),
            Some(file) => bail!(
                "cannot build into {}: the press did not put {file} there; move it away or name \
                 another folder",
                destination.display()
            ),
        };
    }
    let (mark, beginning) = MDBOOK_MARK;
    let by_mdbook =
        || fs::read_to_string(destination.join(mark)).is_ok_and(|text| text.starts_with(beginning));
    ensure!(
        own_build_dir && by_mdbook(),
        "cannot build into {}: it holds files and is not a book that the press built; name a new \
         or an empty folder",
        destination.display()
    );
    Ok(())
}

/// A fresh folder on the same disk as `destination`, removed by itself unless it is moved.
pub(crate) fn beside(destination: &Path) -> Result<TempDir> {
    let why = || format!("cannot build into {}", destination.display());
    let parent = destination.parent().with_context(why)?;
    fs::create_dir_all(parent).with_context(why)?;
    let mut folder = tempfile::Builder::new();
    folder.prefix(".book-");
    // A book that others may read: tempfile would keep the folder to its owner.
    #[cfg(unix)]
    folder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o755));
    folder.tempdir_in(parent).with_context(why)
}

/// Puts the finished book in the place of the last one.
pub(crate) fn replace(destination: &Path, fresh: TempDir) -> Result<()> {
    let why = || format!("cannot replace {}", destination.display());
    let list = files_below(fresh.path()).with_context(why)?;
    let text: String = list.iter().flat_map(|file| [file.as_str(), "\n"]).collect();
    fs::write(fresh.path().join(LIST), text).with_context(why)?;
    if destination.exists() {
        fs::remove_dir_all(destination).with_context(why)?;
    }
    fs::rename(fresh.path(), destination).with_context(why)?;
    // It has moved: there is nothing left to remove.
    let _: PathBuf = fresh.keep();
    Ok(())
}

/// Every file below `folder`, as paths with `/` relative to it, in order.
pub(crate) fn files_below(folder: &Path) -> std::io::Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    let mut open = vec![(folder.to_owned(), String::new())];
    while let Some((dir, prefix)) = open.pop() {
        for entry in fs::read_dir(&dir)? {
            let entry = entry?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            // A link is a file here: following one could lead anywhere.
            if entry.file_type()?.is_dir() {
                open.push((entry.path(), format!("{name}/")));
            } else {
                found.insert(name);
            }
        }
    }
    Ok(found)
}

/// What stands after the last dot of a file's name.
pub(crate) fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_one_strange_file_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("out");
        let fresh = beside(&out).unwrap();
        fs::write(fresh.path().join("index.html"), "").unwrap();
        replace(&out, fresh).unwrap();
        ensure_replaceable(&out, false).unwrap();

        fs::write(out.join("thesis.txt"), "").unwrap();
        let error = ensure_replaceable(&out, false).unwrap_err().to_string();
        assert!(error.contains("thesis.txt"), "{error}");
    }

    #[test]
    fn empty_folders_and_new_ones_are_taken() {
        let dir = tempfile::tempdir().unwrap();
        ensure_replaceable(dir.path(), false).unwrap();
        ensure_replaceable(&dir.path().join("new"), false).unwrap();
    }

    #[test]
    fn a_book_of_mdbook_is_replaced_only_in_the_build_dir() {
        let dir = tempfile::tempdir().unwrap();
        let (mark, text) = MDBOOK_MARK;
        fs::write(dir.path().join(mark), text).unwrap();
        ensure_replaceable(dir.path(), true).unwrap();
        assert!(ensure_replaceable(dir.path(), false).is_err());
    }
}
