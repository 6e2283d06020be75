//! The scripts of the components as they are delivered: what a reader's browser needs, without the
//! comments and the long names that their readers need. An ordinary `mdbook build` delivers them as
//! they are written; they do the same.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result, bail};
use oxc_allocator::Allocator;
use oxc_codegen::{Codegen, CodegenOptions};
use oxc_minifier::{Minifier, MinifierOptions};
use oxc_parser::Parser;
use oxc_span::SourceType;

/// Where mdBook puts them in a built book.
const SCRIPTS: &str = "components";

/// Makes the scripts of the book in this folder lean; without components there is nothing to do.
///
/// # Errors
/// A script is no JavaScript, with the place, or a file cannot be read or written.
pub(crate) fn scripts(book: &Path) -> Result<()> {
    let folder = book.join(SCRIPTS);
    let entries = match fs::read_dir(&folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries.with_context(|| format!("cannot read {}", folder.display()))?,
    };
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "js") {
            let why = || format!("cannot deliver {}", path.display());
            let text = fs::read_to_string(&path).with_context(why)?;
            let lean = script(&text).with_context(why)?;
            fs::write(&path, lean).with_context(why)?;
        }
    }
    Ok(())
}

/// The same module in fewer bytes.
fn script(text: &str) -> Result<String> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, text, SourceType::mjs()).parse();
    if let Some(fault) = parsed.diagnostics.first() {
        bail!("{fault}; mend it in book/components");
    }
    let mut program = parsed.program;
    let minified = Minifier::new(MinifierOptions::default()).minify(&allocator, &mut program);
    let printed = Codegen::new()
        .with_options(CodegenOptions::minify())
        .with_scoping(minified.scoping)
        .build(&program);
    Ok(printed.code)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// What all scripts and styles of the components may weigh together, in bytes.
    const BUDGET: usize = 60_000;

    #[test]
    fn the_components_keep_to_their_budget() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/components");
        let mut weight = 0;
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let extension = path.extension().and_then(|extension| extension.to_str());
            weight += match extension {
                Some("js") => script(&fs::read_to_string(&path).unwrap()).unwrap().len(),
                Some("css") => fs::read(&path).unwrap().len(),
                _ => 0,
            };
        }
        assert!(weight > 0);
        assert!(weight < BUDGET, "{weight} bytes");
    }

    #[test]
    fn what_others_import_keeps_its_name() {
        let lean = script("// why\nconst long_name = 1;\nexport const told = () => long_name;\n");
        let lean = lean.unwrap();
        assert!(lean.contains("told"), "{lean}");
        assert!(!lean.contains("why"), "{lean}");
    }

    #[test]
    fn a_script_that_is_none_is_refused() {
        let why = script("let = {").unwrap_err().to_string();
        assert!(why.ends_with("mend it in book/components"), "{why}");
    }
}
