//! `groma map` on the real program: its numbers beside du's, its forms, its mistakes.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt as _;

use serde_json::Value;

use super::env::{Answer, Env, bytes};

fn map(env: &Env, line: &str) -> Answer {
    env.shell(&format!("groma map {line}"))
}

/// stdout of a line that must succeed and say nothing else.
#[track_caller]
fn told(env: &Env, line: &str) -> String {
    let answer = map(env, line);
    assert_eq!((answer.code, &answer.stderr[..]), (0, ""), "{line}");
    String::from_utf8_lossy(&answer.stdout).into_owned()
}

#[track_caller]
fn json(env: &Env, line: &str) -> Value {
    serde_json::from_str(&told(env, line)).unwrap()
}

/// Allocated bytes, apparent bytes and entries of everything.
#[track_caller]
fn total(env: &Env, line: &str) -> (u64, u64, u64) {
    let answer = json(env, &format!("{line} --summary --json"));
    let number = |name: &str| answer["total"][name].as_u64().unwrap();
    (number("allocated"), number("size"), number("entries"))
}

/// What du says of these words.
fn du(env: &Env, words: &str) -> u64 {
    let answer = env.shell(&format!("du -s {words} | cut -f1"));
    answer
        .shown()
        .split(' ')
        .map(|n| n.parse::<u64>().unwrap())
        .sum()
}

/// The same tree, measured by du in all three ways.
#[track_caller]
fn agrees_with_du(env: &Env, paths: &str) {
    let want = (
        du(env, &format!("-B1 {paths}")),
        du(env, &format!("-b {paths}")),
        du(env, &format!("--inodes {paths}")),
    );
    let (allocated, size, _) = total(env, paths);
    assert_eq!((allocated, size), (want.0, want.1), "{paths}");
    let inodes = json(env, &format!("{paths} --count --summary --json"));
    let entries = inodes["total"]["entries"].as_u64().unwrap();
    assert!(entries >= want.2, "{entries} {} {paths}", want.2);
}

/// Every directory of a tree without hard links, measured by both.
#[track_caller]
fn directories_agree_with_du(env: &Env, flags: (&str, &str), member: &str) {
    let answer = json(env, &format!(". --depth 2000 --json {}", flags.0));
    let ours: BTreeMap<String, u64> = answer["directories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|dir| {
            let path = dir["path"].as_str().unwrap().to_owned();
            (path, dir[member].as_u64().unwrap())
        })
        .collect();
    let theirs = env.shell(&format!("du {} \"$PWD\"", flags.1));
    let theirs = String::from_utf8_lossy(&theirs.stdout).into_owned();
    let theirs = theirs.lines().map(|line| {
        let (size, path) = line.split_once('\t').unwrap();
        (path.to_owned(), size.parse().unwrap())
    });
    assert_eq!(ours, theirs.collect());
}

const TREE: &str = "a/big:5000000 a/b/c:3 a/b/d:4097 a/b/e/f/g:1 e/ link->a/big x:12288 .h/i:9 ";

#[test]
fn every_directory_is_as_large_as_du_says() {
    let env = Env::new(TREE);
    env.shell("head -c 300000 /dev/urandom > a/real; mkfifo a/pipe; mknod a/null c 1 3 || true");
    directories_agree_with_du(&env, ("", "-B1"), "allocated");
    directories_agree_with_du(&env, ("--apparent", "-b"), "size");
    directories_agree_with_du(&env, ("--count", "--inodes"), "entries");
    agrees_with_du(&env, ".");
    agrees_with_du(&env, "a");
    agrees_with_du(&env, "a/b e");
    agrees_with_du(&env, "x");
}

#[test]
fn a_node_is_counted_once() {
    let env = Env::new("one/ two/sub/ three/");
    env.shell("head -c 100000 /dev/urandom > one/f; ln one/f two/sub/g; ln one/f three/h");
    for paths in [
        ".",
        "one two",
        "three one two/sub",
        "one one/f",
        "one/f two",
        "two two/sub .",
    ] {
        agrees_with_du(&env, paths);
        assert_eq!(total(&env, paths), total(&env, paths), "{paths}");
    }
    // At the smallest path, whoever came first.
    let answer = json(&env, ". --depth 1 --json");
    let of = |name: &str| {
        let dirs = answer["directories"].as_array().unwrap();
        let dir = dirs
            .iter()
            .find(|dir| dir["path"].as_str().unwrap().ends_with(name));
        dir.unwrap()["size"].as_u64().unwrap() > 100_000
    };
    assert_eq!((of("/one"), of("/three"), of("/two")), (true, false, false));
    let largest = told(&env, ". --largest-files 5");
    assert_eq!(largest.lines().count(), 1, "{largest}");
}

