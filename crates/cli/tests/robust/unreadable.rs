//! What an ordinary user may not read: told, counted, and the rest is complete.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::env::{Env, run};

/// Runs what follows as a user without rights (package util-linux).
const AS_NOBODY: [&str; 4] = [
    "setpriv",
    "--reuid=65534",
    "--regid=65534",
    "--clear-groups",
];

fn env() -> Env {
    let env = Env::new();
    for file in ["open/f", "shut/hidden-from-us", "list-only/f", "z/f"] {
        env.file(file);
    }
    set(&env.tree().join("shut"), 0o000);
    set(&env.tree().join("list-only"), 0o444);
    env
}

fn set(path: &Path, mode: u32) {
    std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

fn reachable_program(env: &Env) {
    // The build directory may lie where only root may go.
    let copy = env.beside("groma");
    std::fs::copy(env!("CARGO_BIN_EXE_groma"), &copy).unwrap();
    set(&copy, 0o755);
    std::os::unix::fs::symlink("groma", env.beside("fd")).unwrap();
}

fn as_nobody(env: &Env, name: &str) -> std::process::Command {
    let mut command = env.seal(std::process::Command::new(AS_NOBODY[0]));
    command.args(&AS_NOBODY[1..]).arg(env.beside(name));
    if name == "groma" {
        command.arg("find");
    }
    command
}

#[test]
fn a_shut_directory_is_listed_warned_of_and_counted() {
    let env = env();
    reachable_program(&env);
    let all = [
        "list-only",
        "list-only/f",
        "open",
        "open/f",
        "shut",
        "z",
        "z/f",
    ];
    for extra in [
        &[][..],
        &["-u"],
        &["--sort=path"],
        &["--order=breadth"],
        &["-j1"],
        &["-u", "-j16"],
    ] {
        let answer = run(as_nobody(&env, "groma").args(extra)).expect(3);
        assert_eq!(answer.sorted(), all, "{extra:?}");
        assert!(
            answer.stderr.contains("1 place could not be read"),
            "{}",
            answer.stderr
        );
    }
    let answer = run(as_nobody(&env, "groma").arg("--show-errors")).expect(3);
    assert!(
        answer
            .stderr
            .contains("cannot open 'shut': Permission denied"),
        "{}",
        answer.stderr
    );
    let answer = run(&mut as_nobody(&env, "fd")).expect(0);
    assert_eq!(answer.sorted(), all);
    let answer = run(as_nobody(&env, "fd").arg("--show-errors")).expect(0);
    assert!(
        answer
            .stderr
            .contains("[fd error]: shut: Permission denied"),
        "{}",
        answer.stderr
    );
}

#[test]
fn metadata_that_cannot_be_had_is_told_where_it_is_needed() {
    let env = env();
    reachable_program(&env);
    let answer = run(as_nobody(&env, "groma").args(["--perm=/777", "-tf"])).expect(3);
    assert_eq!(answer.sorted(), ["open/f", "z/f"]);
    assert!(answer.stderr.contains("2 places"), "{}", answer.stderr);
    // In a long listing such an entry stays, without its metadata.
    let answer = run(as_nobody(&env, "groma").args(["-l", "-tf"])).expect(3);
    assert_eq!(answer.lines().len(), 3);
    let answer = run(as_nobody(&env, "groma").args(["--json", "-tf"])).expect(3);
    assert_eq!(answer.lines().len(), 3);
}

#[test]
fn a_shut_directory_is_neither_empty_nor_lost() {
    let env = env();
    env.dir("empty");
    reachable_program(&env);
    for threads in ["-j1", "-j16"] {
        let answer = run(as_nobody(&env, "groma").args(["-te", "-td", threads])).expect(3);
        assert_eq!(answer.sorted(), ["empty"]);
    }
}

#[test]
fn a_root_that_cannot_be_opened_is_a_failure() {
    let env = env();
    reachable_program(&env);
    let answer = run(as_nobody(&env, "groma").args([".", "shut", "open"])).expect(1);
    assert_eq!(answer.sorted(), ["open/f"]);
    assert!(
        answer.stderr.contains("'shut': Permission denied"),
        "{}",
        answer.stderr
    );
}

#[test]
fn a_link_into_a_shut_directory_is_told_under_l() {
    let env = env();
    env.link("shut/hidden-from-us", "into");
    reachable_program(&env);
    let answer = run(as_nobody(&env, "groma").args(["-L", "--show-errors", "into"])).expect(3);
    assert_eq!(answer.sorted(), ["into"]);
    assert!(
        answer
            .stderr
            .contains("cannot follow 'into': Permission denied"),
        "{}",
        answer.stderr
    );
}

#[test]
fn what_may_not_be_deleted_stays_and_is_told() {
    let env = env();
    reachable_program(&env);
    set(&env.tree().join("open"), 0o777);
    let answer = run(as_nobody(&env, "groma").args(["--delete", "-tf", "^f$"])).expect(1);
    assert!(!env.tree().join("open/f").exists());
    assert!(env.tree().join("z/f").exists());
    assert!(
        answer.stderr.contains("cannot delete 'z/f'"),
        "{}",
        answer.stderr
    );
}

#[test]
fn rule_files_that_cannot_be_read_do_no_harm() {
    let env = Env::new();
    env.file("a/f");
    std::fs::write(env.tree().join("a/.ignore"), b"f\n").unwrap();
    set(&env.tree().join("a/.ignore"), 0o000);
    reachable_program(&env);
    let answer = run(&mut as_nobody(&env, "groma"));
    assert_eq!(answer.sorted(), ["a", "a/f"]);
}

#[test]
fn files_that_cannot_be_compared_are_counted() {
    let env = Env::new();
    for name in ["a", "b", "c"] {
        std::fs::write(env.tree().join(name), "the same text").unwrap();
    }
    let catalog = env.beside("catalog");
    std::fs::create_dir(&catalog).unwrap();
    std::os::unix::fs::chown(&catalog, Some(65534), Some(65534)).unwrap();
    set(&catalog, 0o700);
    reachable_program(&env);
    let groma = |words: &[&str]| {
        let mut command = env.seal(std::process::Command::new(AS_NOBODY[0]));
        command.args(&AS_NOBODY[1..]).arg(env.beside("groma"));
        command.args(words).arg("--catalog").arg(&catalog);
        run(&mut command)
    };
    groma(&["index", "add", "."]).expect(0);
    set(&env.tree().join("b"), 0o000);
    let words = ["stats", "--duplicates=content", "--format=csv"];
    let answer = groma(&words).expect(3);
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    assert!(text.contains("/a") && !text.contains("/b"), "{text}");
    assert_eq!(
        answer.stderr,
        "groma stats: 1 file could not be read (--show-errors lists them)\n"
    );
    let answer = groma(&[&words[..], &["--show-errors"]].concat()).expect(3);
    let why = "/b': Permission denied";
    assert!(answer.stderr.contains(why), "{}", answer.stderr);
    assert_eq!(answer.stderr.lines().count(), 2, "{}", answer.stderr);
}
