//! `groma index`: what is added is what is there, and what can be done with it afterwards.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;

use groma_base::Metadata;

use super::env::{Answer, Env, bytes};

/// A catalog beside the tree.
pub(crate) fn index(env: &Env, line: &str) -> Answer {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let catalog = env.beside("catalog");
    env.shell(&format!(
        "groma index {verb} --catalog '{}' {rest}",
        catalog.display()
    ))
}

#[track_caller]
pub(crate) fn ok(env: &Env, line: &str) -> String {
    let answer = index(env, line);
    assert_eq!((answer.code, &answer.stderr[..]), (0, ""), "{line}");
    String::from_utf8(answer.stdout).unwrap()
}

#[track_caller]
fn fails(env: &Env, line: &str, code: i32, needle: &str) {
    let answer = index(env, line);
    assert_eq!(answer.code, code, "{line}: {}", answer.stderr);
    assert!(answer.stderr.contains(needle), "{line}: {}", answer.stderr);
}

/// All entries of the catalog: path, and what is known of it.
pub(crate) fn entries(env: &Env) -> BTreeMap<String, Option<Metadata>> {
    let mut entries = BTreeMap::new();
    for root in groma_engine::catalogs::open(&env.beside("catalog")).unwrap() {
        let view = root.view;
        for piece in view.pieces() {
            for id in piece.ids.clone() {
                let mut path = Vec::new();
                view.append_path(id, &mut path).unwrap();
                let path = String::from_utf8_lossy(&path).into_owned();
                entries.insert(path, view.metadata(id).unwrap());
            }
        }
    }
    entries
}

fn paths(env: &Env) -> Vec<String> {
    let tree = format!("{}/", env.dir().display());
    let below = |path: String| path.strip_prefix(&tree).map(str::to_owned);
    entries(env).into_keys().filter_map(below).collect()
}

#[test]
fn what_is_added_is_what_find_and_stat_tell() {
    let env = Env::new("a/b/c:5000 a/x=755 a/B empty/ link->a broken->none deep/1/2/3/4/f:1");
    std::fs::hard_link(env.path("a/b/c"), env.path("z")).unwrap();
    std::fs::write(env.path(bytes(b"caf\xe9")), "x").unwrap();
    env.touch("a/x", "1950-01-02 03:04:05.678");
    env.touch("a/B", "2200-01-02 03:04:05");
    for threads in ["1", "2", "16"] {
        let said = ok(&env, &format!("add -j{threads} ."));
        assert!(
            said.starts_with(&format!("{}: 17 entries in ", env.dir().display())),
            "{said}"
        );
        let found = env.tool("find", &[env.dir().to_str().unwrap()]);
        let found = found.lines().count();
        let entries = entries(&env);
        assert_eq!((found, entries.len()), (17, 17));
        for (path, stored) in entries {
            let Ok(real) = std::fs::symlink_metadata(&path) else {
                assert!(path.ends_with("caf\u{fffd}"), "{path}");
                continue;
            };
            let stored = stored.unwrap();
            let got = (
                stored.size,
                stored.allocated,
                stored.mode,
                stored.links,
                stored.id.inode,
            );
            let want = (
                real.len(),
                real.blocks() * 512,
                real.mode(),
                real.nlink(),
                real.ino(),
            );
            assert_eq!(got, want, "{path}");
            let time = |t: groma_base::Timestamp| (t.seconds, i64::from(t.nanoseconds));
            assert_eq!(
                time(stored.modified),
                (real.mtime(), real.mtime_nsec()),
                "{path}"
            );
            assert_eq!(
                time(stored.changed),
                (real.ctime(), real.ctime_nsec()),
                "{path}"
            );
            assert_eq!(stored.id.device, real.dev(), "{path}");
            assert_eq!((stored.uid, stored.gid), (real.uid(), real.gid()));
            assert_eq!(stored.created.is_some(), real.created().is_ok(), "{path}");
        }
    }
    ok(&env, "check");
}

