//! The page's Python program, run on the `python3` at hand: it takes the toy loop's turns.

use std::process::Command;

#[test]
fn cpython_takes_the_same_turns() {
    let version = Command::new("python3")
        .args(["-c", "import sys; print(sys.version_info >= (3, 11))"])
        .output();
    if !version.is_ok_and(|out| out.stdout.starts_with(b"True")) {
        eprintln!("skipped: no python3 of 3.11 or newer in PATH");
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/cpython/turns.py");
    let out = Command::new("python3")
        .arg(script)
        .output()
        .expect("python3 ran a moment ago");
    let said = String::from_utf8_lossy(&out.stdout);
    assert_eq!(
        said.lines().collect::<Vec<_>>(),
        ["turn 2: A1", "turn 2: B1", "turn 3: A2", "turn 3: B2"],
        "stderr: {}",
        String::from_utf8_lossy(&out.stderr)
    );
}
