//! Where things stand in a source file, Rust's or Python's: read line by line, which is enough for
//! files that a formatter or a style guide has been over.

/// An item of a source file, from its first line to its last, both from 1.
pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) first: usize,
    pub(crate) last: usize,
}

/// The items of a Rust file as rustfmt leaves it: at the margin, or one step in, inside of an
/// `impl`, a `trait` or a `mod`.
pub(crate) fn rust_items(source: &str) -> Vec<Item> {
    let lines: Vec<&str> = source.lines().collect();
    let mut items = Vec::new();
    let mut around: Option<String> = None;
    for (index, line) in lines.iter().enumerate() {
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        if indent == 0 && !trimmed.is_empty() {
            around = match trimmed.strip_prefix("impl") {
                Some(header) => Some(implemented(header)),
                None => rust_item(trimmed)
                    .filter(|(keyword, _)| matches!(*keyword, "trait" | "struct" | "enum" | "mod"))
                    .map(|(_, name)| name),
            };
        }
        let Some((_, name)) = rust_item(trimmed).filter(|_| indent <= 4) else {
            continue;
        };
        let end = format!("{}}}", " ".repeat(indent));
        let is_short = trimmed.ends_with(';') || trimmed.ends_with('}');
        let last = (index..lines.len()).find(|&at| is_short || lines[at].starts_with(&end));
        items.push(Item {
            name: match &around {
                Some(around) if indent > 0 => format!("{around}::{name}"),
                _ => name,
            },
            first: index + 1,
            last: last.unwrap_or(index) + 1,
        });
    }
    items
}

/// The keyword and the name of the item that a line begins.
fn rust_item(line: &str) -> Option<(&str, String)> {
    let mut words = line.split(' ').peekable();
    loop {
        let word = words.next()?;
        let keyword = match word {
            "fn" | "struct" | "enum" | "trait" | "type" | "static" | "mod" => word,
            "const" if words.peek() != Some(&"fn") => word,
            "pub" | "pub(crate)" | "pub(super)" | "async" | "const" => continue,
            _ => return None,
        };
        let name = words
            .next()?
            .split(|c: char| !c.is_alphanumeric() && c != '_');
        return Some((keyword, name.take(1).collect()));
    }
}

/// What an `impl` is for: `<T> Callback for Slot<TaskCell<T>> {` gives `TaskCell`.
fn implemented(header: &str) -> String {
    let target = match header.split_once(" for ") {
        Some((_, target)) => target,
        // The generics of the `impl` itself hold no bare space after their last `>`.
        None => header.split_once("> ").map_or(header, |(_, target)| target),
    };
    let target = target.trim_start_matches([' ', '&']);
    let target = ["Slot<", "Box<", "Rc<"]
        .iter()
        .fold(target, |target, outer| target.trim_start_matches(outer));
    let name = target.split(|c: char| !c.is_alphanumeric() && c != '_');
    name.take(1).collect()
}

/// The classes, functions and constants of a Python file, with the names of what they stand in.
pub(crate) fn python_items(source: &str) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut count = 0;
    for (index, line) in source.lines().enumerate() {
        count = index + 1;
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        if trimmed.is_empty() || trimmed.starts_with(['#', ')']) {
            continue;
        }
        while let Some((_, item)) = open.pop_if(|(deep, _)| *deep >= indent) {
            items[item].last = index;
        }
        let header = trimmed.strip_prefix("async ").unwrap_or(trimmed);
        let block = ["def ", "class "]
            .iter()
            .find_map(|k| header.strip_prefix(k));
        let constant = line.split_once(" = ").map(|(name, _)| name);
        let constant = constant.filter(|name| indent == 0 && !name.contains([' ', '.', '(']));
        let Some(name) = block.or(constant) else {
            continue;
        };
        let name = name.split(|c: char| !c.is_alphanumeric() && c != '_');
        let name: String = name.take(1).collect();
        let around = open.last().map(|(_, item)| &items[*item].name);
        let name = around.map_or(name.clone(), |around| format!("{around}.{name}"));
        if block.is_some() {
            open.push((indent, items.len()));
        }
        items.push(Item {
            name,
            first: count,
            last: count,
        });
    }
    for (_, item) in open {
        items[item].last = count;
    }
    items
}
