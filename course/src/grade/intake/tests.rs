//! What is taken, and what is left, from submissions that mean well and others.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;
use zip::write::SimpleFileOptions;

use super::{LARGEST_FILE, Taken, Text, Wanted, submissions, take};
use crate::manifest::Course;

const PLACE: &str = "01-counter/the-round/src/lib.rs";

fn course(folder: &Path) -> Course {
    fs::create_dir_all(folder.join("exercises")).unwrap();
    let manifest = r#"
version = 1
[[exercise]]
id = "the-round"
chapter = "01-counter"
title = "One round"
section = "How long is a round?"
kind = "complete"
difficulty = "easy"
minutes = 10
editable = ["src/lib.rs"]
learnt = "A round."
hints = ["a", "b", "c"]
points = { tests = { one = 1 } }
"#;
    fs::write(folder.join("exercises/course.toml"), manifest).unwrap();
    Course::at(folder).unwrap()
}

struct Desk {
    folder: TempDir,
    course: Course,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let course = course(&folder.path().join("course"));
        Self { folder, course }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn take(&self, path: &str) -> Taken {
        take(&self.course, &self.path(path)).unwrap()
    }

    fn zip(&self, path: &str, entries: &[(&str, &[u8])]) {
        let mut zip = zip::ZipWriter::new(fs::File::create(self.path(path)).unwrap());
        for (name, bytes) in entries {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap();
    }
}

fn text(taken: &Taken) -> Option<&Text> {
    taken.files.get(&Wanted {
        exercise: "the-round".to_owned(),
        file: "src/lib.rs".to_owned(),
    })
}

#[allow(clippy::unnecessary_wraps, reason = "what `text` gives is an option")]
fn is(text: &str) -> Option<Text> {
    Some(Text::Is(text.to_owned()))
}

#[allow(clippy::unnecessary_wraps, reason = "what `text` gives is an option")]
fn refused(why: &str) -> Option<Text> {
    Some(Text::Refused(why.to_owned()))
}

fn why(taken: &Taken, path: &str) -> String {
    let found = taken.ignored.iter().find(|ignored| ignored.path == path);
    found.map(|ignored| ignored.why.clone()).unwrap_or_default()
}

#[test]
fn the_file_counts_wherever_the_exercises_lie() {
    let desk = Desk::new();
    for (submission, place) in [
        ("whole", format!("whole/exercises/{PLACE}")),
        ("clone", format!("clone/course-main/exercises/{PLACE}")),
        ("inside", format!("inside/{PLACE}")),
        ("one-deep", format!("one-deep/my-work/{PLACE}")),
    ] {
        desk.write(&place, submission);
        assert_eq!(
            text(&desk.take(submission)).cloned(),
            is(submission),
            "{submission}"
        );
    }
    desk.write(&format!("two-deep/a/b/{PLACE}"), "lost");
    assert_eq!(text(&desk.take("two-deep")), None);
}

#[test]
fn a_solution_is_nobodys_work() {
    let desk = Desk::new();
    desk.write(&format!("s/solutions/{PLACE}"), "the solution");
    let taken = desk.take("s");
    assert_eq!(text(&taken), None);
    assert_eq!(
        why(&taken, &format!("solutions/{PLACE}")),
        "no exercise asks for it"
    );
}

#[test]
fn everything_else_is_named_and_not_looked_at() {
    let desk = Desk::new();
    desk.write(&format!("s/exercises/{PLACE}"), "mine");
    for other in [
        "exercises/01-counter/the-round/build.rs",
        "exercises/01-counter/the-round/Cargo.toml",
        ".cargo/config.toml",
        "rust-toolchain.toml",
    ] {
        desk.write(&format!("s/{other}"), "evil");
        assert_eq!(
            why(&desk.take("s"), other),
            "no exercise asks for it",
            "{other}"
        );
    }
    desk.write("s/target/debug/thing", "made");
    let taken = desk.take("s");
    assert_eq!(why(&taken, "target/"), "made by a tool");
    assert_eq!(taken.files.len(), 1);
}

#[test]
fn a_name_is_safe_to_show() {
    let desk = Desk::new();
    desk.write("s/exercises/\u{1b}[2J# a\nb\u{202e}.rs", "");
    let taken = desk.take("s");
    assert_eq!(taken.ignored[0].path, "exercises/# a?b.rs");
}

#[test]
fn links_are_not_followed() {
    let desk = Desk::new();
    desk.write("secret", "root:x");
    desk.write("s/exercises/01-counter/the-round/src/other.rs", "");
    symlink(
        desk.path("secret"),
        desk.path(&format!("s/exercises/{PLACE}")),
    )
    .unwrap();
    let link = refused("it is a link or a device, not a file");
    assert_eq!(text(&desk.take("s")).cloned(), link);

    // Nor is a folder that is a link.
    desk.write(&format!("elsewhere/{PLACE}"), "another's work");
    fs::create_dir_all(desk.path("t")).unwrap();
    symlink(desk.path("elsewhere"), desk.path("t/exercises")).unwrap();
    let taken = desk.take("t");
    assert_eq!(text(&taken), None);
    assert_eq!(why(&taken, "exercises"), "a link or a device");
}

#[test]
fn a_file_is_text_of_bounded_size() {
    let desk = Desk::new();
    let place = format!("s/exercises/{PLACE}");
    desk.write(&place, [0xff, 0xfe, 0x00]);
    assert_eq!(
        text(&desk.take("s")).cloned(),
        refused("the file is not UTF-8")
    );

    let most = usize::try_from(LARGEST_FILE).unwrap();
    desk.write(&place, " ".repeat(most));
    assert!(matches!(text(&desk.take("s")), Some(Text::Is(_))));
    desk.write(&place, " ".repeat(most + 1));
    assert_eq!(
        text(&desk.take("s")).cloned(),
        refused("the file is larger than 256 KB")
    );
}

#[test]
fn a_zip_is_read_in_memory_and_none_of_its_paths_leads_out() {
    let desk = Desk::new();
    let place = format!("repo-main/exercises/{PLACE}");
    let bomb = vec![b' '; 8 << 20];
    desk.zip(
        "s.zip",
        &[
            (&place, b"mine"),
            ("../../etc/cron.d/evil", b"evil"),
            ("/etc/evil", b"evil"),
            ("bomb", &bomb),
        ],
    );
    let taken = desk.take("s.zip");
    assert_eq!(text(&taken).cloned(), is("mine"));
    let out = "its path leads out of the submission";
    assert_eq!(why(&taken, "../../etc/cron.d/evil"), out);
    assert_eq!(why(&taken, "/etc/evil"), out);
    assert_eq!(why(&taken, "bomb"), "no exercise asks for it");

    desk.zip("bomb.zip", &[(&place, &bomb)]);
    let taken = desk.take("bomb.zip");
    assert_eq!(
        text(&taken).cloned(),
        refused("the file is larger than 256 KB")
    );

    desk.write("broken.zip", "PK and no more");
    assert!(take(&desk.course, &desk.path("broken.zip")).is_err());
}

#[test]
fn a_tar_gz_is_read_in_memory_and_its_links_are_not_followed() {
    let desk = Desk::new();
    let file = fs::File::create(desk.path("s.tar.gz")).unwrap();
    let mut tar = tar::Builder::new(GzEncoder::new(file, Compression::fast()));
    let mut header = tar::Header::new_gnu();
    header.set_size(0);
    header.set_entry_type(tar::EntryType::Symlink);
    tar.append_link(&mut header, format!("exercises/{PLACE}"), "/etc/passwd")
        .unwrap();
    tar.into_inner().unwrap().finish().unwrap();
    let link = refused("it is a link or a device, not a file");
    assert_eq!(text(&desk.take("s.tar.gz")).cloned(), link);

    let file = fs::File::create(desk.path("t.tgz")).unwrap();
    let mut tar = tar::Builder::new(GzEncoder::new(file, Compression::fast()));
    let mut header = tar::Header::new_gnu();
    header.set_size(4);
    tar.append_data(&mut header, format!("exercises/{PLACE}"), &b"mine"[..])
        .unwrap();
    tar.into_inner().unwrap().finish().unwrap();
    assert_eq!(text(&desk.take("t.tgz")).cloned(), is("mine"));

    desk.write("broken.tar.gz", "no gzip");
    assert!(take(&desk.course, &desk.path("broken.tar.gz")).is_err());
}

#[test]
fn a_class_is_a_folder_of_submissions_or_a_list_of_them() {
    let desk = Desk::new();
    desk.write(&format!("class/ada/exercises/{PLACE}"), "a");
    desk.write(&format!("class/bo/{PLACE}"), "b");
    desk.zip("class/cy.zip", &[("x", b"c")]);
    desk.write("class/notes.md", "not a submission");
    desk.write("class/list.txt", "# half of the class\nada\n\n  cy.zip\n");
    let names = |argument: &str| {
        let found = submissions(&desk.course, &[desk.path(argument)], false).unwrap();
        found.submissions.into_keys().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names("class"), "ada bo cy");
    // What lies among them is named, but for what a system hides.
    desk.write("class/.DS_Store", "");
    desk.write("class/dora.rar", "not unpacked");
    let class = submissions(&desk.course, &[desk.path("class")], false).unwrap();
    let others: Vec<_> = class.passed_over.into_iter().collect();
    assert_eq!(others, ["dora.rar", "list.txt", "notes.md"]);
    assert_eq!(names("class/ada"), "ada");
    assert_eq!(names("class/bo"), "bo");
    assert_eq!(names("class/cy.zip"), "cy");
    assert_eq!(names("class/list.txt"), "ada cy");
    // One that holds its work a folder deeper would be a folder of one.
    desk.write(&format!("wrapped/my-clone/exercises/{PLACE}"), "w");
    assert_eq!(names("wrapped"), "my-clone");
    let single = submissions(&desk.course, &[desk.path("wrapped")], true).unwrap();
    assert_eq!(
        single.submissions.into_keys().collect::<Vec<_>>(),
        ["wrapped"]
    );
}

#[test]
fn what_names_no_submission_is_said_by_name() {
    let desk = Desk::new();
    desk.write("class/notes.md", "not a submission");
    desk.write("list.txt", "nobody\n");
    desk.write("one/x/exercises/a", "");
    desk.write("two/x/exercises/a", "");
    let fault = |arguments: &[&str]| {
        let paths: Vec<_> = arguments.iter().map(|path| desk.path(path)).collect();
        format!(
            "{:#}",
            submissions(&desk.course, &paths, false).unwrap_err()
        )
    };
    assert!(fault(&["class"]).contains("holds no submission, only notes.md: a submission is"));
    assert!(fault(&["class/notes.md"]).contains("notes.md is no submission: a submission is"));
    assert!(fault(&["nowhere"]).contains("is not there"));
    assert!(fault(&["class/notes.md"]).contains("is no submission"));
    assert!(fault(&["list.txt"]).contains("list.txt: "));
    assert!(fault(&["one/x", "two/x"]).contains("would both be called x: rename one"));
}
