//! The preprocessor `listings`: a fence that holds one include of a file outside the book becomes
//! the excerpt, moved to the left margin, with its caption below; `exercises.rs` lists a chapter's
//! exercises, `components/` shows runs of the loop, and `measured/` what was measured. It runs before
//! mdBook's `links`, which would keep the indentation and only log what it cannot find.

mod caption;
mod excerpt;
mod include;

use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Result, bail};
use mdbook_driver::book::Book;
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};

pub(crate) use include::{Include, all, sole};

use crate::components::Components;
use crate::exercises;
use crate::fault::Fault;
use crate::fences::{self, Fence};
use crate::measured::Measured;
use excerpt::Excerpt;

/// The preprocessor.
pub(crate) struct Listings {
    /// Whether the reader's own measurements stand beside the book's.
    pub(crate) own: bool,
}

impl Preprocessor for Listings {
    fn name(&self) -> &'static str {
        "listings"
    }

    fn run(&self, context: &PreprocessorContext, mut book: Book) -> Result<Book> {
        let place = Place {
            root: context.root.clone(),
            source: context.config.book.src.clone(),
            repository: context.config.get("output.html.git-repository-url")?,
        };
        let mut faults = Vec::new();
        let exercises = exercises::read(&context.root).unwrap_or_else(|fault| {
            faults.push(fault);
            Vec::new()
        });
        let components = Components::read(&context.root, &place.source).unwrap_or_else(|fault| {
            faults.push(fault);
            Components::default()
        });
        let repository = place.repository.as_deref();
        let measured = Measured::read(&context.root, &place.source, repository, self.own)
            .unwrap_or_else(|mut wrong| {
                faults.append(&mut wrong);
                Measured::default()
            });
        let all_is_read = faults.is_empty();
        book.for_each_chapter_mut(|chapter| {
            let Some(page) = chapter.source_path.clone() else {
                return;
            };
            // Other preprocessors have moved the lines: faults are found in the page on disk.
            let text = fs::read_to_string(place.root.join(&place.source).join(&page));
            let text = text.as_deref().unwrap_or(&chapter.content);
            let mut found = place.faults(&page, text);
            if all_is_read {
                found.extend(components.faults(&place.name(&page), text));
                found.extend(measured.faults(&place.name(&page), text));
            }
            if found.is_empty() {
                match place.expand(&page, &chapter.content) {
                    Ok(content) => {
                        let content = exercises::expand(&exercises, &page, &content);
                        let content = components.expand(&page, &content);
                        chapter.content = measured.expand(&page, &content);
                    }
                    Err(error) => found.push(Fault::new(
                        &place.name(&page),
                        None,
                        format!("{error:#}"),
                        "mend the listing's package",
                    )),
                }
            }
            faults.append(&mut found);
        });
        if faults.is_empty() {
            components.write()?;
            return Ok(book);
        }
        let list: Vec<String> = faults.iter().map(ToString::to_string).collect();
        bail!("the pages are not whole\n{}", list.join("\n"))
    }
}

/// The lines of an anchor in the text of a file.
pub(crate) fn anchor(text: &str, name: &str) -> Result<Vec<String>, String> {
    excerpt::take(text, &include::Part::Anchor(name.to_owned())).map(|excerpt| excerpt.lines)
}

/// Where a page's includes are looked up and what their captions link to.
pub(crate) struct Place {
    /// The folder of `book.toml`.
    pub(crate) root: PathBuf,
    /// The folder of the pages, from `root`.
    pub(crate) source: PathBuf,
    /// The repository's address.
    pub(crate) repository: Option<String>,
}

impl Place {
    /// A page (a path among the pages) by its name for people: `book/03-six-steps/index.md`.
    pub(crate) fn name(&self, page: &Path) -> String {
        self.source
            .join(page)
            .display()
            .to_string()
            .replace('\\', "/")
    }