#[test]
fn hard_links_are_counted_once() {
    let env = Env::new("a/one:4096 b/");
    std::fs::hard_link(env.path("a/one"), env.path("b/two")).unwrap();
    ok(&env, "add .");
    let roots = groma_engine::catalogs::open(&env.beside("catalog")).unwrap();
    let view = &roots[0].view;
    let size = |path: &str| {
        let path = env.path(path);
        let id = view
            .find(path.to_str().unwrap().as_bytes())
            .unwrap()
            .unwrap();
        let below = view.totals(id).unwrap().unwrap().below.size;
        let own = |name| std::fs::metadata(env.path(name)).unwrap().len();
        if path == env.dir() {
            below - own("a") - own("b")
        } else {
            below
        }
    };
    assert_eq!((size(""), size("a"), size("b")), (4096, 4096, 0));
}

#[test]
fn globs_leave_out_and_are_remembered() {
    let env = Env::new("keep/a keep/a.tmp drop/b keep/drop/c top.tmp");
    ok(&env, "add --exclude '*.tmp' -E /drop .");
    let want = ["keep", "keep/a", "keep/drop", "keep/drop/c"];
    assert_eq!(paths(&env), want);
    env.write("keep/new.tmp", "");
    env.write("keep/new", "");
    let all = ["keep", "keep/a", "keep/drop", "keep/drop/c", "keep/new"];
    for how in ["", "--full", "--quick"] {
        ok(&env, &format!("refresh {how}"));
        assert_eq!(paths(&env), all, "{how}");
    }
    fails(&env, "add --exclude 'a[' .", 2, "malformed glob");
    assert_eq!(paths(&env), all);
}

#[test]
fn a_root_is_added_once_and_listed() {
    let env = Env::new("a/f b/g");
    let said = index(&env, "list");
    assert_eq!((said.code, said.stdout.len()), (0, 0));
    assert!(
        said.stderr.contains("groma index add PATH"),
        "{}",
        said.stderr
    );
    assert_eq!(ok(&env, "list --format json"), "[]\n");
    ok(&env, "add a ./a b");
    let table = ok(&env, "list");
    let lines: Vec<Vec<&str>> = table
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    assert_eq!(
        lines[0],
        [
            "root", "entries", "size", "age", "unread", "source", "state"
        ]
    );
    let path = |name| env.path(name).display().to_string();
    assert_eq!(
        (lines.len(), lines[1][0], lines[2][0]),
        (3, &path("a")[..], &path("b")[..])
    );
    assert_eq!((lines[1][1], lines[1].last().copied()), ("2", Some("here")));
    let json: serde_json::Value = serde_json::from_str(&ok(&env, "list --format json")).unwrap();
    assert_eq!(json[1]["path"], path("b"));
    assert_eq!(
        (&json[1]["rows"], &json[1]["source"]),
        (&2.into(), &"walk".into())
    );
    let file = json[0]["file"].as_str().unwrap();
    assert_eq!(json[0]["bytes"], std::fs::metadata(file).unwrap().len());
    assert_eq!(ok(&env, "where a").trim(), file);
    assert_eq!(
        ok(&env, "where").trim(),
        env.beside("catalog").display().to_string()
    );
    let key = json[0]["key"].as_str().unwrap();
    assert_eq!(ok(&env, &format!("where '{key}'")).trim(), file);
}

#[test]
fn roots_are_removed() {
    let env = Env::new("a/f b/g");
    ok(&env, "add a b");
    fails(&env, "remove c", 1, "is no root of this catalog");
    ok(&env, "remove a");
    fails(&env, "remove a", 1, "is no root of this catalog");
    fails(&env, "where a", 1, "is no root of this catalog");
    assert_eq!(paths(&env), ["b", "b/g"]);
    assert_eq!(std::fs::read_dir(env.beside("catalog")).unwrap().count(), 3);
    assert!(env.path("a/f").exists());
    ok(&env, "remove b");
    assert_eq!(ok(&env, "check"), "");
}

#[test]
fn nested_roots_show_each_entry_once() {
    let env = Env::new("a/in/f a/g");
    ok(&env, "add . a/in");
    assert_eq!(paths(&env), ["a", "a/g", "a/in", "a/in/f"]);
    let roots = groma_engine::catalogs::open(&env.beside("catalog")).unwrap();
    assert_eq!(roots.iter().map(|root| root.view.len()).sum::<u32>(), 5);
}

