//! Follows every address of every built page and finds, where it can, the line of the markdown that
//! a broken one comes from.

use std::collections::{BTreeMap, BTreeSet};

use super::address::{Address, resolve};
use super::html::{BuiltPage, Kind, Reference, Site};
use super::{Counts, Page};
use crate::fault::Fault;
use crate::fences::line_at;
use crate::listings::Place;

/// Holds each page once more, its addresses rewritten: only what is wrong nowhere else is its fault.
const PRINT_PAGE: &str = "print.html";

/// A copy of the first page under another name.
const FIRST_PAGE: &str = "index.html";

/// Follows every address of the site.
pub(crate) fn faults(
    site: &Site,
    place: &Place,
    pages: &[Page],
    counts: &mut Counts,
    faults: &mut BTreeSet<Fault>,
) {
    let mut broken = BTreeSet::new();
    let last = site.pages.get_key_value(PRINT_PAGE);
    let others = site.pages.iter().filter(|(name, _)| *name != PRINT_PAGE);
    for (name, page) in others.chain(last) {
        if name == FIRST_PAGE && page.source.is_none() {
            continue;
        }
        let markdown = page
            .source
            .as_ref()
            .and_then(|s| pages.iter().find(|p| p.path == *s));
        let blamed = markdown.map_or_else(|| name.clone(), |markdown| place.name(&markdown.path));
        let mut seen = BTreeMap::new();
        for reference in &page.references {
            let Some((key, what, remedy)) = judge(site, name, page, reference, counts) else {
                continue;
            };
            if name == PRINT_PAGE && broken.contains(&key) {
                continue;
            }
            broken.insert(key);
            let nth = seen.entry(reference.address.as_str()).or_insert(0_usize);
            let line = markdown.and_then(|page| line_of(&page.text, &reference.address, *nth));
            *nth += 1;
            faults.insert(Fault::new(&blamed, line, what, remedy));
        }
        for id in &page.repeated_ids {
            let line = markdown.and_then(|markdown| line_of(&markdown.text, id, 1));
            let what = format!("the id `{id}` stands on this page more than once");
            faults.insert(Fault::new(
                &blamed,
                line,
                what,
                "rename all but one of them",
            ));
        }
    }
}

/// What is wrong with one address: what it leads to, in short, then the fault and its remedy.
fn judge(
    site: &Site,
    name: &str,
    page: &BuiltPage,
    reference: &Reference,
    counts: &mut Counts,
) -> Option<(String, String, String)> {
    let Reference { address, kind } = reference;
    if *kind == Kind::Run && name == PRINT_PAGE {
        return None;
    }
    match kind {
        Kind::Link => counts.links += 1,
        Kind::Resource | Kind::Run => counts.resources += 1,
    }
    let fault =
        |key: &str, what: String, remedy: &str| Some((key.to_owned(), what, remedy.to_owned()));
    match resolve(name, address) {
        Address::Data => None,
        Address::Outside if *kind == Kind::Link => None,
        Address::Outside => fault(
            address,
            format!("the page loads {address} from another site"),
            "keep a copy in the book: no request leaves a page",
        ),
        Address::Bad => fault(
            address,
            format!("`{address}` is not an address"),
            "mend it; a link leads to a page or to another site",
        ),
        Address::Inside { file, fragment } => {
            // A folder without a slash leads to its index, as every web server has it.
            let index = format!("{file}/index.html");
            let target = if site.files.contains(&index) {
                index
            } else {
                file
            };
            if !site.files.contains(&target) {
                return fault(
                    &target,
                    format!("`{address}` leads to {target}, which does not exist"),
                    "mend the address, or add the file or the page to the book",
                );
            }
            let fragment = fragment.filter(|fragment| !fragment.is_empty())?;
            counts.fragments += 1;
            let there = if target == name {
                Some(page)
            } else {
                site.pages.get(&target)
            };
            // A fragment of a picture is the picture's own business.
            if there.is_none_or(|there| there.ids.contains(&fragment)) {
                return None;
            }
            fault(
                &fragment,
                format!("`{address}` leads to #{fragment}, which {target} does not have"),
                &nearest(there, &fragment),
            )
        }
    }
}

/// Names the fragment that was probably meant: one that holds the other.
fn nearest(page: Option<&BuiltPage>, fragment: &str) -> String {
    let meant = page.into_iter().flat_map(|page| &page.ids).find(|id| {
        !id.starts_with("mdbook-") && (id.contains(fragment) || fragment.contains(id.as_str()))
    });
    match meant {
        Some(id) => format!("mend the fragment; perhaps #{id} was meant"),
        None => "mend the fragment, or the heading that it names".to_owned(),
    }
}

/// The line of the markdown that holds the address for the `nth` time, as written or as mdBook
/// rewrites it; a link by reference is written once, so the last line stands for the later ones.
fn line_of(markdown: &str, address: &str, nth: usize) -> Option<usize> {
    let rewritten = address.replacen(".html", ".md", 1);
    let stands_alone = |at: usize, length: usize| {
        let is_part = |c: char| c.is_alphanumeric() || "-_./#%".contains(c);
        let before = markdown[..at].chars().next_back();
        // A full stop may end the sentence; a letter makes it another address.
        let after = markdown[at + length..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(|c| is_part(c) && c != '.')
    };
    let mut found: Vec<usize> = markdown
        .match_indices(address)
        .chain(markdown.match_indices(&rewritten))
        .filter(|(at, text)| stands_alone(*at, text.len()))
        .map(|(at, _)| at)
        .collect();
    found.sort_unstable();
    found.dedup();
    let at = found.get(nth).or(found.last())?;
    Some(line_at(markdown, *at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_found_by_either_spelling() {
        let markdown = "# A\n\n[b](../b/index.md#x)\n<img src=\"c.svg\">\n";
        assert_eq!(line_of(markdown, "../b/index.html#x", 0), Some(3));
        assert_eq!(line_of(markdown, "c.svg", 0), Some(4));
        assert_eq!(line_of(markdown, "d.svg", 0), None);
    }

    #[test]
    fn a_longer_address_is_another_one_and_a_repeated_one_has_its_own_line() {
        let markdown = "[a](b.md#step)\n[a](b.md#st)\n\n[c](b.md#st)\n";
        assert_eq!(line_of(markdown, "b.html#st", 0), Some(2));
        assert_eq!(line_of(markdown, "b.html#st", 1), Some(4));
        assert_eq!(line_of(markdown, "b.html#st", 2), Some(4));
    }
}
