//! A misconception: a mistake that people really make, as a patch on the solution. It opens with what
//! such a learner believes, and with a part of the message that tells them otherwise.

use std::fs;
use std::path::{Path, PathBuf};

use diffy::Patch;

use crate::workshop::package::Files;

/// A solution with one mistake in it.
#[derive(Debug)]
pub(crate) struct Misconception {
    /// The name of its file, without the extension.
    pub(crate) slug: String,
    /// What the message of a failing test has in it.
    pub(crate) fails_with: String,
    /// The editable files with the mistake.
    pub(crate) files: Files,
}

/// Why a patch is of no use: what is wrong, and what to do.
pub(crate) type Useless = (String, String);

/// Reads a misconception and applies it to the solution's files.
pub(crate) fn read(path: &Path, solution: &Files) -> Result<Misconception, Useless> {
    let text = fs::read_to_string(path)
        .map_err(|error| (format!("cannot be read ({error})"), "mend it".to_owned()))?;
    let slug = path.file_stem().unwrap_or_default().to_string_lossy();
    let (head, diff) = split(&text);
    let word = |label: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(label));
        line.map(str::trim)
            .filter(|text| !text.is_empty())
            .ok_or_else(|| {
                let what = format!("has no line `{label} …`");
                (
                    what,
                    "write `Believes: …` and `Fails with: …` above the patch".to_owned(),
                )
            })
    };
    word("Believes:")?;
    Ok(Misconception {
        slug: slug.into_owned(),
        fails_with: word("Fails with:")?.to_owned(),
        files: apply(diff, solution)?,
    })
}

/// What stands above the patch, and the patch.
fn split(text: &str) -> (&str, &str) {
    let at = if text.starts_with("--- ") {
        Some(0)
    } else {
        text.find("\n--- ").map(|at| at + 1)
    };
    text.split_at(at.unwrap_or(text.len()))
}

/// The files with a unified diff applied, which may change more than one of them.
fn apply(diff: &str, solution: &Files) -> Result<Files, Useless> {
    let anew = "make it anew with `diff -u` against the solution's package".to_owned();
    let mut files = solution.clone();
    let mut changed = 0;
    for one in sections(diff) {
        let patch = Patch::from_str(&one)
            .map_err(|error| (format!("is no unified diff ({error})"), anew.clone()))?;
        let name = patch.original().unwrap_or_default();
        let file = PathBuf::from(name.strip_prefix("a/").unwrap_or(name));
        let Some(text) = files.get_mut(&file) else {
            let what = format!("changes {}, which no learner edits", file.display());
            return Err((
                what,
                "name an editable file, as in `--- a/src/lib.rs`".to_owned(),
            ));
        };
        let before = String::from_utf8_lossy(text);
        let after = diffy::apply(&before, &patch)
            .map_err(|error| (format!("does not apply ({error})"), anew.clone()))?;
        changed += usize::from(after != before);
        *text = after.into_bytes();
    }
    if changed == 0 {
        return Err(("changes nothing".to_owned(), anew));
    }
    Ok(files)
}

/// The part of a diff that belongs to each file.
fn sections(diff: &str) -> Vec<String> {
    let lines: Vec<&str> = diff.lines().collect();
    let mut sections: Vec<String> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let next = lines.get(at + 1).copied().unwrap_or_default();
        if line.starts_with("--- ") && next.starts_with("+++ ") {
            sections.push(String::new());
        }
        // `diff --git` and `index` between two files belong to neither.
        let is_between = line.starts_with("diff ") || line.starts_with("index ");
        if let Some(section) = sections.last_mut().filter(|_| !is_between) {
            section.push_str(line);
            section.push('\n');
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "Believes: The round is empty.\nFails with: the order\n\
                         --- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n";

    fn solution() -> Files {
        let text = |text: &str| text.as_bytes().to_vec();
        Files::from([
            ("src/lib.rs".into(), text("a\nb\nd\n")),
            ("src/log.txt".into(), text("one\n")),
        ])
    }

    fn misconception(patch: &str) -> Result<Misconception, Useless> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("too-short.patch");
        fs::write(&path, patch).unwrap();
        read(&path, &solution())
    }

    #[test]
    fn a_patch_is_applied_to_the_solution() {
        let read = misconception(PATCH).unwrap();
        assert_eq!(
            (read.slug.as_str(), read.fails_with.as_str()),
            ("too-short", "the order")
        );
        assert_eq!(read.files[Path::new("src/lib.rs")], b"a\nc\nd\n");
        assert_eq!(read.files[Path::new("src/log.txt")], b"one\n");
    }

    #[test]
    fn a_patch_may_change_two_files() {
        let more = "diff --git a/src/log.txt b/src/log.txt\nindex 1..2 100644\n\
                    --- a/src/log.txt\n+++ b/src/log.txt\n@@ -1 +1 @@\n-one\n+two\n";
        let read = misconception(&format!("{PATCH}{more}")).unwrap();
        assert_eq!(read.files[Path::new("src/lib.rs")], b"a\nc\nd\n");
        assert_eq!(read.files[Path::new("src/log.txt")], b"two\n");
    }

    #[test]
    fn each_way_to_be_useless_is_told_apart() {
        let told = |patch: &str| misconception(patch).unwrap_err().0;
        assert!(told(&PATCH.replace("-b\n", "-x\n")).contains("does not apply"));
        assert!(told(&PATCH.replace("-b\n+c\n", " b\n")).contains("changes nothing"));
        assert!(told(&PATCH.replace("src/lib.rs", "src/main.rs")).contains("src/main.rs"));
        assert!(told(&PATCH.replace("Believes", "Thinks")).contains("`Believes: …`"));
        assert!(told(&PATCH.replace("the order", " ")).contains("`Fails with: …`"));
        assert!(told("Believes: a\nFails with: b\n").contains("changes nothing"));
        assert!(told(&PATCH.replace("-1,3 +1,3", "-1,9 +1,3")).contains("no unified diff"));
    }
}
