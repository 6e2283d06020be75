//! Admonish blocks inside mdBook 0.5. `mdbook-admonish` is a library for mdBook 0.4, so each page
//! goes through a book of that version's types and comes back.

use anyhow::{Context, Result, bail};
use mdbook_admonish::Admonish as Library;
use mdbook_driver::book::{Book, Chapter};
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};
use mdbook04::book::{Book as OldBook, Chapter as OldChapter};
use mdbook04::preprocess::{Preprocessor as _, PreprocessorContext as OldContext};
use serde_json::{Value, json};

/// The preprocessor `admonish`.
pub(crate) struct Admonish;

impl Preprocessor for Admonish {
    fn name(&self) -> &'static str {
        "admonish"
    }

    fn run(&self, context: &PreprocessorContext, mut book: Book) -> Result<Book> {
        let settings: Option<Value> = context.config.get("preprocessor.admonish")?;
        let old_context = serde_json::from_value(json!({
            "root": context.root,
            "config": { "preprocessor": { "admonish": settings } },
            "renderer": context.renderer,
            "mdbook_version": mdbook04::MDBOOK_VERSION,
        }))?;

        let mut outcome = Ok(());
        book.for_each_chapter_mut(|chapter| {
            if outcome.is_err() {
                return;
            }
            match translate(&old_context, chapter) {
                Ok(content) => chapter.content = content,
                Err(error) => outcome = Err(error),
            }
        });
        outcome?;
        Ok(book)
    }
}

/// The page's markdown with its admonish blocks written out.
fn translate(context: &OldContext, chapter: &Chapter) -> Result<String> {
    let path = chapter.path.clone().unwrap_or_default();
    let page = path.display().to_string();
    let mut old = OldBook::new();
    old.push_item(OldChapter::new(
        &chapter.name,
        chapter.content.clone(),
        path,
        Vec::new(),
    ));
    let old = Library
        .run(context, old)
        .with_context(|| format!("the admonish blocks of {page} cannot be read"))?;
    match old.sections.into_iter().next() {
        Some(mdbook04::BookItem::Chapter(chapter)) => Ok(chapter.content),
        _ => bail!("mdbook-admonish returned no page for {page}"),
    }
}
