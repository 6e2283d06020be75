//! What a former run left in the folder of the reports: a class that has shrunk would otherwise keep
//! the pages of those who are gone, beside a class page that does not count them.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::{RESUME, SUBMISSIONS, kept_name, read};
use crate::grade::outcome::Report;

/// What a run writes into a submission's folder.
const OURS: [&str; 7] = [
    "student.md",
    "student.html",
    "staff.md",
    "staff.html",
    "gradescope.json",
    "exercism.json",
    "classroom50.json",
];

/// Removes what the run before this one wrote for submissions that this one does not have; gives their
/// names. Only a name that the former report holds is touched, and of its folder only our files.
pub(super) fn remove(report: &Report, folder: &Path) -> Result<Vec<String>> {
    // No report, or none of ours: then nothing here is ours either.
    let Ok(former) = read(&folder.join("report.json")) else {
        return Ok(Vec::new());
    };
    let now: BTreeSet<&str> = report.submissions.iter().map(|one| &*one.name).collect();
    let mut removed = Vec::new();
    for name in former.submissions.iter().map(|one| &*one.name) {
        // A name is one folder, whoever wrote the report.
        let is_a_name = Path::new(name).file_name().is_some_and(|own| own == name);
        if now.contains(name) || !is_a_name {
            continue;
        }
        let own = folder.join(SUBMISSIONS).join(name);
        let mut any = gone(fs::remove_file(folder.join(RESUME).join(kept_name(name))))
            .with_context(|| format!("the grade of {name}"))?;
        for file in OURS {
            let path = own.join(file);
            any |= gone(fs::remove_file(&path)).with_context(|| format!("{}", path.display()))?;
        }
        // What else lies there is not ours, and keeps the folder.
        let _ = fs::remove_dir(&own);
        if any {
            removed.push(name.to_owned());
        }
    }
    Ok(removed)
}

/// Whether something was removed.
fn gone(removed: std::io::Result<()>) -> Result<bool> {
    match removed {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).context("what a former run wrote cannot be removed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::outcome::samples;
    use crate::grade::report::{keep, write};

    #[test]
    fn who_is_gone_leaves_no_page_and_what_is_not_ours_stays() {
        let folder = tempfile::tempdir().unwrap();
        let own = |path: &str| folder.path().join("submissions").join(path);
        let mut report = samples::report();
        for graded in &report.submissions {
            keep(folder.path(), Some("key"), graded).unwrap();
        }
        assert!(write(&report, folder.path()).unwrap().is_empty());
        fs::write(own("=ada/notes.txt"), "mine").unwrap();
        fs::create_dir(own("another")).unwrap();
        fs::write(own("another/student.md"), "mine").unwrap();

        let mut smaller = samples::report();
        smaller.submissions = vec![];
        assert_eq!(write(&smaller, folder.path()).unwrap(), ["=ada", "bo"]);
        assert!(!own("bo").exists());
        assert!(own("=ada/notes.txt").exists() && !own("=ada/staff.md").exists());
        assert!(own("another/student.md").exists());
        let kept = fs::read_dir(folder.path().join("resume")).unwrap();
        assert_eq!(kept.count(), 0);

        // Those who stay keep theirs.
        write(&report, folder.path()).unwrap();
        report.submissions.truncate(1);
        assert_eq!(write(&report, folder.path()).unwrap(), ["bo"]);
        assert!(own("=ada/student.md").exists());
    }

    #[test]
    fn a_name_that_leads_out_is_no_name() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let mut report = samples::report();
        report.submissions[0].name = "../../x".to_owned();
        write(&samples::report(), &out).unwrap();
        let text = super::super::json(&report).unwrap();
        fs::write(out.join("report.json"), text).unwrap();
        fs::create_dir(folder.path().join("x")).unwrap();
        fs::write(folder.path().join("x/student.md"), "mine").unwrap();
        report.submissions = vec![];
        assert_eq!(write(&report, &out).unwrap(), ["bo"]);
        assert!(folder.path().join("x/student.md").exists());
    }
}
