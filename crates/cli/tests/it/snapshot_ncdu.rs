//! Snapshots and ncdu: exports of either are read by the other, and times that only exports can set.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::env::{Answer, Env};

fn snapshot(env: &Env, line: &str) -> Answer {
    env.shell(&format!("groma snapshot {line}"))
}

fn done(env: &Env, line: &str) -> Answer {
    let answer = snapshot(env, line);
    assert_eq!(answer.code, 0, "{line}: {}", answer.stderr);
    answer
}

fn json(env: &Env, line: &str) -> Value {
    serde_json::from_slice(&done(env, &format!("{line} --format json")).stdout).unwrap()
}

/// An export as a map from paths to members; the order of entries does not matter.
fn entries(export: &[u8]) -> BTreeMap<String, Value> {
    let text = String::from_utf8_lossy(export);
    let export: Value = serde_json::from_str(&text).unwrap();
    let mut found = BTreeMap::new();
    gather(&export[3], "", &mut found);
    found
}

fn gather(item: &Value, above: &str, found: &mut BTreeMap<String, Value>) {
    let (own, below) = match item {
        Value::Array(items) => (&items[0], &items[1..]),
        own => (own, &[][..]),
    };
    let path = format!("{above}/{}", own["name"].as_str().unwrap());
    let mut own = own.clone();
    let members = own.as_object_mut().unwrap();
    // ncdu keeps inodes of hard links only, and whole seconds.
    if members.get("hlnkc").is_none() {
        members.remove("ino");
    }
    if let Some(time) = members.get("mtime").and_then(Value::as_f64) {
        members.insert("mtime".to_owned(), (time.floor() as i64).into());
    }
    found.insert(path.clone(), own);
    below.iter().for_each(|item| gather(item, &path, found));
}

/// A tree with all kinds that can be made without privileges.
fn tree() -> Env {
    let env = Env::new("a/b/big:100000 a/x:3 c/ l->nowhere empty:0");
    env.shell("ln a/x c/hard; mkfifo c/pipe; truncate -s 1G sparse; mkdir -p deep/er/and/deeper");
    env.shell("touch \"$(printf 'bad\\xff\\xfename')\" \"$(printf 'esc\\x1b\\x7f\\n\"q\\\\')\"");
    env
}

#[test]
fn what_ncdu_exports_is_imported_whole() {
    let env = tree();
    for flags in ["-e", ""] {
        env.shell(&format!("ncdu -0 {flags} -o ../n.json ."));
        done(&env, "import ../n.json -o ../n.snap");
        done(&env, "verify ../n.snap");
        done(&env, "export ../n.snap -o ../out.json");
        let read = |name: &str| fs::read(env.beside(name)).unwrap();
        assert_eq!(
            entries(&read("out.json")),
            entries(&read("n.json")),
            "{flags}"
        );
        // Names that are no text are there byte for byte.
        let out = read("out.json");
        assert!(out.windows(9).any(|part| part == b"bad\xff\xfename"));
    }
    // Totals are those of du: of each, hard links once.
    let du = env.tool("du", &["-sB1", "."]);
    let shown = json(&env, "show ../n.snap");
    assert_eq!(
        shown[0]["allocated"].to_string(),
        du.split_whitespace().next().unwrap()
    );
    // And of a snapshot of the same tree.
    done(&env, "save . -o ../s.snap");
    let own = json(&env, "show ../s.snap");
    for member in ["size", "allocated", "entries", "root"] {
        assert_eq!(own[0][member], shown[0][member], "{member}");
    }
    let told = json(&env, "compare ../n.snap ../s.snap");
    assert_eq!(
        (&told["growth"], told["changes"].as_array().unwrap().len()),
        (&0.into(), 0)
    );
}

#[test]
fn what_is_exported_is_read_by_ncdu() {
    let env = tree();
    done(&env, "save . -o ../s.snap");
    done(&env, "export ../s.snap -o ../ours.json");
    let again = env.shell("ncdu -0 -e -f ../ours.json -o ../theirs.json");
    assert_eq!(again.code, 0, "{}", again.stderr);
    env.shell("ncdu -0 -e -o ../direct.json .");
    let read = |name: &str| entries(&fs::read(env.beside(name)).unwrap());
    assert_eq!(read("theirs.json"), read("direct.json"));
    assert_eq!(read("ours.json"), read("direct.json"));
}

