//! What the loop room holds where no script runs: the gallery as a list, each program with its run
//! file.

use scenario::Run;

use super::table::escaped;

/// The gallery.
pub(super) fn list(runs: &[Run], to_root: &str) -> String {
    let item = |run: &Run| {
        format!(
            "<li><a href=\"{to_root}runs/{}.json\">{}</a>: {}</li>\n",
            run.name,
            escaped(&run.title),
            escaped(&run.text)
        )
    };
    let items: String = runs.iter().map(item).collect();
    format!("<ul class=\"still gallery\">\n{items}</ul>\n")
}
