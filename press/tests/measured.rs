//! What was measured, in the built book: the record lies beside the pages, and the reader's own
//! figures stay out of every book but the one that is served to them.

mod project;

use project::{Project, workspace};

/// The project with a record of its own chapter, and one of the reader's machine.
fn project() -> Project {
    let project = Project::new();
    let record = std::fs::read_to_string(workspace().join("book/measured/counter.json")).unwrap();
    project.write("book/measured/counter.json", &record);
    project.write("target/measured/counter.json", &record);
    let page = project.read("book/01-a/index.md");
    project.write(
        "book/01-a/index.md",
        &format!("{page}\n## Measure it\n\n{{{{#measured counter}}}}\n\nSo {{{{#figure counter/yield-only/ours}}}}.\n"),
    );
    project
}

#[test]
fn the_record_is_copied_and_the_book_is_sound() {
    let project = project();
    let said = project.good(&["check"]);
    assert!(said.starts_with("Sound: 2 pages, "), "{said}");
    project.good(&["build", "--out", "out"]);
    let record = project.read("book/measured/counter.json");
    assert_eq!(project.read("out/measured/counter.json"), record);
    let page = project.read("out/01-a/index.html");
    for part in [
        "<figure class=\"plot\">",
        "table class=\"measured",
        "../measured/counter.json",
        "\u{a0}ns.",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("{{#"), "a directive is left");
}

#[test]
fn a_book_that_is_built_knows_nothing_of_the_readers_machine() {
    let project = project();
    project.good(&["build", "--out", "out"]);
    for page in ["out/01-a/index.html", "out/print.html"] {
        let page = project.read(page);
        assert!(!page.contains("your machine</th>"), "{page}");
    }
}

#[test]
fn a_table_typed_by_hand_and_an_unknown_row_are_faults() {
    let project = project();
    project.replace(
        "book/01-a/index.md",
        "{{#measured counter}}",
        "{{#measured counter rows=\"walk\"}}\n\n| a | b |\n|---|---|\n| 1 | 2 |",
    );
    let said = project.bad(&["check"]);
    assert!(
        said.contains("book/01-a/index.md:13: the record of counter has no row `walk`"),
        "{said}"
    );
    assert!(
        said.contains("book/01-a/index.md:15: this table of what was measured is typed by hand"),
        "{said}"
    );
}

#[test]
fn an_old_record_is_a_fault() {
    let project = project();
    project.replace(
        "book/measured/counter.json",
        "six-steps record 1",
        "six-steps record 0",
    );
    let said = project.bad(&["check"]);
    assert!(
        said.contains("book/measured/counter.json:2: this record has the format"),
        "{said}"
    );
    assert!(
        said.contains("cargo course measure counter --save"),
        "{said}"
    );
}
