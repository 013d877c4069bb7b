//! `groma map` beside GNU du: random trees, deep ones, shut ones, several file systems, interruptions.

use std::process::Command;

use crate::deep::nest;
use crate::env::{Answer, Env, finish, run, scaled};
use crate::random_tree::grow;
use crate::rng::Rng;

/// The program on the tree.
fn map(env: &Env) -> Command {
    let mut command = env.seal(Command::new(env!("CARGO_BIN_EXE_groma")));
    command.arg("map").current_dir(env.tree());
    command
}

/// A tool that must be there.
#[track_caller]
fn tool(env: &Env, program: &str, args: &[&str]) -> Answer {
    let mut command = env.seal(Command::new(program));
    run(command.args(args).current_dir(env.tree())).expect(0)
}

/// A member of the total in a summary as JSON.
fn total(summary: &Answer, member: &str) -> u64 {
    let json: serde_json::Value = serde_json::from_slice(&summary.stdout).unwrap();
    json["total"][member].as_u64().unwrap()
}

/// What du says of everything, with these options.
fn du(env: &Env, args: &[&str]) -> u64 {
    let answer = tool(env, "du", &[&["-s"], args].concat());
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    text.split('\t').next().unwrap().parse().unwrap()
}

#[track_caller]
fn agrees_with_du(env: &Env, extra: &[&str]) {
    let summary = run(map(env).args(["--summary", "--json"]).args(extra)).expect(0);
    assert_eq!(
        total(&summary, "allocated"),
        du(env, &[&["-B1"], extra].concat()),
        "{extra:?}"
    );
    assert_eq!(
        total(&summary, "size"),
        du(env, &[&["-b"], extra].concat()),
        "{extra:?}"
    );
}

#[test]
fn random_trees_are_as_large_as_du_says() {
    for seed in 0..scaled(12, 100) {
        let env = Env::new();
        grow(&env.tree(), &mut Rng::new(seed), scaled(120, 2000));
        agrees_with_du(&env, &[]);
        // Made a view, it is the same tree.
        let answer = run(map(&env).args(["--where", "size >= 0", "--summary", "--json"])).expect(0);
        let whole = run(map(&env).args(["--summary", "--json"])).expect(0);
        for member in ["size", "allocated", "entries"] {
            assert_eq!(
                total(&answer, member),
                total(&whole, member),
                "seed {seed}: {member}"
            );
        }
    }
}

#[test]
fn fifteen_hundred_nested_directories() {
    let env = Env::new();
    nest(&env.tree(), "n", 1500, &["f"]);
    agrees_with_du(&env, &[]);
    for report in [
        &["--largest-files=3"][..],
        &["--depth=2000"],
        &["--types"],
        &["--csv"],
    ] {
        for threads in ["-j1", "-j8"] {
            run(map(&env).arg(threads).args(report)).expect(0);
        }
    }
}

#[test]
fn what_cannot_be_read_is_counted_and_told() {
    let env = Env::new();
    for file in ["open/f", "shut/f", "z/f"] {
        env.file(file);
    }
    let shut = std::os::unix::fs::PermissionsExt::from_mode(0o000);
    std::fs::set_permissions(env.tree().join("shut"), shut).unwrap();
    let copy = env.beside("groma");
    std::fs::copy(env!("CARGO_BIN_EXE_groma"), &copy).unwrap();
    let as_nobody = |args: &[&str]| {
        let mut command = env.seal(Command::new("setpriv"));
        command
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .arg(&copy)
            .arg("map")
            .args(args)
            .current_dir(env.tree());
        run(&mut command)
    };
    let answer = as_nobody(&["--summary", "--json"]).expect(3);
    assert_eq!(total(&answer, "entries"), 6);
    assert!(
        answer.stderr.contains("1 place could not be read"),
        "{}",
        answer.stderr
    );
    let answer = as_nobody(&["--show-errors"]).expect(3);
    assert!(
        answer.stderr.contains("shut': Permission denied"),
        "{}",
        answer.stderr
    );
    let answer = as_nobody(&["shut"]).expect(1);
    assert!(
        answer.stderr.contains("Permission denied"),
        "{}",
        answer.stderr
    );
    let answer = as_nobody(&["shut", "open"]).expect(1);
    assert!(String::from_utf8_lossy(&answer.stdout).contains("open/"));
}

