//! The student page: points, what failed, what was expected and what came, why, what to read again.

use std::fmt::Write as _;

use pulldown_cmark::{Options, Parser, html};

use super::feedback::{fenced, told};
use crate::grade::outcome::{Check, CheckKind, End, ExerciseGrade, Graded, State};

/// The page in Markdown.
pub(super) fn page(graded: &Graded) -> String {
    let mut page = String::new();
    let _ = writeln!(page, "# {}\n", graded.name);
    if let Some(why) = &graded.refused {
        let _ = writeln!(page, "Not graded: {why}.");
        return page;
    }
    let _ = writeln!(
        page,
        "**{} of {} points**\n",
        graded.earned(),
        graded.most()
    );
    let _ = writeln!(page, "| exercise | points | |\n|---|---:|---|");
    for exercise in &graded.exercises {
        let _ = writeln!(
            page,
            "| {} | {} of {} | {} |",
            exercise.title,
            exercise.earned(),
            exercise.most(),
            in_a_word(exercise)
        );
    }
    if graded.holds_nothing() {
        let _ = writeln!(
            page,
            "\nNone of these exercises was found in what you handed in. Hand in the folder \
             `exercises/` as the course has it, with its folders of chapters."
        );
    }
    for exercise in &graded.exercises {
        if !exercise.passed() && exercise.state != State::Missing {
            add_exercise(&mut page, exercise);
        }
    }
    page
}

fn add_exercise(page: &mut String, exercise: &ExerciseGrade) {
    let _ = writeln!(page, "\n## {} (`{}`)\n", exercise.title, exercise.id);
    let _ = writeln!(page, "{} of {} points.", exercise.earned(), exercise.most());
    if let Some(excuse) = exercise.excuse() {
        let (first, rest) = excuse.split_once('\n').unwrap_or((&excuse, ""));
        let _ = writeln!(page, "\n{first}");
        if !rest.trim().is_empty() {
            let _ = write!(page, "\n{}", fenced(rest.trim()));
        }
        return;
    }
    for check in &exercise.checks {
        if check.end != End::Passed {
            add_check(page, exercise, check);
        }
    }
    let _ = writeln!(page, "\n{}", next(exercise));
}

/// What a learner can do now. `check` runs the tests and no case, so it shows nothing of a case.
fn next(exercise: &ExerciseGrade) -> String {
    let id = &exercise.id;
    let failed = |of: fn(&Check) -> bool| {
        let checks = exercise.checks.iter();
        checks
            .filter(|one| of(one))
            .any(|one| one.end != End::Passed)
    };
    if failed(|one| one.kind == CheckKind::Test) {
        format!("Try it again with `cargo course check {id}`.")
    } else if failed(|one| !one.hidden) {
        format!(
            "Its tests pass. Run the program as the case does: `cargo run -p {id} --` and the \
             arguments behind `$ {id}`."
        )
    } else {
        "All that you can run yourself passes. Think of inputs that the tests do not have."
            .to_owned()
    }
}

fn add_check(page: &mut String, exercise: &ExerciseGrade, check: &Check) {
    let kind = match (check.kind, check.hidden) {
        (CheckKind::Test, _) => "Test",
        (CheckKind::Case, false) => "Case",
        (CheckKind::Case, true) => "Hidden case",
    };
    let points = if check.most == 1 {
        "1 point".to_owned()
    } else {
        format!("{} points", check.most)
    };
    let _ = writeln!(
        page,
        "\n### {kind} `{}`: {}, {points}\n",
        check.name,
        check.end.words()
    );
    let _ = write!(page, "{}", fenced(&told(exercise, check)));
}

pub(super) fn in_a_word(exercise: &ExerciseGrade) -> &'static str {
    match exercise.state {
        State::Missing => "not in the submission",
        State::Untouched => "as it was shipped",
        State::Refused(_) => "not built",
        State::DoesNotCompile(_) => "does not compile",
        State::Checked if exercise.passed() => "solved",
        State::Checked => "not yet",
    }
}

/// A page of Markdown as a page of HTML that needs nothing from outside.
pub(super) fn html(title: &str, markdown: &str) -> String {
    // What a submission printed stands in fences and is escaped; there is no HTML of our own in a page.
    let parser = Parser::new_ext(markdown, Options::ENABLE_TABLES).map(|event| match event {
        pulldown_cmark::Event::Html(text) | pulldown_cmark::Event::InlineHtml(text) => {
            pulldown_cmark::Event::Text(text)
        }
        event => event,
    });
    let mut body = String::new();
    html::push_html(&mut body, parser);
    let mut escaped = String::new();
    html::push_html(
        &mut escaped,
        std::iter::once(pulldown_cmark::Event::Text(title.into())),
    );
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{escaped}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

const STYLE: &str = ":root{color-scheme:light dark}\
body{font:1rem/1.5 system-ui,sans-serif;margin:0}main{max-width:50rem;margin:auto;padding:1rem}\
pre{overflow:auto;padding:.75rem;border:1px solid #8888;border-radius:.25rem}\
table{border-collapse:collapse}td,th{border:1px solid #8888;padding:.25rem .5rem}";