#[test]
fn export_import_export_is_the_same() {
    let env = tree();
    let marked = b"[1,2,{\"progname\":\"ncdu\",\"progver\":\"2.3\",\"timestamp\":1700000000},\n\
        [{\"name\":\"/r\",\"asize\":4096,\"dsize\":4096,\"dev\":7,\"uid\":1,\"gid\":2,\"mode\":16877,\"mtime\":-5.25},\n\
        {\"name\":\"p\",\"excluded\":\"pattern\"},{\"name\":\"o\",\"excluded\":\"otherfs\"},\n\
        {\"name\":\"k\",\"excluded\":\"kernfs\"},{\"name\":\"f\",\"excluded\":\"frmlnk\"},\n\
        {\"name\":\"e\",\"read_error\":true},{\"name\":\"bad\xff\xfename\\u001b\",\"asize\":18446744073709551615},\n\
        {\"name\":\"h\",\"asize\":5,\"dsize\":4096,\"ino\":9,\"hlnkc\":true,\"nlink\":3},\n\
        [{\"name\":\"d\",\"dev\":8,\"read_error\":true},{\"name\":\"h\",\"ino\":9,\"hlnkc\":true}]]]";
    fs::write(env.path("marked.json"), marked).unwrap();
    done(&env, "import marked.json -o ../m.snap");
    done(&env, "save . -o ../s.snap");
    for name in ["m", "s"] {
        done(&env, &format!("export ../{name}.snap -o ../1.json"));
        done(&env, "import ../1.json -o ../again.snap");
        done(&env, "export ../again.snap -o ../2.json");
        let read = |name: &str| fs::read(env.beside(name)).unwrap();
        assert!(read("1.json") == read("2.json"), "{name}");
    }
    let text = String::from_utf8_lossy(&done(&env, "export ../m.snap").stdout).into_owned();
    for mark in ["pattern", "otherfs", "kernfs", "frmlnk"] {
        assert!(text.contains(&format!("\"excluded\":\"{mark}\"")), "{mark}");
    }
    assert_eq!(text.matches("\"read_error\":true").count(), 2);
    assert!(text.contains("\"mtime\":-5.25}"), "{text}");
    assert_eq!(json(&env, "show ../m.snap")[0]["unread"], 2);
}

