//! The exercises of a chapter: listed on its page, and checked against its headings.

mod project;

use project::Project;

const PAGE: &str = "book/01-a/index.md";
const MANIFEST: &str = "exercises/course.toml";

#[test]
fn a_page_lists_its_exercises_with_their_commands() {
    let project = Project::new().with_exercise();
    project.good(&["build", "--out", "out"]);
    let page = project.read("out/01-a/index.html");
    let list = page
        .split("<ol class=\"exercises\">")
        .nth(1)
        .expect("there is no list");
    let list = list.split("</ol>").next().unwrap();
    for part in [
        "<strong>One <code>round</code></strong>",
        "<span class=\"facts\">complete a function, easy, 10 minutes</span>",
        "One round. The page explains it in <a href=\"#how-long-is-a-round\">",
        "$ cargo test -p the-round\n$ cargo course check the-round\n",
    ] {
        assert!(list.contains(part), "`{part}` is missing in:\n{list}");
    }
    assert!(!page.contains("{{exercises}}"));
}

#[test]
fn a_sound_list_is_no_fault() {
    let said = Project::new().with_exercise().good(&["check"]);
    assert!(said.starts_with("Sound: "), "{said}");
}

#[test]
fn page_and_manifest_have_to_agree() {
    for (file, from, to, fault) in [
        (
            PAGE,
            "{{exercises}}",
            "",
            "book/01-a/index.md: this page does not list its exercises (1)",
        ),
        (
            PAGE,
            "{{exercises}}",
            "{{exercises}}\n\n{{exercises}}",
            "book/01-a/index.md:17: the exercises are listed twice",
        ),
        (
            MANIFEST,
            "long is",
            "short is",
            "exercises/course.toml: the exercise the-round names a section",
        ),
        (
            MANIFEST,
            "01-a",
            "02-b",
            "exercises/course.toml: the exercise the-round belongs to 02-b",
        ),
    ] {
        let project = Project::new().with_exercise();
        project.replace(file, from, to);
        let said = project.bad(&["check"]);
        assert!(said.contains(fault), "`{fault}` is missing in:\n{said}");
    }
}

#[test]
fn a_manifest_that_cannot_be_read_is_one_error() {
    let project = Project::new().with_exercise();
    project.replace(MANIFEST, "minutes = 10", "minutes = ten");
    let said = project.bad(&["check"]);
    assert!(said.contains("exercises/course.toml: "), "{said}");
    let said = project.bad(&["build", "--out", "out"]);
    assert!(said.contains("exercises/course.toml: "), "{said}");
}
