//! Orders, compared with an independent sort; and orders that must not depend on the threads.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::env::{Env, run, same_for_all_threads, scaled};
use crate::random_tree::grow;
use crate::rng::Rng;

/// The order of rows: component by component, each by its folded, then by its raw bytes. The
/// names of these trees fold by `to_lowercase` alone.
fn key(path: &OsString) -> Vec<(Vec<u8>, Vec<u8>)> {
    let fold = |part: &[u8]| {
        let mut out = Vec::new();
        for chunk in part.utf8_chunks() {
            out.extend_from_slice(chunk.valid().to_lowercase().as_bytes());
            out.extend_from_slice(chunk.invalid());
        }
        out
    };
    let parts = path.as_bytes().split(|&b| b == b'/');
    parts.map(|part| (fold(part), part.to_vec())).collect()
}

fn tree(seed: u64) -> Env {
    let env = Env::new();
    let count = scaled(300, 2000);
    grow(&env.tree(), &mut Rng::new(seed), count);
    env
}

fn paths(env: &Env, args: &[&str]) -> Vec<OsString> {
    run(env.find().args(["-u", "-0"]).args(args))
        .expect(0)
        .paths()
}

/// More results than this are told as they are found.
const SHORT: usize = 1000;

#[test]
fn sorted_by_path_like_an_independent_sort() {
    for seed in 100..scaled(105, 160) {
        let env = tree(seed);
        let mut wanted = paths(&env, &[]);
        wanted.sort_by_cached_key(key);
        for threads in ["1", "2", "16"] {
            let found = paths(&env, &["--sort", "path", "-j", threads]);
            assert_eq!(found, wanted, "seed {seed}, -j{threads}");
        }
        // A short result comes in the same order by itself.
        if wanted.len() <= SHORT {
            assert_eq!(paths(&env, &["--max-buffer-time", "60000"]), wanted);
        }
    }
}

/// Long enough that the parts of the result are put together by several threads.
#[test]
fn a_long_result_is_sorted_by_path_too() {
    let env = Env::new();
    let mut entries = 0;
    for (dir, files) in [
        ("flat", 18_000),
        ("a", 1_000),
        ("a/B", 1_000),
        ("a/b/c", 1_000),
        ("z", 1),
    ] {
        env.dir(dir);
        for number in 0..files {
            // Names whose order is not that in which they are made.
            let name = format!("{dir}/{:x}-{number}", number * 7919 % 104_729);
            std::fs::File::create(env.tree().join(name)).unwrap();
        }
        entries += files;
    }
    let mut wanted = paths(&env, &[]);
    assert_eq!(wanted.len(), entries + 6);
    wanted.sort_by_cached_key(key);
    for threads in ["1", "2", "16"] {
        assert_eq!(
            paths(&env, &["--sort", "path", "-j", threads]),
            wanted,
            "-j{threads}"
        );
    }
    let some = paths(&env, &["--sort", "path", "--max-results", "19500"]);
    assert_eq!(some, wanted[..19_500]);
}

#[test]
fn breadth_is_by_depth_then_path() {
    for seed in 200..scaled(205, 260) {
        let env = tree(seed);
        let depth = |path: &OsString| Path::new(path).components().count();
        for filter in [&[][..], &["-te"], &["-tf", "-L"], &["--prune", "a"]] {
            let mut wanted = paths(&env, filter);
            wanted.sort_by_cached_key(|path| (depth(path), key(path)));
            for threads in ["1", "2", "16"] {
                let mut args = vec!["--order", "breadth", "-j", threads];
                args.extend(filter);
                assert_eq!(paths(&env, &args), wanted, "seed {seed}, {args:?}");
            }
        }
    }
}

#[test]
fn sorted_by_a_field_then_by_path() {
    let env = tree(300);
    for field in ["size", "modified", "name"] {
        let meta = |path: &OsString| {
            let meta = env.tree().join(path).symlink_metadata().unwrap();
            match field {
                "size" => (meta.len().to_be_bytes().to_vec(), Vec::new()),
                "modified" => {
                    let time = meta
                        .modified()
                        .unwrap()
                        .duration_since(std::time::UNIX_EPOCH);
                    (time.unwrap().as_nanos().to_be_bytes().to_vec(), Vec::new())
                }
                _ => key(path).pop().unwrap(),
            }
        };
        let mut wanted = paths(&env, &[]);
        wanted.sort_by_cached_key(|path| (meta(path), key(path)));
        for threads in ["1", "16"] {
            let found = paths(&env, &["--sort", field, "-j", threads]);
            assert_eq!(found, wanted, "{field}, -j{threads}");
        }
        let first: Vec<_> = wanted.iter().take(7).cloned().collect();
        assert_eq!(paths(&env, &["--sort", field, "--max-results", "7"]), first);
    }
}

#[test]
fn a_long_listing_obeys_the_order_too() {
    let env = tree(301);
    let names = |args: &[&str]| {
        let answer = run(env.find().args(["-u", "-tf", "-s", "^[a-z]"]).args(args)).expect(0);
        answer.lines()
    };
    let plain = names(&["--sort", "size"]);
    let long = names(&["--sort", "size", "-l"]);
    assert_eq!(plain.len(), long.len());
    for (path, row) in plain.iter().zip(&long) {
        assert!(
            row.as_bytes().ends_with(path.as_bytes()),
            "{row:?} is not about {path:?}"
        );
    }
}

#[test]
fn other_outputs_do_not_depend_on_the_threads() {
    let env = tree(302);
    // The first reading changes the times of last access.
    paths(&env, &["-L"]);
    for args in [
        &["--json"][..],
        &["-l"],
        &["--format", "{/}"],
        &["-L"],
        &["-L", "--unique"],
        &["-te"],
    ] {
        same_for_all_threads(|| {
            let mut command = env.find();
            command.arg("-u").args(args);
            command
        });
    }
}
