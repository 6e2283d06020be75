//! The recorder reproduces the corpus from a real CPython, byte for byte: what the loop is judged
//! by can be made again by anybody. Where no CPython 3.12 or 3.13 is found, the test says so.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The CPython that recorded the corpus or one that agrees with it on these levels: `PYTHON` names
/// it, or it is on the path.
fn python() -> Option<PathBuf> {
    let named = std::env::var_os("PYTHON").map(PathBuf::from);
    let known = ["python3.13", "python3.12", "python3"].map(PathBuf::from);
    named.into_iter().chain(known).find(|python| {
        let script = "import sys; print(sys.version_info[:2] in ((3, 12), (3, 13)))";
        let output = Command::new(python).args(["-c", script]).output();
        output.is_ok_and(|output| output.stdout.starts_with(b"True"))
    })
}

#[test]
fn recorder_gives_levels_1_to_3_byte_for_byte() {
    let Some(python) = python() else {
        println!("skipped: no CPython 3.12 or 3.13 is on the path, and PYTHON names none");
        return;
    };
    let scenario = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpora = [1, 2, 3].map(|level| scenario.join(format!("corpus/open/level{level}.jsonl")));
    let output = Command::new(&python)
        .arg(scenario.join("cpython/record.py"))
        .arg("--check")
        .args(corpora)
        .output()
        .expect("the interpreter that answered above runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{}:\n{said}{complained}",
        python.display()
    );
}
