mod fixture;

use std::path::Path;

use serde_json::json;

use super::*;
use fixture::{book, ratio, record, side};

fn expanded(text: &str) -> String {
    let (_root, measured) = book(&record(), None);
    measured
        .unwrap()
        .expand(Path::new("01-first/index.md"), text)
}

fn fault(text: &str) -> String {
    let (_root, measured) = book(&record(), None);
    let faults = measured.unwrap().faults("page.md", text);
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults[0].to_string()
}

#[test]
fn a_directive_becomes_a_plot_and_a_table() {
    let html = expanded("Before.\n\n{{#measured first rows=\"wide\"}}\n\nAfter.\n");
    for part in [
        "Before.\n\n<div class=\"measured\">",
        "<svg role=\"img\"",
        "<title>Nanoseconds, on a logarithmic axis: one row</title>",
        "<desc>A group of bars for each of wide &lt;row&gt;;",
        "ours, boxed</text>",
        "<th scope=\"col\">CPython here</th>",
        "<code>wide</code> &lt;row&gt; <small>per await</small>",
        "data-label=\"article\">90.8</td>",
        "<span>91.4<small>90.0 to 95.5</small></span>",
        "CPython <b>100\u{a0}×</b>\u{a0}static <small>50 to 110</small>",
        "<b>Holds here:</b> Ours is less: 9 times.",
        "uvloop: no uvloop was found.",
        "load 12 on 2 cores",
        "read the ratios before the figures",
        "href=\"../measured/first.json\"",
        "href=\"https://x.y/z/blob/main/chapters-code/01-first/rows.toml\"",
        "<code>cargo course measure first</code>",
        "</div>\n\nAfter.\n",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    let block = &html[html.find("<div").unwrap()..html.rfind("</div>").unwrap()];
    assert!(
        !block.contains("\n\n"),
        "an empty line ends the HTML: {block}"
    );
    assert!(!block.contains(" id="), "the print page has every plot");
}

#[test]
fn near_values_stand_on_an_axis_from_zero_and_may_be_undecided() {
    let html = expanded("{{#measured first rows=\"near\"}}");
    assert!(html.contains("on an axis that begins at zero"), "{html}");
    assert!(
        html.contains("ours and tokio: undecided <small>0.90 to 1.10</small>"),
        "{html}"
    );
    assert!(html.contains("tokio 1.2.3"), "{html}");
    assert!(
        !html.contains("CPython 3.13.0"),
        "it is no side of this table: {html}"
    );
}

#[test]
fn what_is_counted_has_a_table_and_no_plot() {
    let html = expanded("{{#measured first rows=\"turn*\"}}");
    assert!(!html.contains("<svg"), "{html}");
    assert!(html.contains("<caption>Turns, counted</caption>"), "{html}");
    assert!(html.contains("<th scope=\"row\">empty</th>"), "{html}");
    assert!(
        html.contains("Claimed: As many. It holds in 1 of 1 row here."),
        "{html}"
    );
}

#[test]
fn each_unit_has_its_table_and_the_run_is_told_once() {
    let html = expanded("{{#measured first}}\n\n{{#measured first rows=\"near\"}}\n");
    assert_eq!(html.matches("<table").count(), 3, "{html}");
    assert_eq!(html.matches("Measured on").count(), 1, "{html}");
    assert_eq!(html.matches("Of the same run").count(), 1, "{html}");
    assert_eq!(html.matches("first.json").count(), 2, "{html}");
}

#[test]
fn sides_may_be_chosen() {
    let html = expanded("{{#measured first rows=\"wide\" sides=\"cpython ours/boxed\"}}");
    assert!(!html.contains("static"), "{html}");
    assert!(
        html.contains("8.3\u{a0}×</b>\u{a0}ours <small>7.7 to 10</small>"),
        "{html}"
    );
}

#[test]
fn numbers_stand_in_sentences() {
    let said = expanded(
        "An await is {{#figure first/wide/cpython}}, {{#ratio first/wide/cpython first/wide/ours/boxed}} \
         times; {{#ratio first/near/ours first/near/tokio}}; {{#figure first/turns/ours}}.",
    );
    assert_eq!(
        said,
        "An await is 91.4\u{a0}ns, 8.3 times; 0.92 (0.92 to 1.06); 6\u{a0}turns."
    );
}

#[test]
fn code_is_code_and_a_backslash_makes_text() {
    for text in [
        "```text\n{{#measured nothing}}\n```\n",
        "\\{{#figure a/b/c}}\n",
        "{{#include a.rs}}\n",
    ] {
        assert_eq!(expanded(text), text);
        let (_root, measured) = book(&record(), None);
        assert_eq!(measured.unwrap().faults("page.md", text), []);
    }
}

#[test]
fn each_mistake_is_told_with_its_line_and_what_to_do() {
    for (text, words) in [
        (
            "{{#measured second}}",
            ["no record of a chapter `second`", "write one of first"],
        ),
        (
            "{{#measured}}",
            ["names no chapter", "{{#measured CHAPTER}}"],
        ),
        (
            "{{#measured first rows=\"wyde\"}}",
            ["no row `wyde`", "wide, near, turns"],
        ),
        (
            "{{#measured first sides=\"pypy\"}}",
            ["a side `pypy`", "cpython, uvloop, ours/static"],
        ),
        (
            "{{#measured first row=\"wide\"}}",
            ["cannot read `row=\"wide\"`", "rows=\"…\""],
        ),
        (
            "So {{#measured first}} it is",
            ["on a line by itself", "{{#figure …}}"],
        ),
        (
            "{{#figure first/wide}}",
            ["names no side", "CHAPTER/ROW/SIDE"],
        ),
        (
            "{{#figure first/wide/ours}}",
            ["no side `ours`", "ours/static, ours/boxed"],
        ),
        (
            "{{#figure first/wide/uvloop}}",
            ["no figure for first/wide/uvloop", "measure it again"],
        ),
        (
            "{{#ratio first/wide/cpython}}",
            ["does not name two sides", "in terms of the second"],
        ),
        (
            "{{#ratio first/wide/cpython first/turns/ours}}",
            ["is in ns", "one unit"],
        ),
        (
            "{{#mesured first}}",
            ["{{#mesured …}} is unknown", "measured, figure, ratio"],
        ),
    ] {
        let said = fault(&format!("One.\n\n{text}\n"));
        assert!(said.starts_with("page.md:3: "), "{said}");
        assert!(
            words.iter().all(|word| said.contains(word)),
            "{text}: {said}"
        );
    }
}

#[test]
fn a_record_in_another_format_is_a_fault_of_its_file() {
    let mut old = record();
    old["format"] = json!("six-steps record 0");
    let (_root, read) = book(&old, None);
    let faults = read.err().unwrap();
    let said = faults[0].to_string();
    assert!(said.starts_with("book/measured/first.json:2: "), "{said}");
    assert!(
        said.contains("the press reads \"six-steps record 1\""),
        "{said}"
    );
    assert!(
        said.contains("`cargo course measure first --save --to book/measured`"),
        "{said}"
    );

    for broken in [json!({}), json!({ "format": "six-steps record 1" })] {
        assert!(book(&broken, None).1.is_err());
    }
}

#[test]
fn the_readers_own_record_has_a_column() {
    let mut own = record();
    own["rows"][0]["ratios"] = json!([ratio("ours/static", "cpython", [0.02, 0.02, 0.02])]);
    own["noise"] = json!([]);
    let (_root, measured) = book(&record(), Some(&own));
    let html = measured
        .unwrap()
        .expand(Path::new("a.md"), "{{#measured first rows=\"wide\"}}");
    assert!(
        html.contains("<th scope=\"col\">your machine</th>"),
        "{html}"
    );
    assert!(
        html.contains("CPython <b>50\u{a0}×</b>\u{a0}static</span>"),
        "{html}"
    );
    assert!(
        html.contains("CPython\u{a0}91.4, ours,\u{a0}static\u{a0}1.10"),
        "{html}"
    );
    assert!(
        html.contains("<b>Your machine.</b> Measured on 2026-11-30"),
        "{html}"
    );
    assert!(html.contains("The machine was quiet."), "{html}");

    let many = (1..6).map(|at| side(&format!("ours/v{at}"), &[1.0]));
    let mut wide = record();
    wide["rows"][1]["sides"]
        .as_array_mut()
        .unwrap()
        .extend(many);
    let (_root, measured) = book(&wide, Some(&own));
    let html = measured
        .unwrap()
        .expand(Path::new("a.md"), "{{#measured first rows=\"near\"}}");
    assert!(!html.contains("your machine</th>"), "{html}");
    assert!(
        html.contains("<b>Your machine:</b> <span>ours and tokio: undecided"),
        "{html}"
    );

    own["format"] = json!("six-steps record 0");
    let (_root, measured) = book(&record(), Some(&own));
    let html = measured
        .unwrap()
        .expand(Path::new("a.md"), "{{#measured first}}");
    assert!(
        !html.contains("<th scope=\"col\">your machine</th>"),
        "{html}"
    );
    assert!(
        html.contains("cannot be read; this record has the format"),
        "{html}"
    );
}

#[test]
fn a_table_typed_by_hand_is_a_fault() {
    let table = "| row | ns |\n|---|---|\n| a | 1 |\n";
    for text in [
        format!("# A\n\n## Measure it\n\n{table}"),
        format!("# A\n\n## Rows\n\n{table}\n{{{{#measured first}}}}\n"),
        "# A\n\n## Measure it\n\n<table class=\"x\"><tr><td>1</td></tr></table>\n".to_owned(),
    ] {
        let said = fault(&text);
        assert!(
            said.starts_with("page.md:5: this table of what was measured is typed"),
            "{said}"
        );
    }
    let said = fault(&format!(
        "## Measure it\n\n<!-- counted: tests/gone.rs -->\n\n{table}"
    ));
    assert!(
        said.contains("`tests/gone.rs`, which is to assert this table, does not exist"),
        "{said}"
    );

    let (root, measured) = book(&record(), None);
    fs::write(root.path().join("t.rs"), "").unwrap();
    for text in [
        format!("## Measure it\n\n<!-- counted: t.rs -->\n\n{table}"),
        format!("## Watch it\n\n{table}\n## Measure it\n\n```text\n{table}```\n"),
    ] {
        assert_eq!(measured.as_ref().unwrap().faults("page.md", &text), []);
    }
}

/// The pages of this book: every measured section shows a record, and every record is shown.
#[test]
fn no_table_of_the_book_is_typed_by_hand() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let measured = Measured::read(&root, Path::new("book"), None, false).unwrap();
    let mut pages: Vec<PathBuf> = fs::read_dir(root.join("book"))
        .unwrap()
        .map(|entry| entry.unwrap().path().join("index.md"))
        .filter(|page| page.is_file())
        .collect();
    pages.sort();
    let mut shown = BTreeSet::new();
    for page in &pages {
        let text = fs::read_to_string(page).unwrap();
        let name = page.display().to_string();
        assert_eq!(measured.faults(&name, &text), [], "{name}");
        let count = shown.len();
        for found in directive::all(&text) {
            if let Ok(Directive::Measured { chapter, .. }) = found.what {
                shown.insert((name.clone(), chapter));
            }
        }
        let is_measured = text.contains("\n## Measure it\n") || name.contains("appendix-peers");
        assert_eq!(
            shown.len() > count,
            is_measured || name.contains("appendix-speed"),
            "{name}"
        );
        assert!(
            !text.contains("measured.json") && !text.contains("measured.txt"),
            "{name}"
        );
        if name.contains("appendix-peers") || name.contains("appendix-speed") {
            assert!(
                !text.lines().any(|line| line.starts_with('|')),
                "{name} has a table typed by hand"
            );
        }
    }
    let records: BTreeSet<&String> = measured.records.keys().collect();
    let used: BTreeSet<&String> = shown.iter().map(|(_, chapter)| chapter).collect();
    assert_eq!(used, records);
    assert_eq!(
        records.len(),
        measured.folders.len(),
        "a chapter without a record"
    );
}
