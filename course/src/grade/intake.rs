//! What is taken from a submission: the editable files of the manifest, as regular files of bounded
//! size, and nothing else.
//!
//! A submission is read and never run, written to, or followed: no link is followed, no path that
//! leaves it is taken, and an archive is unpacked in memory, under limits.

mod archive;
mod folder;
mod name;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Component, Path};

use anyhow::{Result, bail};

use super::clean::clean;
use super::outcome::{Ignored, TWICE};
use crate::manifest::Course;

pub(crate) use name::{Class, Submissions, submissions};

/// No source file of an exercise comes near this many bytes.
pub(crate) const LARGEST_FILE: u64 = 256 * 1024;
/// A submission with more entries than this is not one.
const MOST_ENTRIES: usize = 50_000;
/// How many ignored files are named; the rest are counted.
const MOST_NAMED: usize = 40;

/// What was taken from a submission.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    /// Text by exercise and file, as far as it could be taken.
    pub(crate) files: BTreeMap<Wanted, Text>,
    /// What lay there and was not looked at.
    pub(crate) ignored: Vec<Ignored>,
}

/// A file that the manifest asks for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Wanted {
    /// The exercise.
    pub(crate) exercise: String,
    /// The file, relative to the exercise's package, with `/`.
    pub(crate) file: String,
}

/// What a file that was asked for holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Text {
    /// Its text.
    Is(String),
    /// Why it is not taken.
    Refused(String),
}

/// Takes what the manifest asks for out of a folder or an archive.
///
/// # Errors
/// It cannot be read, is no archive, or is larger than any submission is.
pub(crate) fn take(course: &Course, submission: &Path) -> Result<Taken> {
    let wanted = Places::of(course);
    let mut shelf = Shelf::new(&wanted);
    if submission.is_dir() {
        folder::take(submission, &mut shelf)?;
    } else if name::is_zip(submission) {
        archive::take_zip(submission, &mut shelf)?;
    } else if name::is_tar_gz(submission) {
        archive::take_tar_gz(submission, &mut shelf)?;
    } else {
        bail!("is neither a folder nor a .zip nor a .tar.gz");
    }
    Ok(shelf.done())
}

/// Where the files that are asked for may lie.
struct Places {
    by_path: BTreeMap<String, Wanted>,
}

impl Places {
    fn of(course: &Course) -> Self {
        let mut by_path = BTreeMap::new();
        for exercise in &course.exercises {
            for file in &exercise.editable {
                let file = file.to_string_lossy().replace('\\', "/");
                let path = format!("{}/{}/{file}", exercise.chapter, exercise.id);
                let wanted = Wanted {
                    exercise: exercise.id.clone(),
                    file,
                };
                by_path.insert(path, wanted);
            }
        }
        Self { by_path }
    }

    /// The file that is asked for at this path, and how well the place fits: 0 is best.
    ///
    /// It fits below `exercises/`, wherever that lies, and at the top or one folder deep, for those
    /// who hand in the folder's content. What lies below `solutions/` is nobody's work.
    fn find(&self, path: &str) -> Option<(&Wanted, usize)> {
        let parts: Vec<&str> = path.split('/').collect();
        let wanted = (0..parts.len()).find_map(|start| {
            let wanted = self.by_path.get(&parts[start..].join("/"))?;
            Some((wanted, start))
        });
        let (wanted, start) = wanted?;
        let above = &parts[..start];
        match above {
            [.., "exercises"] => Some((wanted, above.len())),
            [] => Some((wanted, 1_000)),
            ["solutions"] => None,
            [_] => Some((wanted, 1_001)),
            _ => None,
        }
    }
}

/// Where what is found is put.
struct Shelf<'a> {
    places: &'a Places,
    // With how well its place fits, and that place.
    found: BTreeMap<Wanted, (usize, String, Text)>,
    ignored: Vec<Ignored>,
    ignored_more: usize,
    entries: usize,
}

impl<'a> Shelf<'a> {
    fn new(places: &'a Places) -> Self {
        Self {
            places,
            found: BTreeMap::new(),
            ignored: Vec::new(),
            ignored_more: 0,
            entries: 0,
        }
    }

    /// Counts an entry.
    fn entry(&mut self) -> Result<()> {
        self.entries += 1;
        if self.entries > MOST_ENTRIES {
            bail!("holds more than {MOST_ENTRIES} files, so it was not read to its end");
        }
        Ok(())
    }

    fn is_wanted(&self, path: &str) -> bool {
        self.places.find(path).is_some()
    }

    /// A regular file that is asked for. Of two in two places, the one whose place fits better counts.
    fn put(&mut self, path: &str, bytes: Vec<u8>) {
        let text = match String::from_utf8(bytes) {
            Ok(text) => Text::Is(text),
            Err(_) => Text::Refused("the file is not UTF-8".to_owned()),
        };
        self.put_text(path, text);
    }

    /// A file that is asked for and is not taken.
    fn refuse(&mut self, path: &str, why: &str) {
        self.put_text(path, Text::Refused(why.to_owned()));
    }

    fn put_text(&mut self, path: &str, text: Text) {
        let Some((wanted, fit)) = self.places.find(path) else {
            return self.ignore(path, "no exercise asks for it");
        };
        let wanted = wanted.clone();
        let other = self
            .found
            .get(&wanted)
            .map(|(fit, path, _)| (*fit, path.clone()));
        match other {
            Some((better, _)) if better <= fit => {
                self.ignore(path, TWICE);
            }
            other => {
                self.found.insert(wanted, (fit, path.to_owned(), text));
                if let Some((_, path)) = other {
                    self.ignore(&path, TWICE);
                }
            }
        }
    }

    /// Anything else.
    fn ignore(&mut self, path: &str, why: &str) {
        if self.ignored.len() < MOST_NAMED {
            self.ignored.push(Ignored {
                // A name may hold whatever a file system allows, a terminal's escapes too.
                path: clean(path, &[]).replace('\n', "?"),
                why: why.to_owned(),
            });
        } else {
            self.ignored_more += 1;
        }
    }

    fn done(mut self) -> Taken {
        self.ignored
            .sort_by(|left, right| left.path.cmp(&right.path));
        if self.ignored_more > 0 {
            self.ignored.push(Ignored {
                path: format!("and {} more", self.ignored_more),
                why: "not named one by one".to_owned(),
            });
        }
        let files = self.found.into_iter();
        Taken {
            files: files.map(|(wanted, (_, _, text))| (wanted, text)).collect(),
            ignored: self.ignored,
        }
    }
}

/// The path with `/`, if it stays inside and is text.
fn inside(path: &Path) -> Option<String> {
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name.to_str()?),
            Component::CurDir => {}
            _ => return None,
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}
