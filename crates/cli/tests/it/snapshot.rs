//! `groma snapshot`: saved, shown, verified, compared, listed, thinned out.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;

use serde_json::Value;

use crate::env::{Answer, Env, bytes};

/// Runs `groma snapshot` with this line; snapshots lie beside the tree.
fn snapshot(env: &Env, line: &str) -> Answer {
    let top = env.beside("");
    env.shell(&format!("T='{}'; groma snapshot {line}", top.display()))
}

/// The same, which must succeed and not complain.
fn done(env: &Env, line: &str) -> Answer {
    let answer = snapshot(env, line);
    assert_eq!(answer.code, 0, "{line}: {}", answer.stderr);
    answer
}

fn json(env: &Env, line: &str) -> Value {
    let answer = done(env, &format!("{line} --format json"));
    serde_json::from_slice(&answer.stdout).unwrap()
}

/// The lines of a comparison as CSV, without the numbers of directories' own blocks.
fn changes(env: &Env, line: &str) -> Vec<String> {
    let answer = done(env, &format!("compare {line} --apparent --format csv"));
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    let lines = text.lines().skip(1).map(str::to_owned);
    lines.filter(|line| !line.starts_with("below")).collect()
}

#[test]
fn what_is_saved_is_shown_and_verified() {
    let env = Env::new("a/b/big:100000 a/x:3 c/ l->nowhere");
    let saved = done(&env, "save . -o $T/s1");
    assert!(saved.stdout.is_empty() && saved.stderr.contains("7 entries"));
    let shown = &json(&env, "show $T/s1")[0];
    let root = env.dir().to_str().unwrap();
    assert_eq!(shown["root"], root);
    assert_eq!(
        (&shown["entries"], &shown["unread"]),
        (&7.into(), &0.into())
    );
    assert_eq!(
        (&shown["partial"], &shown["times"]),
        (&false.into(), &"all".into())
    );
    let du = env.tool("du", &["-sB1", "--apparent-size", "."]);
    let size = du.split_whitespace().next().unwrap();
    assert_eq!(shown["size"].to_string(), size);
    let du = env.tool("du", &["-sB1", "."]);
    assert_eq!(
        shown["allocated"].to_string(),
        du.split_whitespace().next().unwrap()
    );
    let sound = done(&env, "verify $T/s1").shown();
    let digits = shown["sha256"].as_str().unwrap();
    assert!(
        sound.ends_with(&format!(": 7 entries, sound, {digits}")),
        "{sound}"
    );
    // The sum is that of all bytes before it.
    let sum = env.shell("head -c -32 ../s1 | sha256sum").shown();
    assert_eq!(sum.split(' ').next(), Some(digits));
    let text = done(&env, "show $T/s1").shown();
    assert!(text.contains("source     walk") && text.contains("partial    no"));
}

#[test]
fn a_snapshot_is_no_part_of_itself() {
    let env = Env::new("a/x:3");
    for _ in 0..2 {
        done(&env, "save . -o s");
        assert_eq!(json(&env, "show s")[0]["entries"], 3);
    }
    assert!(
        changes(&env, "s .")
            .iter()
            .all(|line| line.starts_with("new,file,s,"))
    );
    // No temporary file is left behind, not even by a failure.
    assert_eq!(snapshot(&env, "save . -o none/s").code, 1);
    assert_eq!(env.shell("ls -A").shown(), "a s");
}

#[test]
fn only_a_snapshot_is_replaced_by_one() {
    let env = Env::new("a/x:3 precious:7");
    let refused = snapshot(&env, "save a -o precious");
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains("is no snapshot; it stays"),
        "{}",
        refused.stderr
    );
    assert_eq!(fs::metadata(env.path("precious")).unwrap().len(), 7);
    fs::write(env.path("empty"), "").unwrap();
    done(&env, "save a -o empty");
}

#[test]
fn fewer_times_take_fewer_bytes() {
    let names: String = (0..300).map(|n| format!("d{}/f{n} ", n % 7)).collect();
    let env = Env::new(&names);
    done(&env, "save . -o $T/all");
    done(&env, "save . --times modified -o $T/few");
    let length = |name: &str| fs::metadata(env.beside(name)).unwrap().len();
    assert!(length("few") < length("all"));
    assert_eq!(json(&env, "show $T/few")[0]["times"], "modified");
    assert!(changes(&env, "$T/all $T/few").is_empty());
}

