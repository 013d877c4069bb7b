//! File systems that fail, dawdle or lie: what can be had is told, at once, and the run ends.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::env::{Answer, Env, run};
use crate::fuse_fs::{Fault, Plan};

fn failing() -> Plan {
    let mut plan = Plan::new();
    let good = plan.dir(1, "good", Fault::default());
    plan.file(good, "f");
    let half = plan.dir(
        1,
        "half",
        Fault {
            read_after: Some(3),
            portion: 2,
            ..Fault::default()
        },
    );
    for index in 0..9 {
        plan.file(half, &format!("h{index}"));
    }
    let inner = plan.dir(half, "after the error", Fault::default());
    plan.file(inner, "never seen");
    plan.dir(
        1,
        "shut",
        Fault {
            open: true,
            ..Fault::default()
        },
    );
    plan.broken_file(1, "broken");
    let lost = plan.dir(
        1,
        "lost",
        Fault {
            lookup: true,
            ..Fault::default()
        },
    );
    plan.file(lost, "never seen");
    let last = plan.dir(1, "z", Fault::default());
    plan.file(last, "f");
    plan
}

const SEEN: [&str; 11] = [
    "broken", "good", "good/f", "half", "half/h0", "half/h1", "half/h2", "lost", "shut", "z", "z/f",
];

#[track_caller]
fn run_on(plan: Plan, args: &[&str]) -> Answer {
    let env = Env::new();
    let mounted = plan.mount(&env.tree());
    let answer = run(env.find().args(args));
    // While a shell or a thread still sits in the tree, it cannot be taken away at once.
    drop(mounted);
    answer
}

#[test]
fn entries_before_an_error_are_kept_and_it_is_counted() {
    for args in [
        &["-u"][..],
        &["-u", "-j1"],
        &["-u", "-j16"],
        &["-H"],
        &["-u", "--sort=path"],
        &["-u", "--order=breadth"],
    ] {
        let answer = run_on(failing(), args).expect(3);
        assert_eq!(answer.sorted(), SEEN, "{args:?}");
        assert!(
            answer.stderr.contains("3 places could not be read"),
            "{args:?} {}",
            answer.stderr
        );
    }
    let answer = run_on(failing(), &["-u", "--show-errors"]).expect(3);
    for line in [
        "cannot read 'half': ",
        "cannot open 'shut': ",
        "cannot open 'lost': ",
    ] {
        assert!(answer.stderr.contains(line), "{line}: {}", answer.stderr);
    }
}

#[test]
fn metadata_that_fails_is_counted_where_it_is_asked_for() {
    let answer = run_on(failing(), &["-u", "-tf", "--perm=/777", "--show-errors"]).expect(3);
    assert_eq!(
        answer.sorted(),
        ["good/f", "half/h0", "half/h1", "half/h2", "z/f"]
    );
    assert!(
        answer.stderr.contains("cannot stat 'broken': "),
        "{}",
        answer.stderr
    );
    let answer = run_on(failing(), &["-u", "-l"]).expect(3);
    assert_eq!(answer.lines().len(), SEEN.len(), "{}", answer.stderr);
    let answer = run_on(failing(), &["-u", "--json"]).expect(3);
    assert_eq!(answer.lines().len(), SEEN.len());
}

#[test]
fn emptiness_is_claimed_of_nothing_that_could_not_be_read() {
    let mut plan = failing();
    plan.dir(1, "empty", Fault::default());
    let nothing = Fault {
        read_after: Some(0),
        ..Fault::default()
    };
    plan.dir(1, "unknown", nothing);
    let answer = run_on(plan, &["-u", "-te", "-td"]).expect(3);
    assert_eq!(answer.sorted(), ["empty"]);
}

#[test]
fn a_directory_that_contains_itself_ends() {
    for args in [
        &["-u"][..],
        &["-u", "-L"],
        &["-u", "-j1"],
        &["-u", "--sort=path"],
    ] {
        let mut plan = Plan::new();
        // Nodes of their own for the kernel, one inode number for everybody who asks.
        let mut at = plan.dir(
            1,
            "a",
            Fault {
                claims: Some(77),
                ..Fault::default()
            },
        );
        for _ in 0..200 {
            plan.file(at, "f");
            at = plan.dir(
                at,
                "a",
                Fault {
                    claims: Some(77),
                    ..Fault::default()
                },
            );
        }
        let answer = run_on(plan, args).expect(0);
        let lines = answer.lines();
        let depth = lines
            .iter()
            .filter(|path| path.to_string_lossy().ends_with('a'));
        assert!(depth.count() < 60, "{args:?}");
    }
}