#[test]
fn packed_exports_are_imported() {
    let env = tree();
    env.shell("ncdu -0 -e -o ../n.json .; gzip -k ../n.json; zstd -q ../n.json");
    done(&env, "import ../n.json -o ../plain");
    for packed in ["n.json.gz", "n.json.zst"] {
        done(&env, &format!("import ../{packed} -o ../packed"));
        let told = json(&env, "compare ../plain ../packed");
        assert_eq!(told["changes"].as_array().unwrap().len(), 0);
        // Wherever a tree is asked for, an export will do.
        let told = json(&env, &format!("compare ../plain ../{packed}"));
        assert_eq!(told["growth"], 0);
    }
    let bytes = fs::read(env.beside("n.json.gz")).unwrap();
    fs::write(env.beside("cut.gz"), &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(snapshot(&env, "import ../cut.gz -o ../cut").code, 1);
    assert!(!env.beside("cut").exists());
}

#[test]
fn what_is_no_export_is_refused_with_its_place() {
    let env = Env::new("a");
    for (text, want) in [
        (
            "[1,2,{\"progname\":\"x\"},[]]",
            "line 1, byte 23: expected an object that describes the directory, found ']'",
        ),
        (
            "[1,2,{\"progname\":\"x\"},[{\"name\":7}]]",
            "line 1, byte 31: expected a string, found '7'",
        ),
        ("[2,0,{},[]]", "expected 1 as the major version"),
        (
            "[1,2,{},[{\"name\":\"/\"},{\"name\":\"x\"}",
            "found the end of the file",
        ),
    ] {
        env.write("e.json", text);
        let answer = snapshot(&env, "import e.json -o ../s");
        assert_eq!(answer.code, 1, "{text}");
        assert!(answer.stderr.contains(want), "{text}: {}", answer.stderr);
        assert!(!env.beside("s").exists());
    }
    // Deep nesting takes no stack.
    let deep = 100_000;
    let text = format!(
        "[1,2,{{}},[{{\"name\":\"/\"}}{}{}]]",
        ",[{\"name\":\"d\"}".repeat(deep),
        "]".repeat(deep)
    );
    env.write("deep.json", &text);
    done(&env, "import deep.json -o ../deep");
    done(&env, "verify ../deep");
    assert_eq!(
        done(&env, "export ../deep")
            .stdout
            .iter()
            .filter(|&&b| b == b'[')
            .count(),
        deep + 2
    );
}

/// Two file systems may have equal inode numbers: nothing is lost, and nothing was moved between them.
#[test]
fn inodes_belong_to_their_file_systems() {
    let env = Env::new("a");
    let export = |devices: [u32; 2], names: [&str; 2]| {
        let entry = |(device, name): (u32, &str)| {
            format!(
                ",[{{\"name\":\"{name}\",\"dev\":{device}}},{{\"name\":\"f\",\"asize\":100,\"dsize\":4096,\"ino\":5,\"hlnkc\":true,\"nlink\":2}}]"
            )
        };
        let entries: String = devices.into_iter().zip(names).map(entry).collect();
        format!("[1,2,{{}},[{{\"name\":\"/\",\"dev\":1}}{entries}]]")
    };
    env.write("two.json", &export([1, 2], ["x", "y"]));
    env.write("one.json", &export([1, 1], ["x", "y"]));
    env.write("other.json", &export([3, 4], ["x", "z"]));
    for (name, want) in [("two", 8192), ("one", 4096)] {
        done(&env, &format!("import {name}.json -o ../{name}"));
        assert_eq!(
            json(&env, &format!("show ../{name}"))[0]["allocated"],
            want,
            "{name}"
        );
    }
    let told = json(&env, "compare ../two other.json");
    assert_eq!(told["sums"]["moved"]["entries"], 0);
    assert_eq!(
        (
            &told["sums"]["new"]["entries"],
            &told["sums"]["removed"]["entries"]
        ),
        (&2.into(), &2.into())
    );
    let told = json(&env, "compare ../one ../one");
    assert_eq!(told["changes"].as_array().unwrap().len(), 0);
}

/// Snapshots of one root at these times, a file each; the size of the only file is the number of the
/// snapshot.
fn at(env: &Env, times: &[i64]) {
    for (number, time) in times.iter().enumerate() {
        env.write(
            "e.json",
            &format!(
                "[1,2,{{\"timestamp\":{time}}},[{{\"name\":\"/r\"}},{{\"name\":\"f\",\"dsize\":{}}}]]",
                number * 1000
            ),
        );
        done(env, &format!("import e.json -o ../kept/s{number}"));
    }
}

#[test]
fn a_series_has_a_rate() {
    let env = Env::new("a");
    fs::create_dir(env.beside("kept")).unwrap();
    at(&env, &[0, 86_400, 86_400 * 3]);
    let told = json(&env, "compare ../kept/s0 ../kept/s1 ../kept/s2");
    let rate = |at: usize| told["trees"][at]["growth_per_day"].as_f64();
    assert_eq!(
        (rate(0), rate(1), rate(2)),
        (None, Some(1000.0), Some(500.0))
    );
    assert_eq!(told["seconds"], 86_400 * 3);
    assert_eq!(told["growth_per_day"].as_f64(), Some(666.7));
    let table = done(&env, "compare ../kept/s0 ../kept/s1 ../kept/s2").shown();
    assert!(table.contains("in all +2.0K, +667 a day"), "{table}");
}

#[test]
fn pruning_keeps_the_newest_of_each_period() {
    let env = Env::new("a");
    fs::create_dir(env.beside("kept")).unwrap();
    let day = 86_400;
    // Monday the 1st of January 2024, noon; twice on that day, then on others.
    let monday = 1_704_110_400;
    let times = [0, 3600, day, 2 * day, 8 * day, 40 * day, 40 * day + 60].map(|t| monday + t);
    at(&env, &times);
    fs::write(env.beside("kept/other"), "no snapshot").unwrap();
    let damaged = fs::read(env.beside("kept/s2")).unwrap();
    fs::write(env.beside("kept/damaged"), &damaged[..damaged.len() - 1]).unwrap();
    let names = |env: &Env| env.shell("ls ../kept").shown();
    let before = names(&env);
    let dry = snapshot(
        &env,
        "prune ../kept --keep daily=3,weekly=2 --dry-run --format json",
    );
    assert_eq!(dry.code, 3, "{}", dry.stderr);
    assert_eq!(names(&env), before);
    let dry: Value = serde_json::from_slice(&dry.stdout).unwrap();
    let told: Vec<(String, String)> = dry
        .as_array()
        .unwrap()
        .iter()
        .map(|pruned| {
            let file = pruned["file"].as_str().unwrap().rsplit('/').next().unwrap();
            (file.to_owned(), pruned["what"].as_str().unwrap().to_owned())
        })
        .collect();
    let want = [
        ("s0", "would-remove"),
        ("s1", "would-remove"),
        ("s2", "would-remove"),
        ("s3", "kept"),
        ("s4", "kept"),
        ("s5", "would-remove"),
        ("s6", "kept"),
        ("damaged", "damaged"),
    ]
    .map(|(file, what)| (file.to_owned(), what.to_owned()));
    assert_eq!(told, want);
    assert_eq!(dry[6]["kept_by"], serde_json::json!(["day", "week"]));
    let pruned = snapshot(&env, "prune ../kept --keep daily=3,weekly=2");
    assert_eq!(pruned.code, 3);
    assert_eq!(names(&env), "damaged other s3 s4 s6");
    // Once more there is nothing to be done.
    assert!(
        !snapshot(&env, "prune ../kept --keep daily=3,weekly=2")
            .shown()
            .contains("removed")
    );
    let listed = json_of(&snapshot(&env, "list ../kept --format json"));
    assert_eq!(listed.as_array().unwrap().len(), 4);
    // By months and years.
    fs::remove_file(env.beside("kept/damaged")).unwrap();
    done(&env, "prune ../kept --keep monthly=1,yearly=1");
    assert_eq!(names(&env), "other s6");
}

fn json_of(answer: &Answer) -> Value {
    serde_json::from_slice(&answer.stdout).unwrap()
}

/// Roots are thinned out each for itself.
#[test]
fn pruning_goes_by_root() {
    let env = Env::new("a");
    fs::create_dir(env.beside("kept")).unwrap();
    at(&env, &[0]);
    env.write(
        "e.json",
        "[1,2,{\"timestamp\":90000},[{\"name\":\"/other\"}]]",
    );
    done(&env, "import e.json -o ../kept/t");
    done(&env, "prune ../kept --keep daily=1");
    assert_eq!(env.shell("ls ../kept").shown(), "s0 t");
}
