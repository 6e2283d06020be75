//! Finds a page's console blocks line by line, without knowing markdown: whatever looks like the
//! start of one counts, indented, quoted or inside another block as well.

/// A block as the page has it.
pub(crate) struct Block {
    /// Its opening fence, counted from 1.
    pub(crate) line: usize,
    /// Its commands, with the lines they stand on.
    pub(crate) commands: Vec<(usize, String)>,
}

/// How a page's commands may start: what a reader can type from the workspace's root.
const STARTS: [&str; 3] = ["cargo run -q -p ", "cargo test -p ", "cargo course"];

/// Every console block of a page.
///
/// # Errors
/// The line, and what to do, for the first block that would not run as it stands.
pub(crate) fn blocks(text: &str) -> Result<Vec<Block>, (usize, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut blocks = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(fence) = console_fence(line) else {
            continue;
        };
        let number = index + 1;
        if !line.starts_with("```") {
            let reason = "a console block starts at the line's first column, with backticks; \
                          this one would not run";
            return Err((number, reason.to_owned()));
        }
        if line.trim_start_matches('`').trim() != "console" {
            let reason = "a fence of a console block says `console` and nothing more";
            return Err((number, reason.to_owned()));
        }
        let body = &lines[index + 1..];
        let end = body.iter().position(|line| line.starts_with(fence));
        let Some(end) = end else {
            return Err((number, "this console block is never closed".to_owned()));
        };
        blocks.push(Block {
            line: number,
            commands: commands(number, &body[..end])?,
        });
    }
    Ok(blocks)
}

/// The fence, if a line could be meant to open a console block.
fn console_fence(line: &str) -> Option<&str> {
    let marker = line
        .trim_start_matches([' ', '\t', '>', '-', '*', '+', '.', ')'])
        .trim_start_matches(|c: char| c.is_ascii_digit() || " .)".contains(c));
    let first = marker.chars().next().filter(|c| "`~".contains(*c))?;
    let length = marker.chars().take_while(|c| *c == first).count();
    let (fence, info) = marker.split_at(length);
    let language = info
        .trim()
        .split([',', ' ', '{'])
        .next()
        .unwrap_or_default();
    let is_console = ["console", "trycmd"].contains(&language.to_lowercase().as_str());
    (length >= 3 && is_console).then_some(fence)
}

fn commands(fence: usize, body: &[&str]) -> Result<Vec<(usize, String)>, (usize, String)> {
    let mut commands = Vec::new();
    let mut printed: Option<&str> = None;
    let unfinished = |printed: Option<&str>| printed.is_some_and(|line| !line.is_empty());
    let blank = "output ends with a blank line, before the next command and before the closing \
                 fence: trycmd takes the last line's end for its own";
    for (index, line) in body.iter().enumerate() {
        let number = fence + 1 + index;
        if let Some(command) = line.strip_prefix("$ ") {
            if unfinished(printed) {
                return Err((number, blank.to_owned()));
            }
            if !STARTS.iter().any(|start| command.starts_with(start)) {
                let starts = STARTS.map(str::trim_end).join("`, `");
                let reason = format!(
                    "`{command}` would not run: commands of a console block start with \
                     `{starts}`. Output of anything else goes into a text block"
                );
                return Err((number, reason));
            }
            commands.push((number, command.to_owned()));
            printed = None;
        } else if commands.is_empty() {
            return Err((
                number,
                "a console block starts with `$ ` and a command".to_owned(),
            ));
        } else if !(printed.is_none() && line.starts_with("? ")) {
            printed = Some(line);
        }
    }
    if commands.is_empty() {
        return Err((fence, "this console block has no command".to_owned()));
    }
    if unfinished(printed) {
        return Err((fence + 1 + body.len(), blank.to_owned()));
    }
    Ok(commands)
}