    /// The included file as a path from `root`; `None` where it lies outside the project.
    pub(crate) fn file(&self, page: &Path, include: &Include) -> Option<PathBuf> {
        let folder = self.source.join(page.parent().unwrap_or(Path::new("")));
        let mut path = PathBuf::new();
        for part in folder.join(&include.path).components() {
            match part {
                Component::Normal(name) => path.push(name),
                Component::CurDir => {}
                Component::ParentDir => {
                    if !path.pop() {
                        return None;
                    }
                }
                Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        Some(path)
    }

    /// Whether a fence is a listing: one include, of a file outside the pages.
    pub(crate) fn listing(&self, page: &Path, fence: &Fence) -> Option<Include> {
        let include = sole(&fence.text)?;
        self.is_outside(page, &include).then_some(include)
    }

    /// Whether the included file lies outside the folder of the pages.
    pub(crate) fn is_outside(&self, page: &Path, include: &Include) -> bool {
        self.file(page, include)
            .is_none_or(|file| !file.starts_with(&self.source))
    }

    /// Every include of the page that names a file, an anchor or lines that do not exist.
    pub(crate) fn faults(&self, page: &Path, text: &str) -> Vec<Fault> {
        let mut faults = Vec::new();
        for include in all(text) {
            if let Err(what) = self.take(page, &include) {
                let line = fences::line_at(text, include.range.start);
                let directive = &text[include.range.clone()];
                let remedy = format!("mend {directive} or the file it names");
                faults.push(Fault::new(&self.name(page), line, what, remedy));
            }
        }
        faults
    }

    fn take(&self, page: &Path, include: &Include) -> Result<Excerpt, String> {
        let Some(file) = self.file(page, include) else {
            return Err(format!("{} lies outside the project", include.path));
        };
        let text = fs::read_to_string(self.root.join(&file))
            .map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
        excerpt::take(&text, &include.part).map_err(|what| format!("{} {what}", file.display()))
    }

    /// The page with its listings written out.
    fn expand(&self, page: &Path, text: &str) -> Result<String> {
        let mut expanded = String::with_capacity(text.len());
        let mut done = 0;
        for fence in fences::of(text) {
            if fence.language() == "console" {
                expanded.push_str(&text[done..fence.range.start]);
                expanded.push_str(&without_last_blank_line(&text[fence.range.clone()]));
                done = fence.range.end;
                continue;
            }
            let Some(include) = self.listing(page, &fence) else {
                continue;
            };
            let Some(file) = self.file(page, &include) else {
                continue;
            };
            let excerpt = self.take(page, &include).map_err(anyhow::Error::msg)?;
            let repository = self.repository.as_deref();
            let caption = caption::html(&self.root, &file, excerpt.span, repository)?;

            let line_start = text[..fence.range.start].rfind('\n').map_or(0, |at| at + 1);
            let margin = margin(&text[line_start..fence.range.start]);
            expanded.push_str(&text[done..fence.range.start]);
            expanded.push_str(&block(&fence, &excerpt, &caption, &margin));
            done = fence.range.end;
            if !text[done..].starts_with('\n') {
                expanded.push('\n');
            }
        }
        expanded.push_str(&text[done..]);
        Ok(expanded)
    }
}

/// What each further line of a block begins with, seen from what stands before its first line:
/// a list's mark becomes spaces, a quotation's mark stays.
fn margin(before: &str) -> String {
    before
        .chars()
        .map(|c| {
            if c == '>' || c.is_whitespace() {
                c
            } else {
                ' '
            }
        })
        .collect()
}

/// The fence with the excerpt in it, and the caption below.
fn block(fence: &Fence, excerpt: &Excerpt, caption: &str, margin: &str) -> String {
    let longest = excerpt
        .lines
        .iter()
        .map(|line| longest_run_of_backticks(line))
        .max();
    let marks = "`".repeat(longest.unwrap_or(0).max(2) + 1);
    let mut lines = vec![format!("{marks}{}", fence.info.as_deref().unwrap_or(""))];
    lines.extend(
        excerpt
            .lines
            .iter()
            .map(|line| format!("{margin}{}", shield(line))),
    );
    lines.push(format!("{margin}{marks}"));
    lines.push(margin.trim_end().to_owned());
    lines.push(format!("{margin}{caption}"));
    lines.push(margin.trim_end().to_owned());
    lines.join("\n")
}

/// trycmd wants a blank line before the closing marks; the reader need not see it.
fn without_last_blank_line(block: &str) -> String {
    let end = block.trim_end().len();
    match block[..end].rsplit_once('\n') {
        Some((body, marks)) => format!("{}\n{marks}{}", body.trim_end(), &block[end..]),
        None => block.to_owned(),
    }
}

fn longest_run_of_backticks(line: &str) -> usize {
    line.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Code that itself speaks of `{{#include …}}` must not be expanded by mdBook's `links`.
fn shield(line: &str) -> String {
    match line.find("{{#") {
        Some(at) if line[at..].contains("}}") => format!("{}\\{}", &line[..at], &line[at..]),
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests;
