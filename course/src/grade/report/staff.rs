//! The staff page: what stood between the submission and the machine, what it printed, what to look
//! at with one's own eyes.

use std::fmt::Write as _;

use super::feedback::fenced;
use crate::grade::outcome::{End, Graded, Report};

pub(super) fn page(report: &Report, graded: &Graded) -> String {
    let mut page = String::new();
    let _ = writeln!(page, "# {} (staff)\n", graded.name);
    if let Some(why) = graded.why_not() {
        let _ = writeln!(page, "Not graded: {why}.");
        return page;
    }
    let _ = writeln!(page, "**{} of {} points**", graded.earned(), graded.most());
    let _ = writeln!(page, "\n## Protections\n");
    for protection in &report.protections {
        let on = if protection.on { "on" } else { "**off**" };
        let _ = writeln!(page, "* {}: {on}", protection.name);
    }
    for note in &report.notes {
        let _ = writeln!(page, "* {note}");
    }
    let _ = writeln!(page, "\n## For a human eye\n");
    let mut any = graded.holds_nothing() || graded.holds_twice();
    if graded.holds_nothing() {
        let _ = writeln!(
            page,
            "* It holds none of the exercises that were graded: look at how it is packed."
        );
    }
    if graded.holds_twice() {
        let _ = writeln!(
            page,
            "* It holds a file more than once, and one of them was graded: see *Not looked at*."
        );
    }
    for exercise in &graded.exercises {
        for what in exercise.to_look_at() {
            any = true;
            let _ = writeln!(page, "* `{}`: {what}", exercise.id);
        }
    }
    if !any {
        let _ = writeln!(page, "Nothing stood out.");
    }
    if !graded.ignored.is_empty() {
        let _ = writeln!(page, "\n## Not looked at\n");
        for ignored in &graded.ignored {
            let _ = writeln!(
                page,
                "* `{}`: {}",
                ignored.path.replace('`', "'"),
                ignored.why
            );
        }
    }
    let _ = writeln!(page, "\n## Checks");
    for exercise in &graded.exercises {
        let _ = writeln!(
            page,
            "\n### `{}`: {} of {}\n",
            exercise.id,
            exercise.earned(),
            exercise.most()
        );
        if let Some(excuse) = exercise.excuse() {
            let _ = write!(page, "{}", fenced(&excuse));
            continue;
        }
        for check in &exercise.checks {
            let hidden = if check.hidden { " (hidden)" } else { "" };
            let _ = writeln!(
                page,
                "* {} of {}: `{}`{hidden}, {}",
                check.earned(),
                check.most,
                check.name,
                check.end.words()
            );
            if check.end != End::Passed {
                let _ = write!(page, "\n{}\n", fenced(&check.message));
                if !check.output.is_empty() {
                    let _ = write!(page, "What it printed:\n\n{}\n", fenced(&check.output));
                }
            }
        }
    }
    page
}
