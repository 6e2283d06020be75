//! What a file is refused for before anything is built, and what an instructor should look at.
//!
//! It looks at tokens, not at text: a word in a comment or a string is none, a word inside a macro
//! is one. What a path stands for is the compiler's to know: see `rules.rs`.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Words that no exercise needs, wherever they stand, and what each would do.
const WORDS: &[(&str, &str)] = &[
    ("unsafe", "uses `unsafe`, which no exercise needs"),
    ("include", "uses `include!`, which reads other files"),
    (
        "include_str",
        "uses `include_str!`, which reads other files",
    ),
    (
        "include_bytes",
        "uses `include_bytes!`, which reads other files",
    ),
    ("asm", "uses `asm!`, which no exercise needs"),
    ("global_asm", "uses `global_asm!`, which no exercise needs"),
    ("naked_asm", "uses `naked_asm!`, which no exercise needs"),
];
/// Attributes, also inside `cfg_attr` and `unsafe(…)`.
const ATTRIBUTES: &[(&str, &str)] = &[
    ("path", "has a `#[path]`, which reads other files"),
    (
        "no_mangle",
        "has a `#[no_mangle]`, which replaces other code",
    ),
    (
        "export_name",
        "has an `#[export_name]`, which replaces other code",
    ),
    (
        "link_section",
        "has a `#[link_section]`, which runs before the tests",
    ),
    ("link", "has a `#[link]`, which brings in other code"),
    ("used", "has a `#[used]`, which no exercise needs"),
    (
        "global_allocator",
        "has a `#[global_allocator]`, which replaces other code",
    ),
    (
        "panic_handler",
        "has a `#[panic_handler]`, which replaces other code",
    ),
    ("macro_use", "has a `#[macro_use]`, which no exercise needs"),
    ("no_std", "has a `#![no_std]`, which no exercise needs"),
    ("no_core", "has a `#![no_core]`, which no exercise needs"),
    ("no_main", "has a `#![no_main]`, which no exercise needs"),
    ("feature", "has a `#![feature]`, which no exercise needs"),
    (
        "recursion_limit",
        "has a `#![recursion_limit]`, which no exercise needs",
    ),
    (
        "type_length_limit",
        "has a `#![type_length_limit]`, which no exercise needs",
    ),
];
/// Words for a human eye: each has good uses, and bad ones.
const SUSPICIOUS: &[(&str, &str)] = &[
    ("type_name", "can tell who calls"),
    ("type_name_of_val", "can tell who calls"),
    ("TypeId", "can tell who calls"),
    ("caller", "can tell who calls"),
    ("track_caller", "can tell who calls"),
    ("Backtrace", "can tell who calls"),
    ("catch_unwind", "can swallow a test's failure"),
    ("resume_unwind", "fails without a message"),
    ("stderr", "can print a failure that is none"),
    ("thread", "can tell which test runs, or outlive it"),
    ("sleep", "waits for the clock on the wall"),
    ("Instant", "reads the clock on the wall"),
    ("SystemTime", "reads the clock on the wall"),
    ("black_box", "hides work from the compiler"),
    ("leak", "keeps memory for ever"),
    ("forget", "keeps memory for ever"),
];

/// What was seen in a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Why it is not built; empty if it may be.
    pub(crate) refused: Vec<String>,
    /// What to look at, with the line.
    pub(crate) suspicious: Vec<String>,
    /// Whether it could be read as tokens at all. What could not and compiles all the same is not
    /// to be trusted.
    pub(crate) read: bool,
}

/// Looks at a file; what `stub`, the file as it was shipped, has as well is nothing to look at.
pub(crate) fn look(text: &str, stub: &str) -> Seen {
    // A mark of byte order at the start is the compiler's to skip.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Ok(tokens) = text.parse::<TokenStream>() else {
        return Seen::default();
    };
    let shipped = stub.parse::<TokenStream>().map(words).unwrap_or_default();
    let shipped: BTreeSet<String> = shipped.into_iter().map(|word| word.text).collect();
    let mut seen = Seen {
        read: true,
        ..Seen::default()
    };
    let mut said = BTreeSet::new();
    for word in words(tokens) {
        let name = word.text.as_str();
        let find = |list: &'static [(&str, &str)]| list.iter().find(|(of, _)| *of == name);
        let why = match find(WORDS) {
            Some((_, why)) => Some((*why).to_owned()),
            None if word.attribute => find(ATTRIBUTES).map(|(_, why)| (*why).to_owned()),
            None => word.other_code().map(str::to_owned),
        };
        if let Some(why) = why
            && said.insert(name.to_owned())
        {
            seen.refused.push(format!("line {} {why}", word.line));
        }
        if let Some((_, what)) = find(SUSPICIOUS)
            && !shipped.contains(name)
            && said.insert(name.to_owned())
        {
            seen.suspicious
                .push(format!("line {}: `{name}`, which {what}", word.line));
        }
    }
    seen
}