#[test]
fn changes_are_told_apart() {
    let env = Env::new("a/b/big:100000 a/x:30 a/gone:5 c/ old/one:1 old/two:2 same:9");
    done(&env, "save . -o $T/s1");
    env.shell("mv a/b/big c/moved; mv old renamed; truncate -s 70 a/x; rm a/gone; mkdir n");
    env.shell("truncate -s 5 same; truncate -s 4000 n/new; touch n/empty");
    let own = |path: &str| fs::metadata(env.path(path)).unwrap().len();
    done(&env, "save . -o $T/s2");
    let sum = 4000 + own("n");
    let want = [
        "grown,file,a/x,,30,70,40,1".to_owned(),
        "moved,file,c/moved,a/b/big,100000,100000,0,1".to_owned(),
        format!("new,dir,n,,0,{sum},{sum},3"),
        format!("moved,dir,renamed,old,{0},{0},0,1", own("renamed")),
        "shrunk,file,same,,9,5,-4,1".to_owned(),
        "removed,file,a/gone,,5,0,-5,1".to_owned(),
    ];
    assert_eq!(changes(&env, "$T/s1 $T/s2"), want);
    // A directory that is read now says the same.
    assert_eq!(changes(&env, "$T/s1 ."), want);
    let inside = changes(&env, "$T/s1 . --all");
    assert!(
        inside.contains(&"new,file,n/new,,0,4000,4000,1".to_owned()),
        "{inside:?}"
    );
    let told = json(&env, "compare $T/s1 $T/s2 --apparent");
    let grown: i64 = 40 + i64::try_from(sum).unwrap() - 4 - 5;
    assert_eq!(told["growth"], grown);
    assert_eq!(told["sums"]["moved"]["entries"], 2);
    let dirs = told["directories"].as_array().unwrap();
    let of = |path: &str| dirs.iter().find(|dir| dir["path"] == path).unwrap()["growth"].clone();
    assert_eq!(
        (of("."), of("c"), of("a/b")),
        (grown.into(), 100000.into(), (-100000).into())
    );
    let table = done(&env, "compare $T/s1 $T/s2 --apparent -n 2").shown();
    assert!(table.contains("... and"), "{table}");
    done(&env, "compare $T/s1 $T/s2 --format csv -o $T/out.csv");
    assert!(
        fs::read_to_string(env.beside("out.csv"))
            .unwrap()
            .starts_with("what,type,path")
    );
}

/// A log file that was turned: its old node has another name, and a new one has its name.
#[test]
fn what_took_another_ones_place_is_new() {
    let env = Env::new("log:100 keep:1");
    done(&env, "save . -o $T/s1");
    env.shell("mv log log.1; truncate -s 7 log");
    let want = ["new,file,log,,0,7,7,1", "moved,file,log.1,log,100,100,0,1"];
    assert_eq!(changes(&env, "$T/s1 ."), want);
    // A file that was written anew in the same place is the same.
    let env = Env::new("text:100");
    done(&env, "save . -o $T/s1");
    env.shell("truncate -s 120 other; mv other text");
    assert_eq!(changes(&env, "$T/s1 ."), ["grown,file,text,,100,120,20,1"]);
}

#[test]
fn hard_links_count_once_and_twice_is_the_same() {
    let env = Env::new("a/one:50000 b/");
    env.shell("ln a/one b/two; ln a/one three");
    done(&env, "save . -o $T/s1");
    done(&env, "save . -o $T/s2");
    let [first, second] = ["$T/s1", "$T/s2"].map(|s| json(&env, &format!("show {s}"))[0].clone());
    let du = env.tool("du", &["-sB1", "."]);
    assert_eq!(
        first["allocated"].to_string(),
        du.split_whitespace().next().unwrap()
    );
    assert_eq!(first["allocated"], second["allocated"]);
    assert!(changes(&env, "$T/s1 $T/s2").is_empty());
    // The link at which it is counted goes: the bytes stay.
    env.shell("rm a/one");
    let told = json(&env, "compare $T/s1 .");
    assert_eq!(told["growth"], 0);
    assert_eq!(told["sums"]["removed"]["entries"], 1);
}

