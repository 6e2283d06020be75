//! Of what versions everything is, and which commit was measured.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::record::{PythonVersion, Versions};
use crate::python::Python;

/// The crates whose version can matter to a figure.
const CRATES: [&str; 7] = [
    "criterion",
    "rustix",
    "tokio",
    "async-executor",
    "async-io",
    "futures",
    "futures-timer",
];

/// Says how an interpreter was built: optimisation, PGO, LTO, debug, free threading, and where from.
const BUILD: &str = "\
import sys, sysconfig as s
v = lambda name: str(s.get_config_var(name) or '')
args, flags = v('CONFIG_ARGS'), v('PY_CFLAGS') + ' ' + v('OPT')
level = [w for w in flags.split() if w.startswith('-O')]
print(', '.join([
    level[-1] if level else 'no -O',
    'PGO' if '--enable-optimizations' in args else 'no PGO',
    'LTO' if '--with-lto' in args else 'no LTO',
] + (['debug build'] if '--with-pydebug' in args else [])
  + (['free-threaded'] if v('Py_GIL_DISABLED') == '1' else [])))
p = sys.base_prefix
print('pyenv' if '.pyenv' in p else 'system' if p == '/usr' else 'other')
";

/// Prints uvloop's version.
const UVLOOP: &str = "import uvloop; print(uvloop.__version__)";

/// What a program says; nothing, if it cannot be run or fails.
fn said(program: &Path, arguments: &[&str], root: &Path) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(root)
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

/// uvloop's version, if the interpreter has it.
pub(crate) fn uvloop(python: &Python, root: &Path) -> Option<String> {
    said(&python.program, &["-c", UVLOOP], root)
}

pub(crate) fn versions(root: &Path, python: Option<&Python>, uvloop: Option<String>) -> Versions {
    let lock = fs::read_to_string(root.join("Cargo.lock")).unwrap_or_default();
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    Versions {
        rustc: said(Path::new(&rustc), &["--version"], root)
            .unwrap_or_else(|| "unknown".to_owned()),
        profile: profile(&manifest),
        crates: crates(&lock),
        python: python.map(|python| of_python(python, root)),
        uvloop,
    }
}

fn of_python(python: &Python, root: &Path) -> PythonVersion {
    let said = said(&python.program, &["-c", BUILD], root).unwrap_or_default();
    let (build, kind) = said.split_once('\n').unwrap_or(("unknown", "other"));
    PythonVersion {
        version: python.version.clone(),
        build: build.to_owned(),
        path_kind: kind.to_owned(),
    }
}

/// The profile of the benches, as the manifest sets it.
fn profile(manifest: &str) -> String {
    let manifest: toml::Table = manifest.parse().unwrap_or_default();
    let bench = manifest
        .get("profile")
        .and_then(|profile| profile.get("bench"));
    let set = |name: &str| bench.and_then(|bench| bench.get(name));
    let mut said = vec!["bench".to_owned()];
    if let Some(lto) = set("lto").and_then(toml::Value::as_str) {
        said.push(format!("{lto} LTO"));
    }
    if let Some(units) = set("codegen-units").and_then(toml::Value::as_integer) {
        said.push(format!("codegen units: {units}"));
    }
    said.join(", ")
}

fn crates(lock: &str) -> BTreeMap<String, String> {
    let lock: toml::Table = lock.parse().unwrap_or_default();
    let packages = lock.get("package").and_then(toml::Value::as_array);
    let named = |package: &toml::Value| {
        let name = package.get("name")?.as_str()?;
        let version = package.get("version")?.as_str()?;
        CRATES
            .contains(&name)
            .then(|| (name.to_owned(), version.to_owned()))
    };
    packages.into_iter().flatten().filter_map(named).collect()
}

/// The commit that stands here, and whether files differ from it.
pub(crate) fn commit(root: &Path) -> (Option<String>, bool) {
    let git = Path::new("git");
    let commit = said(git, &["rev-parse", "--short=7", "HEAD"], root);
    let changed = said(
        git,
        &["status", "--porcelain", "--untracked-files=no"],
        root,
    );
    (commit, changed.is_some_and(|changed| !changed.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_and_the_crates_are_those_of_the_files() {
        let manifest = "[profile.bench]\nlto = 'thin'\ncodegen-units = 1";
        assert_eq!(profile(manifest), "bench, thin LTO, codegen units: 1");
        assert_eq!(profile("no toml ["), "bench");
        let lock = "[[package]]\nname = 'tokio'\nversion = '1.2.3'\n\
                    [[package]]\nname = 'other'\nversion = '1.0.0'";
        let crates = crates(lock);
        assert_eq!(crates.len(), 1);
        assert_eq!(crates["tokio"], "1.2.3");
    }

    #[test]
    fn a_program_that_fails_says_nothing() {
        assert_eq!(said(Path::new("false"), &[], Path::new("/")), None);
        assert_eq!(
            said(Path::new("no-such-program"), &[], Path::new("/")),
            None
        );
        let echo = said(Path::new("echo"), &["a"], Path::new("/"));
        assert_eq!(echo.as_deref(), Some("a"));
    }
}
