use std::path::Path;

use super::*;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn components() -> Components {
    Components::read(&workspace(), Path::new("book")).unwrap()
}

fn told(text: &str) -> Vec<String> {
    let faults = components().faults("book/a.md", text);
    faults.iter().map(ToString::to_string).collect()
}

#[test]
fn a_tag_becomes_the_element_with_its_data_and_its_still() {
    let components = components();
    let text = "# A\n\n<recorded-run program=\"empty\"></recorded-run>\n\nEnd.\n";
    let page = components.expand(Path::new("01-a/index.md"), text);
    assert!(page.starts_with(
        "# A\n\n<recorded-run program=\"empty\" data-run=\"../runs/empty.json\">\n<figure class=\"still"
    ));
    assert!(
        page.ends_with("</figure>\n</recorded-run>\n\nEnd.\n"),
        "{page}"
    );
    // An empty line would end the element, as markdown sees it.
    let element = &page["# A\n\n".len()..page.len() - "\n\nEnd.\n".len()];
    assert!(!element.contains("\n\n"));
    for phase in ["run:main", "asyncgens", "executor"] {
        assert_eq!(element.matches(&format!("<code>{phase}</code>")).count(), 2);
    }
    assert_eq!(
        element.matches("<title>").count(),
        7,
        "the picture, and six handles"
    );
    assert!(
        !page.contains(" id="),
        "the print page repeats every element"
    );
}

#[test]
fn each_component_has_a_still() {
    let components = components();
    for (tag, holds) in [
        (
            "<turn-stepper program=\"six-steps\"></turn-stepper>",
            "call:coffee",
        ),
        ("<loop-map></loop-map>", "_timer_cancelled_count</text>"),
        ("<loop-map></loop-map>", "<dt>6 call</dt>"),
        ("<responsiveness-lab></responsiveness-lab>", "3 × 300 ms"),
        (
            "<watch-it-run program=\"two-workers rude-task rude-offloaded\"></watch-it-run>",
            "runs/two-workers.json runs/rude-task.json runs/rude-offloaded.json",
        ),
        (
            "<loop-room></loop-room>",
            "<a href=\"runs/pulse-yielding.json\">",
        ),
    ] {
        assert!(components.faults("a.md", tag).is_empty(), "{tag}");
        let page = components.expand(Path::new("a.md"), tag);
        assert!(page.contains(holds), "{tag}: {page}");
        assert!(page.contains("class=\"still"), "{tag}");
    }
}

#[test]
fn a_choice_of_the_grid_is_the_one_of_the_table() {
    let lab =
        "<responsiveness-lab kind=\"blocking\" chunk=\"20\" tasks=\"5\"></responsiveness-lab>";
    let page = components().expand(Path::new("a.md"), lab);
    assert!(page.contains("A pulse every 10 ms beside 5 × 1 s of work in chunks of 20 ms"));
    assert!(page.contains("1 × 5000 ms"));
    assert!(page.contains("beside a worker that blocks and never yields"));
}

#[test]
fn what_is_wrong_is_told_with_its_line_and_what_to_do() {
    for (text, line, what, remedy) in [
        (
            "a\n\n<recorded-run program=\"emty\"></recorded-run>\n",
            3,
            "names a program `emty`, which runs/programs.json does not have",
            "write one of two-workers, ",
        ),
        (
            "<recorded-run></recorded-run>\n",
            1,
            "needs one program and has 0",
            "write program=",
        ),
        (
            "<watch-it-run program=\"sleep\"></watch-it-run>",
            1,
            "needs three programs and has 1",
            "with three programs",
        ),
        (
            "<loop-map program=\"sleep\"></loop-map>",
            1,
            "an unknown attribute `program`",
            "take it out; it has none",
        ),
        (
            "<turn-stepper program=\"sleep\" turn=\"0\"></turn-stepper>",
            1,
            "the turn `0` of sleep",
            "write a turn from 1 to 8",
        ),
        (
            "<responsiveness-lab chunk=\"30\"></responsiveness-lab>",
            1,
            "chunk=\"30\", which is not in the grid",
            "10, 20, 50, 100, 200",
        ),
        (
            "<turn-steper></turn-steper>",
            1,
            "no component <turn-steper>",
            "turn-stepper",
        ),
        (
            "See <loop-map></loop-map> here.",
            1,
            "not written as a component is",
            "line of its own",
        ),
        (
            "<loop-map>",
            1,
            "not written as a component is",
            "line of its own",
        ),
    ] {
        let told = told(text);
        assert_eq!(told.len(), 1, "{text}: {told:?}");
        assert!(
            told[0].starts_with(&format!("book/a.md:{line}: ")),
            "{}",
            told[0]
        );
        assert!(told[0].contains(what), "{}", told[0]);
        assert!(told[0].contains(remedy), "{}", told[0]);
    }
}

#[test]
fn a_tag_in_code_is_text() {
    for text in [
        "```html\n<no-such></no-such>\n```\n",
        "Write `<no-such>` there.\n",
    ] {
        assert!(told(text).is_empty(), "{text}");
        assert_eq!(components().expand(Path::new("a.md"), text), text);
    }
}

#[test]
fn the_files_are_written_once_and_those_of_others_stay() {
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("book/runs");
    fs::create_dir_all(&runs).unwrap();
    let programs = workspace().join("book").join(PROGRAMS);
    fs::copy(programs, runs.join("programs.json")).unwrap();
    fs::write(runs.join("gone.json"), "").unwrap();
    let components = Components::read(dir.path(), Path::new("book")).unwrap();
    components.write().unwrap();
    assert!(runs.join("empty.json").exists() && runs.join("responsiveness.json").exists());
    assert!(runs.join("programs.json").exists() && !runs.join("gone.json").exists());
    let written = || {
        fs::metadata(runs.join("empty.json"))
            .unwrap()
            .modified()
            .unwrap()
    };
    let before = written();
    components.write().unwrap();
    assert_eq!(
        written(),
        before,
        "a file that is the same is not written again"
    );
}

#[test]
fn a_gallery_with_a_mistake_names_the_program() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("book/runs")).unwrap();
    let wrong = r#"[{"name": "a", "title": "A", "desc": "a", "level": 1, "mode": "loop", "script": [["nap"]]}]"#;
    fs::write(dir.path().join("book").join(PROGRAMS), wrong).unwrap();
    let fault = Components::read(dir.path(), Path::new("book"))
        .err()
        .unwrap()
        .to_string();
    assert!(
        fault.starts_with("book/runs/programs.json: program a: script[0]: unknown op"),
        "{fault}"
    );
}
