//! What the watch shows: on a terminal one page at a time, elsewhere one text after the other.

use std::io::{IsTerminal as _, Write as _, stdout};

use anyhow::Result;
use serde_json::Value;

use crate::{FAINT, STRONG, tell};

/// What the keys do.
const KEYS: &str = "n next  h hint  d diff  r run again  l list  q quit";
/// The width of a line where nobody says how wide the terminal is.
const WIDTH: usize = 80;

/// Where the watch prints.
pub(crate) struct Screen {
    json: bool,
    /// Whether keys come one by one.
    keys: bool,
    pages: bool,
}

impl Screen {
    pub(crate) fn new(json: bool, keys: bool) -> Self {
        let is_dumb = std::env::var_os("TERM").is_none_or(|name| name == "dumb");
        let pages = !json && stdout().is_terminal() && !is_dumb;
        Self { json, keys, pages }
    }

    /// Whether a whole page is shown, so that it has to be shown again at a new size.
    pub(crate) fn has_pages(&self) -> bool {
        self.pages
    }

    /// Shows a page: a title, what is to be said, and what the keys do.
    pub(crate) fn page(&self, title: &str, text: &str) -> Result<()> {
        if self.json {
            return Ok(());
        }
        let mut out = anstream::stdout().lock();
        if !self.pages {
            writeln!(out, "== {title}")?;
            write!(out, "{text}")?;
            return Ok(out.flush()?);
        }
        let rule = "─".repeat(tell::columns().unwrap_or(WIDTH));
        // The page before stays above, where the terminal scrolls.
        write!(stdout(), "\u{1b}[H\u{1b}[2J")?;
        writeln!(out, "{STRONG}{title}{STRONG:#}\n{FAINT}{rule}{FAINT:#}")?;
        write!(out, "{text}")?;
        let keys = if self.keys {
            KEYS
        } else {
            "Ctrl-C ends the watch"
        };
        writeln!(out, "{FAINT}{rule}{FAINT:#}\n{FAINT}{keys}{FAINT:#}")?;
        Ok(out.flush()?)
    }

    /// Adds a text below the page.
    pub(crate) fn text(&self, text: &str) -> Result<()> {
        if self.json {
            return Ok(());
        }
        let mut out = anstream::stdout().lock();
        write!(out, "{text}")?;
        Ok(out.flush()?)
    }

    /// Prints an event for programs.
    pub(crate) fn event(&self, event: &Value) -> Result<()> {
        if self.json {
            let mut out = stdout().lock();
            writeln!(out, "{event}")?;
            out.flush()?;
        }
        Ok(())
    }
}
