//! The rules of a page's markdown: every fence names its language, every Rust fence is a listing, a
//! doctest that really runs, or marked as not compiled with a reason; every include exists.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Page;
use crate::fault::Fault;
use crate::fences::{self, Fence};
use crate::listings::{Place, all, sole};

const MARK: &str = "<!-- not compiled:";

/// The kinds of note that mdbook-admonish and our stylesheet know by their first names.
const KINDS: [&str; 12] = [
    "note", "abstract", "info", "tip", "success", "question", "warning", "failure", "danger",
    "bug", "example", "quote",
];

/// Judges one page; returns how many fences it has and how many of these are listings.
pub(crate) fn faults(
    place: &Place,
    page: &Page,
    tested: &BTreeSet<PathBuf>,
    faults: &mut BTreeSet<Fault>,
) -> (usize, usize) {
    faults.extend(place.faults(&page.path, &page.text));
    let real = place.root.join(&place.source).join(&page.path);
    let is_tested = real.canonicalize().is_ok_and(|real| tested.contains(&real));
    let mut judge = Judge {
        place,
        page: &page.path,
        is_tested,
        faults,
        fences: 0,
        listings: 0,
    };
    if !page.text.lines().any(|line| line.starts_with('#')) {
        judge.fault(
            1,
            "this page has no heading",
            "begin it with `# Its title`, or take it out of SUMMARY.md",
        );
    }
    judge.text(&page.text, 0);
    (judge.fences, judge.listings)
}

struct Judge<'a> {
    place: &'a Place,
    page: &'a Path,
    is_tested: bool,
    faults: &'a mut BTreeSet<Fault>,
    fences: usize,
    listings: usize,
}

impl Judge<'_> {
    /// Judges the fences of `text`; `above` lines of the page stand before it, and where there are
    /// any, the text is the inside of an admonish block.
    fn text(&mut self, text: &str, above: usize) {
        let lines: Vec<&str> = text.lines().collect();
        for fence in fences::of(text) {
            if !fence.is_closed(text) {
                self.fault(
                    above + fence.line,
                    "this code fence is never closed",
                    "close it with the marks that open it; the rest of the page is in it",
                );
            }
            if fence.language() == "admonish" {
                self.admonish(&fence, above + fence.line);
                self.text(&fence.text, above + fence.line);
                continue;
            }
            self.fences += 1;
            let before = fence.line.checked_sub(2).and_then(|above| lines.get(above));
            self.fence(&fence, above, before.copied().unwrap_or(""));
        }
    }

    /// mdbook-admonish prints a kind that it does not know as a note.
    fn admonish(&mut self, fence: &Fence, line: usize) {
        let word = fence
            .info
            .as_deref()
            .unwrap_or("")
            .split_whitespace()
            .nth(1)
            .unwrap_or("note");
        let kind = word.split([',', '.']).next().unwrap_or("");
        if !kind.contains(['=', '"']) && !KINDS.contains(&kind) {
            self.fault(
                line,
                &format!("`{kind}` is no kind of note"),
                &format!("choose one of {}", KINDS.join(", ")),
            );
        }
    }

    fn fence(&mut self, fence: &Fence, above: usize, line_before: &str) {
        let line = above + fence.line;
        match &fence.info {
            None => self.fault(
                line,
                "this code block is made by indenting and names no language",
                "put it in a fence that names one, such as ```text",
            ),
            Some(_) if fence.language().is_empty() => self.fault(
                line,
                "this code fence names no language",
                "name it after the marks, ```text where there is none",
            ),
            Some(_) => {}
        }
        let listing = self.place.listing(self.page, fence).is_some();
        self.listings += usize::from(listing);
        if !listing
            && all(&fence.text)
                .iter()
                .any(|i| self.place.is_outside(self.page, i))
        {
            self.fault(
                line,
                "this fence has more in it than one `{{#include}}` of code outside the book",
                "give each include a fence of its own, so that it gets its caption",
            );
        }
        if fence.language() == "rust" {
            self.rust(fence, line, above > 0, line_before);
        }
    }

    fn rust(&mut self, fence: &Fence, line: usize, in_admonish: bool, line_before: &str) {
        if sole(&fence.text).is_some() {
            if !fence.has("ignore") {
                self.fault(
                    line,
                    "this listing would be compiled as a doctest, directive and all",
                    "write ```rust,ignore; the crate it comes from compiles it",
                );
            }
        } else if fence.has("ignore") {
            if !gives_reason(line_before) {
                self.fault(
                    line,
                    "this Rust is compiled by nobody and does not say why",
                    "include it from a crate, make it a doctest, or put `<!-- not compiled: \
                     REASON -->` on the line above",
                );
            }
        } else if in_admonish {
            self.fault(
                line,
                "rustdoc does not look into admonish blocks, so this Rust is never compiled",
                "move it out of the block, include it, or write ```rust,ignore with its reason",
            );
        } else if !self.is_tested {
            let name = self.place.name(self.page);
            self.fault(
                line,
                "this Rust looks like a doctest, but no crate tests this page",
                &format!(
                    "add `#[cfg(doctest)] #[doc = include_str!(\"../../../{name}\")] struct \
                     Chapter;` to the floor's lib.rs, or write ```rust,ignore with its reason"
                ),
            );
        }
    }

    fn fault(&mut self, line: usize, what: &str, remedy: &str) {
        self.faults
            .insert(Fault::new(&self.place.name(self.page), line, what, remedy));
    }
}

