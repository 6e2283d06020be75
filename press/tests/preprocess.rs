//! `cargo book preprocess NAME`: mdBook's protocol, so that an ordinary `mdbook build` prints the
//! same book.

mod project;

use project::Project;
use serde_json::{Value, json};

/// What mdBook 0.5.4 writes to a preprocessor for a book of one page.
fn input(project: &Project, content: &str) -> String {
    let context = json!({
        "root": project.path(),
        "config": {
            "book": { "authors": [], "language": "en", "src": "book" },
            "preprocessor": { "admonish": { "assets_version": "3.1.0" } },
            "output": { "html": { "git-repository-url": "https://git.example/r" } },
        },
        "renderer": "html",
        "mdbook_version": "0.5.4",
    });
    let book = json!({ "items": [{ "Chapter": {
        "name": "A",
        "content": content,
        "number": [1],
        "sub_items": [],
        "path": "01-a/index.md",
        "source_path": "01-a/index.md",
        "parent_names": [],
    }}]});
    json!([context, book]).to_string()
}

/// The page's content after the preprocessor `name`.
fn content(project: &Project, name: &str) -> String {
    let page = project.read("book/01-a/index.md");
    let output = project
        .press(&["preprocess", name])
        .write_stdin(input(project, &page))
        .assert()
        .success()
        .get_output()
        .clone();
    let book: Value = serde_json::from_slice(&output.stdout).unwrap();
    book["items"][0]["Chapter"]["content"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn html_is_supported_and_nothing_else() {
    let project = Project::new();
    for name in ["admonish", "listings"] {
        project
            .press(&["preprocess", name, "supports", "html"])
            .assert()
            .code(0)
            .stdout("");
        project
            .press(&["preprocess", name, "supports", "epub"])
            .assert()
            .code(1)
            .stdout("");
    }
}

#[test]
fn listings_come_back_expanded() {
    let got = content(&Project::new(), "listings");
    assert!(
        got.contains("```rust,ignore\nfn f() {}\n```\n\n<p class=\"listing-caption\">"),
        "{got}"
    );
    assert!(got.contains("https://git.example/r/blob/main/chapters-code/01-a/src/lib.rs#L3-L3"));
    assert!(
        got.contains("```admonish note"),
        "the other preprocessor's blocks stay"
    );
}

#[test]
fn admonish_blocks_come_back_as_html() {
    let got = content(&Project::new(), "admonish");
    assert!(got.contains("class=\"admonition admonish-note\""), "{got}");
    assert!(
        got.contains("{{#include"),
        "the other preprocessor's fences stay"
    );
}

#[test]
fn a_missing_file_fails_with_page_and_line() {
    let project = Project::new();
    project.replace("book/01-a/index.md", "lib.rs", "gone.rs");
    let page = project.read("book/01-a/index.md");
    let output = project
        .press(&["preprocess", "listings"])
        .write_stdin(input(&project, &page))
        .assert();
    let output = output.failure().code(1).stdout("").get_output().clone();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("book/01-a/index.md:4: chapters-code/01-a/src/gone.rs cannot"),
        "{said}"
    );
}

#[test]
fn what_is_not_a_book_is_one_error() {
    let project = Project::new();
    for nonsense in ["", "{}", "[1, 2]", "[{}, {}, {}]"] {
        let run = project
            .press(&["preprocess", "listings"])
            .write_stdin(nonsense)
            .assert();
        let output = run.failure().code(1).stdout("").get_output().clone();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.starts_with("error: stdin is not the book"), "{said}");
    }
}
