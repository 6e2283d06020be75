//! What only a sandbox gives.

use std::fs;
use std::net::TcpListener;

use guard::{End, Guard, Job, Limits, Protection as P};
use tempfile::TempDir;

use crate::Case;
use crate::trials::{job, plenty, run};

pub(crate) const CASES: &[Case] = &[
    (
        "the_network_is_closed",
        the_network_is_closed,
        Some(P::NoNetwork),
    ),
    (
        "only_writable_folders_are",
        only_writable_folders_are,
        Some(P::ReadOnlyFiles),
    ),
    (
        "kernel_settings_stand",
        kernel_settings_stand,
        Some(P::ReadOnlyFiles),
    ),
    (
        "hidden_folders_are_empty",
        hidden_folders_are_empty,
        Some(P::PrivateFolders),
    ),
    (
        "the_keeper_is_unreadable",
        the_keeper_is_unreadable,
        Some(P::NoCapabilities),
    ),
    ("tmp_has_a_size", tmp_has_a_size, Some(P::TmpSizeLimit)),
];

fn the_network_is_closed(guard: &Guard) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a listener");
    let address = listener.local_addr().expect("an address").to_string();
    assert_eq!(run(guard, &["connect", &address]).end, End::Exited(3));
    let bare = guard.clone().without_sandbox().expect("a bare guard");
    assert_eq!(run(&bare, &["connect", &address]).end, End::Exited(0));
}

fn only_writable_folders_are(guard: &Guard) {
    let here = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let inside = here.path().join("inside");
    fs::create_dir(&inside).expect("a folder");
    let write = |path: &std::path::Path| {
        let path = path.join("file");
        let job = job(&["write", path.to_str().expect("UTF-8")]).writable(&inside);
        (job.run(guard).expect("a verdict").end, path.exists())
    };
    assert_eq!(write(&inside), (End::Exited(0), true));
    assert_eq!(write(here.path()), (End::Exited(3), false));
    assert_eq!(write("/dev".as_ref()), (End::Exited(3), false));
    // Its own temporary folder, and what it writes there is gone.
    assert_eq!(write("/tmp".as_ref()), (End::Exited(0), false));
}

fn kernel_settings_stand(guard: &Guard) {
    // The file is opened, nothing is written.
    assert_eq!(
        run(guard, &["write", "/proc/sys/kernel/core_pattern"]).end,
        End::Exited(3)
    );
}

fn hidden_folders_are_empty(guard: &Guard) {
    let class = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    for name in ["ada", "bob"] {
        fs::create_dir(class.path().join(name)).expect("a folder");
        fs::write(class.path().join(name).join("answer"), "42").expect("a file");
    }
    let path = |name: &str| class.path().join(name).to_str().expect("UTF-8").to_owned();
    let ask = |args: &[&str]| {
        let job = job(args).hidden(class.path()).readable(path("ada"));
        job.hidden(path("ada/missing"))
            .run(guard)
            .expect("a verdict")
    };
    assert_eq!(ask(&["read", &path("ada/answer")]).end, End::Exited(0));
    assert_eq!(ask(&["read", &path("bob/answer")]).end, End::Exited(3));
    assert_eq!(ask(&["list", &path("")]).stdout.text(), "ada\n");
    assert_eq!(ask(&["write", &path("new")]).end, End::Exited(3));
    let hidden = path("bob/answer");
    let job = job(&["read", &hidden]).hidden(&hidden);
    assert_eq!(job.run(guard).expect("a verdict").end, End::Exited(3));
}

fn the_keeper_is_unreadable(guard: &Guard) {
    for what in ["mem", "environ", "fd/0", "fd/1"] {
        assert_eq!(run(guard, &["keeper", what]).end, End::Exited(3), "{what}");
    }
    assert_eq!(run(guard, &["keeper", "stat"]).end, End::Exited(0));
}

fn tmp_has_a_size(guard: &Guard) {
    let limits = Limits {
        file_size: 1 << 20,
        ..plenty()
    };
    // One file is cut by its limit, so two of them.
    let script = "head -c 700000 /dev/zero >/tmp/a && head -c 700000 /dev/zero >/tmp/b";
    let job = Job::new("/bin/sh")
        .args(["-c", script])
        .env("PATH", "/usr/bin:/bin");
    let verdict = job
        .current_dir("/")
        .limits(limits)
        .run(guard)
        .expect("a verdict");
    assert!(
        matches!(verdict.end, End::Exited(code) if code != 0),
        "{verdict:?}"
    );
    assert!(
        verdict.stderr.text().contains("No space left"),
        "{verdict:?}"
    );
}