/// A file system in a file, mounted as long as this lives.
struct Loop<'e> {
    env: &'e Env,
    point: &'static str,
}

impl Drop for Loop<'_> {
    fn drop(&mut self) {
        let mut command = self.env.seal(Command::new("umount"));
        let _ = command
            .arg("-R")
            .arg(self.env.tree().join(self.point))
            .status();
    }
}

fn mounted<'e>(env: &'e Env, image: &str, point: &'static str) -> Loop<'e> {
    env.dir(point);
    let path = env.beside(image).display().to_string();
    tool(env, "truncate", &["-s", "16M", &path]);
    tool(env, "mkfs.ext4", &["-q", "-F", &path]);
    tool(env, "mount", &["-o", "loop", &path, point]);
    Loop { env, point }
}

#[test]
fn file_systems_with_equal_inode_numbers_are_told_apart() {
    let env = Env::new();
    let _one = mounted(&env, "one.img", "one");
    let _two = mounted(&env, "two.img", "two");
    for fs in ["one", "two"] {
        // The same inode numbers on both, and more than one name for each.
        let line = format!("head -c 50000 /dev/zero | tr '\\0' x > {fs}/f && ln {fs}/f {fs}/g");
        tool(&env, "sh", &["-c", &line]);
    }
    agrees_with_du(&env, &[]);
    agrees_with_du(&env, &["-x"]);
    let both = run(map(&env).args(["one", "two", "--summary", "--json"])).expect(0);
    let each = ["one", "two"].map(|fs| {
        let answer = tool(&env, "du", &["-s", "-b", fs]);
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        text.split('\t').next().unwrap().parse::<u64>().unwrap()
    });
    assert_eq!(total(&both, "size"), each.iter().sum::<u64>());
}

#[test]
fn a_bind_mount_is_counted_once() {
    let env = Env::new();
    env.dir("again");
    tool(
        &env,
        "sh",
        &[
            "-c",
            "mkdir -p data/sub && head -c 400000 /dev/zero | tr '\\0' x > data/sub/f",
        ],
    );
    let before = run(map(&env).args(["--summary", "--json"])).expect(0);
    tool(&env, "mount", &["--bind", "data", "again"]);
    let _mounted = Loop {
        env: &env,
        point: "again",
    };
    let after = run(map(&env).args(["--summary", "--json"])).expect(0);
    // The empty directory that it covers is not seen any more.
    let covered = std::fs::metadata(env.tree()).unwrap().len();
    assert_eq!(total(&before, "size") - covered, total(&after, "size"));
    // By itself it is what it shows.
    let alone = run(map(&env).args(["again", "--summary", "--json"])).expect(0);
    assert!(total(&alone, "size") > 400_000);
}

#[test]
fn an_interrupted_scan_is_a_smaller_map() {
    let env = Env::new();
    for dir in 0..scaled(400, 4000) {
        for file in 0..5 {
            env.file(&format!("d{dir}/f{file}"));
        }
    }
    let mut command = env.seal(Command::new("timeout"));
    command
        .args([
            "-s",
            "INT",
            "0.02",
            env!("CARGO_BIN_EXE_groma"),
            "map",
            "-j1",
            "--summary",
        ])
        .current_dir(env.tree())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let answer = finish(command.spawn().unwrap(), |_| ());
    // It may have been ready before.
    let said = &answer.stderr;
    assert!(said.is_empty() || said.contains("interrupted"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}
