//! The sample class: it grades to the stored reports, in one run or in parts, twice the same.
//!
//! `STORE=1 cargo test -p course --test class` writes the reports anew; look at the difference.

#[allow(dead_code, reason = "each test program uses its own part")]
mod graded;

use std::fs;
use std::path::{Path, PathBuf};

use graded::{Desk, root};

/// What the sample class was asked for.
const EXERCISES: [&str; 4] = [
    "the-round",
    "the-alarm",
    "equal-deadlines",
    "how-many-steps",
];
/// Reports that say the same on every machine: the others list what a machine protects.
const STORED: [&str; 8] = [
    "grades.csv",
    "class.md",
    "junit.xml",
    "student.md",
    "student.html",
    "gradescope.json",
    "exercism.json",
    "classroom50.json",
];

fn sample(path: &str) -> String {
    root()
        .join("course/sample")
        .join(path)
        .display()
        .to_string()
}

fn grade(desk: &Desk, out: &str, more: &[&str]) -> graded::Said {
    let (class, cases) = (sample("class"), sample("cases"));
    let mut arguments = vec![class.as_str(), "--cases", &cases, "--out", out];
    for exercise in EXERCISES {
        arguments.extend(["--only", exercise]);
    }
    arguments.extend(more);
    desk.grade(&arguments)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let all = walkdir::WalkDir::new(folder).sort_by_file_name();
    let files = all.into_iter().map(Result::unwrap);
    let files = files.filter(|entry| entry.file_type().is_file());
    files
        .map(|entry| entry.path().strip_prefix(folder).unwrap().to_owned())
        .collect()
}

fn is_stored(file: &Path) -> bool {
    STORED.iter().any(|name| file.ends_with(name))
}

/// Both folders hold the same reports, byte by byte.
fn same(left: &Path, right: &Path, of: impl Fn(&Path) -> bool) {
    let list = |folder: &Path| {
        files(folder)
            .into_iter()
            .filter(|file| of(file))
            .collect::<Vec<_>>()
    };
    assert_eq!(list(left), list(right));
    for file in list(left) {
        let [left, right] =
            [left, right].map(|folder| fs::read_to_string(folder.join(&file)).unwrap());
        let differs = left
            .lines()
            .zip(right.lines())
            .find(|(left, right)| left != right);
        assert!(left == right, "{}: {differs:#?}", file.display());
    }
}

#[test]
fn the_sample_class_grades_to_the_stored_reports() {
    let desk = Desk::new();
    let said = grade(&desk, "{}/whole", &["--jplag", "{}/jplag"]);
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    desk.is_clean();
    let stored = root().join("course/sample/grades");
    if std::env::var_os("STORE").is_some() {
        let _ = fs::remove_dir_all(&stored);
        for file in files(&desk.path("whole"))
            .into_iter()
            .filter(|file| is_stored(file))
        {
            fs::create_dir_all(stored.join(&file).parent().unwrap()).unwrap();
            fs::copy(desk.path("whole").join(&file), stored.join(&file)).unwrap();
        }
    }
    same(&stored, &desk.path("whole"), is_stored);

    // For JPlag: every source, the stubs beside them.
    let jplag = files(&desk.path("jplag"));
    for file in [
        "base/the-round/src/lib.rs",
        "submissions/chen/the-round/src/lib.rs",
    ] {
        assert!(jplag.contains(&PathBuf::from(file)), "{jplag:?}");
    }

    // Once more, nothing remembered, in parts on two machines.
    let _ = fs::remove_dir_all(Desk::scratch().join("course/grade/cache"));
    for part in ["1/2", "2/2"] {
        let said = grade(
            &desk,
            &format!("{{}}/part-{}", &part[..1]),
            &["--shard", part],
        );
        assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    }
    let said = desk.grade(&["merge", "{}/part-1", "{}/part-2", "--out", "{}/merged"]);
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    // A grade by itself is for `--resume`, which goes on where it was and not from a merged folder.
    same(&desk.path("whole"), &desk.path("merged"), |file| {
        !file.starts_with("resume")
    });

    // An interrupted run goes on: what stands is not graded anew, and the rest is.
    let kept = desk.path("whole/resume/ada.json");
    let text = fs::read_to_string(&kept).unwrap();
    fs::write(&kept, text.replace("The alarm", "Kept from before")).unwrap();
    fs::remove_file(desk.path("whole/resume/bela.json")).unwrap();
    let said = grade(&desk, "{}/whole", &["--resume"]);
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    assert!(
        desk.read("whole/submissions/ada/student.md")
            .contains("Kept from before")
    );
    let again = |name: &str| desk.read(&format!("{name}/submissions/bela/student.md"));
    assert_eq!(again("whole"), again("merged"));
    desk.is_clean();
}

#[test]
fn mistakes_on_the_command_line_are_told() {
    let desk = Desk::new();
    fs::create_dir_all(desk.path("empty")).unwrap();
    fs::create_dir_all(desk.path("cases/the-rond")).unwrap();
    fs::write(
        desk.path("cases/the-rond/x.trycmd"),
        "```console\n$ the-round\n\n```\n",
    )
    .unwrap();
    for (case, text) in [
        ("none/the-round/x.trycmd", "The round.\n"),
        (
            "other/the-round/x.trycmd",
            "```console\n$ the-alarm\n\n```\n",
        ),
        (
            "key/the-round/x.toml",
            "bin.name = \"the-round\"\nstdot = \"\"\n",
        ),
        ("points/points.toml", "[the-round]\nx = \"2\"\n"),
        ("top/x.trycmd", "```console\n$ the-round\n\n```\n"),
        ("notes.docx", ""),
    ] {
        fs::create_dir_all(desk.path(case).parent().unwrap()).unwrap();
        fs::write(desk.path(case), text).unwrap();
    }
    let class = sample("class");
    for (arguments, code, what) in [
        (vec!["{}/nowhere"], 2, "is not there"),
        (vec!["{}/empty"], 2, "holds no submission"),
        (vec!["{}/notes.docx"], 2, "notes.docx is no submission"),
        (
            vec![&*class, "--only", "the-rond"],
            2,
            "did you mean the-round?",
        ),
        (vec![&*class, "--cases", "{}/nowhere"], 2, "is not a folder"),
        (
            vec![&*class, "--jobs", "0"],
            2,
            "give a whole number, 1 or more",
        ),
        (
            vec![&*class, "--cases", "{}/cases"],
            1,
            "belongs to no exercise",
        ),
        (vec![&*class, "--cases", "{}/empty"], 1, "holds no case"),
        (vec![&*class, "--cases", "{}/none"], 1, "it has no command"),
        (
            vec![&*class, "--cases", "{}/other"],
            1,
            "it runs `the-alarm`",
        ),
        (
            vec![&*class, "--cases", "{}/key"],
            1,
            "knows no key `stdot`",
        ),
        (vec![&*class, "--cases", "{}/points"], 1, "x is \"2\""),
        (
            vec![&*class, "--cases", "{}/top"],
            1,
            "belongs to no exercise",
        ),
        (vec!["merge", "{}/empty"], 2, "report.json cannot be read"),
    ] {
        let mut all = arguments.clone();
        all.extend(["--out", "{}/out"]);
        let said = desk.grade(&all);
        assert_eq!(
            said.code, code,
            "{arguments:?}: {}{}",
            said.stdout, said.stderr
        );
        assert!(said.stderr.contains(what), "{arguments:?}: {}", said.stderr);
    }
    let said = desk.grade(&[&class, "--shard", "3/2"]);
    assert!(said.stderr.contains("from 1 to 2"), "{}", said.stderr);
}
