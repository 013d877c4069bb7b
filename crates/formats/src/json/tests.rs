//! NDJSON lines by example, and read back by a JSON parser.

use super::*;
use groma_base::FileId;
use proptest::prelude::*;
use serde_json::Value;

fn time(seconds: i64, nanoseconds: u32) -> Timestamp {
    Timestamp {
        seconds,
        nanoseconds,
    }
}

fn metadata() -> Metadata {
    Metadata {
        kind: Kind::File,
        id: FileId {
            device: 66305,
            inode: 9_007_199_254_740_993,
        },
        mode: 0o100_644,
        links: 2,
        uid: 1000,
        gid: 100,
        size: u64::MAX,
        allocated: 4096,
        special: (0, 0),
        accessed: time(0, 0),
        modified: time(1_732_992_245, 123_456_789),
        changed: time(-1, 5),
        created: None,
    }
}

fn entry<'a>(path: &'a [u8], metadata: Option<&'a Metadata>) -> JsonEntry<'a> {
    JsonEntry {
        path,
        name: groma_base::basename(path),
        kind: Kind::File,
        depth: Some(2),
        metadata,
        user: None,
        group: None,
        target: None,
    }
}

fn line(entry: &JsonEntry<'_>) -> String {
    let mut out = Vec::new();
    push_entry(entry, &mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn a_whole_entry() {
    let metadata = metadata();
    let entry = JsonEntry {
        user: Some(b"ann"),
        group: Some(b"users"),
        ..entry(b"d/f.txt", Some(&metadata))
    };
    let want = concat!(
        r#"{"path":"d/f.txt","name":"f.txt","kind":"file","size":18446744073709551615,"#,
        r#""allocated":4096,"modified":"2024-11-30T18:44:05.123456789Z","#,
        r#""accessed":"1970-01-01T00:00:00.000000000Z","#,
        r#""changed":"1969-12-31T23:59:59.000000005Z","created":null,"#,
        r#""inode":9007199254740993,"device":66305,"links":2,"mode":"0644","#,
        r#""uid":1000,"gid":100,"user":"ann","group":"users","target":null,"depth":2}"#,
        "\n"
    );
    assert_eq!(line(&entry), want);
}

#[test]
fn what_is_unknown_is_null() {
    let want = concat!(
        r#"{"path":"a","name":"a","kind":"file","size":null,"allocated":null,"modified":null,"#,
        r#""accessed":null,"changed":null,"created":null,"inode":null,"device":null,"#,
        r#""links":null,"mode":null,"uid":null,"gid":null,"user":null,"group":null,"#,
        r#""target":null,"depth":null}"#,
        "\n"
    );
    assert_eq!(
        line(&JsonEntry {
            depth: None,
            ..entry(b"a", None)
        }),
        want
    );
}

#[test]
fn bytes_that_are_no_text_stand_beside_the_text() {
    let entry = JsonEntry {
        kind: Kind::Symlink,
        target: Some(b"../\xfe"),
        ..entry(b"d/bad\xff", None)
    };
    let value: Value = serde_json::from_str(&line(&entry)).unwrap();
    assert_eq!(value["path"], "d/bad\u{FFFD}");
    assert_eq!(value["path_b64"], "ZC9iYWT/");
    assert_eq!(value["name"], "bad\u{FFFD}");
    assert_eq!(value["target"], "../\u{FFFD}");
    assert_eq!(value["target_b64"], "Li4v/g==");
    assert_eq!(value["kind"], "symlink");
}

#[test]
fn special_bits_show_in_the_mode() {
    let metadata = Metadata {
        mode: 0o041_777,
        ..metadata()
    };
    assert!(line(&entry(b"a", Some(&metadata))).contains(r#""mode":"1777""#));
}

#[test]
fn times_that_rfc_3339_cannot_say() {
    for (seconds, want) in [
        (253_402_300_799, r#""modified":"9999-12-31T23:59:59."#),
        (
            253_402_300_800,
            r#""modified":null,"modified_seconds":253402300800,"#,
        ),
        (-62_167_219_200, r#""modified":"0000-01-01T00:00:00."#),
        (
            -62_167_219_201,
            r#""modified":null,"modified_seconds":-62167219201,"#,
        ),
        (
            i64::MIN,
            r#""modified":null,"modified_seconds":-9223372036854775808,"#,
        ),
        (-11_644_473_600, r#""modified":"1601-01-01T00:00:00."#),
    ] {
        let metadata = Metadata {
            modified: time(seconds, 0),
            ..metadata()
        };
        let line = line(&entry(b"a", Some(&metadata)));
        assert!(line.contains(want), "{seconds}: {line}");
        assert!(serde_json::from_str::<Value>(&line).is_ok());
    }
}

fn any_time() -> impl Strategy<Value = Timestamp> {
    (any::<i64>(), 0u32..1_000_000_000, any::<bool>()).prop_map(|(seconds, nanoseconds, near)| {
        time(if near { seconds >> 28 } else { seconds }, nanoseconds)
    })
}

proptest! {
    #[test]
    fn lines_parse_and_hold_the_bytes(
        path in proptest::collection::vec(any::<u8>(), 0..30),
        target in proptest::option::of(proptest::collection::vec(any::<u8>(), 0..30)),
        modified in any_time(),
        inode in any::<u64>(),
    ) {
        let mut metadata = metadata();
        metadata.modified = modified;
        metadata.id.inode = inode;
        let entry = JsonEntry { target: target.as_deref(), ..entry(&path, Some(&metadata)) };
        let line = line(&entry);
        prop_assert!(line.ends_with('\n') && !line[..line.len() - 1].contains('\n'));
        let value: Value = serde_json::from_str(&line).unwrap();
        prop_assert_eq!(bytes_of(&value, "path"), Some(path.clone()));
        prop_assert_eq!(bytes_of(&value, "target"), target.clone());
        prop_assert_eq!(value["inode"].as_u64(), Some(inode));
        match value["modified"].as_str() {
            Some(text) => prop_assert_eq!(text.parse::<jiff::Timestamp>().ok(), modified.to_jiff()),
            None => prop_assert_eq!(value["modified_seconds"].as_i64(), Some(modified.seconds)),
        }
    }
}

/// The bytes of a field, from its exact form where there is one.
fn bytes_of(value: &Value, field: &str) -> Option<Vec<u8>> {
    match value.get(format!("{field}_b64")) {
        Some(exact) => STANDARD.decode(exact.as_str()?).ok(),
        None => Some(value[field].as_str()?.as_bytes().to_vec()),
    }
}
