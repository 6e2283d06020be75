//! `cargo book check`: reads the pages' markdown for its fences and includes, builds the book into a
//! temporary folder and follows every link of the built HTML. All faults are listed, then counted.

mod address;
mod doctests;
mod html;
mod links;
mod markdown;
mod reports;
mod styles;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use mdbook_driver::MDBook;

use crate::book;
use crate::components::Components;
use crate::exercises;
use crate::fault::Fault;
use crate::lean;
use crate::listings::Place;
use crate::measured::Measured;

/// One page of the book as its author wrote it.
pub(crate) struct Page {
    /// The file from the folder of the pages: `03-six-steps/index.md`.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// What was looked at, for the last line of a good run.
#[derive(Default)]
struct Counts {
    pages: usize,
    links: usize,
    fragments: usize,
    resources: usize,
    listings: usize,
    fences: usize,
}

/// Checks the book; the exit code says whether it is sound.
pub(crate) fn run() -> Result<ExitCode> {
    let root = book::find_root()?;
    let config = book::read_config(&root)?;
    let place = Place {
        root: root.clone(),
        source: config.book.src.clone(),
        repository: None,
    };
    let folder = tempfile::tempdir().context("no temporary folder; is the disk full?")?;
    let built = folder.path().join("book");
    let book = book::load(&root, config, &built, false)?;
    let pages = pages(&book)?;

    let mut counts = Counts {
        pages: pages.len(),
        ..Counts::default()
    };
    let mut faults = BTreeSet::new();
    let tested = doctests::pages(&root)?;
    let exercises = exercises::read(&root).unwrap_or_else(|fault| {
        faults.insert(fault);
        Vec::new()
    });
    let components = Components::read(&root, &place.source);
    let components = components.unwrap_or_else(|fault| {
        faults.insert(fault);
        Components::default()
    });
    let measured = Measured::read(&root, &place.source, None, false);
    let measured = measured.map_err(|wrong| faults.extend(wrong)).ok();
    let mut unbuilt = !faults.is_empty();
    let paths = pages.iter().map(|page| page.path.as_path());
    faults.extend(exercises::homeless(&exercises, paths));
    for page in &pages {
        let name = place.name(&page.path);
        faults.extend(exercises::faults(&exercises, &name, &page.path, &page.text));
        let (fences, listings) = markdown::faults(&place, page, &tested, &mut faults);
        let mut wrong = components.faults(&name, &page.text);
        wrong.extend(
            measured
                .iter()
                .flat_map(|measured| measured.faults(&name, &page.text)),
        );
        unbuilt |= !wrong.is_empty();
        faults.extend(wrong);
        counts.fences += fences;
        counts.listings += listings;
    }

    let (outcome, reported) = reports::during(|| book.build());
    match outcome {
        Ok(()) => {
            faults.extend(reported);
            let site = html::read(&built, &book)?;
            links::faults(&site, &place, &pages, &mut counts, &mut faults);
            styles::faults(&built, &mut counts, &mut faults)?;
            if let Err(error) = lean::scripts(&built) {
                faults.insert(Fault::new(
                    "book/components",
                    None,
                    format!("{error:#}"),
                    "mend the script",
                ));
            }
        }
        Err(error) => {
            // The includes and components that failed are already in the list, each with its line.
            if !unbuilt
                && !pages
                    .iter()
                    .any(|page| !place.faults(&page.path, &page.text).is_empty())
            {
                let what = format!("the book cannot be built: {error:#}");
                faults.insert(Fault::new("book.toml", None, what, "mend what this names"));
            }
            println!("The pages were not built, so no link was followed.");
        }
    }
    Ok(report(&faults, &counts))
}

fn pages(book: &MDBook) -> Result<Vec<Page>> {
    let source = book.source_dir();
    let read = |path: &PathBuf| -> Result<Page> {
        let file = source.join(path);
        let text = fs::read_to_string(&file)
            .with_context(|| format!("the page {} cannot be read", file.display()))?;
        Ok(Page {
            path: path.clone(),
            text,
        })
    };
    book.book
        .chapters()
        .filter_map(|chapter| chapter.source_path.as_ref())
        .map(read)
        .collect()
}

fn report(faults: &BTreeSet<Fault>, counts: &Counts) -> ExitCode {
    for fault in faults {
        println!("{fault}");
    }
    if faults.is_empty() {
        let Counts {
            pages,
            links,
            fragments,
            resources,
            listings,
            fences,
        } = counts;
        println!(
            "Sound: {pages} pages, {links} links ({fragments} with a fragment), {resources} \
             scripts, styles and images, {fences} code fences, {listings} of them listings."
        );
        return ExitCode::SUCCESS;
    }
    let plural = if faults.len() == 1 { "" } else { "s" };
    println!("{} fault{plural}.", faults.len());
    ExitCode::FAILURE
}

/// The name of a built file for people: from its folder, with `/`.
fn name(built: &Path, file: &Path) -> String {
    let file = file.strip_prefix(built).unwrap_or(file);
    file.iter()
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join("/")
}
