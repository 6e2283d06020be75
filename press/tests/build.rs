//! `cargo book build`: what it prints, where, and the one clear error for each thing that is wrong.

mod project;

use std::fs;

use project::Project;

/// Asserts that the run fails with one error that holds each of `words`, and that no book appears.
fn refused(project: &Project, arguments: &[&str], words: &[&str]) {
    let said = project.bad(arguments);
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
    for word in words {
        assert!(said.contains(word), "`{word}` is missing in:\n{said}");
    }
}

#[test]
fn a_page_has_its_listing_caption_and_note() {
    let project = Project::new();
    let said = project.good(&["build"]);
    assert!(said.starts_with("2 pages: "), "{said}");
    let page = project.read("target/book/01-a/index.html");
    assert!(
        page.contains("<code class=\"language-rust ignore\">fn f() {}</code>"),
        "{page}"
    );
    assert!(page.contains(
        "blob/main/chapters-code/01-a/src/lib.rs#L3-L3\">chapters-code/01-a/src/lib.rs</a> \
         <code>cargo test -p first</code>"
    ));
    assert!(page.contains("class=\"admonition admonish-note\""));
    assert!(
        page.contains("id=\"mdbook-search-toggle\""),
        "the book has no search"
    );
}

#[test]
fn it_works_from_a_folder_below() {
    let project = Project::new();
    project
        .press(&["build"])
        .current_dir(project.path().join("book/01-a"))
        .assert()
        .success();
    assert!(project.path().join("target/book/index.html").is_file());
}

#[test]
fn the_repository_comes_from_the_environment_where_it_is_set() {
    let project = Project::new();
    let name = "MDBOOK_OUTPUT__HTML__GIT_REPOSITORY_URL";
    project
        .press(&["build"])
        .env(name, "https://git.example/r")
        .assert()
        .success();
    let page = project.read("target/book/01-a/index.html");
    assert!(page.contains("\"https://git.example/r/blob/main/chapters-code/01-a/src/lib.rs"));
    assert!(!page.contains("github.com/six-steps"));
}

#[test]
fn out_may_be_new_or_empty_or_an_older_build() {
    let project = Project::new();
    fs::create_dir(project.path().join("empty")).unwrap();
    for out in ["new/deep", "empty", "empty", "book/../sideways"] {
        project.good(&["build", "--out", out]);
    }
    assert!(project.path().join("empty/index.html").is_file());
    assert!(project.path().join("sideways/index.html").is_file());
}

#[test]
fn a_folder_of_somebody_is_left_alone() {
    let project = Project::new();
    project.write("mine/thesis.txt", "years of work");
    refused(
        &project,
        &["build", "--out", "mine"],
        &["mine", "not a book that the press built"],
    );
    refused(
        &project,
        &["build", "--out", "."],
        &["not a book that the press built"],
    );
    assert_eq!(project.read("mine/thesis.txt"), "years of work");

    project.good(&["build", "--out", "site"]);
    project.write("site/CNAME", "example.org");
    refused(
        &project,
        &["build", "--out", "site"],
        &["CNAME", "the press did not put"],
    );
    assert_eq!(project.read("site/CNAME"), "example.org");
}

#[test]
fn an_impossible_folder_is_one_error() {
    let project = Project::new();
    refused(
        &project,
        &["build", "--out", "book.toml"],
        &["cannot build into", "book.toml"],
    );
    refused(
        &project,
        &["build", "--out", "book.toml/below"],
        &["cannot build into", "below"],
    );
    refused(
        &project,
        &["build", "--out", "book/out"],
        &["among the pages", "outside"],
    );
}

