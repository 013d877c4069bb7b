//! Searches in trees that others change meanwhile.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::env::{Env, run, scaled};
use crate::rng::Rng;

/// What exists throughout: directories with files, among which everything else comes and goes.
fn lasting(env: &Env) -> HashSet<OsString> {
    let mut paths = HashSet::new();
    for dir in 0..20 {
        for file in 0..20 {
            let path = format!("keep{dir}/sub/keep{file}");
            env.file(&path);
            paths.insert(path.into());
        }
        paths.insert(format!("keep{dir}").into());
        paths.insert(format!("keep{dir}/sub").into());
    }
    paths
}

/// Creates, renames, replaces and deletes until told to stop.
fn churn(root: &Path, seed: u64, stop: &AtomicBool) {
    let mut rng = Rng::new(seed);
    let place = |rng: &mut Rng| -> PathBuf {
        let dir = root.join(format!("keep{}", rng.below(20)));
        let dir = if rng.one_in(2) { dir.join("sub") } else { dir };
        dir.join(format!("fleeting{}-{}", seed, rng.below(8)))
    };
    while !stop.load(Ordering::Relaxed) {
        let (a, b) = (place(&mut rng), place(&mut rng));
        // Any of these may fail, as the other hand at work undoes what it needs.
        let _ = match rng.below(8) {
            0 | 1 => fs::create_dir_all(a.join("deep/deeper")),
            2 => fs::write(&a, b"x"),
            3 => fs::rename(&a, &b),
            4 => fs::remove_dir_all(&a),
            5 => fs::remove_file(&a),
            6 => std::os::unix::fs::symlink(&b, &a),
            _ => fs::write(a.join("deep/file"), b"x"),
        };
    }
}

#[test]
fn what_exists_throughout_is_always_found() {
    let env = Env::new();
    let lasting = lasting(&env);
    let stop = AtomicBool::new(false);
    let start = Instant::now();
    let time = scaled(Duration::from_secs(6), Duration::from_secs(600));
    let variants: [&[&str]; 10] = [
        &["-u"],
        &["-u", "-j16"],
        &["-H"],
        &["-u", "-L"],
        &["-u", "--sort=path"],
        &["-u", "--order=breadth"],
        &["-u", "-l"],
        &["-u", "--unique"],
        &["-u", "--perm=/777", "-L"],
        &["-u", "--sort=size"],
    ];
    std::thread::scope(|scope| {
        for seed in 0..2 {
            let (root, stop) = (env.tree(), &stop);
            scope.spawn(move || churn(&root, seed, stop));
        }
        let stopped = StopOnDrop(&stop);
        for round in 0.. {
            let args = variants[round % variants.len()];
            let answer = run(env.find().args(args));
            assert_eq!(answer.code(), 0, "{args:?}: {}", answer.stderr);
            let found: HashSet<OsString> = match args.contains(&"-l") {
                true => answer.lines().iter().filter_map(last_word).collect(),
                false => answer.lines().into_iter().collect(),
            };
            let missing: Vec<_> = lasting.difference(&found).collect();
            assert!(missing.is_empty(), "{args:?} lost {missing:?}");
            if start.elapsed() > time {
                break;
            }
        }
        drop(stopped);
    });
}

/// A failed assertion must not leave the others at work for ever.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn last_word(line: &OsString) -> Option<OsString> {
    let line = line.to_string_lossy();
    Some(line.rsplit(' ').next()?.into())
}

/// Two at once delete in one tree, a third makes new entries: what does not match stays.
#[test]
fn deletions_leave_what_was_not_asked_for() {
    let env = Env::new();
    let lasting = lasting(&env);
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (root, stop_churn) = (env.tree(), &stop);
        scope.spawn(move || churn(&root, 9, stop_churn));
        let stopped = StopOnDrop(&stop);
        for _ in 0..scaled(15, 1500) {
            let mut one = env.find();
            one.args(["-u", "--delete", "fleeting|deep"]);
            let other = one
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null())
                .spawn();
            run(env.find().args(["-u", "--delete", "fleeting|deep"]));
            other.unwrap().wait().unwrap();
        }
        drop(stopped);
    });
    let left: HashSet<OsString> = run(env.find().args(["-u"]))
        .expect(0)
        .lines()
        .into_iter()
        .collect();
    assert!(lasting.is_subset(&left));
}
