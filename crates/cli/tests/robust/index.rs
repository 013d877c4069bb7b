//! `groma index` on mounts, full disks and failing directories, and interrupted.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::env::{Answer, Env, finish, run};
use crate::fuse_fs::{Fault, Plan};

fn index(env: &Env, verb: &str) -> Command {
    let mut command = env.seal(Command::new(env!("CARGO_BIN_EXE_groma")));
    command
        .args(["index", verb, "--catalog"])
        .arg(env.beside("catalog"));
    command
}

/// The paths that the catalog holds.
fn stored(env: &Env) -> BTreeSet<PathBuf> {
    let mut paths = BTreeSet::new();
    for root in groma_engine::catalogs::open(&env.beside("catalog")).unwrap() {
        for id in root
            .view
            .pieces()
            .iter()
            .flat_map(|piece| piece.ids.clone())
        {
            let mut path = Vec::new();
            root.view.append_path(id, &mut path).unwrap();
            paths.insert(groma_sys::os_path(&path));
        }
    }
    paths
}

/// Something that is mounted as long as this lives (as root, with loop devices).
struct Mounted(PathBuf);

impl Mounted {
    fn new(words: &[&str], at: &Path) -> Mounted {
        std::fs::create_dir_all(at).unwrap();
        let status = Command::new("mount").args(words).arg(at).status();
        let is_mounted = status.is_ok_and(|status| status.success());
        assert!(
            is_mounted,
            "mount {words:?}: root, and a loop device for an image, are needed"
        );
        Mounted(at.to_owned())
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

/// An ext4 image with this label (package e2fsprogs).
fn image(env: &Env, name: &str, label: &str) -> PathBuf {
    let path = env.beside(name);
    std::fs::File::create(&path)
        .unwrap()
        .set_len(4 << 20)
        .unwrap();
    let status = Command::new("mkfs.ext4")
        .args(["-q", "-L", label])
        .arg(&path)
        .status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "mkfs.ext4 is needed"
    );
    path
}

fn roots(env: &Env) -> Vec<serde_json::Value> {
    let answer = run(index(env, "list").args(["--format", "json"])).expect(0);
    serde_json::from_slice(&answer.stdout).unwrap()
}

#[test]
fn volumes_are_known_by_identity_not_by_label_or_path() {
    let env = Env::new();
    let (one, two) = (image(&env, "one", "same"), image(&env, "two", "same"));
    let at = |name: &str| env.tree().join(name);
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let mounted = Mounted::new(&["-o", "loop", &text(&one)], &at("x"));
    std::fs::write(at("x/of-one"), "").unwrap();
    run(index(&env, "add").arg("x")).expect(0);
    drop(mounted);
    // Another volume of the same label at the same place is another root.
    let mounted = Mounted::new(&["-o", "loop", &text(&two)], &at("x"));
    std::fs::write(at("x/of-two"), "").unwrap();
    run(index(&env, "add").arg("x")).expect(0);
    let listed = roots(&env);
    assert_eq!(listed.len(), 2, "{listed:?}");
    let states: BTreeSet<&str> = listed
        .iter()
        .map(|r| r["state"].as_str().unwrap())
        .collect();
    assert_eq!(states, BTreeSet::from(["gone", "here"]));
    // The first one, mounted elsewhere, is recognised.
    let elsewhere = Mounted::new(&["-o", "loop", &text(&one)], &at("y"));
    let moved = roots(&env)
        .into_iter()
        .find(|r| r["state"] == "moved")
        .unwrap();
    assert_eq!(moved["now_at"], text(&at("y")));
    std::fs::write(at("y/new"), "").unwrap();
    let answer = run(index(&env, "refresh").arg("y")).expect(0);
    assert!(answer.stderr.contains("was known as"), "{}", answer.stderr);
    assert_eq!(roots(&env).len(), 2);
    let paths = stored(&env);
    assert!(paths.contains(&at("y/of-one")) && paths.contains(&at("y/new")));
    assert!(paths.contains(&at("x/of-two")) && !paths.contains(&at("x/of-one")));
    drop((mounted, elsewhere));
}

#[test]
fn a_bind_mount_is_the_place_that_it_shows() {
    let env = Env::new();
    env.file("a/in/f");
    run(index(&env, "add").arg("a/in")).expect(0);
    let from = env.tree().join("a/in");
    let _mounted = Mounted::new(&["--bind", from.to_str().unwrap()], &env.tree().join("b"));
    run(index(&env, "add").arg("b")).expect(0);
    assert_eq!(roots(&env).len(), 1);
}

#[test]
fn other_file_systems_are_entered_unless_made_up_or_unwanted() {
    let env = Env::new();
    env.file("f");
    let at = |name: &str| env.tree().join(name);
    let _tmpfs = Mounted::new(&["-t", "tmpfs", "none"], &at("t"));
    let _proc = Mounted::new(&["-t", "proc", "none"], &at("p"));
    std::fs::write(at("t/in"), "").unwrap();
    run(index(&env, "add").arg(".")).expect(0);
    let paths = stored(&env);
    assert!(paths.contains(&at("t/in")) && paths.contains(&at("p")));
    assert!(!paths.contains(&at("p/meminfo")));
    run(index(&env, "add").args(["--one-file-system", "."])).expect(0);
    assert_eq!(stored(&env), [env.tree(), at("f"), at("p"), at("t")].into());
    run(index(&env, "refresh").arg("--full")).expect(0);
    assert_eq!(stored(&env).len(), 4);
    let view = groma_engine::catalogs::open(&env.beside("catalog"))
        .unwrap()
        .remove(0)
        .view;
    let is_mount = |name: &str| {
        let path = at(name);
        let id = view
            .find(path.to_str().unwrap().as_bytes())
            .unwrap()
            .unwrap();
        view.kind(id).unwrap().has(groma_catalog::KindFlags::MOUNT)
    };
    assert!(is_mount("t") && is_mount("p") && !is_mount("f"));
}

#[test]
fn a_full_disk_leaves_the_old_catalog() {
    let env = Env::new();
    let _disk = Mounted::new(
        &["-t", "tmpfs", "-o", "size=256k,mode=0700", "none"],
        &env.beside("catalog"),
    );
    env.file("small/f");
    run(index(&env, "add").arg("small")).expect(0);
    let before = stored(&env);
    for file in 0..4000 {
        env.file(&format!("large/{file}-{}", "x".repeat(100)));
    }
    let answer = run(index(&env, "add").args(["small", "large"])).expect(1);
    assert!(
        answer.stderr.contains("No space left on device"),
        "{}",
        answer.stderr
    );
    assert_eq!(stored(&env), before);
    run(&mut index(&env, "check")).expect(0);
    let names = std::fs::read_dir(env.beside("catalog")).unwrap();
    assert!(
        names
            .flatten()
            .all(|name| !name.file_name().to_string_lossy().ends_with(".tmp"))
    );
}

fn failing() -> Plan {
    let mut plan = Plan::new();
    let good = plan.dir(1, "good", Fault::default());
    plan.file(good, "f");
    let half = Fault {
        read_after: Some(2),
        portion: 1,
        ..Fault::default()
    };
    let half = plan.dir(1, "half", half);
    for index in 0..5 {
        plan.file(half, &format!("h{index}"));
    }
    let shut = Fault {
        open: true,
        ..Fault::default()
    };
    plan.dir(1, "shut", shut);
    plan.broken_file(1, "broken");
    plan
}

#[test]
fn what_cannot_be_read_is_counted_and_the_rest_is_kept() {
    let env = Env::new();
    let mounted = failing().mount(&env.tree());
    let answer = run(index(&env, "add").arg(env.tree())).expect(3);
    let shown = run(index(&env, "add").arg("--show-errors").arg(env.tree())).expect(3);
    let listed = roots(&env);
    drop(mounted);
    assert!(
        answer.stderr.contains("3 places could not be read"),
        "{}",
        answer.stderr
    );
    for line in ["cannot read '", "cannot open '", "cannot stat '"] {
        assert!(shown.stderr.contains(line), "{line}: {}", shown.stderr);
    }
    assert_eq!(listed[0]["unread"], 3);
    let below = |path: &PathBuf| {
        path.strip_prefix(env.tree())
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    };
    let paths: Vec<String> = stored(&env).iter().map(below).collect();
    assert_eq!(
        paths,
        [
            "", "broken", "good", "good/f", "half", "half/h0", "half/h1", "shut"
        ]
    );
    let view = groma_engine::catalogs::open(&env.beside("catalog"))
        .unwrap()
        .remove(0)
        .view;
    for (name, unread) in [("good", false), ("half", true), ("shut", true)] {
        let path = env.tree().join(name);
        let id = view
            .find(path.to_str().unwrap().as_bytes())
            .unwrap()
            .unwrap();
        let flags = view.kind(id).unwrap();
        assert_eq!(
            flags.has(groma_catalog::KindFlags::UNREAD),
            unread,
            "{name}"
        );
    }
}

/// A tree whose reading takes long, one directory after the other.
fn slow() -> Plan {
    let mut plan = Plan::new();
    for dir in 0..200 {
        let fault = Fault {
            open_delay: Duration::from_millis(100),
            ..Fault::default()
        };
        let dir = plan.dir(1, &format!("d{dir}"), fault);
        plan.file(dir, "f");
    }
    plan
}

/// Starts to add a slow tree and ends that by a signal.
fn ended_by(signal: Signal) -> (Env, Answer) {
    let env = Env::new();
    env.file("../first/f");
    run(index(&env, "add").arg("../first")).expect(0);
    let mounted = slow().mount(&env.tree());
    let child = index(&env, "add")
        .arg(env.tree())
        .current_dir(env.beside("home"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    kill_process(Pid::from_child(&child), signal).unwrap();
    let answer = finish(child, |_| ());
    drop(mounted);
    (env, answer)
}

#[test]
fn an_interrupted_or_killed_run_leaves_the_old_catalog() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::KILL, 137)] {
        let (env, answer) = ended_by(signal);
        assert_eq!((answer.code(), &answer.stderr[..]), (code, ""));
        assert_eq!(roots(&env).len(), 1);
        run(&mut index(&env, "check")).expect(0);
        // Nothing is locked, and nothing is left behind.
        run(index(&env, "add").arg("../first")).expect(0);
        assert_eq!(std::fs::read_dir(env.beside("catalog")).unwrap().count(), 3);
    }
}

#[test]
fn an_interrupted_list_is_not_waited_for() {
    let env = Env::new();
    let mut child = index(&env, "add")
        .args(["--source", "list", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .as_mut()
        .unwrap()
        .write_all(b"/a\n/b\n")
        .unwrap();
    std::thread::sleep(Duration::from_millis(300));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let stdin = child.stdin.take();
    let answer = finish(child, |_| ());
    drop(stdin);
    assert_eq!((answer.code(), &answer.stderr[..]), (130, ""));
    assert!(roots(&env).is_empty());
}

#[test]
fn paths_without_limit_are_kept() {
    let env = Env::new();
    let name = "d".repeat(200);
    let script =
        format!("for i in $(seq 40); do mkdir {name} && cd {name} || exit 1; done; touch end");
    run(env.seal(Command::new("bash")).args(["-c", &script])).expect(0);
    run(index(&env, "add").arg(".")).expect(0);
    let longest = stored(&env)
        .into_iter()
        .map(|path| path.as_os_str().len())
        .max();
    assert!(longest.unwrap() > 8000);
    run(&mut index(&env, "check")).expect(0);
    run(index(&env, "refresh").arg("--quick")).expect(0);
    assert_eq!(stored(&env).len(), 42);
}