#[test]
fn a_root_that_vanished_stays_known() {
    let env = Env::new("a/f b/g");
    ok(&env, "add a b");
    std::fs::remove_dir_all(env.path("a")).unwrap();
    fails(
        &env,
        "refresh a",
        1,
        "is not there any more, or not mounted",
    );
    let said = index(&env, "refresh");
    assert_eq!(said.code, 0);
    assert!(said.stderr.contains("left out: "), "{}", said.stderr);
    assert!(ok(&env, "list").lines().nth(1).unwrap().ends_with("gone"));
    assert_eq!(paths(&env), ["a", "a/f", "b", "b/g"]);
    fails(&env, "add a", 1, "No such file or directory");
    std::fs::create_dir(env.path("a")).unwrap();
    // Another directory of that name is at the same place of the same file system: the same root.
    ok(&env, "refresh a");
    assert_eq!(paths(&env), ["a", "b", "b/g"]);
}

#[test]
fn what_is_not_built_yet_is_refused() {
    let env = Env::new("image:100");
    for line in ["add --source ntfs .", "add --source ext4 .", "add image"] {
        fails(&env, line, 2, "not built yet");
    }
    fails(&env, "add", 2, "required");
    fails(&env, "refresh --full --quick", 2, "cannot be used with");
    assert!(!env.beside("catalog").exists());
}

#[test]
fn two_writers_do_not_meet() {
    let env = Env::new("a/f");
    ok(&env, "add .");
    let held = env.shell(&format!(
        "exec 9<>'{0}/lock'; flock -x 9; groma index add --catalog '{0}' .; echo $?; \
         groma index list --catalog '{0}' >&2; flock -u 9; groma index add --catalog '{0}' . >&2; echo $?",
        env.beside("catalog").display()
    ));
    assert_eq!(held.shown(), "1 0");
    assert!(
        held.stderr
            .contains("another process is writing to this catalog"),
        "{}",
        held.stderr
    );
}

#[test]
fn damage_is_named_and_healed_by_a_new_scan() {
    let env = Env::new("a/f:7 a/g:9");
    ok(&env, "add a");
    let file = ok(&env, "where a").trim().to_owned();
    let good = std::fs::read(&file).unwrap();
    let mut checked = 0;
    for at in (0..good.len()).step_by(331) {
        let mut bad = good.clone();
        bad[at] ^= 0x40;
        std::fs::write(&file, &bad).unwrap();
        fails(&env, "check", 1, &file);
        checked += 1;
    }
    assert!(checked > 8, "{checked}");
    std::fs::write(&file, &good[..good.len() - 64]).unwrap();
    fails(&env, "check a", 1, &file);
    ok(&env, "refresh a");
    assert!(ok(&env, "check").ends_with("3 entries, sound\n"));
    let manifest = env.beside("catalog/manifest");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replace("walk", "talk")).unwrap();
    for verb in ["list", "check", "add a", "remove a", "refresh"] {
        fails(&env, verb, 1, "manifest: line ");
    }
}

#[test]
fn a_catalog_open_to_others_is_refused() {
    let env = Env::new("a/f");
    ok(&env, "add a");
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(env.beside("catalog"), open).unwrap();
    for verb in ["list", "add a"] {
        fails(&env, verb, 1, "others have access to it");
    }
}

#[test]
fn the_catalog_lies_in_the_directory_for_data() {
    let mut env = Env::new("a/f");
    let mode = |path: &str| std::fs::metadata(env.beside(path)).unwrap().mode() & 0o777;
    let said = env.shell("groma index add a");
    assert_eq!((said.code, &said.stderr[..]), (0, ""));
    assert_eq!(mode("home/.local/share/groma"), 0o700);
    let data = env.beside("data");
    env.set("XDG_DATA_HOME", &data);
    assert_eq!(env.shell("groma index add a").code, 0);
    assert!(data.join("groma/manifest").exists());
}

#[test]
fn made_up_file_systems_are_read_only_as_roots() {
    let env = Env::new("");
    ok(&env, "add /proc/sys/kernel/random");
    assert!(entries(&env).keys().any(|path| path.ends_with("/uuid")));
}

#[test]
fn it_is_described() {
    let env = Env::new("");
    for line in [
        "groma index --help",
        "groma help index",
        "groma index add --help",
    ] {
        let said = env.shell(line);
        assert_eq!((said.code, &said.stderr[..]), (0, ""), "{line}");
        assert!(said.shown().contains("refresh") || said.shown().contains("--exclude"));
    }
    assert!(env.shell("groma man index").shown().contains("groma-index"));
    let bash = env.shell("groma completions bash").shown();
    assert!(bash.contains("--one-file-system") && bash.contains("--quick"));
}
