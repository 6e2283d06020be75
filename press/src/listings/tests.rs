use std::path::Path;

use super::*;

/// A project with one floor; the page stands at `book/01-a/index.md`.
fn project() -> (tempfile::TempDir, Place) {
    let dir = tempfile::tempdir().unwrap();
    let floor = dir.path().join("chapters-code/01-a");
    fs::create_dir_all(floor.join("src")).unwrap();
    fs::create_dir_all(dir.path().join("book/01-a")).unwrap();
    fs::write(floor.join("Cargo.toml"), "[package]\nname = \"a\"\n").unwrap();
    let code =
        "mod m {\n    // ANCHOR: f\n    fn f() {\n        g();\n    }\n    // ANCHOR_END: f\n}\n";
    fs::write(floor.join("src/lib.rs"), code).unwrap();
    let place = Place {
        root: dir.path().to_owned(),
        source: "book".into(),
        repository: None,
    };
    (dir, place)
}

fn expand(place: &Place, text: &str) -> String {
    place.expand(Path::new("01-a/index.md"), text).unwrap()
}

const CAPTION: &str = "<p class=\"listing-caption\"><span>chapters-code/01-a/src/lib.rs</span> \
                       <code>cargo test -p a</code></p>";
const INCLUDE: &str = "{{#include ../../chapters-code/01-a/src/lib.rs:f}}";

#[test]
fn a_listing_is_moved_left_and_captioned() {
    let (_dir, place) = project();
    let got = expand(
        &place,
        &format!("Text.\n\n```rust,ignore\n{INCLUDE}\n```\n\nMore.\n"),
    );
    let expected =
        format!("Text.\n\n```rust,ignore\nfn f() {{\n    g();\n}}\n```\n\n{CAPTION}\n\n\nMore.\n");
    assert_eq!(got, expected);
}

#[test]
fn a_listing_in_a_list_stays_in_the_list() {
    let (_dir, place) = project();
    let got = expand(
        &place,
        &format!("- One:\n\n  ```rust,ignore\n  {INCLUDE}\n  ```\n- Two\n"),
    );
    let expected = format!(
        "- One:\n\n  ```rust,ignore\n  fn f() {{\n      g();\n  }}\n  ```\n\n  {CAPTION}\n\n- Two\n"
    );
    assert_eq!(got, expected);
}

#[test]
fn a_listing_at_a_lists_mark_and_in_a_quotation_keeps_its_margin() {
    let (_dir, place) = project();
    let item = expand(&place, &format!("- ```rust,ignore\n  {INCLUDE}\n  ```\n"));
    assert!(item.starts_with("- ```rust,ignore\n  fn f() {\n"), "{item}");
    let quote = expand(&place, &format!("> ```rust,ignore\n> {INCLUDE}\n> ```\n"));
    assert!(
        quote.contains("\n> fn f() {\n>     g();\n> }\n> ```\n>\n> <p "),
        "{quote}"
    );
}

#[test]
fn what_is_not_a_listing_stays_as_it_is() {
    let (dir, place) = project();
    fs::write(dir.path().join("book/01-a/part.md"), "x\n").unwrap();
    for text in [
        format!("```rust,ignore\nlet a = 1;\n{INCLUDE}\n```\n"),
        "```text\n{{#include part.md}}\n```\n".to_owned(),
        format!("```text\n\\{INCLUDE}\n```\n"),
        "No code at all.\n".to_owned(),
    ] {
        assert_eq!(expand(&place, &text), text);
    }
}

#[test]
fn code_with_fences_and_directives_in_it_stays_code() {
    let (dir, place) = project();
    let code = "// ANCHOR: f\n/// ```\n````\n// {{#include x}}\n// ANCHOR_END: f\n";
    fs::write(dir.path().join("chapters-code/01-a/src/lib.rs"), code).unwrap();
    let got = expand(&place, &format!("```rust,ignore\n{INCLUDE}\n```\n"));
    assert!(
        got.starts_with("`````rust,ignore\n/// ```\n````\n// \\{{#include x}}\n`````\n"),
        "{got}"
    );
}

#[test]
fn each_missing_thing_is_a_fault_with_its_line() {
    let (_dir, place) = project();
    let text = "A\n\n```rust,ignore\n{{#include ../../chapters-code/01-a/src/lib.rs:g}}\n```\n\
                {{#include gone.md}}\n{{#include ../../../x.rs}}\n{{#include /etc/passwd}}\n";
    let faults = place.faults(Path::new("01-a/index.md"), text);
    let lines: Vec<_> = faults.iter().map(|fault| fault.line.unwrap()).collect();
    assert_eq!(lines, [4, 6, 7, 8]);
    assert!(
        faults[0].what.contains("no anchor `g` (it has f)"),
        "{}",
        faults[0]
    );
    assert!(
        faults[1].what.contains("book/01-a/gone.md cannot be read"),
        "{}",
        faults[1]
    );
    assert!(
        faults[2].what.contains("outside the project"),
        "{}",
        faults[2]
    );
    assert!(
        faults
            .iter()
            .all(|fault| fault.page == "book/01-a/index.md")
    );
}

#[test]
fn the_blank_line_that_trycmd_wants_is_not_printed() {
    let (_dir, place) = project();
    let got = expand(&place, "```console\n$ cargo x\nok\n\n```\n\nMore.\n");
    assert_eq!(got, "```console\n$ cargo x\nok\n```\n\nMore.\n");
    let item = expand(&place, "- a\n\n  ```console\n  $ cargo x\n\n  ```\n");
    assert_eq!(item, "- a\n\n  ```console\n  $ cargo x\n  ```\n");
}