#[test]
fn depths_that_paths_do_not_reach() {
    let env = Env::new("");
    let name = "d".repeat(60);
    env.shell(&format!(
        "for i in $(seq 120); do mkdir {name}; cd {name}; done; head -c 1048576 /dev/urandom > f"
    ));
    agrees_with_du(&env, ".");
    let largest = json(&env, ". --largest-files 1 --json");
    let path = largest["largest_files"][0]["path"].as_str().unwrap();
    assert!(path.ends_with("/f") && path.len() > 120 * 61);
}

#[test]
fn nothing_but_empty_files() {
    let env = Env::new("e/a e/b e/c/");
    assert_eq!(
        told(&env, "e --where type:file"),
        format!(
            "{}\n0 on disk, 0 apparent, 2 entries\n\n0       -                        a\n0       -                        b\n",
            env.path("e").display()
        )
    );
    agrees_with_du(&env, "e");
}

#[test]
fn summaries_and_the_largest() {
    let env = Env::new("big/f:0 small/f:0");
    env.shell("head -c 600000 /dev/urandom > big/f; head -c 30000 /dev/urandom > small/f");
    let summary = told(&env, "");
    let lines: Vec<&str> = summary.lines().collect();
    assert!(lines[1].ends_with(", 5 entries"), "{summary}");
    assert!(
        lines[3].ends_with("  big/") && lines[3].contains('█'),
        "{summary}"
    );
    assert!(lines[4].ends_with("  small/"), "{summary}");
    let top = env.path("big/f").display().to_string();
    let largest = told(&env, "--largest-files 1");
    assert!(largest.trim_end().ends_with(&top), "{largest}");
    assert_eq!(largest.lines().count(), 1);
    let dirs = told(&env, "--largest-dirs 1 --si");
    assert!(dirs.contains("/big") && dirs.contains('k'), "{dirs}");
    let types = told(&env, "--types --owners --ages --duplicates");
    assert!(
        types.contains("category") && types.contains("owner") && types.contains("age"),
        "{types}"
    );
    let answer = json(&env, "--types --summary --json");
    assert!(
        answer["types"].is_object() && answer["total"].is_object(),
        "{answer}"
    );
}

#[test]
fn a_query_leaves_what_matches() {
    let env = Env::new("a/x.jpg:100 a/y.txt:1000 b/z.jpg:10 c/w.txt:5");
    let sizes = |line: &str| total(&env, line).1;
    assert_eq!(sizes("--where ext:jpg"), 110);
    assert_eq!(sizes("a --where ext:jpg"), 100);
    assert_eq!(sizes("--where 'size > 99'  --where 'ext:txt'"), 1005);
    let dirs = told(&env, "--where ext:jpg --apparent");
    assert!(
        dirs.contains(" a/") && dirs.contains(" b/") && !dirs.contains(" c/"),
        "{dirs}"
    );
    let csv = told(&env, "--csv --where ext:jpg");
    assert_eq!(csv.lines().count(), 3, "{csv}");
    let answer = map(&env, "--where 'size >'");
    assert_eq!(
        (answer.code, answer.shown()),
        (2, String::new()),
        "{}",
        answer.stderr
    );
    assert!(answer.stderr.contains('^'), "{}", answer.stderr);
}

