//! The page shows what Python printed for `cpython/six_turns.py`. This runs it again wherever a Python of
//! 3.11 or newer is found, so that what the page shows can't go stale.

use std::path::Path;
use std::process::Command;

/// The interpreter named by the variable `PYTHON`, or the first on `PATH` that is new enough.
fn python() -> Option<String> {
    let named = std::env::var("PYTHON").ok();
    let usual = ["python3.13", "python3.12", "python3.11", "python3"].map(str::to_owned);
    named.into_iter().chain(usual).find(|program| {
        let new_enough = "import sys; sys.exit(sys.version_info < (3, 11))";
        Command::new(program)
            .args(["-c", new_enough])
            .output()
            .is_ok_and(|output| output.status.success())
    })
}

#[test]
fn python_prints_what_the_page_shows() {
    let Some(python) = python() else {
        eprintln!("skipped: no Python 3.11 or newer; name one in the variable PYTHON");
        return;
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cpython");
    let output = Command::new(python)
        .arg(folder.join("six_turns.py"))
        .env_remove("PYTHONASYNCIODEBUG")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let shown = std::fs::read_to_string(folder.join("six_turns.txt")).unwrap();
    // A Windows Python ends its lines with a carriage return as well.
    let printed = String::from_utf8(output.stdout).unwrap().replace('\r', "");
    assert_eq!(printed, shown);
}
