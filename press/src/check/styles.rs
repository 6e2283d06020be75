//! The addresses in stylesheets, and outside requests in the book's own scripts.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use anyhow::{Context, Result};
use regex::Regex;

use super::Counts;
use super::address::{Address, resolve};
use crate::fault::Fault;
use crate::output::{extension, files_below};

static URL: LazyLock<Regex> = LazyLock::new(|| {
    let quoted = r#"(?:"([^"]*)"|'([^']*)')"#;
    Regex::new(&format!(
        r"url\(\s*(?:{quoted}|([^'\x22)\s][^)]*?))\s*\)|@import\s+{quoted}"
    ))
    .expect("the pattern is fixed")
});

/// A script that asks another site: `import('https://…')`, `fetch("//…")`, `from 'https://…'`.
static REQUEST: LazyLock<Regex> = LazyLock::new(|| {
    let calls = r"fetch|import|importScripts|Worker|EventSource|WebSocket|sendBeacon";
    Regex::new(&format!(
        r#"(?:\b(?:{calls})\s*\(|\b(?:from|import)\s|\.(?:src|href)\s*=)\s*["'`](?:(?:https?|wss?):)?//"#
    ))
    .expect("the pattern is fixed")
});

/// mdBook's own scripts: their names are fixed, but for the hash in the middle. `book.js` holds
/// the playground's address and asks it only where `runnable` is on.
static OF_MDBOOK: LazyLock<Regex> = LazyLock::new(|| {
    let names = "book|clipboard|elasticlunr|highlight|mark|searcher|searchindex|toc";
    Regex::new(&format!(r"^(?:{names})(?:-[0-9a-f]+)?(?:\.min)?\.js$"))
        .expect("the pattern is fixed")
});

/// The addresses in a piece of CSS.
pub(crate) fn addresses(css: &str) -> impl Iterator<Item = &str> {
    URL.captures_iter(css)
        .filter_map(|found| found.iter().skip(1).flatten().next())
        .map(|address| address.as_str())
}

/// Looks through the stylesheets and scripts of the book built in `folder`.
pub(crate) fn faults(
    folder: &Path,
    counts: &mut Counts,
    faults: &mut BTreeSet<Fault>,
) -> Result<()> {
    let why = || format!("the built book in {} cannot be read", folder.display());
    let files = files_below(folder).with_context(why)?;
    for file in &files {
        let is_style = extension(file) == "css";
        let is_script = ["js", "mjs"].contains(&extension(file));
        if !is_style && (!is_script || OF_MDBOOK.is_match(file)) {
            continue;
        }
        let text = fs::read_to_string(folder.join(file)).with_context(why)?;
        if is_script {
            for found in REQUEST.find_iter(&text) {
                let line = text[..found.start()].matches('\n').count() + 1;
                faults.insert(Fault::new(
                    file,
                    line,
                    "this script asks another site",
                    "keep a copy of what it needs in the book: no request leaves a page",
                ));
            }
            continue;
        }
        for address in addresses(&text) {
            counts.resources += 1;
            let remedy = "mend the stylesheet or add the file";
            match resolve(file, address) {
                Address::Data => {}
                Address::Inside { file: target, .. } if files.contains(&target) => {}
                Address::Inside { file: target, .. } => {
                    let what = format!("the style asks for {target}, which does not exist");
                    faults.insert(Fault::new(file, None, what, remedy));
                }
                Address::Outside | Address::Bad => {
                    let what = format!("the style asks another site: {address}");
                    faults.insert(Fault::new(file, None, what, "keep a copy in the book"));
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_in_each_form() {
        let css = "@import 'a.css'; b { background: url(c.png) } d { src: url( \"e f.woff2\" ) }";
        assert_eq!(
            addresses(css).collect::<Vec<_>>(),
            ["a.css", "c.png", "e f.woff2"]
        );
    }

    #[test]
    fn scripts_that_ask_another_site_are_found() {
        for asks in [
            "import('https://cdn.example/x.js')",
            "import x from \"https://cdn.example/x.js\"",
            "fetch(`//api.example/`)",
            "s.src = 'http://a.example/'",
        ] {
            assert!(REQUEST.is_match(asks), "{asks}");
        }
        for stays in [
            "import('./x.js')",
            "const ns = 'http://www.w3.org/2000/svg'",
            "fetch(url)",
        ] {
            assert!(!REQUEST.is_match(stays), "{stays}");
        }
    }
}