#[test]
fn a_directory_linked_into_itself_ends() {
    let mut plan = Plan::new();
    let dir = plan.dir(1, "a", Fault::default());
    plan.file(dir, "f");
    plan.link(dir, OsStr::new("self"), dir);
    let answer = run_on(plan, &["-u"]);
    assert!(answer.lines().iter().any(|path| path == "a/f"));
}

/// Reads lines of a run in progress, and tells when each came.
fn arrivals(env: &Env, args: &[&str]) -> Vec<(String, Duration)> {
    let start = Instant::now();
    let mut child = env
        .find()
        .args(args)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let seen = lines.map(|line| (line.unwrap(), start.elapsed())).collect();
    assert!(child.wait().unwrap().success());
    seen
}

/// One directory takes long; what lies elsewhere must not wait for it.
#[test]
fn hits_do_not_wait_for_a_slow_directory() {
    let slow = Duration::from_millis(1400);
    for fault in [
        Fault {
            open_delay: slow,
            ..Fault::default()
        },
        Fault {
            delay: slow / 2,
            ..Fault::default()
        },
    ] {
        for args in [
            &["-u", "-tf", "-j1"][..],
            &["-u", "-tf", "-j2"],
            &["-u", "-tf"],
            &["-H", "-tf"],
        ] {
            let env = Env::new();
            let mut plan = Plan::new();
            plan.file(1, "first");
            let other = plan.dir(1, "other", Fault::default());
            plan.file(other, "second");
            let hangs = plan.dir(1, "slow", fault);
            plan.file(hangs, "last");
            let mounted = plan.mount(&env.tree());
            let arrivals = arrivals(&env, args);
            drop(mounted);
            assert_eq!(arrivals.len(), 3);
            for (line, after) in &arrivals {
                // With one thread, what comes after the slow directory has to wait for it.
                let must_wait =
                    line.ends_with("last") || (args.contains(&"-j1") && line.ends_with("second"));
                let prompt = *after < Duration::from_millis(650);
                assert!(must_wait || prompt, "{args:?}: {line} after {after:?}");
            }
        }
    }
}

#[test]
fn a_directory_that_is_read_slowly_is_told_meanwhile() {
    let env = Env::new();
    let fault = Fault {
        delay: Duration::from_millis(250),
        portion: 1,
        ..Fault::default()
    };
    let mut plan = Plan::new();
    let slow = plan.dir(1, "slow", fault);
    for index in 0..8 {
        plan.file(slow, &format!("f{index}"));
    }
    let mounted = plan.mount(&env.tree());
    let arrivals = arrivals(&env, &["-u", "-tf"]);
    drop(mounted);
    assert_eq!(arrivals.len(), 8);
    assert!(arrivals[0].1 < Duration::from_millis(1200), "{arrivals:?}");
}

/// The kernel passes on what a file system claims; such an entry can be asked for nothing.
#[test]
fn a_name_with_a_nul_in_it_does_no_harm() {
    for name in ["a\0b", "a\0bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"] {
        let mut plan = Plan::new();
        plan.file(1, name);
        plan.file(1, "sound");
        for args in [&["-u"][..], &["-u", "--perm=/777"], &["-u", "--json"]] {
            let env = Env::new();
            let mounted = plan.clone().mount(&env.tree());
            let answer = run(env.find().args(args));
            drop(mounted);
            assert!(
                [0, 3].contains(&answer.code()),
                "{args:?}: {}",
                answer.stderr
            );
            assert!(
                String::from_utf8_lossy(&answer.stdout).contains("sound"),
                "{args:?}"
            );
        }
    }
}

/// A file system that tells no types (ext4 without them; packages e2fsprogs and mount).
#[test]
fn types_that_the_file_system_does_not_tell_are_asked_for() {
    let env = Env::new();
    let image = env.beside("image");
    std::fs::File::create(&image)
        .unwrap()
        .set_len(4 << 20)
        .unwrap();
    let ok = |command: &mut Command| assert!(command.status().unwrap().success(), "{command:?}");
    ok(Command::new("mkfs.ext4")
        .args(["-q", "-O", "^filetype,^has_journal"])
        .arg(&image));
    ok(Command::new("mount")
        .args(["-o", "loop"])
        .arg(&image)
        .arg(env.tree()));
    env.file("a/b/f");
    env.link("a", "l");
    let answers = [
        &["-u", "-td"][..],
        &["-u", "-tf"],
        &["-u", "-tl"],
        &["-u", "-L", "-tf"],
    ]
    .map(|args| run(env.find().args(args)).sorted());
    ok(Command::new("umount").arg(env.tree()));
    let wanted: [&[&str]; 4] = [
        &["a", "a/b", "lost+found"],
        &["a/b/f"],
        &["l"],
        &["a/b/f", "l/b/f"],
    ];
    for (answer, wanted) in answers.iter().zip(wanted) {
        assert_eq!(answer, wanted);
    }
}
