//! `cargo book check`: a sound book is counted, and each kind of fault is found at its page and line.

mod project;

use project::Project;

/// The fault that the book has after `text` was added to `book/preface.md` (three lines long).
fn fault(text: &str) -> String {
    let project = Project::new();
    let page = project.read("book/preface.md");
    project.write("book/preface.md", &format!("{page}\n{text}\n"));
    let said = project.bad(&["check"]);
    assert!(said.ends_with("1 fault.\n"), "{said}");
    said
}

#[test]
fn a_sound_book_is_counted() {
    let said = Project::new().good(&["check"]);
    assert!(said.starts_with("Sound: 2 pages, "), "{said}");
    assert!(
        said.contains(" 1 code fences, 1 of them listings."),
        "{said}"
    );
}

#[test]
fn it_leaves_nothing_in_the_project() {
    let project = Project::new();
    project.good(&["check"]);
    assert!(!project.path().join("target").exists());
}

#[test]
fn links_files_and_fragments() {
    for (text, words) in [
        (
            "[x](02-b/index.md)",
            [
                "book/preface.md:5:",
                "02-b/index.html, which does not exist",
            ],
        ),
        (
            "[x](01-a/index.md#furst)",
            ["book/preface.md:5:", "#furst, which 01-a/index.html does"],
        ),
        (
            "[x](01-a/index.md#firs)",
            ["book/preface.md:5:", "perhaps #first was meant"],
        ),
        (
            "[x](#nowhere)",
            [
                "book/preface.md:5:",
                "#nowhere, which preface.html does not have",
            ],
        ),
        (
            "<img src=\"gone.svg\" alt=\"\">",
            ["book/preface.md:5:", "gone.svg, which does not"],
        ),
        (
            "<svg><use href=\"#gone\"/></svg>",
            ["book/preface.md:5:", "#gone, which preface.html"],
        ),
        (
            "<a href=\"javascript:x()\">x</a>",
            ["book/preface.md:5:", "is not an address"],
        ),
        (
            "<p id=\"a\"></p><p id=\"a\"></p>",
            ["book/preface.md:5:", "the id `a` stands"],
        ),
    ] {
        let said = fault(text);
        for word in words {
            assert!(said.contains(word), "`{word}` is missing in:\n{said}");
        }
    }
}

#[test]
fn no_request_leaves_a_page() {
    for text in [
        "<img src=\"https://cdn.example/x.png\" alt=\"\">",
        "<script src=\"//cdn.example/x.js\"></script>",
        "<style>p { background: url(https://cdn.example/x.png) }</style>",
        "<link rel=\"stylesheet\" href=\"http://cdn.example/x.css\">",
    ] {
        let said = fault(text);
        assert!(
            said.contains("from another site") && said.contains("preface.md:5:"),
            "{said}"
        );
    }
    // A link that the reader follows is no request of the page.
    let project = Project::new();
    project.write(
        "book/preface.md",
        "# P\n\n[x](https://example.org/y#z), <me@example.org>\n",
    );
    project.good(&["check"]);
}

#[test]
fn scripts_and_styles_of_the_book_are_looked_into() {
    let project = Project::new();
    project.write(
        "book/widget.js",
        "export {};\nimport('https://cdn.example/x.js');\n",
    );
    project.replace(
        "book/theme/code.css",
        "/* Code",
        "@import 'gone.css';\n/* Code",
    );
    let said = project.bad(&["check"]);
    assert!(
        said.contains("widget.js:2: this script asks another site"),
        "{said}"
    );
    assert!(
        said.contains("book/theme/gone.css, which does not exist"),
        "{said}"
    );
}

#[test]
fn includes_are_checked_without_a_build() {
    let project = Project::new();
    project.replace("book/01-a/index.md", ":f}}", ":g}}");
    let said = project.bad(&["check"]);
    assert!(said.contains("book/01-a/index.md:4: chapters-code/01-a/src/lib.rs has no anchor `g`"));
    assert!(
        said.contains("The pages were not built") && said.ends_with("1 fault.\n"),
        "{said}"
    );
}

#[test]
fn a_build_that_fails_hides_no_other_fault() {
    let project = Project::new();
    project.replace("book.toml", "book/theme/code.css", "book/theme/gone.css");
    project.write("book/preface.md", "# P\n\n```\n```\n");
    let said = project.bad(&["check"]);
    assert!(
        said.contains("book/theme/gone.css") && said.contains("book/preface.md:3:"),
        "{said}"
    );
    assert!(said.ends_with("2 faults.\n"), "{said}");
}

#[test]
fn fences_name_a_language_and_rust_is_compiled_or_says_why() {
    let said = fault("```\nx\n```");
    assert!(
        said.contains("book/preface.md:5: this code fence names no language"),
        "{said}"
    );
    let said = fault("```rust\nlet a = 1;\n```");
    assert!(said.contains("book/preface.md:5:") && said.contains("no crate tests this page"));
    let said = fault("```rust,ignore\nlet a = 1;\n```");
    assert!(said.contains("book/preface.md:5:") && said.contains("<!-- not compiled: REASON -->"));
}

#[test]
fn a_page_that_a_floor_takes_in_is_a_doctest() {
    let project = Project::new();
    project.write("book/preface.md", "# P\n\n```rust\nassert!(true);\n```\n");
    project.bad(&["check"]);
    let code =
        "#[cfg(doctest)]\n#[doc = include_str!(\"../../../book/preface.md\")]\nstruct Chapter;\n";
    project.write("chapters-code/01-a/src/chapter.rs", code);
    // The link to the fragment went with the page's text; nothing else is wrong.
    project.good(&["check"]);
}

#[test]
fn what_mdbook_only_logs_is_a_fault() {
    let said = fault("<div>never closed");
    assert!(said.contains("unclosed HTML tag"), "{said}");
}

#[test]
fn all_faults_are_listed_and_counted() {
    let project = Project::new();
    project.write(
        "book/preface.md",
        "# P\n\n[x](gone.md)\n\n```\n```\n\n[y](#gone)\n",
    );
    let said = project.bad(&["check"]);
    for line in [
        "book/preface.md:3:",
        "book/preface.md:5:",
        "book/preface.md:8:",
        "\n3 faults.\n",
    ] {
        assert!(said.contains(line), "`{line}` is missing in:\n{said}");
    }
}
