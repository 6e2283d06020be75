//! Places in files, shown so that a terminal can open them.

use std::fmt::Write as _;
use std::path::Path;

use supports_hyperlinks::Stream;

use crate::libtest::Place;

/// `file:line`, a link where standard output is a terminal that follows links.
pub(crate) fn place(root: &Path, place: &Place) -> String {
    let shown = format!("{}:{}", place.file, place.line);
    // Terminals and editors take the fragment for the line.
    let target = format!("{}#{}", uri(&root.join(&place.file)), place.line);
    link(&target, shown)
}

/// A file, a link where standard output is a terminal that follows links.
pub(crate) fn file(root: &Path, file: &str) -> String {
    link(&uri(&root.join(file)), file.to_owned())
}

fn link(target: &str, shown: String) -> String {
    if supports_hyperlinks::on(Stream::Stdout) {
        format!("\u{1b}]8;;{target}\u{1b}\\{shown}\u{1b}]8;;\u{1b}\\")
    } else {
        shown
    }
}

fn uri(path: &Path) -> String {
    let mut uri = String::from("file://");
    for byte in path.to_string_lossy().bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            write!(uri, "%{byte:02X}").expect("a String takes everything");
        }
    }
    uri
}
