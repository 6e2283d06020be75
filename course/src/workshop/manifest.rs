//! The manifests of a workshop: the root's, made from the course's own, and each package's, made
//! from its exercise's. Lints, dependencies and profiles stay the course's.

use std::path::Path;

use anyhow::{Context as _, Result};
use toml::{Table, Value};

/// The root manifest of a workshop for the course at `root`, whose own manifest is `text`.
///
/// # Errors
/// The course's manifest is none of a workspace.
pub(crate) fn of_root(text: &str, root: &Path) -> Result<String> {
    let mut course: Table = text.parse().context("the root's Cargo.toml is no TOML")?;
    let Some(Value::Table(mut workspace)) = course.remove("workspace") else {
        anyhow::bail!("the root's Cargo.toml has no [workspace]");
    };
    workspace.retain(|key, _| ["resolver", "package", "dependencies", "lints"].contains(&key));
    workspace.insert("members".into(), vec!["packages/*/*"].into());
    if let Some(Value::Table(dependencies)) = workspace.get_mut("dependencies") {
        make_absolute(dependencies, root);
    }
    let mut manifest = Table::from_iter([("workspace".to_owned(), workspace.into())]);
    let mut profiles = match course.remove("profile") {
        Some(Value::Table(profiles)) => profiles,
        _ => Table::new(),
    };
    let dev = profiles.entry("dev").or_insert_with(|| Table::new().into());
    if let Value::Table(dev) = dev {
        // Each variant is compiled once and looked at by nobody: what helps with the second time
        // and in a debugger costs time and disk here.
        dev.insert("debug".into(), false.into());
        dev.insert("incremental".into(), false.into());
    }
    manifest.insert("profile".into(), profiles.into());
    Ok(manifest.to_string())
}

/// The manifest of a package called `name`, from its exercise's manifest in `folder`: another
/// name for the package and its program, the same one for its library, and tests alone.
///
/// # Errors
/// The exercise's manifest is no manifest of a package.
pub(crate) fn of_package(text: &str, folder: &Path, name: &str, program: bool) -> Result<String> {
    let mut manifest: Table = text.parse().context("Cargo.toml is no TOML")?;
    let Some(Value::Table(package)) = manifest.get_mut("package") else {
        anyhow::bail!("Cargo.toml has no [package]");
    };
    let called = package.insert("name".into(), name.into());
    let called = called.as_ref().and_then(Value::as_str).unwrap_or(name);
    let library = called.replace('-', "_");
    for automatic in ["autobins", "autobenches", "autoexamples"] {
        package.insert(automatic.into(), false.into());
    }

    let lib = manifest.entry("lib").or_insert_with(|| Table::new().into());
    if let Value::Table(lib) = lib {
        lib.entry("name").or_insert_with(|| library.into());
        lib.insert("test".into(), false.into());
        lib.insert("doctest".into(), false.into());
    }
    let bins = manifest.remove("bin");
    if program {
        let own = bins.as_ref().and_then(|bins| bins.get(0)?.as_table());
        let mut bin = own.cloned().unwrap_or_default();
        bin.insert("name".into(), name.into());
        bin.entry("path").or_insert_with(|| "src/main.rs".into());
        bin.insert("test".into(), false.into());
        manifest.insert("bin".into(), vec![bin].into());
    }
    for kind in ["dependencies", "dev-dependencies"] {
        if let Some(Value::Table(dependencies)) = manifest.get_mut(kind) {
            make_absolute(dependencies, folder);
        }
    }
    Ok(manifest.to_string())
}

/// Dependencies by path are found from anywhere.
fn make_absolute(dependencies: &mut Table, folder: &Path) {
    for (_, dependency) in dependencies.iter_mut() {
        if let Some(Value::String(path)) = dependency.get_mut("path") {
            *path = folder.join(&*path).display().to_string();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_keeps_what_packages_inherit() {
        let text = "[workspace]\nresolver = \"3\"\nmembers = [\"a\"]\ndefault-members = [\"a\"]\n\
                    [workspace.package]\nedition = \"2024\"\n\
                    [workspace.dependencies]\na = { path = \"floors/a\" }\nlog = \"0.4\"\n\
                    [workspace.lints.rust]\nunsafe_code = \"forbid\"\n\
                    [profile.dev]\ndebug = \"line-tables-only\"\npanic = \"abort\"\n";
        let root: Table = of_root(text, Path::new("/course"))
            .unwrap()
            .parse()
            .unwrap();
        let workspace = &root["workspace"];
        assert_eq!(workspace["members"], vec!["packages/*/*"].into());
        assert!(workspace.get("default-members").is_none());
        assert_eq!(workspace["resolver"].as_str(), Some("3"));
        assert_eq!(workspace["package"]["edition"].as_str(), Some("2024"));
        let dependencies = &workspace["dependencies"];
        assert_eq!(dependencies["a"]["path"].as_str(), Some("/course/floors/a"));
        assert_eq!(dependencies["log"].as_str(), Some("0.4"));
        assert_eq!(
            workspace["lints"]["rust"]["unsafe_code"].as_str(),
            Some("forbid")
        );
        let dev = &root["profile"]["dev"];
        assert_eq!(dev["debug"].as_bool(), Some(false));
        assert_eq!(dev["panic"].as_str(), Some("abort"));
        assert!(of_root("[package]\nname = \"a\"\n", Path::new("/")).is_err());
    }

    const EXERCISE: &str = "[package]\nname = \"the-round\"\n[lints]\nworkspace = true\n\
                            [[bin]]\nname = \"the-round\"\ntest = false\n\
                            [dependencies]\nx = { path = \"../x\" }\n";

    #[test]
    fn a_package_has_another_name_and_its_library_the_same() {
        let folder = Path::new("/course/exercises/the-round");
        let text = of_package(EXERCISE, folder, "the-round--stub", true).unwrap();
        let manifest: Table = text.parse().unwrap();
        assert_eq!(
            manifest["package"]["name"].as_str(),
            Some("the-round--stub")
        );
        assert_eq!(manifest["lib"]["name"].as_str(), Some("the_round"));
        assert_eq!(manifest["bin"][0]["name"].as_str(), Some("the-round--stub"));
        assert_eq!(manifest["bin"][0]["path"].as_str(), Some("src/main.rs"));
        assert_eq!(manifest["lints"]["workspace"].as_bool(), Some(true));
        let path = manifest["dependencies"]["x"]["path"].as_str();
        assert_eq!(path, Some("/course/exercises/the-round/../x"));
    }

    #[test]
    fn without_a_program_there_is_nothing_to_link_but_the_tests() {
        let text = of_package(EXERCISE, Path::new("/"), "a", false).unwrap();
        let manifest: Table = text.parse().unwrap();
        assert!(manifest.get("bin").is_none());
        assert_eq!(manifest["package"]["autobins"].as_bool(), Some(false));
        assert_eq!(manifest["lib"]["test"].as_bool(), Some(false));
        assert!(of_package("[lib]\n", Path::new("/"), "a", false).is_err());
    }
}
