//! Interrupted, closed upon, cut short: quiet, and no half lines.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::env::{Env, run};

/// A tree whose list is longer than a pipe has room for, which may be a megabyte.
fn many() -> Env {
    let env = Env::new();
    let long = "long-".repeat(45);
    for dir in 0..40 {
        for file in 0..150 {
            env.file(&format!("directory-{dir}/a-{long}name-{file}"));
        }
    }
    env
}

fn interrupt(child: &Child) {
    kill_process(Pid::from_child(child), Signal::INT).unwrap();
}

/// Waits for the end, and complains about a code that is no interruption.
fn ends_interrupted(mut child: Child) {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "it goes on after SIGINT"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    let status = child.wait().unwrap();
    assert!(
        status.code() == Some(130) || status.signal() == Some(2),
        "{status}"
    );
}

#[test]
fn an_interrupted_search_ends_with_a_whole_line() {
    let env = many();
    for args in [
        &["-u"][..],
        &["-u", "-j1"],
        &["-u", "--sort=path"],
        &["-u", "-0"],
    ] {
        let mut child = env
            .find()
            .args(args)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0]).unwrap();
        // The pipe is full soon, and a writer in the middle of its work.
        std::thread::sleep(Duration::from_millis(300));
        interrupt(&child);
        let mut out = Vec::new();
        stdout.read_to_end(&mut out).unwrap();
        let end = if args.contains(&"-0") { 0 } else { b'\n' };
        assert_eq!(out.last(), Some(&end), "{args:?}: the last line is cut");
        ends_interrupted(child);
    }
}

#[test]
fn an_interrupted_command_is_the_last() {
    let env = Env::new();
    (0..300).for_each(|file| env.file(&format!("f{file}")));
    let words = [
        "-u",
        "-tf",
        "-j2",
        "-x",
        "sh",
        "-c",
        "echo one \"$0\"; sleep 0.2",
    ];
    let mut child = env
        .find()
        .args(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(700));
    interrupt(&child);
    let mut out = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut out).unwrap();
    assert!(out.is_empty() || out.ends_with(b"\n"));
    let lines = out.iter().filter(|&&b| b == b'\n').count();
    assert!(lines < 40, "{lines} commands ran on");
    ends_interrupted(child);
}

#[test]
fn nobody_listens_any_more() {
    let env = many();
    for args in [
        &["-u"][..],
        &["-u", "--sort=path"],
        &["-u", "-l"],
        &["-u", "--json"],
        &["-u", "--order=breadth"],
    ] {
        let mut child = env
            .find()
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut reader = BufReader::with_capacity(10, child.stdout.take().unwrap());
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line).unwrap();
        drop(reader);
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
    }
}

#[test]
fn a_full_device_is_an_error() {
    let env = Env::new();
    env.file("f");
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let child = env
        .find()
        .arg("-u")
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("No space left"));
}

#[test]
fn a_limit_ends_the_walk() {
    let env = many();
    for count in ["1", "7", "5000"] {
        let answer = run(env.find().args(["-u", "-j16", "--max-results", count])).expect(0);
        assert_eq!(answer.lines().len().to_string(), count);
    }
}
