//! Text of a submission made safe to show and the same twice: no escapes of a terminal, nothing that
//! XML does not allow, no thread numbers, addresses or paths of the run.

/// The longest text that a report keeps of one check.
const MOST: usize = 6_000;

/// Makes a text fit for every report. `places` are taken out: folders of this run.
pub(crate) fn clean(text: &str, places: &[String]) -> String {
    let plain = anstream::adapter::strip_str(text).to_string();
    let mut plain = plain.replace("\r\n", "\n");
    for place in places {
        plain = plain.replace(place.as_str(), "");
    }
    let shown: String = plain.chars().filter(|&sign| is_shown(sign)).collect();
    let lines = shown.lines().map(line).collect::<Vec<_>>().join("\n");
    shorten(lines.trim_matches('\n'))
}

/// A newline, a tab, or something that has a shape and keeps its place on the line.
fn is_shown(sign: char) -> bool {
    match sign {
        '\n' | '\t' => true,
        // They turn the direction of what follows, or are no characters.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}' => false,
        sign => !sign.is_control(),
    }
}

/// A line without what differs from run to run.
fn line(line: &str) -> String {
    addresses(&thread_number(untimed(line)))
}

/// libtest and trycmd end some lines with how long something took.
fn untimed(line: &str) -> &str {
    if let Some((result, time)) = line.rsplit_once("; finished in ")
        && time.ends_with('s')
    {
        return result;
    }
    if line.starts_with("Testing ")
        && let Some((case, result)) = line.rsplit_once(" ... ")
        && let Some((word, _)) = result.split_once(' ')
    {
        return &line[..case.len() + " ... ".len() + word.len()];
    }
    line
}

/// `thread 'name' (123) panicked` loses its number.
fn thread_number(line: &str) -> String {
    let parts = line.split_once("thread '").and_then(|(before, rest)| {
        let (name, rest) = rest.split_once("' (")?;
        let (number, rest) = rest.split_once(") ")?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| format!("{before}thread '{name}' {rest}"))
    });
    parts.unwrap_or_else(|| line.to_owned())
}

/// `0x7f32…`, six digits or more, is an address.
fn addresses(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("0x") {
        let (before, found) = rest.split_at(at);
        let digits = found[2..].bytes().take_while(u8::is_ascii_hexdigit).count();
        out.push_str(before);
        if digits >= 6 {
            out.push_str("0x…");
        } else {
            out.push_str(&found[..2 + digits]);
        }
        rest = &found[2 + digits..];
    }
    out.push_str(rest);
    out
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    let kept: String = text.chars().take(MOST).collect();
    format!("{kept}\n[… and more]")
}

/// What the first panic in a test's output says, with its place if that is not the test itself.
pub(crate) fn panic(stderr: &str) -> Option<String> {
    let (_, rest) = stderr.split_once(" panicked at ")?;
    let (place, rest) = rest.split_once(":\n")?;
    let ends = [
        "\nnote: run with `RUST_BACKTRACE",
        "\nstack backtrace:\n",
        "\nthread '",
        "\ntest result: ",
    ];
    let end = ends.iter().filter_map(|end| rest.find(end)).min();
    let said = rest[..end.unwrap_or(rest.len())].trim();
    let in_test = place.starts_with("tests/") || place.contains("/tests/");
    Some(if in_test {
        said.to_owned()
    } else {
        format!("{said}\n\nIt panicked at {place}.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_control_characters_go() {
        let text = "\x1b[2J\x1b]0;title\x07red\x1b[31m \u{9b}2J\0\x08\u{202e}end\u{ffff}\r\nx\ty";
        let clean = clean(text, &[]);
        assert!(clean.contains("red"), "{clean:?}");
        assert!(clean.chars().all(is_shown), "{clean:?}");
        assert!(clean.ends_with("\nx\ty"), "{clean:?}");
        // JUnit's own cleaning finds nothing left but the tab.
        assert_eq!(
            quick_junit::XmlString::new(&clean).as_str(),
            clean.replace('\t', "")
        );
    }

    #[test]
    fn what_differs_from_run_to_run_goes() {
        let text = "thread 'a_test' (7162) panicked at packages/x/src/lib.rs:3:5:\nat 0x7ffd12345678 not 0xff";
        assert_eq!(
            clean(text, &["packages/x/".to_owned()]),
            "thread 'a_test' panicked at src/lib.rs:3:5:\nat 0x… not 0xff"
        );
    }

    #[test]
    fn times_go() {
        assert_eq!(
            clean("test result: ok. 1 passed; finished in 0.01s", &[]),
            "test result: ok. 1 passed"
        );
        let text = "Testing a.trycmd:4 ... failed 199ms 609us 798ns\nExit: success";
        assert_eq!(
            clean(text, &[]),
            "Testing a.trycmd:4 ... failed\nExit: success"
        );
    }

    #[test]
    fn a_panic_is_told_without_its_frame() {
        let text = "\nthread 'a' panicked at tests/a.rs:1:2:\n\nA should be\n    1\n\nThe rule: x\n\n\
                    note: run with `RUST_BACKTRACE=1` environment variable\n";
        assert_eq!(panic(text).unwrap(), "A should be\n    1\n\nThe rule: x");
        let text = "thread 'a' panicked at src/lib.rs:40:9:\nnot yet implemented: x\nnote: run with `RUST_BACKTRACE=1`";
        assert_eq!(
            panic(text).unwrap(),
            "not yet implemented: x\n\nIt panicked at src/lib.rs:40:9."
        );
        assert!(panic("no more").is_none());
    }

    #[test]
    fn a_long_text_is_cut() {
        assert!(clean(&"x\n".repeat(10_000), &[]).ends_with("[… and more]"));
    }
}
