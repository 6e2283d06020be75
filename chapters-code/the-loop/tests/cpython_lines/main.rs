//! The appendix "CPython, line by line" is true: every line it names has what it says. Ours is
//! checked always; CPython's wherever a 3.13.0 is found (`PYTHON`, `python3.13` on the path, or
//! pyenv's). After the sources have moved, `UPDATE_LINES=1` writes our lines anew.

mod items;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use items::{Item, python_items, rust_items};

const PAGE: &str = "book/appendix-cpython/index.md";
const CPYTHON: &str = "https://github.com/python/cpython/blob/v3.13.0/Lib/";
const VERSION: &str = "3.13.0";
const REMEDY: &str = "UPDATE_LINES=1 cargo test -p the-loop --test cpython_lines";

/// A place that the page names: ``[shown][label] `item` `text` 12``. The text is optional, and
/// stands for one line inside of the item.
#[derive(Debug, PartialEq)]
struct Place {
    label: String,
    item: String,
    text: Option<String>,
    line: usize,
    /// All of it, up to the line's number.
    before: String,
}

/// A row of the page: a rule, its places in CPython, and ours.
struct Row {
    at: usize,
    cpython: Vec<Place>,
    ours: Vec<Place>,
}

#[test]
fn our_lines_are_true() {
    let page = read(&root().join(PAGE));
    let rows = rows(&page);
    let files = files(&page);
    let address = format!("{}/blob/main/", repository());
    let mut faults = Vec::new();
    let mut new_lines: Vec<String> = page.lines().map(str::to_owned).collect();
    for row in &rows {
        for place in &row.ours {
            let file = path_of(&files, place, &address);
            let source = read(&root().join(&file));
            match judge(place, &rust_items(&source), &source) {
                Ok(()) => {}
                Err(Some(line)) => {
                    let line_of_page = &mut new_lines[row.at - 1];
                    let old = format!("{}{}", place.before, place.line);
                    let new = format!("{}{line}", place.before);
                    *line_of_page = line_of_page.replacen(&old, &new, 1);
                    faults.push(fault(row, place, &file, Some(line)));
                }
                Err(None) => faults.push(fault(row, place, &file, None)),
            }
        }
    }
    if env::var_os("UPDATE_LINES").is_some_and(|update| !update.is_empty()) {
        fs::write(root().join(PAGE), new_lines.join("\n") + "\n").unwrap();
        faults.retain(|fault| fault.contains("has no"));
    }
    assert!(
        faults.is_empty(),
        "{}\nto write all lines that were found: {REMEDY}",
        faults.join("\n")
    );
}

