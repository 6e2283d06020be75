//! A `cargo` that writes down that it ran, and then is the real one, or the example that the real
//! one would run. This test binary plays it when [`LOG`] names a file: trycmd starts it in cargo's
//! place.

use std::env;
use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::prebuilt;

/// The variable that names the file to write to.
pub(crate) const LOG: &str = "BOOK_COMMANDS_LOG";

/// What `cargo test` sets for the tests it runs, and what would colour or change the output. A
/// reader's shell has none of it; in a cargo below a cargo it can cause a rebuild.
const FOREIGN: [&str; 12] = [
    "CARGO",
    "CARGO_CRATE_NAME",
    "CARGO_PRIMARY_PACKAGE",
    "CARGO_TARGET_TMPDIR",
    "CARGO_TERM_COLOR",
    "CLICOLOR_FORCE",
    "FORCE_COLOR",
    "OUT_DIR",
    "RUST_BACKTRACE",
    "RUST_LIB_BACKTRACE",
    "RUST_TEST_THREADS",
    "TRYCMD",
];
const FOREIGN_STARTS: [&str; 3] = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_"];

/// Runs as the counted cargo if the environment says so, and gives the exit code.
pub(crate) fn run_if_asked() -> Option<ExitCode> {
    let log = env::var_os(LOG)?;
    let arguments: Vec<String> = env::args().skip(1).collect();
    note(Path::new(&log), &arguments);
    let mut command = if let Some((binary, arguments)) = prebuilt::binary(&arguments) {
        let mut command = Command::new(binary);
        command.args(arguments);
        command
    } else {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(arguments);
        command
    };
    command.env_remove(LOG).env_remove(prebuilt::EXAMPLES);
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        let foreign = FOREIGN.contains(&&*text);
        if foreign || FOREIGN_STARTS.iter().any(|start| text.starts_with(start)) {
            command.env_remove(&name);
        }
    }
    let status = command.status().expect("cargo can be started");
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Some(ExitCode::from(code.unwrap_or(u8::MAX)))
}

fn note(log: &Path, arguments: &[impl AsRef<OsStr>]) {
    let file = OpenOptions::new().append(true).create(true).open(log);
    let words = arguments.iter().map(|word| word.as_ref().to_string_lossy());
    let line = words.collect::<Vec<_>>().join(" ");
    writeln!(file.expect("the log can be opened"), "{line}").expect("the log can be written");
}
