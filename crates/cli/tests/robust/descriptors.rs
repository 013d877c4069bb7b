//! Few descriptors and few processes: slower, never less complete.

use std::process::Command;

use crate::env::{Env, difference, run, scaled};

/// A tree that is wide at the top and deep at some places, with rules, links and files.
fn wide_and_deep() -> Env {
    let env = Env::new();
    for outer in 0..scaled(30, 200) {
        for inner in 0..12 {
            env.file(&format!("w{outer}/x{inner}/y/file{inner}"));
        }
        env.link("../w0", &format!("w{outer}/to-first"));
        let rules = env.tree().join(format!("w{outer}/.ignore"));
        std::fs::write(rules, b"file11\n").unwrap();
    }
    let deep = vec!["n"; 200].join("/");
    env.file(&format!("{deep}/bottom"));
    env.link("../w1", "w2/loop-of-two");
    env.link("../w2", "w1/loop-of-two");
    std::fs::create_dir(env.tree().join(".git")).unwrap();
    env
}

#[track_caller]
fn same_as_unlimited(env: &Env, limit: &str, args: &[&str]) {
    let plain = run(env.find().args(args)).expect(0);
    assert!(plain.lines().len() > 10, "{args:?}");
    let limit = format!("--nofile={limit}:{limit}");
    let mut command = env.find_under(&["prlimit", &limit]);
    let answer = run(command.args(args));
    assert_eq!(answer.code(), 0, "{limit} {args:?}: {}", answer.stderr);
    assert_eq!(answer.stderr, "", "{limit} {args:?}");
    let same = answer.sorted() == plain.sorted();
    assert!(
        same,
        "{limit} {args:?}: {}",
        difference(&answer.sorted(), &plain.sorted())
    );
}

#[test]
fn sixteen_descriptors_and_64_threads_list_everything() {
    let env = wide_and_deep();
    for args in [
        &["-j64"][..],
        &["-u", "-j64"],
        &["-L", "-u", "-j64"],
        &["-L", "--unique", "-j64"],
        &["--sort=path", "-j64"],
        &["--sort=size", "-j64"],
        &["--order=breadth", "-j64"],
        &["--order=breadth", "-L", "-j64"],
        &["-te", "-j64"],
        &["--json", "-j64", "-tf"],
        &["-l", "-j64"],
        &["--perm=/111", "-j64"],
        &["-j1"],
        &["--ignore-contain=nothing", "-j64"],
        &["--order=breadth", "-te", "-j64"],
        &["--xattr", "-j64", "--not", "-u"],
    ] {
        let args: Vec<&str> = args
            .iter()
            .copied()
            .filter(|arg| !["--xattr", "--not"].contains(arg))
            .collect();
        same_as_unlimited(&env, "16", &args);
    }
}

#[test]
fn even_ten_descriptors_do() {
    let env = wide_and_deep();
    for args in [
        &["-j64"][..],
        &["-u", "-j2"],
        &["-L", "-u", "-j64"],
        &["--order=breadth", "-j64"],
    ] {
        same_as_unlimited(&env, "10", args);
    }
}

#[test]
fn commands_run_with_sixteen_descriptors() {
    let env = wide_and_deep();
    let list = |args: &[&str]| {
        let mut command = env.find_under(&["prlimit", "--nofile=16:16"]);
        let answer = run(command.args(args)).expect(0);
        assert_eq!(answer.stderr, "", "{args:?}");
        answer.sorted()
    };
    let wanted = run(env.find().args(["-tf", "file1?$"])).expect(0).sorted();
    let words = ["-tf", "file1?$"];
    for action in ["-x", "-X"] {
        for threads in ["-j64", "-j2", "-j1"] {
            let mut args = words.to_vec();
            args.extend([threads, action, "printf", "%s\\n"]);
            assert_eq!(list(&args), wanted, "{action} {threads}");
        }
    }
}

#[test]
fn no_further_threads_are_no_reason_to_fail() {
    let env = wide_and_deep();
    let copy = env.beside("groma");
    std::fs::copy(env!("CARGO_BIN_EXE_groma"), &copy).unwrap();
    let wanted = run(env.find().args(["-u"])).expect(0).sorted();
    for extra in [
        &[][..],
        &["--sort=size"],
        &["--sort=path"],
        &["--order=breadth"],
        &["-l"],
    ] {
        let mut command = env.seal(Command::new("setpriv"));
        command
            .args([
                "--reuid=61234",
                "--regid=61234",
                "--clear-groups",
                "prlimit",
                "--nproc=1:1",
            ])
            .arg(&copy)
            .args(["find", "-u", "-j16"])
            .args(extra);
        let answer = run(&mut command).expect(0);
        assert_eq!(
            answer.lines().len(),
            wanted.len(),
            "{extra:?}: {}",
            answer.stderr
        );
    }
}
