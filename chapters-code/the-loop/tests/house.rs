//! What has to hold of the whole house: which floor may name which, no `unsafe`, and files that
//! can be read in one sitting.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

fn chapters_code() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent()
        .expect("the-loop stands in chapters-code")
        .to_path_buf()
}

/// The floors by their number, from the names of their folders: `03-six-steps` is floor 3.
fn floors() -> Vec<(u32, String)> {
    let mut floors: Vec<(u32, String)> = fs::read_dir(chapters_code())
        .unwrap()
        .filter_map(|entry| {
            let folder = entry.unwrap().file_name().into_string().unwrap();
            let (number, name) = folder.split_once('-')?;
            Some((number.parse().ok()?, name.to_owned()))
        })
        .collect();
    floors.sort();
    floors
}

fn manifest(folder: &str) -> toml::Table {
    let path = chapters_code().join(folder).join("Cargo.toml");
    fs::read_to_string(path).unwrap().parse().unwrap()
}

/// The crates of this house that a manifest depends on. What only its tests and benches use is
/// exempt: a test of a low floor may well show it from above.
fn depends_on(manifest: &toml::Table, known: &[(u32, String)]) -> Vec<String> {
    let tables = ["dependencies", "build-dependencies"];
    let of = |table: &toml::Table| -> Vec<String> {
        let found = tables
            .iter()
            .filter_map(|name| table.get(*name)?.as_table());
        found
            .flat_map(|dependencies| dependencies.keys().cloned())
            .collect()
    };
    let mut all = of(manifest);
    if let Some(targets) = manifest.get("target").and_then(toml::Value::as_table) {
        all.extend(
            targets
                .values()
                .filter_map(toml::Value::as_table)
                .flat_map(of),
        );
    }
    let ours = |name: &String| {
        name == "the-loop" || name == "scenario" || known.iter().any(|(_, floor)| floor == name)
    };
    all.retain(ours);
    all
}

#[test]
fn a_floor_stands_on_lower_floors_only() {
    let floors = floors();
    assert_eq!(floors.first().map(|(number, _)| *number), Some(1));
    for (number, name) in &floors {
        let folder = format!("{number:02}-{name}");
        let manifest = manifest(&folder);
        assert_eq!(
            manifest["package"]["name"].as_str(),
            Some(name.as_str()),
            "{folder}"
        );
        for lower in depends_on(&manifest, &floors) {
            let floor = floors.iter().find(|(_, floor)| *floor == lower);
            assert!(
                floor.is_some_and(|(floor, _)| floor < number),
                "floor {number}, {name}, depends on {lower}, which does not lie below it"
            );
        }
    }
}

#[test]
fn the_rule_sees_a_dependency_wherever_it_is_written() {
    let floors = floors();
    let manifest: toml::Table = "[dependencies]\nlog = '1'\ncontainers = '1'\n\
         [target.'cfg(unix)'.dependencies]\nrunner = '1'\n\
         [dev-dependencies]\nwakeup = '1'"
        .parse()
        .unwrap();
    assert_eq!(depends_on(&manifest, &floors), ["containers", "runner"]);
}

/// All files below `folder` with one of these endings.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, endings));
        } else if path
            .extension()
            .is_some_and(|it| endings.iter().any(|ending| it == *ending))
        {
            found.push(path);
        }
    }
    found
}

/// The lines on which `unsafe` stands as a word of the language, not of a comment or a text.
fn unsafe_lines(tokens: TokenStream) -> Vec<usize> {
    let mut lines = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(word) if word == "unsafe" => lines.push(word.span().start().line),
            TokenTree::Group(group) => lines.extend(unsafe_lines(group.stream())),
            _ => {}
        }
    }
    lines
}

#[test]
fn no_unsafe_on_any_floor() {
    let sources = files(&chapters_code(), &["rs"]);
    assert!(
        sources.len() > 50,
        "the sources are elsewhere: {}",
        sources.len()
    );
    for path in sources {
        let tokens: TokenStream = fs::read_to_string(&path).unwrap().parse().unwrap();
        let lines = unsafe_lines(tokens);
        assert!(
            lines.is_empty(),
            "{}: unsafe on lines {lines:?}",
            path.display()
        );
    }
}

#[test]
fn the_search_for_unsafe_finds_it() {
    let source = "// unsafe\nfn f() {\n    let _ = \"unsafe\";\n    unsafe {}\n}";
    assert_eq!(unsafe_lines(source.parse().unwrap()), [4]);
}

#[test]
fn the_compiler_forbids_unsafe_on_every_floor() {
    let root: toml::Table = fs::read_to_string(chapters_code().join("../Cargo.toml"))
        .unwrap()
        .parse()
        .unwrap();
    let level = &root["workspace"]["lints"]["rust"]["unsafe_code"];
    assert_eq!(level.as_str(), Some("forbid"));
    for (number, name) in floors() {
        let manifest = manifest(&format!("{number:02}-{name}"));
        assert_eq!(
            manifest["lints"]["workspace"].as_bool(),
            Some(true),
            "{name}"
        );
    }
}

#[test]
fn no_file_is_longer_than_350_lines() {
    let long: Vec<String> = files(&chapters_code(), &["rs", "py"])
        .into_iter()
        .filter_map(|path| {
            let lines = fs::read_to_string(&path).unwrap().lines().count();
            (lines > 350).then(|| format!("{}: {lines}", path.display()))
        })
        .collect();
    assert!(
        long.is_empty(),
        "one idea a file, split these:\n{}",
        long.join("\n")
    );
}

#[test]
fn a_turn_is_read_in_one_screen() {
    let source = fs::read_to_string(chapters_code().join("03-six-steps/src/turn.rs")).unwrap();
    let body = source
        .lines()
        .skip_while(|line| !line.contains("fn run_once("));
    let lines = body.take_while(|line| *line != "    }").count() + 1;
    assert!((20..60).contains(&lines), "run_once has {lines} lines");
}
