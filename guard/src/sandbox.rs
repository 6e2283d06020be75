//! The sandbox: bubblewrap, and which part of the file system it shows.
//!
//! Everything can be read and nothing written, then the rules: the deepest one above a path
//! decides. Not setuid and no daemon; whether it works here is found out by trying.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Limits, Protection};

/// What a path is to the program. Of two rules for one path, the greater holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Access {
    /// Empty.
    Hidden,
    /// Empty at first, its own, gone afterwards.
    Private,
    Readable,
    Writable,
}

/// Rules by path. Paths are absolute, exist and hold no link.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Rules(BTreeMap<PathBuf, Access>);

impl Rules {
    /// Temporary folders are private; homes, and the sockets under /run, are hidden.
    pub(crate) fn new() -> Self {
        let mut rules = Self(BTreeMap::new());
        for hidden in ["/home", "/root", "/run", "/media", "/mnt"] {
            rules.add_if_there(Path::new(hidden), Access::Hidden);
        }
        for private in ["/tmp", "/var/tmp", "/dev/shm"] {
            rules.add_if_there(Path::new(private), Access::Private);
        }
        rules
    }

    /// Links are followed; what isn't there needs no rule.
    pub(crate) fn add_if_there(&mut self, path: &Path, access: Access) {
        if let Ok(path) = path.canonicalize() {
            self.add(path, access);
        }
    }

    pub(crate) fn add(&mut self, path: PathBuf, access: Access) {
        let old = self.0.entry(path).or_insert(access);
        *old = access.max(*old);
    }

    /// Shows `path` read-only unless it is there already: a folder that is itself hidden is, if
    /// empty.
    pub(crate) fn show(&mut self, path: &Path) {
        if let Ok(path) = path.canonicalize()
            && self.access(&path) < Access::Readable
            && !self.0.contains_key(&path)
        {
            self.add(path, Access::Readable);
        }
    }

    fn access(&self, path: &Path) -> Access {
        let mut above = path.ancestors().filter_map(|folder| self.0.get(folder));
        above.next().copied().unwrap_or(Access::Readable)
    }
}

/// A bubblewrap that works here.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Sandbox {
    program: PathBuf,
    /// Whether it can size a temporary folder, which older ones can't.
    sized: bool,
}

impl Sandbox {
    /// The kinds of sandbox to try, the better one first; empty without bubblewrap on the PATH.
    pub(crate) fn candidates() -> Vec<Self> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&path).map(|folder| folder.join("bwrap"));
        let program = found
            .into_iter()
            .find(|program| program.is_absolute() && program.is_file());
        program.map_or_else(Vec::new, |program| {
            [true, false]
                .map(|sized| Self {
                    program: program.clone(),
                    sized,
                })
                .into()
        })
    }

    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    /// What the sandbox gives once it has started.
    pub(crate) fn protections(&self) -> Vec<Protection> {
        let mut on = vec![
            Protection::NoNetwork,
            Protection::ReadOnlyFiles,
            Protection::PrivateFolders,
            Protection::OwnProcesses,
            Protection::NoCapabilities,
        ];
        if self.sized {
            on.push(Protection::TmpSizeLimit);
        }
        on
    }

    /// bubblewrap's arguments. It carries them out in order, so a rule comes after those above it.
    pub(crate) fn arguments(&self, rules: &Rules, limits: &Limits) -> Vec<OsString> {
        let mut all = Arguments(Vec::new());
        for flag in ["net", "pid", "ipc", "uts"] {
            all.push(&format!("--unshare-{flag}"), &[]);
        }
        all.push("--die-with-parent", &[]);
        // Root keeps its powers otherwise.
        all.push("--cap-drop", &["ALL".as_ref()]);
        let root = Path::new("/");
        all.push("--ro-bind", &[root, root]);
        all.push("--dev", &[Path::new("/dev")]);
        all.push("--proc", &[Path::new("/proc")]);
        let mut sealed = vec![Path::new("/dev"), Path::new("/proc")];
        // A map by path has each folder before what lies in it.
        for (path, access) in &rules.0 {
            match access {
                Access::Writable => all.push("--bind", &[path, path]),
                Access::Readable => all.push("--ro-bind", &[path, path]),
                Access::Hidden if path.is_dir() => {
                    all.push("--tmpfs", &[path]);
                    sealed.push(path);
                }
                Access::Hidden => all.push("--ro-bind", &[Path::new("/dev/null"), path]),
                Access::Private => {
                    if self.sized {
                        all.push("--size", &[limits.file_size.to_string().as_ref()]);
                    }
                    all.push("--tmpfs", &[path]);
                }
            }
        }
        // Last, since what lies in them had to be mounted. /proc too: to root, kernel settings
        // under /proc/sys are files of its own.
        for path in sealed {
            all.push("--remount-ro", &[path]);
        }
        all.0
    }
}

struct Arguments(Vec<OsString>);

impl Arguments {
    fn push(&mut self, option: &str, values: &[&Path]) {
        self.0.push(option.into());
        self.0
            .extend(values.iter().map(|value| OsString::from(*value)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_rule_decides_and_comes_last() {
        let mut rules = Rules(BTreeMap::new());
        rules.add("/a/b".into(), Access::Writable);
        rules.add("/a/b/c".into(), Access::Hidden);
        rules.add("/a".into(), Access::Hidden);
        assert_eq!(rules.access(Path::new("/a/x")), Access::Hidden);
        assert_eq!(rules.access(Path::new("/a/b/x")), Access::Writable);
        assert_eq!(rules.access(Path::new("/a/b/c/x")), Access::Hidden);
        assert_eq!(rules.access(Path::new("/ab")), Access::Readable);
        let sandbox = Sandbox {
            program: "/bin/bwrap".into(),
            sized: true,
        };
        let arguments = sandbox.arguments(&rules, &Limits::test());
        let at = |path: &str| arguments.iter().position(|argument| argument == path);
        assert!(
            at("/a") < at("/a/b") && at("/a/b") < at("/a/b/c"),
            "{arguments:?}"
        );
    }

    #[test]
    fn the_more_open_of_two_rules_for_a_path_holds() {
        let mut rules = Rules(BTreeMap::new());
        rules.add("/tmp".into(), Access::Writable);
        rules.add("/tmp".into(), Access::Private);
        assert_eq!(rules.access(Path::new("/tmp/x")), Access::Writable);
    }
}