#[test]
fn damage_is_found_and_named() {
    let env = Env::new("a/b/big:100000 a/x:3");
    done(&env, "save . -o $T/s");
    let whole = fs::read(env.beside("s")).unwrap();
    let mut damaged = whole.clone();
    damaged[200] ^= 1;
    fs::write(env.beside("s"), damaged).unwrap();
    for line in ["verify $T/s", "show $T/s", "compare $T/s .", "export $T/s"] {
        let answer = snapshot(&env, line);
        assert_eq!(answer.code, 1, "{line}");
        assert!(
            answer.stderr.contains("damaged snapshot: section `"),
            "{}",
            answer.stderr
        );
    }
    let listed = snapshot(&env, "list $T");
    assert_eq!((listed.code, listed.shown()), (3, String::new()));
    assert!(listed.stderr.contains("damaged snapshot"));
    fs::write(env.beside("s"), &whole[..whole.len() / 2]).unwrap();
    assert_eq!(snapshot(&env, "verify $T/s").code, 1);
    fs::write(env.beside("s"), "something else").unwrap();
    let other = snapshot(&env, "verify $T/s");
    assert!(
        other.code == 1 && other.stderr.contains("this is no snapshot"),
        "{}",
        other.stderr
    );
    assert_eq!(snapshot(&env, "verify $T/none").code, 1);
    assert_eq!(snapshot(&env, "verify /dev/zero").code, 1);
}

/// A file of a few kilobytes that says it holds a billion entries is refused before it takes memory.
#[test]
fn what_expands_without_end_is_refused() {
    use sha2::{Digest as _, Sha256};
    let env = Env::new("a/x:3");
    done(&env, "save . -o $T/s");
    let mut file = fs::read(env.beside("s")).unwrap();
    let rows = 1u64 << 30;
    file[16..24].copy_from_slice(&rows.to_le_bytes());
    let sections = usize::try_from(u32::from_le_bytes(file[44..48].try_into().unwrap())).unwrap();
    let (table, end) = (file.len() - 36 - sections * 48, file.len() - 36);
    for line in (table..end).step_by(48) {
        let id = u32::from_le_bytes(file[line..line + 4].try_into().unwrap());
        if (3..=20).contains(&id) {
            file[line + 32..line + 40].copy_from_slice(&[0; 8]);
            file[line + 40..line + 48].copy_from_slice(&rows.to_le_bytes());
        }
    }
    let sum = crc32c::crc32c(&file[table..end]);
    file[end..end + 4].copy_from_slice(&sum.to_le_bytes());
    let sum = crc32c::crc32c(&file[..60]);
    file[60..64].copy_from_slice(&sum.to_le_bytes());
    let sum = Sha256::digest(&file[..end + 4]);
    file[end + 4..].copy_from_slice(&sum);
    fs::write(env.beside("s"), file).unwrap();
    for line in ["verify $T/s", "show $T/s", "export $T/s", "compare $T/s ."] {
        let answer = env.shell(&format!(
            "ulimit -v 2000000; groma snapshot {}",
            line.replace("$T", "..")
        ));
        assert_eq!(answer.code, 1, "{line}");
        assert!(
            answer.stderr.contains("are allowed for its length"),
            "{}",
            answer.stderr
        );
    }
}

#[test]
fn what_cannot_be_read_is_counted_and_marked() {
    let env = Env::new("a/x:3 closed/y:4");
    if groma_is_root(&env) {
        // Root reads everything; an export of ncdu has the same mark.
        env.write(
            "e.json",
            "[1,2,{},[{\"name\":\"/r\"},[{\"name\":\"closed\",\"read_error\":true}]]]",
        );
        done(&env, "import e.json -o $T/s");
    } else {
        env.chmod("closed", 0);
        let saved = snapshot(&env, "save . -o $T/s");
        env.chmod("closed", 0o755);
        assert_eq!(saved.code, 3, "{}", saved.stderr);
        assert!(saved.stderr.contains("1 place could not be read"));
    }
    assert_eq!(json(&env, "show $T/s")[0]["unread"], 1);
    let note = done(&env, "compare $T/s $T/s").stderr;
    assert!(
        note.contains("1 place of '") && note.contains("could not be read"),
        "{note}"
    );
}

fn groma_is_root(env: &Env) -> bool {
    env.tool("id", &["-u"]).trim() == "0"
}

#[test]
fn names_are_harmless_in_what_people_read() {
    let env = Env::new("x");
    let hostile = bytes(b"esc\x1b[31m\n\xff");
    fs::create_dir(env.path(&hostile)).unwrap();
    fs::write(env.path(&hostile).join("f"), "text").unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_groma"));
    env.seal(&mut command);
    let output = command
        .args(["snapshot", "save", "-o", "../s"])
        .arg(&hostile)
        .output()
        .unwrap();
    assert!(output.status.success());
    assert!(!output.stderr.contains(&0x1b));
    done(&env, "save . -o $T/t");
    fs::remove_dir_all(env.path(&hostile)).unwrap();
    for line in [
        "show $T/s",
        "list $T",
        "compare $T/t .",
        "show $T/s --format json",
    ] {
        let answer = done(&env, line);
        assert!(!answer.stdout.contains(&0x1b), "{line}");
        assert!(
            !answer.stdout.windows(5).any(|part| part == b"[31m\n"),
            "{line}"
        );
    }
    // CSV is for programs: the name is there byte for byte.
    let csv = done(&env, "export $T/t --format csv").stdout;
    let name = hostile.as_bytes();
    assert!(csv.windows(name.len()).any(|part| part == name));
    let csv = done(&env, "compare $T/t . --format csv").stdout;
    assert!(csv.windows(name.len()).any(|part| part == name));
}

