//! The tests of an exercise, read as source: each ends with `lesson::passed();`, and none looks at
//! the wall clock.

use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned as _;
use syn::{Attribute, Expr, Item, ItemFn, Stmt};

/// A fault of a source file: its line, what is wrong, what to do.
type Found = (usize, String, &'static str);

/// What is wrong in a file of tests.
pub(crate) fn faults(text: &str) -> Vec<Found> {
    let mut faults = Vec::new();
    match syn::parse_file(text) {
        Err(error) => {
            let line = error.span().start().line;
            faults.push((line, format!("this is no Rust ({error})"), "mend it"));
        }
        Ok(file) => items(&file.items, &mut faults),
    }
    if let Ok(tokens) = text.parse() {
        clocks(tokens, &mut faults);
    }
    faults
}

fn items(all: &[Item], faults: &mut Vec<Found>) {
    for item in all {
        match item {
            Item::Fn(function) if function.attrs.iter().any(is_test) => test(function, faults),
            Item::Mod(module) => {
                if let Some((_, inside)) = &module.content {
                    items(inside, faults);
                }
            }
            _ => {}
        }
    }
}

fn is_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("test")
}

fn test(function: &ItemFn, faults: &mut Vec<Found>) {
    let name = &function.sig.ident;
    for attribute in &function.attrs {
        if attribute.path().is_ident("ignore") || attribute.path().is_ident("should_panic") {
            let line = attribute.span().start().line;
            let what = format!("the test {name} is ignored, or wants a panic");
            faults.push((
                line,
                what,
                "take the attribute away: each test has to run and to pass",
            ));
        }
    }
    if !function.block.stmts.last().is_some_and(is_passed) {
        let line = function.block.span().end().line;
        let what = format!("the test {name} does not end with `lesson::passed();`");
        faults.push((line, what, "write it as its last statement"));
    }
}

fn is_passed(statement: &Stmt) -> bool {
    let Stmt::Expr(Expr::Call(call), _) = statement else {
        return false;
    };
    let Expr::Path(function) = &*call.func else {
        return false;
    };
    let words = function
        .path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string());
    call.args.is_empty() && words.eq(["lesson", "passed"])
}

/// Finds clocks and sleeps in the tokens, so that macros hide nothing. A `sleep` of the loop's own
/// is welcome: it takes virtual time.
fn clocks(tokens: TokenStream, faults: &mut Vec<Found>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => clocks(group.stream(), faults),
            TokenTree::Ident(ident) if *ident == "Instant" || *ident == "SystemTime" => {
                let line = ident.span().start().line;
                let what = format!("`{ident}` looks at the wall clock");
                faults.push((
                    line,
                    what,
                    "use `lesson::virtual_loop()` and the order of events",
                ));
            }
            TokenTree::Ident(ident) if *ident == "thread" => {
                // `thread::sleep`, or `thread::{spawn, sleep}` in a `use`.
                let sleeps = match trees.get(at + 3) {
                    Some(TokenTree::Ident(next)) => *next == "sleep",
                    Some(TokenTree::Group(group)) => group
                        .stream()
                        .into_iter()
                        .any(|tree| matches!(tree, TokenTree::Ident(ident) if ident == "sleep")),
                    _ => false,
                };
                if is_path(&trees, at + 1) && sleeps {
                    let line = ident.span().start().line;
                    let what = "`thread::sleep` makes the test wait".to_owned();
                    faults.push((line, what, "let the virtual clock move instead"));
                }
            }
            _ => {}
        }
    }
}

fn is_path(trees: &[TokenTree], at: usize) -> bool {
    let colon = |tree: Option<&TokenTree>| matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    colon(trees.get(at)) && colon(trees.get(at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        faults(text).into_iter().map(|(line, ..)| line).collect()
    }

    #[test]
    fn a_test_ends_with_its_token() {
        assert!(lines("#[test]\nfn a() {\n    b();\n    lesson::passed();\n}\n").is_empty());
        assert!(lines("fn helper() {\n    b();\n}\n").is_empty());
        assert_eq!(
            lines("#[test]\nfn a() {\n    lesson::passed();\n    b();\n}\n"),
            [5]
        );
        assert_eq!(lines("mod m {\n#[test]\nfn a() {}\n}\n"), [3]);
        assert_eq!(
            lines("#[test]\n#[ignore]\nfn a() { lesson::passed(); }\n"),
            [2]
        );
        assert_eq!(lines("fn a( {\n"), [1]);
    }

    #[test]
    fn no_clock_hides_in_a_macro_or_an_import() {
        assert_eq!(lines("use std::time::Instant;\n"), [1]);
        assert_eq!(
            lines("fn a() {\n    assert!(Instant::now() > b);\n}\n"),
            [2]
        );
        assert_eq!(lines("use std::thread::{self, sleep};\n"), [1]);
        assert_eq!(lines("fn a() {\n\n    std::thread::sleep(b);\n}\n"), [3]);
        assert!(lines("fn a() { wakeup::sleep(b); thread::spawn(sleep); }\n").is_empty());
    }
}