#[test]
fn the_lines_of_cpython_are_true() {
    let Some(library) = python_library() else {
        return println!("no CPython {VERSION} here, so its lines are not checked (set PYTHON)");
    };
    let page = read(&root().join(PAGE));
    let files = files(&page);
    let mut faults = Vec::new();
    for row in &rows(&page) {
        for place in &row.cpython {
            let file = path_of(&files, place, CPYTHON);
            let source = read(&library.join(&file));
            if let Err(line) = judge(place, &python_items(&source), &source) {
                faults.push(fault(row, place, &file, line));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_floor_has_its_rules() {
    let page = read(&root().join(PAGE));
    let rows = rows(&page);
    let floors: Vec<usize> = page
        .lines()
        .enumerate()
        .filter(|(_, line)| line.starts_with("## Floor "))
        .map(|(index, _)| index + 1)
        .collect();
    assert_eq!(floors.len(), 8, "floors of the page");
    for (index, floor) in floors.iter().enumerate() {
        let end = floors.get(index + 1).copied().unwrap_or(usize::MAX);
        let here = rows.iter().filter(|row| (*floor..end).contains(&row.at));
        assert!(here.count() >= 4, "floor {} has its rows", index + 1);
    }
}

#[test]
fn an_item_that_has_moved_is_found_where_it_stands() {
    let rust = "impl<T: 'static> Callback for Slot<TaskCell<T>> {\n    fn run(&self) {\n        \
                let n = ready.len();\n    }\n}\n\npub const MOST: usize = 3;\n";
    let place = |text: &str| parse_place(text).unwrap();
    let ours = |text: &str| judge(&place(text), &rust_items(rust), rust);
    assert_eq!(ours("[a.rs] `TaskCell::run` 2"), Ok(()));
    assert_eq!(ours("[a.rs] `TaskCell::run` `ready.len()` 3"), Ok(()));
    assert_eq!(ours("[a.rs] `TaskCell::run` 1"), Err(Some(2)));
    assert_eq!(ours("[a.rs] `MOST` 2"), Err(Some(7)));
    assert_eq!(ours("[a.rs] `TaskCell::walk` 2"), Err(None));
    let python = "LEAST = 1\nclass Task:\n    def step(self):\n        if x:\n            send()\n\n\
                  def step():\n    def inner():\n        pass\n";
    let theirs = |text: &str| judge(&place(text), &python_items(python), python);
    assert_eq!(theirs("[a.py] `LEAST` 1"), Ok(()));
    assert_eq!(theirs("[a.py] `Task.step` 3 (17)"), Ok(()));
    assert_eq!(theirs("[a.py] `step` 3"), Err(Some(7)));
    assert_eq!(theirs("[a.py] `step.inner` 7"), Err(Some(8)));
    assert_eq!(theirs("[a.py] `Task.step` `send(` 4"), Err(Some(5)));
    assert_eq!(theirs("[a.py] `step` `send(` 5"), Err(None));
}

/// Whether an item, or the text inside of it, stands at the line; else the nearest where it does.
fn judge(place: &Place, items: &[Item], source: &str) -> Result<(), Option<usize>> {
    let lines: Vec<&str> = source.lines().collect();
    let named = items.iter().filter(|item| item.name == place.item);
    let mut found: Vec<usize> = Vec::new();
    for item in named {
        match &place.text {
            None => found.push(item.first),
            Some(text) => found.extend(
                (item.first..=item.last).filter(|line| lines[line - 1].contains(text.as_str())),
            ),
        }
    }
    if found.contains(&place.line) {
        return Ok(());
    }
    let nearest = found.iter().min_by_key(|line| line.abs_diff(place.line));
    Err(nearest.copied())
}

fn fault(row: &Row, place: &Place, file: &str, line: Option<usize>) -> String {
    let Place { item, text, .. } = place;
    let what = match text {
        Some(text) => format!("`{text}` in `{item}`"),
        None => format!("`{item}`"),
    };
    let at = format!("{PAGE}:{}: {file}", row.at);
    match line {
        Some(line) => format!("{at}: {what}: write {line} instead of {}", place.line),
        None => format!("{at} has no {what}: name what stands in its place"),
    }
}

fn rows(page: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for (index, line) in page.lines().enumerate() {
        let Some(cells) = line.strip_prefix("| ").and_then(|l| l.strip_suffix(" |")) else {
            continue;
        };
        let cells: Vec<&str> = cells.split(" | ").collect();
        if cells[0].starts_with("---") || cells[0] == "Rule" {
            continue;
        }
        let at = index + 1;
        assert_eq!(cells.len(), 3, "{PAGE}:{at}: rule, CPython, here: {line}");
        let places = |cell: &str| {
            let parsed: Option<Vec<Place>> = cell.split("; ").map(parse_place).collect();
            parsed.unwrap_or_else(|| panic!("{PAGE}:{at}: [file] `item` line: {cell}"))
        };
        rows.push(Row {
            at,
            cpython: places(cells[1]),
            ours: places(cells[2]),
        });
    }
    rows
}

fn parse_place(text: &str) -> Option<Place> {
    let (shown, rest) = text.strip_prefix('[')?.split_once(']')?;
    let label = match rest.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?.0,
        None => shown,
    };
    let (codes, tail) = text.rsplit_once('`')?;
    let digits: String = tail
        .chars()
        .skip(1)
        .take_while(char::is_ascii_digit)
        .collect();
    let codes: Vec<&str> = codes.split('`').skip(1).step_by(2).collect();
    let (item, inside) = match codes[..] {
        [item] => (item, None),
        [item, inside] => (item, Some(inside.to_owned())),
        _ => return None,
    };
    Some(Place {
        label: label.to_owned(),
        item: item.to_owned(),
        text: inside,
        line: digits.parse().ok()?,
        before: text[..=text.rfind('`')?].to_owned() + " ",
    })
}

/// Where the page's `[label]: address` lines lead.
fn files(page: &str) -> BTreeMap<&str, &str> {
    page.lines()
        .filter_map(|line| line.strip_prefix('[')?.split_once("]: "))
        .collect()
}

fn path_of(files: &BTreeMap<&str, &str>, place: &Place, under: &str) -> String {
    let Some(address) = files.get(&*place.label) else {
        panic!("{PAGE}: write `[{}]: {under}…` at its end", place.label);
    };
    let path = address.strip_prefix(under);
    let path = path.unwrap_or_else(|| panic!("{PAGE}: {address} should begin with {under}"));
    path.to_owned()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The address of the repository, from the one place where it stands.
fn repository() -> String {
    let config = read(&root().join("book.toml"));
    let value = config
        .lines()
        .find_map(|line| line.strip_prefix("git-repository-url = "));
    value
        .expect("book.toml names it")
        .trim_matches('"')
        .to_owned()
}

/// The standard library of a CPython 3.13.0, if there is one.
fn python_library() -> Option<PathBuf> {
    let pyenv = env::var_os("HOME")
        .map(|home| Path::new(&home).join(format!(".pyenv/versions/{VERSION}/bin/python3")));
    let candidates = [
        env::var_os("PYTHON").map(PathBuf::from),
        Some("python3.13".into()),
        pyenv,
    ];
    let ask = "import asyncio, os, platform\n\
               print(platform.python_version())\n\
               print(os.path.dirname(os.path.dirname(asyncio.__file__)))";
    candidates.into_iter().flatten().find_map(|python| {
        let output = Command::new(python).args(["-c", ask]).output().ok()?;
        let answer = String::from_utf8(output.stdout).ok()?;
        let (version, library) = answer.trim().split_once('\n')?;
        (version == VERSION).then(|| library.into())
    })
}