#[test]
fn exports_have_several_forms() {
    let env = Env::new("a/x:3 b");
    done(&env, "save . -o $T/s");
    let csv = done(&env, "export $T/s --format csv").shown();
    assert!(
        csv.starts_with("path,kind,size,") && csv.contains("/tree/a/x,file,3,"),
        "{csv}"
    );
    let all: Value =
        serde_json::from_slice(&done(&env, "export $T/s --format json").stdout).unwrap();
    assert_eq!(all.as_array().unwrap().len(), 4);
    let lines = done(&env, "export $T/s --format ndjson").sorted();
    assert_eq!(lines.len(), 4);
    done(&env, "export $T/s -o $T/out.json");
    assert!(
        fs::read_to_string(env.beside("out.json"))
            .unwrap()
            .starts_with("[1,2,{\"progname\":\"groma\"")
    );
    // A closed pipe is quiet.
    let names: String = (0..9000).map(|n| format!("many/{n} ")).collect();
    let env = Env::new(&names);
    done(&env, "save . -o $T/s");
    let cut = env.shell("groma snapshot export ../s | head -c 9; echo ${PIPESTATUS[0]}");
    assert_eq!(
        (cut.shown(), &cut.stderr[..]),
        ("[1,2,{\"pr0".to_owned(), "")
    );
}

#[test]
fn usage() {
    let env = Env::new("a");
    for line in [
        "",
        "save",
        "compare x",
        "prune . ",
        "prune . --keep hourly=2",
        "prune . --keep daily=0",
        "import x",
        "show",
        "list --format csv",
    ] {
        let answer = snapshot(&env, line);
        assert_eq!(answer.code, 2, "{line}: {}", answer.stderr);
        assert!(!answer.stderr.is_empty() && answer.stdout.is_empty());
    }
    let long = done(&env, "compare --help").shown();
    assert!(long.contains("bytes a day"), "{long}");
    assert!(env.shell("groma help snapshot").shown().contains("prune"));
    let none = snapshot(&env, "list");
    assert!(none.code == 0 && none.stderr.contains("there are no snapshots"));
}

/// Whenever Ctrl-C comes: there is a sound snapshot or none, and one that is not whole says so.
#[test]
fn an_interrupted_save_leaves_a_marked_snapshot_or_none() {
    use std::os::unix::process::ExitStatusExt as _;
    let names: String = (0..4000).map(|n| format!("d{}/f{n} ", n % 400)).collect();
    let env = Env::new(&names);
    for (round, delay) in [0u64, 3, 6, 10, 15, 25, 40, 80, 400]
        .into_iter()
        .enumerate()
    {
        for partial in [true, false] {
            let name = format!("s{round}-{partial}");
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_groma"));
            env.seal(&mut command);
            command.args(["snapshot", "save", ".", "-j1", "-o"]);
            command
                .arg(env.beside(&name))
                .stderr(std::process::Stdio::null());
            let mut child = command
                .args(partial.then_some("--partial"))
                .spawn()
                .unwrap();
            std::thread::sleep(std::time::Duration::from_millis(delay));
            let id = rustix::process::Pid::from_child(&child);
            // It may have ended by itself.
            let _ = rustix::process::kill_process(id, rustix::process::Signal::INT);
            let status = child.wait().unwrap();
            let is_there = env.beside(&name).exists();
            let code = status.code();
            assert!(code.is_none() || matches!(code, Some(0 | 130)), "{status}");
            if code == Some(0) {
                assert!(is_there);
            }
            if !is_there {
                continue;
            }
            let told = &json(&env, &format!("show $T/{name}"))[0];
            done(&env, &format!("verify $T/{name}"));
            // The signal may come after the scan, which is whole then.
            let is_whole = told["entries"] == 4401;
            assert!(is_whole || told["partial"] == true, "{delay} ms");
            assert!(partial || told["partial"] == false, "{delay} ms");
            assert!(status.signal().is_none());
        }
    }
    let left = env.shell("ls -A .. | grep -c tmp").shown();
    assert_eq!(left, "0", "a temporary file is left");
}
