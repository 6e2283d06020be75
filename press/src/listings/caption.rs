//! The line under a listing: its file, linked to the repository, and the command that runs it.
//! The command follows from the place of the file in its package.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// The caption of `file` (a path from `root`) as a paragraph of HTML.
pub(crate) fn html(
    root: &Path,
    file: &Path,
    span: Option<(usize, usize)>,
    repository: Option<&str>,
) -> Result<String> {
    let path = slashes(file);
    let shown = escape(&path);
    let source = match repository {
        None => format!("<span>{shown}</span>"),
        Some(url) => {
            let lines = span.map_or(String::new(), |(first, last)| format!("#L{first}-L{last}"));
            let url = escape(url.trim_end_matches('/'));
            format!(r#"<a href="{url}/blob/main/{shown}{lines}">{shown}</a>"#)
        }
    };
    let run = match command(root, file)? {
        None => String::new(),
        Some(command) => format!(" <code>{}</code>", escape(&command)),
    };
    Ok(format!(r#"<p class="listing-caption">{source}{run}</p>"#))
}

/// The command that runs or tests `file`; `None` for a file that is only data.
fn command(root: &Path, file: &Path) -> Result<Option<String>> {
    let extension = file.extension().and_then(|e| e.to_str());
    if extension == Some("py") {
        return Ok(Some(format!("python3 {}", slashes(file))));
    }
    if extension != Some("rs") {
        return Ok(None);
    }
    let Some(package) = package_folder(root, file) else {
        return Ok(None);
    };
    let name = package_name(&root.join(&package).join("Cargo.toml"))?;
    let inside = slashes(file.strip_prefix(&package).unwrap_or(file));
    let words: Vec<&str> = inside.split('/').collect();
    // `examples/foo.rs` and `examples/foo/main.rs` are both the target `foo`.
    let target = |word: &str| word.trim_end_matches(".rs").to_owned();
    Ok(Some(match words.as_slice() {
        ["src", "main.rs"] => format!("cargo run -p {name}"),
        ["src", "bin", bin, ..] => format!("cargo run -p {name} --bin {}", target(bin)),
        ["examples", example, ..] => format!("cargo run -p {name} --example {}", target(example)),
        ["tests", test, ..] => format!("cargo test -p {name} --test {}", target(test)),
        ["benches", bench, ..] => format!("cargo bench -p {name} --bench {}", target(bench)),
        _ => format!("cargo test -p {name}"),
    }))
}

/// The nearest folder above `file` that holds a `Cargo.toml`, as a path from `root`.
fn package_folder(root: &Path, file: &Path) -> Option<PathBuf> {
    let holds = |folder: &&Path| {
        !folder.as_os_str().is_empty() && root.join(folder).join("Cargo.toml").is_file()
    };
    file.ancestors().skip(1).find(holds).map(Path::to_owned)
}

/// `package.name` of a manifest.
fn package_name(manifest: &Path) -> Result<String> {
    let why = || format!("cannot read {}", manifest.display());
    let text = std::fs::read_to_string(manifest).with_context(why)?;
    let table: toml::Table = text.parse().with_context(why)?;
    match table
        .get("package")
        .and_then(|package| package.get("name"))
        .and_then(|n| n.as_str())
    {
        Some(name) => Ok(name.to_owned()),
        None => bail!(
            "{} names no package; add `[package] name`",
            manifest.display()
        ),
    }
}

fn slashes(path: &Path) -> String {
    let words: Vec<_> = path.iter().map(|word| word.to_string_lossy()).collect();
    words.join("/")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn project() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        let floor = root.path().join("chapters-code/03-six-steps");
        fs::create_dir_all(&floor).unwrap();
        fs::write(
            floor.join("Cargo.toml"),
            "[package]\nname = \"six-steps\"\n",
        )
        .unwrap();
        root
    }

    #[test]
    fn the_command_follows_from_the_place() {
        let root = project();
        let floor = "chapters-code/03-six-steps";
        let run = |path: &str| command(root.path(), Path::new(path)).unwrap();
        for (path, expected) in [
            ("src/turn.rs", "cargo test -p six-steps"),
            ("src/turn/sweep.rs", "cargo test -p six-steps"),
            ("src/main.rs", "cargo run -p six-steps"),
            ("src/bin/clock.rs", "cargo run -p six-steps --bin clock"),
            ("examples/echo.rs", "cargo run -p six-steps --example echo"),
            (
                "examples/echo/main.rs",
                "cargo run -p six-steps --example echo",
            ),
            ("tests/order.rs", "cargo test -p six-steps --test order"),
            (
                "benches/call_soon.rs",
                "cargo bench -p six-steps --bench call_soon",
            ),
            ("demo.py", "python3 chapters-code/03-six-steps/demo.py"),
        ] {
            assert_eq!(run(&format!("{floor}/{path}")).as_deref(), Some(expected));
        }
        assert_eq!(run(&format!("{floor}/Cargo.toml")), None);
        assert_eq!(run("stray.rs"), None);
    }

    #[test]
    fn the_caption_links_to_the_lines() {
        let root = project();
        let file = Path::new("chapters-code/03-six-steps/src/turn.rs");
        let url = Some("https://example.org/repo/");
        let got = html(root.path(), file, Some((10, 32)), url).unwrap();
        assert_eq!(
            got,
            "<p class=\"listing-caption\"><a href=\"https://example.org/repo/blob/main/\
             chapters-code/03-six-steps/src/turn.rs#L10-L32\">chapters-code/03-six-steps/src/\
             turn.rs</a> <code>cargo test -p six-steps</code></p>"
        );
        let plain = html(root.path(), file, None, None).unwrap();
        assert!(
            plain.contains("<span>chapters-code") && !plain.contains("href"),
            "{plain}"
        );
    }

    #[test]
    fn a_manifest_without_a_name_is_an_error() {
        let root = project();
        let manifest = root.path().join("chapters-code/03-six-steps/Cargo.toml");
        fs::write(&manifest, "[workspace]\n").unwrap();
        let file = Path::new("chapters-code/03-six-steps/src/turn.rs");
        let error = command(root.path(), file).unwrap_err().to_string();
        assert!(error.contains("names no package"), "{error}");
    }
}
