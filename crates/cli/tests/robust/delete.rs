//! `--delete` on random trees, compared with a model of what must be left.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::env::{Env, run, scaled};
use crate::random_tree::grow;
use crate::rng::Rng;

fn all(env: &Env) -> Vec<OsString> {
    env.gnu_find(&["."])
        .into_iter()
        .filter(|path| path != ".")
        .collect()
}

/// What is left when `doomed` go, children first and directories only when empty.
fn model(all: &[OsString], doomed: &[OsString]) -> BTreeSet<PathBuf> {
    let mut left: BTreeSet<PathBuf> = all.iter().map(PathBuf::from).collect();
    let mut doomed: Vec<&Path> = doomed.iter().map(Path::new).collect();
    doomed.sort_by_key(|path| std::cmp::Reverse(path.components().count()));
    for path in doomed {
        let holds_some = left
            .iter()
            .any(|other| other != path && other.starts_with(path));
        if !holds_some {
            left.remove(path);
        }
    }
    left
}

#[test]
fn leaves_what_the_model_leaves() {
    let filters: [&[&str]; 10] = [
        &["-tf"],
        &["-td"],
        &["-te"],
        &["-tl"],
        &["a"],
        &["-s", "B"],
        &["-H", "hidden"],
        &["-u", "-tp", "-ts", "-tl"],
        &["-d2", "-tf", "-td"],
        &["-u", "--min-depth=2", "-td", "-tf"],
    ];
    for seed in 0..scaled(20, 600) {
        let mut rng = Rng::new(seed);
        let env = Env::new();
        grow(&env.tree(), &mut rng, 120);
        let filter = filters[rng.below(filters.len())];
        let before = all(&env);
        let listed = run(env.find().arg("-0").args(filter)).expect(0).paths();
        let wanted = model(&before, &listed);
        let answer = run(env
            .find()
            .args(["--delete", "-j", *rng.pick(&["1", "2", "16"][..])])
            .args(filter));
        let left: BTreeSet<PathBuf> = all(&env).iter().map(PathBuf::from).collect();
        assert!(left == wanted, "seed {seed} {filter:?}: {}", answer.stderr);
        let complete = before.len() - left.len() == listed.len();
        assert_eq!(
            answer.code(),
            if complete { 0 } else { 1 },
            "{}",
            answer.stderr
        );
    }
}

#[test]
fn links_go_and_their_targets_stay() {
    let env = Env::new();
    env.file("keep/precious");
    env.dir("d");
    env.link("../keep", "d/to-dir");
    env.link("../keep/precious", "d/to-file");
    run(env.find().args(["--delete", "-tf", "-tl", "-td", ".", "d"])).expect(0);
    assert_eq!(all(&env).len(), 3, "{:?}", all(&env));
    assert!(env.tree().join("keep/precious").exists());
}

#[test]
fn a_root_that_is_a_file_goes() {
    let env = Env::new();
    env.file("d/f");
    env.file("g");
    env.link("d/f", "l");
    run(env
        .find()
        .args(["--delete", "-tf", "-tl", ".", "d/f", "g", "l"]))
    .expect(0);
    assert_eq!(all(&env), ["d"]);
}

#[test]
fn a_root_behind_a_link_is_emptied_and_stays() {
    let env = Env::new();
    env.file("d/f");
    env.link("d", "l");
    run(env.find().args(["--delete", "-tf", ".", "l/"])).expect(0);
    let mut left = all(&env);
    left.sort();
    assert_eq!(left, ["d", "l"]);
}

#[test]
fn names_of_every_sort_go() {
    let env = Env::new();
    for name in [
        &b"new\nline"[..],
        b"bad\xff",
        b"-rf",
        b"--",
        b" ",
        b"\\",
        b"*",
    ] {
        std::fs::write(env.tree().join(std::ffi::OsStr::from_bytes(name)), b"").unwrap();
    }
    run(env.find().args(["--delete", "-tf"])).expect(0);
    assert_eq!(all(&env).len(), 0);
}

#[test]
fn without_a_filter_nothing_happens() {
    let env = Env::new();
    env.file("f");
    run(env.find().arg("--delete")).expect(2);
    assert_eq!(all(&env), ["f"]);
}

/// A mounted file system stays, and so does everything on it (package mount).
#[test]
fn mounts_are_never_crossed() {
    let env = Env::new();
    env.dir("m");
    env.file("f");
    let point = env.tree().join("m");
    let mounted = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "none"])
        .arg(&point)
        .status();
    assert!(
        mounted.unwrap().success(),
        "tests run as root and may mount"
    );
    std::fs::write(point.join("precious"), b"").unwrap();
    let answer = run(env.find().args(["--delete", "-tf", "-td"]));
    let there = point.join("precious").exists();
    let listed = run(env.find().args(["--one-file-system"])).sorted();
    let unmounted = std::process::Command::new("umount").arg(&point).status();
    assert!(unmounted.unwrap().success());
    assert!(there, "{}", answer.stderr);
    assert_eq!(listed, ["m"]);
    assert_eq!(all(&env), ["m"]);
    assert_ne!(answer.code(), 0);
}