#[test]
fn what_is_left_out() {
    let env =
        Env::new("keep/f:7 node_modules/m:90 out/o.log:50 deep/node_modules/n:8 cache/c:3 not/c:2");
    env.write(
        "cache/CACHEDIR.TAG",
        "Signature: 8a477f597d28d172789f06886806bc55\n# made by a test\n",
    );
    env.write("not/CACHEDIR.TAG", "no signature");
    env.write("list", "node_modules/\n*.{log,tmp}\n# a comment\n!keep\n");
    let files = |line: &str| {
        let answer = json(&env, &format!("{line} --json"));
        let names = answer.as_array().unwrap().iter();
        let files = names.filter(|entry| entry["kind"] == "file");
        files
            .map(|entry| {
                entry["path"]
                    .as_str()
                    .unwrap()
                    .rsplit('/')
                    .next()
                    .unwrap()
                    .to_owned()
            })
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(
        files("-E node_modules"),
        "c CACHEDIR.TAG f list c CACHEDIR.TAG o.log"
    );
    assert_eq!(
        files("-E '/deep/' -E '*.log' -E cache"),
        "f list m c CACHEDIR.TAG"
    );
    assert_eq!(files("-E 'node_modules/' -E '{cache,not}'"), "f list o.log");
    assert_eq!(
        files("--exclude-from list"),
        "c CACHEDIR.TAG f list c CACHEDIR.TAG"
    );
    assert_eq!(
        files("--exclude-caches -E node_modules"),
        "CACHEDIR.TAG f list c CACHEDIR.TAG o.log"
    );
    let answer = map(&env, "--exclude-from nowhere");
    assert_eq!(answer.code, 2, "{}", answer.stderr);
}

#[test]
fn hostile_names_are_escaped_for_people_and_exact_for_programs() {
    let env = Env::new("");
    let name = bytes(b"bad\xff\xfename");
    std::fs::write(env.path(&name), "x").unwrap();
    std::fs::write(env.path("esc\x1b[31m\nbidi\u{202e}"), "y").unwrap();
    let shown = told(&env, "--apparent");
    assert!(
        !shown.contains('\x1b') && !shown.contains('\u{202e}'),
        "{shown:?}"
    );
    assert_eq!(shown.lines().count(), 5, "{shown:?}");
    let files = json(&env, "--largest-files 9 --json");
    let files = files["largest_files"].as_array().unwrap();
    let bad = files
        .iter()
        .find(|file| !file["path_b64"].is_null())
        .unwrap();
    let path = env.path(&name);
    let want = env.shell(&format!(
        "printf %s '{}/'; printf 'bad\\xff\\xfename'",
        env.dir().display()
    ));
    assert_eq!(want.stdout, path.as_os_str().as_bytes());
    let decoded = env.shell(&format!(
        "printf %s {} | base64 -d",
        bad["path_b64"].as_str().unwrap()
    ));
    assert_eq!(decoded.stdout, path.as_os_str().as_bytes());
    assert!(
        json(&env, "--json")
            .as_array()
            .unwrap()
            .iter()
            .any(|e| !e["path_b64"].is_null())
    );
}

#[test]
fn a_bad_root_among_good_ones() {
    let env = Env::new("good/f:5 other/g:6");
    let answer = map(&env, "good missing --largest-files 1");
    assert_eq!(answer.code, 1);
    assert!(answer.stderr.contains("'missing'"), "{}", answer.stderr);
    assert!(answer.shown().ends_with("/good/f"), "{}", answer.shown());
    let answer = map(&env, "missing");
    assert_eq!((answer.code, answer.shown()), (1, String::new()));
}

#[test]
fn links_are_not_followed_and_the_number_of_threads_shows_nowhere() {
    let env = Env::new("real/f:1000000 links/l->../real/f links/d->../real ");
    agrees_with_du(&env, "links");
    let one = told(&env, "-j1 --depth 9 --largest-files 9 --json");
    for threads in ["-j2", "-j8"] {
        assert_eq!(
            told(
                &env,
                &format!("{threads} --depth 9 --largest-files 9 --json")
            ),
            one
        );
    }
}

#[test]
fn a_page_of_what_was_saved_counts_ages_from_when_it_was_read() {
    let env = Env::new("");
    let saved = r#"[1,2,{"progname":"x","progver":"1","timestamp":1600000000},[{"name":"/t"},{"name":"f","asize":1,"dsize":4096}]]"#;
    env.write("saved.json", saved);
    assert_eq!(told(&env, "--from saved.json --html page.html"), "");
    let page = std::fs::read_to_string(env.path("page.html")).unwrap();
    assert!(page.contains("\"taken\":1600000000,"), "{page}");
}

#[test]
fn wrong_usage() {
    let env = Env::new("f");
    for (line, needle) in [
        ("--largest-files many", "invalid"),
        ("--csv --summary", "cannot be used"),
        ("--nonsense", "unexpected"),
        ("-j 0", "invalid"),
        ("--where 'sise:5'", "size"),
    ] {
        let answer = map(&env, line);
        assert_eq!((answer.code, answer.shown()), (2, String::new()), "{line}");
        assert!(answer.stderr.contains(needle), "{line}: {}", answer.stderr);
    }
}
