//! What a test program prints (one thread, nothing captured), as a list of tests.
//!
//! With one thread each test says its name before it runs, so what follows is its own, and a test
//! that never ends is known by name.

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The file, from the root of the course.
    pub(crate) file: String,
    /// The line, from 1.
    pub(crate) line: u32,
}

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It was left out.
    Ignored,
    /// It began, and did not end.
    Unfinished,
}

/// A test, and what it said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Test {
    /// The function's name.
    pub(crate) name: String,
    /// How it ended.
    pub(crate) end: End,
    /// What it printed before its last panic.
    pub(crate) printed: String,
    /// The message of its last panic.
    pub(crate) message: String,
    /// Where it panicked.
    pub(crate) place: Option<Place>,
}

/// Reads the output of test programs.
pub(crate) fn tests(output: &str) -> Vec<Test> {
    let mut tests = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in output.split_inclusive('\n') {
        if let Some((name, rest)) = header(line) {
            tests.extend(open.take().map(|(name, text)| test(&name, &text)));
            open = Some((name.to_owned(), rest.to_owned()));
        } else if is_summary(line) {
            tests.extend(open.take().map(|(name, text)| test(&name, &text)));
        } else if let Some((_, text)) = &mut open {
            text.push_str(line);
        }
    }
    tests.extend(open.map(|(name, text)| test(&name, &text)));
    tests
}

fn header(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix("test ")?.split_once(" ... ")?;
    Some((name.strip_suffix(" - should panic").unwrap_or(name), rest))
}

fn is_summary(line: &str) -> bool {
    ["failures:\n", "successes:\n"].contains(&line) || line.starts_with("test result: ")
}

fn test(name: &str, text: &str) -> Test {
    let ends = [
        ("ok", End::Passed),
        ("FAILED", End::Failed),
        ("ignored", End::Ignored),
    ];
    let trimmed = text.trim_end();
    let end = ends.iter().find(|(word, _)| trimmed.ends_with(word));
    // Only a whole line is an end: the word may be the last thing before the process was stopped.
    let end = end.filter(|_| text.ends_with('\n'));
    let said = end.map_or(text, |(word, _)| {
        trimmed.strip_suffix(word).unwrap_or(trimmed)
    });
    let (printed, message, place) = match panic(said) {
        Some((before, place, message)) => (before, message, place),
        None => (said.to_owned(), String::new(), None),
    };
    Test {
        name: name.to_owned(),
        end: end.map_or(End::Unfinished, |(_, end)| *end),
        printed: printed.trim().to_owned(),
        message,
        place,
    }
}

/// The last panic in a text: what stands before it, where it was, and what it said.
fn panic(text: &str) -> Option<(String, Option<Place>, String)> {
    let mark = " panicked at ";
    let at = text.rfind(mark)?;
    let start = text[..at].rfind("thread '")?;
    let rest = &text[at + mark.len()..];
    let (header, message) = rest.split_once('\n').unwrap_or((rest, ""));
    let mut parts = header.trim_end_matches(':').rsplitn(3, ':');
    let (_column, line, file) = (parts.next(), parts.next(), parts.next());
    let place = line.zip(file).and_then(|(line, file)| {
        Some(Place {
            file: file.to_owned(),
            line: line.parse().ok()?,
        })
    });
    let lines = message.lines();
    let kept: Vec<&str> = lines
        .filter(|line| !line.starts_with("note: run with `RUST_BACKTRACE"))
        .collect();
    let message = kept.join("\n");
    Some((text[..start].to_owned(), place, message.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{End, Place, tests};

    const OUTPUT: &str = "\
running 4 tests
test good ... hello
ok
test bad ... counting
\nthread 'main' (41) panicked at a/tests/x.rs:12:9:
\nthe sum should be
    3\n\nThe rule: Add.
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
FAILED
test left - should panic ... ignored

failures:

failures:
    bad

test result: FAILED. 1 passed; 1 failed; 1 ignored
     Running tests/other.rs (target/debug/deps/other-1)
running 1 test
test slow ... round ok";

    #[test]
    fn each_test_has_its_own_text() {
        let tests = tests(OUTPUT);
        let told: Vec<_> = tests
            .iter()
            .map(|test| (test.name.as_str(), test.end))
            .collect();
        let expected = [
            ("good", End::Passed),
            ("bad", End::Failed),
            ("left", End::Ignored),
            ("slow", End::Unfinished),
        ];
        assert_eq!(told, expected);
        assert_eq!(tests[0].printed, "hello");
        assert_eq!(tests[1].printed, "counting");
        assert_eq!(
            tests[1].message,
            "the sum should be\n    3\n\nThe rule: Add."
        );
        let place = Place {
            file: "a/tests/x.rs".to_owned(),
            line: 12,
        };
        assert_eq!(tests[1].place, Some(place));
        assert_eq!(tests[3].printed, "round ok");
    }
}
