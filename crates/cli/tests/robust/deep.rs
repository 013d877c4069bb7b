//! Trees deeper than a path may be long, and deeper than a stack goes.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};

use crate::env::{Env, difference, run, scaled};

/// Nests `depth` directories called `name`, each holding `files`; returns nothing that a path of
/// any length could name.
pub(crate) fn nest(root: &Path, name: &str, depth: usize, files: &[&str]) {
    let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
    let mut dir = openat(CWD, root, flags, Mode::empty()).unwrap();
    for _ in 0..depth {
        mkdirat(&dir, name, Mode::from_raw_mode(0o755)).unwrap();
        dir = openat(&dir, name, flags, Mode::empty()).unwrap();
        for file in files {
            let create = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC;
            openat(&dir, *file, create, Mode::from_raw_mode(0o644)).unwrap();
        }
    }
}

const LONG: &str = "sixty-bytes-of-name-sixty-bytes-of-name-sixty-bytes-of-name-";

fn deep() -> Env {
    let env = Env::new();
    nest(&env.tree(), LONG, 120, &["file"]);
    env
}

/// The path of the directory at this depth.
fn at(depth: usize) -> String {
    vec![LONG; depth].join("/")
}

#[test]
fn a_path_longer_than_path_max_is_listed_completely() {
    let env = deep();
    let mut wanted: Vec<OsString> = (1..=120).map(|depth| at(depth).into()).collect();
    wanted.extend((1..=120).map(|depth| OsString::from(at(depth) + "/file")));
    wanted.sort();
    for args in [
        &[][..],
        &["-j16"],
        &["-u"],
        &["-L"],
        &["--sort=path"],
        &["--order=breadth"],
        &["--perm=/777"],
        &["--one-file-system"],
        &["--unique"],
        &["--sort=modified"],
        &["--changed-within=1d"],
        &["-L", "--unique"],
    ] {
        let answer = run(env.find().args(args)).expect(0);
        assert!(
            answer.sorted() == wanted,
            "{args:?}: {}",
            difference(&answer.sorted(), &wanted)
        );
    }
    for args in [
        &["--json"][..],
        &["-l"],
        &["--format={}"],
        &["-0"],
        &["--color=always"],
    ] {
        let answer = run(env.find().args(args)).expect(0);
        let end = if args[0] == "-0" { 0 } else { b'\n' };
        let count = answer.stdout.iter().filter(|&&b| b == end).count();
        assert_eq!(count, 240, "{args:?}");
    }
    let executable = run(env.find().args(["-tx"])).expect(0);
    assert_eq!(executable.lines().len(), 0);
    let empty = run(env.find().args(["-te"])).expect(0);
    assert_eq!(empty.lines().len(), 120);
}

#[test]
fn commands_are_given_paths_of_any_length() {
    let env = deep();
    let mut printed = run(env.find().args(["-tf", "-x", "printf", "%s\\n"]))
        .expect(0)
        .sorted();
    assert_eq!(printed.len(), 120);
    printed.sort_by_key(|path| path.len());
    assert_eq!(printed[119].len(), 120 * 61 + 4);
    let batch = run(env.find().args(["-tf", "-X", "printf", "%s\\n"])).expect(0);
    assert_eq!(batch.lines().len(), 120);
}

#[test]
fn what_lies_deeper_than_a_path_can_be_deleted() {
    let env = deep();
    let answer = run(env.find().args(["--delete", "-tf", "file"])).expect(0);
    assert_eq!(answer.stderr, "");
    assert_eq!(run(&mut env.find()).lines().len(), 120);
    run(env.find().args(["--delete", "-td"])).expect(0);
    assert_eq!(run(&mut env.find()).lines().len(), 0);
}

#[test]
fn thousands_of_nested_directories_are_no_trouble() {
    let env = Env::new();
    let depth = scaled(2000, 20_000);
    nest(&env.tree(), "d", depth, &[".ignore"]);
    for args in [
        &["-td"][..],
        &["-td", "-j16"],
        &["-td", "-L"],
        &["-td", "--sort=path"],
        &["-td", "--order=breadth"],
        &["-td", "-u"],
        &["-td", "--unique"],
    ] {
        let answer = run(env.find().args(args)).expect(0);
        assert_eq!(answer.lines().len(), depth, "{args:?}");
    }
    let mut command = env.find_under(&["prlimit", "--nofile=16:16"]);
    assert_eq!(
        run(command.args(["-td", "-j64"])).expect(0).lines().len(),
        depth
    );
    run(env.find().args([
        "-u",
        "--delete",
        ".",
        "-j16",
        "--min-depth",
        "1",
        "-td",
        "-tf",
    ]))
    .expect(0);
    assert_eq!(std::fs::read_dir(env.tree()).unwrap().count(), 0);
}

/// The stack of a thread is no measure of a tree: GNU find and rm agree on how many there were.
#[test]
fn a_small_stack_suffices() {
    let env = Env::new();
    nest(&env.tree(), "d", scaled(1500, 20_000), &[".gitignore"]);
    std::fs::create_dir(env.tree().join(".git")).unwrap();
    let mut command = env.seal(Command::new("prlimit"));
    command.args([
        "--stack=262144:262144",
        env!("CARGO_BIN_EXE_groma"),
        "find",
        "-L",
        "-td",
    ]);
    assert_eq!(
        run(&mut command).expect(0).lines().len(),
        scaled(1500, 20_000)
    );
}