#[test]
fn a_build_that_fails_leaves_the_last_good_book() {
    let project = Project::new();
    project.good(&["build"]);
    let before = project.read("target/book/preface.html");
    project.write("book/preface.md", "# P\n\n{{#include gone.md}}\n");
    refused(
        &project,
        &["build"],
        &["book/preface.md:3: book/gone.md cannot be read"],
    );
    assert_eq!(project.read("target/book/preface.html"), before);
    let left: Vec<_> = fs::read_dir(project.path().join("target"))
        .unwrap()
        .collect();
    assert_eq!(left.len(), 1, "a folder was left behind: {left:?}");
}

#[test]
fn what_mdbook_finds_odd_is_said() {
    let project = Project::new();
    project.write("book/preface.md", "# P\n\n<div>never closed\n");
    let output = project
        .press(&["build"])
        .assert()
        .success()
        .get_output()
        .clone();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("unclosed HTML tag") && said.contains("preface.md"),
        "{said}"
    );
}

#[test]
fn a_missing_anchor_names_page_line_and_the_anchors_there_are() {
    let project = Project::new();
    project.replace("book/01-a/index.md", ":f}}", ":g}}");
    let words = ["book/01-a/index.md:4:", "no anchor `g`", "it has f"];
    refused(&project, &["build"], &words);
}

#[test]
fn a_wrong_key_in_book_toml_is_fatal() {
    for (from, to, words) in [
        (
            "default-theme",
            "defualt-theme",
            ["`output.html`", "`defualt-theme`"],
        ),
        (
            "limit-results",
            "limit-result",
            ["`limit-result`", "`limit-results`"],
        ),
        ("runnable", "runable", ["`runable`", "`runnable`"]),
        ("src = ", "source = ", ["`source`", "`src`"]),
        (
            "on_failure",
            "on_failur",
            ["`on_failur`", "preprocessor.admonish"],
        ),
        (
            "[output.html.fold]",
            "[output.pdf]",
            ["[output.pdf]", "[output.html] only"],
        ),
        (
            "before = [\"links\"]",
            "",
            ["[preprocessor.listings]", "before = [\"links\"]"],
        ),
        ("[book]", "[book", ["book.toml is not valid", "line 3"]),
    ] {
        let project = Project::new();
        project.replace("book.toml", from, to);
        refused(&project, &["build"], &words);
    }
}

#[test]
fn a_wrong_variable_is_told_from_a_wrong_file() {
    let project = Project::new();
    let output = project
        .press(&["build"])
        .env("MDBOOK_OUTPUT__HTML__NOPE", "1")
        .assert()
        .failure();
    let said = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(
        said.contains("MDBOOK_") && said.contains("`nope`"),
        "{said}"
    );
}

#[test]
fn outside_a_project_there_is_one_error() {
    let project = Project::new();
    fs::remove_file(project.path().join("book.toml")).unwrap();
    refused(
        &project,
        &["build"],
        &["no book.toml in", "inside the project"],
    );
    refused(&project, &["check"], &["no book.toml in"]);
    refused(
        &project,
        &["serve", "--no-open", "--port", "0"],
        &["no book.toml in"],
    );
}

#[test]
fn a_broken_summary_is_one_error() {
    for (summary, word) in [
        ("# Summary\n\n- [A](gone.md)\n", "gone.md"),
        ("# Summary\n\n- [A](preface.md\n", "line 3"),
        (
            "# Summary\n\n- [A](preface.md)\n\n[B](01-a/index.md)\n\n- [C](x.md)\n",
            "line 7",
        ),
    ] {
        let project = Project::new();
        project.write("book/SUMMARY.md", summary);
        refused(
            &project,
            &["build"],
            &["the pages cannot be loaded", "SUMMARY.md", word],
        );
    }
    let project = Project::new();
    fs::remove_file(project.path().join("book/SUMMARY.md")).unwrap();
    refused(
        &project,
        &["build"],
        &["the pages cannot be loaded", "SUMMARY.md"],
    );
    fs::remove_dir_all(project.path().join("book")).unwrap();
    refused(
        &project,
        &["build"],
        &["does not exist", "`src` in book.toml"],
    );
}
