//! Tables in a section that shows what was measured come from a record; one that counts may stand
//! there when the line above it names the test that asserts it: `<!-- counted: FILE -->`.

use std::path::Path;

use crate::fault::Fault;
use crate::fences;

const COUNTED: &str = "<!-- counted:";

/// The tables of a page's measured sections that somebody typed.
pub(super) fn faults(root: &Path, name: &str, text: &str) -> Vec<Fault> {
    let fences = fences::of(text);
    let mut lines = Vec::new();
    let mut start = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let in_code = fences.iter().any(|fence| fence.range.contains(&start));
        lines.push((index + 1, if in_code { "" } else { line.trim() }));
        start += line.len();
    }
    let sections = lines.chunk_by(|_, (_, next)| !next.starts_with("## "));
    sections
        .filter(|section| is_measured(section))
        .flat_map(|section| tables(root, name, section))
        .collect()
}

fn is_measured(section: &[(usize, &str)]) -> bool {
    section[0].1 == "## Measure it"
        || section
            .iter()
            .any(|(_, line)| line.starts_with("{{#measured "))
}

fn tables(root: &Path, name: &str, section: &[(usize, &str)]) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut above = "";
    let mut in_table = false;
    for &(line, text) in section {
        let is_table = text.starts_with('|') || text.contains("<table");
        if is_table && !in_table {
            faults.extend(judge(root, above).map(|what| {
                Fault::new(
                    name,
                    line,
                    what,
                    "write {{#measured CHAPTER rows=\"…\"}}; above a table of what a test counts, \
                     `<!-- counted: FILE -->`",
                )
            }));
        }
        in_table = is_table;
        if !text.is_empty() {
            above = text;
        }
    }
    faults
}

/// What is wrong with a table below a line.
fn judge(root: &Path, above: &str) -> Option<String> {
    let Some(rest) = above.strip_prefix(COUNTED) else {
        return Some("this table of what was measured is typed by hand".to_owned());
    };
    let file = rest.trim_end_matches("-->").trim();
    let exists = !file.is_empty() && root.join(file).is_file();
    (!exists).then(|| format!("`{file}`, which is to assert this table, does not exist"))
}
