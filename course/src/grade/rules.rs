//! What the compiler refuses a learner's library for: calls that no exercise needs, found by what a
//! path stands for, so that another name or a macro does not help.
//!
//! clippy knows that. It stands in the place of the compiler, for the library alone: the program and
//! the tests are the grader's own.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

/// Functions and methods that leave, read or change what lies outside of the exercise.
const METHODS: &[&str] = &[
    "std::process::exit",
    "std::process::abort",
    "std::process::id",
    "std::intrinsics::abort",
    "std::panic::set_hook",
    "std::panic::take_hook",
    "std::alloc::handle_alloc_error",
    "std::io::stdin",
    "std::io::read_to_string",
    "std::env::args",
    "std::env::args_os",
    "std::env::var",
    "std::env::var_os",
    "std::env::vars",
    "std::env::vars_os",
    "std::env::set_var",
    "std::env::remove_var",
    "std::env::current_dir",
    "std::env::set_current_dir",
    "std::env::current_exe",
    "std::env::temp_dir",
    "std::fs::canonicalize",
    "std::fs::copy",
    "std::fs::create_dir",
    "std::fs::create_dir_all",
    "std::fs::exists",
    "std::fs::hard_link",
    "std::fs::metadata",
    "std::fs::read",
    "std::fs::read_dir",
    "std::fs::read_link",
    "std::fs::read_to_string",
    "std::fs::remove_dir",
    "std::fs::remove_dir_all",
    "std::fs::remove_file",
    "std::fs::rename",
    "std::fs::set_permissions",
    "std::fs::soft_link",
    "std::fs::symlink_metadata",
    "std::fs::write",
    "std::os::unix::fs::symlink",
    "std::os::unix::fs::chroot",
    "std::os::unix::fs::chown",
    "std::os::unix::process::parent_id",
    "std::path::Path::canonicalize",
    "std::path::Path::exists",
    "std::path::Path::try_exists",
    "std::path::Path::is_dir",
    "std::path::Path::is_file",
    "std::path::Path::is_symlink",
    "std::path::Path::metadata",
    "std::path::Path::symlink_metadata",
    "std::path::Path::read_dir",
    "std::path::Path::read_link",
];
/// Types that do.
const TYPES: &[&str] = &[
    "std::process::Command",
    "std::process::Child",
    "std::process::Stdio",
    "std::io::Stdin",
    "std::io::StdinLock",
    "std::fs::File",
    "std::fs::OpenOptions",
    "std::fs::DirBuilder",
    "std::fs::ReadDir",
    "std::net::TcpStream",
    "std::net::TcpListener",
    "std::net::UdpSocket",
    "std::os::unix::net::UnixStream",
    "std::os::unix::net::UnixListener",
    "std::os::unix::net::UnixDatagram",
    "std::os::fd::OwnedFd",
    "std::os::fd::BorrowedFd",
];
/// Macros that do.
const MACROS: &[&str] = &[
    "std::include",
    "std::include_str",
    "std::include_bytes",
    "std::env",
    "std::option_env",
    "std::arch::asm",
    "std::arch::global_asm",
];
/// What the compiler of a learner's library is told besides.
const FLAGS: &str = "-A clippy::all -A warnings -F clippy::disallowed_methods \
                     -F clippy::disallowed_types -F clippy::disallowed_macros -F unsafe_code";
/// How clippy begins when it finds one.
const FOUND: &str = "use of a disallowed ";

/// Writes clippy's configuration and the stand-in for the compiler into a folder; gives the path of
/// the stand-in.
///
/// # Errors
/// They cannot be written.
pub(crate) fn write(folder: &Path, driver: &Path) -> Result<std::path::PathBuf> {
    let why = || format!("{} cannot be written", folder.display());
    fs::create_dir_all(folder).with_context(why)?;
    fs::write(folder.join("clippy.toml"), text()).with_context(why)?;
    let script = format!(
        "#!/bin/sh\n\
         # Cargo calls it with the compiler and its arguments. Only a library is the learner's.\n\
         case \" $* \" in\n\
         *' --crate-type lib '*) exec {} \"$@\" {FLAGS} ;;\n\
         *) exec \"$@\" -A warnings ;;\n\
         esac\n",
        quoted(driver)
    );
    let path = folder.join("compiler");
    program(&path, &script)?;
    Ok(path)
}

/// clippy's configuration.
pub(crate) fn text() -> String {
    let mut text = format!("# {FLAGS}\n");
    for (key, paths) in [
        ("disallowed-methods", METHODS),
        ("disallowed-types", TYPES),
        ("disallowed-macros", MACROS),
    ] {
        let _ = writeln!(text, "{key} = [");
        for path in paths {
            let _ = writeln!(text, "    {{ path = \"{path}\", allow-invalid = true }},");
        }
        let _ = writeln!(text, "]");
    }
    text
}

/// Writes a shell script that can be run.
///
/// # Errors
/// It cannot be written.
pub(crate) fn program(path: &Path, script: &str) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;

    let why = || format!("{} cannot be written", path.display());
    // The same script twice keeps its time, and cargo what it built.
    if fs::read_to_string(path).is_ok_and(|there| there == script) {
        return Ok(());
    }
    fs::write(path, script).with_context(why)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).with_context(why)
}

/// A path as one word of the shell.
pub(crate) fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

/// Why the library is refused, if this line of the compiler's says so.
pub(crate) fn refusal(line: &str) -> Option<String> {
    if let Some(what) = line.strip_prefix(FOUND) {
        let name = what.split('`').nth(1)?;
        let kind = what.split(' ').next().unwrap_or_default();
        let verb = if kind == "method" { "calls" } else { "uses" };
        let bang = if kind == "macro" { "!" } else { "" };
        let place = what
            .rsplit_once(" (")
            .map(|(_, place)| place.trim_end_matches(')'));
        let place = place.map(|place| format!("{place} ")).unwrap_or_default();
        return Some(format!(
            "{place}{verb} `{name}{bang}`, which no exercise needs."
        ));
    }
    let lint = ["clippy::disallowed", "unsafe_code"];
    if line.contains("incompatible with previous forbid")
        && lint.iter().any(|lint| line.contains(lint))
    {
        return Some("it switches a check off, which no exercise needs.".to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clippy_finds_is_said_in_the_learners_words() {
        assert_eq!(
            refusal("use of a disallowed method `std::process::exit` (src/lib.rs:7)").unwrap(),
            "src/lib.rs:7 calls `std::process::exit`, which no exercise needs."
        );
        assert_eq!(
            refusal("use of a disallowed macro `std::env` (src/lib.rs:7)").unwrap(),
            "src/lib.rs:7 uses `std::env!`, which no exercise needs."
        );
        assert!(refusal("mismatched types (src/lib.rs:7)").is_none());
        assert!(
            refusal("allow(clippy::disallowed_methods) incompatible with previous forbid")
                .is_some()
        );
    }

    #[test]
    fn a_path_is_one_word() {
        assert_eq!(quoted(Path::new("/a b/it's")), r"'/a b/it'\''s'");
    }
}
