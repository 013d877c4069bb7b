//! Many entries: complete, and in bounded memory.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

use crate::env::{Answer, Env, finish, scaled};

/// Runs a command, and tells the most memory that it was seen to take, in KiB.
fn measured(command: &mut Command) -> (Answer, u64) {
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut peak = 0;
    let answer = finish(child, |id| peak = peak.max(peak_kib(id).unwrap_or(0)));
    (answer, peak)
}

/// "VmHWM" of a process: the most memory that it ever held.
fn peak_kib(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Files in one directory, made with as few calls as can be.
fn one_large_directory(env: &Env, count: usize) {
    env.dir("large");
    let dir = env.tree().join("large");
    for index in 0..count {
        std::fs::File::create(dir.join(format!("entry-{index:07}"))).unwrap();
    }
}

#[test]
fn a_huge_directory_is_complete_and_takes_little_memory() {
    let env = Env::new();
    let count = scaled(100_000, 1_000_000);
    one_large_directory(&env, count);
    for args in [
        &["-u"][..],
        &["-H"],
        &["-u", "-j16"],
        &["-u", "-tf", "--json"],
        &["-u", "--perm=/777"],
    ] {
        let (answer, peak) = measured(env.find().args(args));
        let lines = answer.stdout.iter().filter(|&&b| b == b'\n').count();
        let answer = answer.expect(0);
        let wanted = count + usize::from(!args.contains(&"-tf"));
        assert_eq!(lines, wanted, "{args:?}: {}", answer.stderr);
        // With rules a directory is read whole before it is told.
        let names = if args == ["-H"] { count * 64 / 1024 } else { 0 };
        let most = 64 * 1024 + names as u64;
        assert!(peak > 0 && peak < most, "{args:?} took {peak} KiB");
    }
    let (answer, _) = measured(env.find().args(["-u", "--sort=path", "-tf"]));
    let lines = answer.expect(0).lines();
    assert_eq!(lines.len(), count);
    assert!(lines.is_sorted());
}

#[test]
fn a_batch_of_many_results_is_never_too_large() {
    let env = Env::new();
    let count = scaled(40_000, 200_000);
    one_large_directory(&env, count);
    let script = "for i; do :; done; printf '%s\\n' \"$#\"";
    let (answer, _) = measured(
        env.find()
            .args(["-u", "-tf", "-X", "sh", "-c", script, "sh"]),
    );
    let total: usize = answer
        .expect(0)
        .lines()
        .iter()
        .map(|line| line.to_str().unwrap().parse::<usize>().unwrap())
        .sum();
    assert_eq!(total, count);
}

#[test]
fn very_many_directories_are_complete_for_any_number_of_threads() {
    let env = Env::new();
    let (wide, deep) = scaled((100, 300), (1000, 300));
    for outer in 0..wide {
        for inner in 0..deep {
            env.dir(&format!("o{outer}/i{inner}"));
        }
    }
    for args in [
        &["-u", "-j1"][..],
        &["-u", "-j2"],
        &["-u", "-j16"],
        &["-H", "-j2"],
        &["-u", "--order=breadth"],
        &["-u", "-te"],
    ] {
        let (answer, peak) = measured(env.find().args(args));
        let lines: Vec<OsString> = answer.expect(0).lines();
        let leaves = lines
            .iter()
            .filter(|path| path.as_bytes().contains(&b'/'))
            .count();
        assert_eq!(leaves, wide * deep, "{args:?}");
        assert!(peak < 192 * 1024, "{args:?} took {peak} KiB");
    }
}
