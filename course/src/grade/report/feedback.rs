//! What a learner may read of a check, in every report alike, and text made safe to show.

use crate::grade::outcome::{Check, CheckKind, End, ExerciseGrade};

/// What a learner is told of a check: nothing of a hidden one but how it ended.
pub(super) fn told(exercise: &ExerciseGrade, check: &Check) -> String {
    if check.end == End::Passed {
        return String::new();
    }
    if let (End::NotRun, Some(excuse)) = (check.end, exercise.excuse()) {
        return excuse;
    }
    if check.hidden {
        return format!(
            "This hidden case {}. What it checks is not shown.",
            check.end.words()
        );
    }
    if check.message.is_empty() {
        return format!("It {}.", check.end.words());
    }
    check.message.clone()
}

/// What a check is called where exercises stand side by side.
pub(super) fn full_name(exercise: &ExerciseGrade, check: &Check) -> String {
    let kind = match check.kind {
        CheckKind::Test => "test",
        CheckKind::Case => "case",
    };
    format!("{} {kind} {}", exercise.id, check.name)
}

/// A block of Markdown that shows text as it is, whatever is in it.
pub(super) fn fenced(text: &str) -> String {
    // A fence longer than the longest run of backticks inside.
    let mut longest = 0;
    let mut run = 0;
    for sign in text.chars() {
        run = if sign == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n", text.trim_end())
}

/// The first part of a text, cut at a character, with a word that it was cut.
pub(super) fn shortened(text: &str, most: usize) -> String {
    const CUT: &str = " […]";
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept = most.saturating_sub(CUT.chars().count());
    let mut short: String = text.chars().take(kept).collect();
    short.push_str(CUT);
    short
}
