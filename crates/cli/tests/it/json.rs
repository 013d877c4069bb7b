//! `--json`: one object a line.

use serde_json::Value;

use super::env::{Env, Name, bytes};

fn objects(env: &Env, line: &str) -> Vec<Value> {
    let answer = env.answer(Name::Groma, line);
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{line}");
    let lines = answer
        .stdout
        .split(|b| *b == b'\n')
        .filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

#[test]
fn all_metadata() {
    let env = Env::new("dir/file:5 dir/sub/ link->dir/file");
    env.chmod("dir/file", 0o640);
    env.touch("dir/file", "2001-02-03 04:05:06.5");
    env.tool("touch", &["-a", "-d", "1960-01-01 UTC", "dir/file"]);
    let file = &objects(&env, "--json file")[0];
    for (key, want) in [
        ("path", Value::from("dir/file")),
        ("name", "file".into()),
        ("kind", "file".into()),
        ("size", 5.into()),
        ("modified", "2001-02-03T04:05:06.500000000Z".into()),
        ("accessed", "1960-01-01T00:00:00.000000000Z".into()),
        ("links", 1.into()),
        ("mode", "0640".into()),
        ("uid", 0.into()),
        ("user", "root".into()),
        ("depth", 2.into()),
        ("target", Value::Null),
    ] {
        assert_eq!(file[key], want, "{key}: {file}");
    }
    let inode = env.tool("stat", &["-c", "%i", "dir/file"]);
    assert_eq!(file["inode"].to_string(), inode.trim());
    let link = &objects(&env, "--json link")[0];
    assert_eq!(
        (&link["kind"], &link["target"]),
        (&"symlink".into(), &"dir/file".into())
    );
    let followed = &objects(&env, "--json -L link")[0];
    assert_eq!(
        (&followed["kind"], &followed["size"]),
        (&"file".into(), &5.into())
    );
    assert!(file["created"].is_string() && file["changed"].is_string());
}

#[test]
fn with_orders_and_limits() {
    let env = Env::new("b:1 a:2 c:3");
    let names = |line: &str| -> Vec<Value> {
        objects(&env, line)
            .into_iter()
            .map(|o| o["name"].clone())
            .collect()
    };
    assert_eq!(names("--json"), ["a", "b", "c"]);
    assert_eq!(names("--json --sort size"), ["b", "a", "c"]);
    assert_eq!(names("--json --sort size --max-results 1"), ["b"]);
    assert_eq!(names("--json -q a"), [""; 0]);
    assert_eq!(names("--json nothing"), [""; 0]);
    for other in ["-l", "-0", "--format {}", "-x echo", "-X echo"] {
        env.refused(&format!("--json {other}"), "cannot be used with");
    }
}

#[test]
fn names_that_are_no_text_come_as_base64_too() {
    let env = Env::new("plain");
    std::fs::write(env.path(bytes(b"bad\xff\n\"\x1b\\")), "").unwrap();
    let all = objects(&env, "--json");
    assert!(all[0].get("path_b64").is_some() && all[1].get("path_b64").is_none());
    assert_eq!(all[0]["path_b64"], "YmFk/woiG1w=");
    assert_eq!(all[0]["path"], "bad\u{fffd}\n\"\u{1b}\\");
    assert_eq!(objects(&env, "--json -c always").len(), 2);
}
