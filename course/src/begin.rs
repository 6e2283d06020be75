//! Whether an exercise is as it was shipped, and where the work in it begins.
//!
//! A run of an untouched stub says nothing of the learner: it is no try, and what its tests find is
//! that nothing is written yet.

use std::path::Path;

use syn::LitStr;

use crate::libtest::{Place, Test};
use crate::manifest::Exercise;
use crate::shipped;

/// How a `todo!` begins.
const TODO: &str = "todo!(";

/// What an untouched stub asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Todo {
    /// Where it stands.
    pub(crate) place: Place,
    /// What is to be written there.
    pub(crate) text: String,
}

/// An exercise that is as it was shipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Untouched {
    todos: Vec<Todo>,
}

/// Whether an exercise is untouched. It is not if a file was changed, or cannot be read.
pub(crate) fn untouched(root: &Path, exercise: &Exercise) -> Option<Untouched> {
    let now = shipped::present(root, exercise).ok()?;
    if shipped::shipped(root, exercise).ok()? != now {
        return None;
    }
    let texts = exercise.shown_files().into_iter().zip(&now);
    let todos = texts.flat_map(|(file, (_, text))| in_source(&file, text));
    Some(Untouched {
        todos: todos.collect(),
    })
}

impl Untouched {
    /// The `todo!` that the first of these tests came to, or else the first of all, if the exercise
    /// has one.
    pub(crate) fn todo(&self, tests: &[Test]) -> Option<&Todo> {
        let places = tests.iter().filter_map(|test| test.place.as_ref());
        let mut reached =
            places.filter_map(|place| self.todos.iter().find(|todo| todo.place == *place));
        reached.next().or(self.todos.first())
    }
}

fn in_source(file: &str, text: &str) -> Vec<Todo> {
    let mut todos = Vec::new();
    let mut from = 0;
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        let at = line.find(TODO).filter(|_| !line.trim().starts_with("//"));
        if let Some(at) = at {
            let file = file.to_owned();
            let text = literal(&text[from + at + TODO.len()..]).unwrap_or_default();
            let place = Place { file, line: number };
            todos.push(Todo { place, text });
        }
        from += line.len();
    }
    todos
}

/// The string literal that a text begins with. Of `{cx:?}` the name is left: what it holds says
/// less than what it is.
fn literal(text: &str) -> Option<String> {
    let text = text.trim_start();
    let mut ends = text.match_indices('"').map(|(at, _)| at).skip(1);
    // A quote behind a backslash is none; the first end that makes a literal is the right one.
    ends.find_map(|end| syn::parse_str::<LitStr>(&text[..=end]).ok())
        .map(|literal| names(&literal.value()))
}

fn names(text: &str) -> String {
    let mut parts = text.split('{');
    let mut names = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (hole, rest) = part.split_once('}').unwrap_or((part, ""));
        names.push_str(hole.split(':').next().unwrap_or_default());
        names.push_str(rest);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::in_source;

    #[test]
    fn a_todo_is_found_with_its_text() {
        let text = "//! Take the todo!(\"…\") out.\nfn a() {\n    todo!(\n        \"say \\\"a\\\" \\\n         and {b:?}, or {c}\"\n    )\n}\n";
        let todos = in_source("a.rs", text);
        assert_eq!(todos.len(), 1);
        assert_eq!(todos[0].place.line, 3);
        assert_eq!(todos[0].text, "say \"a\" and b, or c");
        assert_eq!(in_source("a.rs", "fn a() {}\n"), []);
    }
}