struct Word {
    text: String,
    line: usize,
    /// Whether it stands in the brackets of an attribute.
    attribute: bool,
    /// The token behind it.
    next: String,
}

impl Word {
    fn other_code(&self) -> Option<&'static str> {
        match (self.text.as_str(), self.next.as_str()) {
            ("extern", "crate") => Some("has an `extern crate`, which no exercise needs"),
            ("extern", _) => Some("declares `extern` code, which no exercise needs"),
            ("env" | "option_env", "!") => {
                Some("uses `env!`, which reads the grader's surroundings")
            }
            _ => None,
        }
    }
}

/// Every word, in order. Nesting is followed by a list and not by recursion: a file may nest as
/// deep as it is long.
fn words(tokens: TokenStream) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    let mut open = vec![(tokens.into_iter(), false)];
    // Whether the last tokens were `#` or `#!`: brackets behind them are an attribute.
    let mut hash = false;
    let mut waiting = false;
    while let Some((tokens, attribute)) = open.last_mut() {
        let attribute = *attribute;
        let Some(token) = tokens.next() else {
            open.pop();
            continue;
        };
        let mut note = |text: String| {
            if waiting && let Some(last) = found.last_mut() {
                last.next = text;
            }
            waiting = false;
        };
        match token {
            TokenTree::Ident(ident) => {
                let text = ident.to_string();
                let text = text.strip_prefix("r#").unwrap_or(&text).to_owned();
                note(text.clone());
                found.push(Word {
                    text,
                    line: ident.span().start().line,
                    attribute,
                    next: String::new(),
                });
                waiting = true;
                hash = false;
            }
            TokenTree::Punct(punct) => {
                note(punct.as_char().to_string());
                hash = punct.as_char() == '#' || (hash && punct.as_char() == '!');
            }
            TokenTree::Literal(_) => {
                note("\"\"".to_owned());
                hash = false;
            }
            TokenTree::Group(group) => {
                note("(".to_owned());
                let inner = attribute || (hash && group.delimiter() == Delimiter::Bracket);
                hash = false;
                open.push((group.stream().into_iter(), inner));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> Vec<String> {
        let seen = look(text, "");
        assert!(seen.read, "{text}");
        seen.refused
    }

    #[test]
    fn a_word_in_a_comment_or_a_string_is_none() {
        let text = "//! unsafe include_str!\n/// #[path = \"x\"]\nfn f() -> &'static str { \"unsafe env!()\" }\n";
        assert!(refused(text).is_empty());
        // These are good names.
        assert!(
            refused("fn f(path: u32, env: u32, link: u32) -> u32 { path + env + link }").is_empty()
        );
    }

    #[test]
    fn what_reads_or_replaces_other_code_is_refused_with_its_line() {
        for (text, what) in [
            (
                "\n#[path = \"../../x.rs\"] mod x;",
                "line 2 has a `#[path]`",
            ),
            ("#[cfg_attr(all(), path = \"x.rs\")] mod x;", "`#[path]`"),
            (
                "const X: &str = include_str!(\"/etc/passwd\");",
                "`include_str!`",
            ),
            ("use std::include_bytes as data;", "`include_bytes!`"),
            ("macro_rules! m { () => { unsafe { f() } } }", "`unsafe`"),
            ("const X: &str = env!(\"HOME\");", "`env!`"),
            ("const X: &str = core::r#env!(\"HOME\");", "`env!`"),
            ("extern crate core as x;", "`extern crate`"),
            ("extern \"C\" fn f() {}", "`extern` code"),
            ("#[unsafe(no_mangle)] fn f() {}", "`unsafe`"),
            ("#[no_mangle] fn f() {}", "`#[no_mangle]`"),
            (
                "#[link_section = \".init_array\"] static X: u8 = 0;",
                "`#[link_section]`",
            ),
            ("#![feature(start)]", "`#![feature]`"),
            (
                "#![recursion_limit = \"100000000\"]",
                "`#![recursion_limit]`",
            ),
        ] {
            let found = refused(text);
            assert!(
                found.iter().any(|why| why.contains(what)),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn what_was_shipped_is_nothing_to_look_at() {
        let text = "fn f() { std::thread::current(); std::panic::catch_unwind(g); }";
        let seen = look(text, "use std::thread;");
        assert_eq!(
            seen.suspicious,
            ["line 1: `catch_unwind`, which can swallow a test's failure"]
        );
        assert!(seen.refused.is_empty());
    }

    #[test]
    fn deep_nesting_is_no_danger() {
        let depth = 50_000;
        let text = format!("fn f() {{ {}{} }}", "(".repeat(depth), ")".repeat(depth));
        assert!(look(&text, "").refused.is_empty());
        assert!(!look("fn f( {", "").read);
    }
}
