//! The examples, built once for all pages: a cargo for each command spends a second to find that
//! nothing is to be built.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// The variable that names the file of the examples.
pub(crate) const EXAMPLES: &str = "BOOK_EXAMPLES";

/// Builds all examples and writes the list of their binaries into a file: package, example and
/// path, a line each. An example whose name another package has too is left out: both are built
/// to one path.
///
/// # Panics
/// They do not build, or the file cannot be written.
pub(crate) fn build(list: &Path) {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--examples", "--message-format", "json"])
        .stderr(Stdio::inherit())
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "the examples do not build");
    let mut by_path: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in output.stdout.split(|byte| *byte == b'\n') {
        let Ok(message) = serde_json::from_slice::<Value>(line) else {
            continue;
        };
        let of_example = message["target"]["kind"][0] == "example";
        if let (true, Some(path)) = (of_example, message["executable"].as_str()) {
            let example = message["target"]["name"].as_str().unwrap_or_default();
            let package = package(message["package_id"].as_str().unwrap_or_default());
            let named = format!("{package}\t{example}\t{path}");
            by_path.entry(path.to_owned()).or_default().push(named);
        }
    }
    let alone = by_path.into_values().filter(|found| found.len() == 1);
    let text: Vec<String> = alone.flatten().collect();
    fs::write(list, text.join("\n")).expect("the list can be written");
}

/// The name in `path+file:///…/01-counter#counter@0.1.0`.
fn package(id: &str) -> &str {
    let name = id.rsplit(['#', '/']).next().unwrap_or_default();
    name.split('@').next().unwrap_or_default()
}

/// The binary that `cargo run -q -p PACKAGE --example EXAMPLE -- ARGUMENTS` would run, and its
/// arguments; nothing for any other command.
pub(crate) fn binary(arguments: &[String]) -> Option<(String, &[String])> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ["run", "-q", "-p", package, "--example", example, rest @ ..] = words.as_slice() else {
        return None;
    };
    if !matches!(rest, [] | ["--", ..]) {
        return None;
    }
    let list = fs::read_to_string(env::var_os(EXAMPLES)?).ok()?;
    let path = list.lines().find_map(|line| {
        let mut parts = line.split('\t');
        let same = parts.next() == Some(package) && parts.next() == Some(example);
        if same { parts.next() } else { None }
    })?;
    Some((path.to_owned(), arguments.get(7..).unwrap_or_default()))
}
