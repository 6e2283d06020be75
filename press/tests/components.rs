//! The visual components in a whole book: their run files, what stands in for them, and what the check
//! says of them.

mod project;

use std::fs;

use project::{Project, workspace};

const PAGE: &str = "book/01-a/index.md";

/// A project with the gallery, and a component on its first page.
fn with(tag: &str) -> Project {
    let project = Project::new();
    let programs = fs::read_to_string(workspace().join("book/runs/programs.json")).unwrap();
    project.write("book/runs/programs.json", &programs);
    let page = project.read(PAGE);
    project.write(PAGE, &format!("{page}\n{tag}\n"));
    project
}

#[test]
fn a_book_is_built_with_the_runs_that_its_components_load() {
    let project = with("<recorded-run program=\"sleep\"></recorded-run>");
    project.good(&["build", "--out", "ours"]);
    let page = project.read("ours/01-a/index.html");
    assert!(page.contains("data-run=\"../runs/sleep.json\""), "{page}");
    assert!(page.contains("<figure class=\"still diagram\">"));
    let run = project.read("ours/runs/sleep.json");
    assert!(
        run.starts_with("{\"format\":\"loop-run/1\",\"name\":\"sleep\""),
        "{run}"
    );
    assert!(
        project
            .read("ours/runs/responsiveness.json")
            .starts_with("{\"format\":\"loop-grid/1\"")
    );
    // The modules lie where the first script looks for them.
    assert!(project.path().join("ours/components/start.js").exists());
}

/// An ordinary `mdbook build` runs this verb, and copies what lies among the pages.
#[test]
fn the_preprocessor_alone_writes_the_runs_among_the_pages() {
    let project = with("<recorded-run program=\"sleep\"></recorded-run>");
    let config: serde_json::Value = serde_json::json!({
        "book": { "src": "book" },
        "output": { "html": {} },
    });
    let chapter = serde_json::json!({ "Chapter": {
        "name": "First", "content": project.read(PAGE), "number": null, "sub_items": [],
        "path": "01-a/index.md", "source_path": "01-a/index.md", "parent_names": [],
    }});
    let input = serde_json::json!([
        { "root": project.path(), "config": config, "renderer": "html", "mdbook_version": "0.5.4" },
        { "items": [chapter] },
    ]);
    let done = project
        .press(&["preprocess", "listings"])
        .write_stdin(input.to_string())
        .assert()
        .success();
    let book = String::from_utf8(done.get_output().stdout.clone()).unwrap();
    assert!(
        book.contains("data-run=\\\"../runs/sleep.json\\\""),
        "{book}"
    );
    assert!(project.path().join("book/runs/sleep.json").exists());
}

#[test]
fn the_check_follows_the_runs_of_every_component() {
    let project =
        with("<watch-it-run program=\"two-workers rude-task rude-offloaded\"></watch-it-run>");
    let said = project.good(&["check"]);
    assert!(said.starts_with("Sound: 2 pages"), "{said}");
}

#[test]
fn the_check_names_the_line_of_a_component_that_is_wrong() {
    let project = with("<recorded-run program=\"slep\"></recorded-run>");
    let line = project.read(PAGE).lines().count();
    for verb in ["check", "build"] {
        let said = project.bad(&[verb]);
        let fault = format!("{PAGE}:{line}: <recorded-run> names a program `slep`");
        assert!(said.contains(&fault), "{said}");
        assert!(
            said.contains("write one of two-workers, rude-task"),
            "{said}"
        );
        assert!(
            !said.contains("because: the book cannot be built"),
            "{said}"
        );
    }
}

/// Without a gallery a book has no components, and needs none.
#[test]
fn a_component_without_a_gallery_is_refused() {
    let project = Project::new();
    let page = project.read(PAGE);
    project.write(
        PAGE,
        &format!("{page}\n<recorded-run program=\"sleep\"></recorded-run>\n"),
    );
    let said = project.bad(&["build"]);
    assert!(
        said.contains("names a program `sleep`, which runs/programs.json does not have"),
        "{said}"
    );
}
