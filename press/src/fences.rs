//! The code fences of a page, each with its language, its text and the line where it opens.
//! The listings are expanded and the rules of `check` are judged on what this module finds.

use std::ops::Range;

use mdbook_markdown::pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};
use mdbook_markdown::{MarkdownOptions, new_cmark_parser};

/// One code block of a page.
#[derive(Debug, PartialEq)]
pub(crate) struct Fence {
    /// What stands after the opening marks, or `None` for a block made by indenting.
    pub(crate) info: Option<String>,
    /// The block's text without the marks of the containers around it.
    pub(crate) text: String,
    /// Where the block stands in the page, the fences included.
    pub(crate) range: Range<usize>,
    /// The line of the page on which it opens, from 1.
    pub(crate) line: usize,
}

impl Fence {
    /// The first word of the info string: `rust` of `rust,ignore`.
    pub(crate) fn language(&self) -> &str {
        self.words().next().unwrap_or("")
    }

    /// Whether `word` stands in the info string after the language.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.words().skip(1).any(|found| found == word)
    }

    /// Whether a fence of `page` is closed: one that is not swallows the rest of the page.
    pub(crate) fn is_closed(&self, page: &str) -> bool {
        let block = page[self.range.clone()].trim_end();
        let last = block.lines().skip(1).last().unwrap_or("");
        let marks = last.trim_start_matches([' ', '\t', '>']);
        self.info.is_none() || marks.starts_with("```") || marks.starts_with("~~~")
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        let info = self.info.as_deref().unwrap_or("");
        info.split([',', ' ', '\t', '{', '}'])
            .filter(|word| !word.is_empty())
    }
}

/// The fences of `page`, in order.
pub(crate) fn of(page: &str) -> Vec<Fence> {
    let mut fences = Vec::new();
    let mut open: Option<Fence> = None;
    let options = MarkdownOptions::default();
    for (event, range) in new_cmark_parser(page, &options).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let info = match kind {
                    CodeBlockKind::Fenced(info) => Some(info.trim().to_owned()),
                    CodeBlockKind::Indented => None,
                };
                let line = line_at(page, range.start);
                open = Some(Fence {
                    info,
                    text: String::new(),
                    range,
                    line,
                });
            }
            Event::Text(text) => {
                if let Some(fence) = &mut open {
                    fence.text.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => fences.extend(open.take()),
            _ => {}
        }
    }
    fences
}

/// The line of `page` that holds the byte at `position`, from 1.
pub(crate) fn line_at(page: &str, position: usize) -> usize {
    page[..position].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_know_their_line_and_language() {
        let page = "# A\n\n```rust,ignore\nlet a;\n```\n\n- item\n\n  ```console\n  $ x\n  ```\n";
        let found = of(page);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].line, found[0].language()), (3, "rust"));
        assert!(found[0].has("ignore") && !found[0].has("rust"));
        assert_eq!((found[1].line, found[1].text.as_str()), (9, "$ x\n"));
    }

    #[test]
    fn a_block_made_by_indenting_has_no_info() {
        assert_eq!(of("text\n\n    code\n")[0].info, None);
        assert_eq!(of("```\ncode\n```\n")[0].language(), "");
    }
}
