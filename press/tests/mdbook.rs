//! The ordinary `mdbook build` of 0.5.4 writes the same bytes from the same `book.toml`, but for the
//! components' scripts. Runs where
//! an `mdbook` of that version is on the PATH (`cargo install mdbook --version 0.5.4 --locked`).

mod project;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use project::Project;

#[test]
fn mdbook_writes_the_same_bytes() {
    let version = Command::new("mdbook").arg("--version").output();
    let is_ours = version.is_ok_and(|output| output.stdout.starts_with(b"mdbook v0.5.4"));
    if !is_ours {
        eprintln!("skipped: no mdbook 0.5.4 on the PATH");
        return;
    }
    let project = Project::new().with_exercise();
    project.good(&["build", "--out", "ours"]);

    // In the project of the test there is no crate `press` to run.
    let press = assert_cmd::cargo::cargo_bin("press");
    let command = "cargo run --quiet --package press --";
    project.replace("book.toml", command, press.to_str().unwrap());
    let built = Command::new("mdbook")
        .arg("build")
        .current_dir(project.path())
        .output()
        .unwrap();
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );

    let mut ours = files(&project.path().join("ours"));
    assert!(ours.remove(".printed-by-press").is_some());
    let theirs = files(&project.path().join("target/book"));
    assert_eq!(
        ours.keys().collect::<Vec<_>>(),
        theirs.keys().collect::<Vec<_>>()
    );
    for (name, bytes) in &ours {
        // The press delivers the scripts without what only their readers need.
        let script = Path::new(name)
            .extension()
            .is_some_and(|extension| extension == "js");
        if script && name.starts_with("components/") {
            assert!(bytes.len() < theirs[name].len(), "{name}");
            continue;
        }
        assert!(theirs[name] == *bytes, "{name} differs");
    }
    assert!(
        ours.keys().any(|name| name.starts_with("searchindex-")),
        "there is no search index"
    );
}

/// The files below a folder with their bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}
