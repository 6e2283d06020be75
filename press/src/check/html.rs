//! Reads the built HTML as a browser does: the ids of each page, its links, and what it loads.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use mdbook_driver::MDBook;
use scraper::{ElementRef, Html, Selector};

use crate::output::{extension, files_below};

/// The built book.
pub(crate) struct Site {
    /// Every file, as a path with `/` from the book's folder.
    pub(crate) files: BTreeSet<String>,
    /// The pages among them, by their path.
    pub(crate) pages: BTreeMap<String, BuiltPage>,
}

/// A built page.
#[derive(Default)]
pub(crate) struct BuiltPage {
    /// The page's markdown, from the folder of the pages; none for the print page and its like.
    pub(crate) source: Option<PathBuf>,
    pub(crate) ids: BTreeSet<String>,
    /// Ids that stand on the page more than once.
    pub(crate) repeated_ids: BTreeSet<String>,
    pub(crate) references: Vec<Reference>,
}

/// One address in a page.
#[derive(Debug, PartialEq)]
pub(crate) struct Reference {
    /// The address as it stands in the HTML.
    pub(crate) address: String,
    pub(crate) kind: Kind,
}

/// What a browser does with an address.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// Goes there when the reader asks for it.
    Link,
    /// Loads it with the page.
    Resource,
    /// Loads it with the page, and not with the print page, where the still stands.
    Run,
}

/// Reads every page of the book built in `folder`.
pub(crate) fn read(folder: &Path, book: &MDBook) -> Result<Site> {
    let why = || format!("the built book in {} cannot be read", folder.display());
    let files = files_below(folder).with_context(why)?;
    let sources: BTreeMap<String, PathBuf> = book
        .book
        .chapters()
        .filter_map(|chapter| {
            let page = chapter.path.as_ref()?.with_extension("html");
            Some((super::name(folder, &page), chapter.source_path.clone()?))
        })
        .collect();
    let mut pages = BTreeMap::new();
    for file in files.iter().filter(|file| extension(file) == "html") {
        let text = fs::read_to_string(folder.join(file)).with_context(why)?;
        let mut page = parse(&text);
        page.source = sources.get(file).cloned();
        pages.insert(file.clone(), page);
    }
    Ok(Site { files, pages })
}

fn parse(text: &str) -> BuiltPage {
    let document = Html::parse_document(text);
    let everything = Selector::parse("*").expect("the selector is fixed");
    let mut page = BuiltPage::default();
    for element in document.select(&everything) {
        if let Some(id) = element.attr("id")
            && !page.ids.insert(id.to_owned())
        {
            page.repeated_ids.insert(id.to_owned());
        }
        let references = &mut page.references;
        let mut add = |address: &str, kind| {
            references.push(Reference {
                address: address.to_owned(),
                kind,
            });
        };
        addresses(element, &mut add);
    }
    page
}

/// The attributes whose value may hold an address as `url(…)`.
const STYLED: [&str; 9] = [
    "style",
    "fill",
    "stroke",
    "filter",
    "mask",
    "clip-path",
    "marker-start",
    "marker-mid",
    "marker-end",
];

/// Every address of one element, with what a browser does with it.
fn addresses(element: ElementRef<'_>, add: &mut impl FnMut(&str, Kind)) {
    let name = element.value().name();
    let link_kind = || match element.attr("rel").unwrap_or("") {
        "canonical" | "alternate" | "author" | "license" => Kind::Link,
        _ => Kind::Resource,
    };
    for (attribute, value) in element.value().attrs() {
        match (name, attribute) {
            ("a" | "area", "href") | ("form", "action") => add(value, Kind::Link),
            ("link", "href") => add(value, link_kind()),
            // SVG: `use` and `image`; both may only show what lies in the book.
            ("use" | "image" | "pattern" | "linearGradient", "href" | "xlink:href") => {
                add(value, Kind::Resource);
            }
            // The run files of a component.
            (_, "data-run") => value.split_whitespace().for_each(|run| add(run, Kind::Run)),
            (_, "src" | "poster") | ("object", "data") => add(value, Kind::Resource),
            (_, "srcset") => {
                for candidate in value.split(',') {
                    if let Some(address) = candidate.split_whitespace().next() {
                        add(address, Kind::Resource);
                    }
                }
            }
            (_, name) if STYLED.contains(&name) => {
                for address in super::styles::addresses(value) {
                    add(address, Kind::Resource);
                }
            }
            _ => {}
        }
    }
    if name == "style" {
        for address in super::styles::addresses(&element.text().collect::<String>()) {
            add(address, Kind::Resource);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_what_is_loaded_are_told_apart() {
        let page = parse(
            "<link rel=stylesheet href=a.css><script src=b.js></script><p id=x><a href='#x'>x</a>\
             <img srcset='c.png 1x, d.png 2x'><svg><use href='#x'/><path marker-end='url(#e)'/></svg>\
             <i style='background: url(\"f.png\")' id=x></i>",
        );
        let found: Vec<_> = page
            .references
            .iter()
            .map(|r| (r.address.as_str(), r.kind == Kind::Link))
            .collect();
        assert_eq!(
            found,
            [
                ("a.css", false),
                ("b.js", false),
                ("#x", true),
                ("c.png", false),
                ("d.png", false),
                ("#x", false),
                ("#e", false),
                ("f.png", false),
            ]
        );
        assert!(page.repeated_ids.contains("x"));
    }
}