/// Whether `line` is `<!-- not compiled: REASON -->` with a reason in it.
fn gives_reason(line: &str) -> bool {
    // A list's or a quotation's marks may stand before it.
    let line = line.trim_start_matches(['>', ' ', '\t']).trim_end();
    line.strip_prefix(MARK)
        .and_then(|rest| rest.strip_suffix("-->"))
        .is_some_and(|reason| !reason.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of the faults that a page at `book/a.md` has.
    fn lines(text: &str, is_tested: bool) -> Vec<usize> {
        let place = Place {
            root: "/nowhere".into(),
            source: "book".into(),
            repository: None,
        };
        let mut found = BTreeSet::new();
        let mut judge = Judge {
            place: &place,
            page: Path::new("a.md"),
            is_tested,
            faults: &mut found,
            fences: 0,
            listings: 0,
        };
        judge.text(text, 0);
        found.iter().map(|fault| fault.line.unwrap()).collect()
    }

    #[test]
    fn a_fence_is_closed() {
        assert_eq!(lines("a\n\n```text\nz\n\nthe rest\n", false), [3]);
        assert_eq!(lines("> ```text\n> z\n> ```\n", false), [0_usize; 0]);
    }

    #[test]
    fn every_fence_names_a_language() {
        assert_eq!(
            lines("```\nx\n```\n\n    y\n\n```text\nz\n```\n", false),
            [1, 5]
        );
    }

    #[test]
    fn a_doctest_counts_only_where_the_page_is_tested() {
        let text = "```rust\nlet a = 1;\n```\n\n```rust,compile_fail\nlet a: u8 = \"\";\n```\n";
        assert_eq!(lines(text, true), [] as [usize; 0]);
        assert_eq!(lines(text, false), [1, 5]);
    }

    #[test]
    fn what_is_not_compiled_gives_its_reason_on_the_line_above() {
        let marked = "<!-- not compiled: a sketch -->\n```rust,ignore\nfn f();\n```\n";
        assert_eq!(lines(marked, true), [] as [usize; 0]);
        let empty = "<!-- not compiled:  -->\n```rust,ignore\nfn f();\n```\n";
        assert_eq!(lines(empty, true), [2]);
        let apart = "<!-- not compiled: a sketch -->\n\n```rust,ignore\nfn f();\n```\n";
        assert_eq!(lines(apart, true), [3]);
    }

    #[test]
    fn a_listing_is_ignored_and_alone() {
        let include = "{{#include ../c/src/lib.rs:x}}";
        assert_eq!(
            lines(&format!("```rust,ignore\n{include}\n```\n"), true),
            [] as [usize; 0]
        );
        assert_eq!(lines(&format!("```rust\n{include}\n```\n"), true), [1]);
        assert_eq!(
            lines(&format!("```python\nimport os\n{include}\n```\n"), true),
            [1]
        );
    }

    #[test]
    fn a_note_of_no_known_kind_is_a_fault() {
        let known = "```admonish tip title=\"T\"\nx\n```\n\n```admonish title=\"T\"\nx\n```\n";
        assert_eq!(lines(known, true), [] as [usize; 0]);
        assert_eq!(
            lines("```admonish\nx\n```\n\n```admonish wraning\nx\n```\n", true),
            [5]
        );
    }

    #[test]
    fn fences_inside_an_admonish_block_are_judged_at_their_own_line() {
        let text = "# T\n\n````admonish note\nText.\n\n```rust\nlet a = 1;\n```\n````\n";
        assert_eq!(lines(text, true), [6]);
    }
}
