//! Exports of ncdu: what is read, what is refused and where, what comes out again.

use groma_base::{Excluded, Timestamp};
use groma_formats::ncdu::{NcduEvent, NcduHeader, NcduItem, NcduReader, NcduWriter};
use proptest::prelude::*;

use crate::ncdu::{rewrite, rewritten};

/// The error of a file that is no export.
fn error(text: &str) -> String {
    rewrite(text.as_bytes(), &mut Vec::new()).unwrap_err()
}

#[test]
fn errors_say_where_and_what() {
    for (text, want) in [
        (
            "",
            "line 1, byte 0: expected '[', with which an export of ncdu begins, found the end of the file",
        ),
        (
            "{}",
            "line 1, byte 0: expected '[', with which an export of ncdu begins, found '{'",
        ),
        (
            "[2,0,{},[]]",
            "line 1, byte 2: expected 1 as the major version of the form, before this place, found ','",
        ),
        (
            "[1,2,{\"progname\":\"x\"},[]]",
            "line 1, byte 23: expected an object that describes the directory, found ']'",
        ),
        (
            "[1,2,{},\n[{\"name\":5}]]",
            "line 2, byte 18: expected a string, found '5'",
        ),
        (
            "[1,2,{},7]",
            "line 1, byte 8: expected '[', with which a directory begins, found '7'",
        ),
        (
            "[1,2,{},[{\"name\":\"a\"},5]]",
            "line 1, byte 22: expected an object that describes an entry, or a directory, found '5'",
        ),
        (
            "[1,2,{},[{\"asize\":1}]]",
            "line 1, byte 20: expected an object with a name before this place, found ']'",
        ),
        (
            "[1,2,{},[{\"name\":\"/\"},{\"name\":\"a/b\"}]]",
            "line 1, byte 36: expected a name without '/' that is no step, before this place, found ']'",
        ),
        (
            "[1,2,{},[{\"name\":\"/\",\"asize\":-1}]]",
            "line 1, byte 31: expected a whole number below 2^64 before this place, found '}'",
        ),
        (
            "[1,2,{},[{\"name\":\"\\ud800\"}]]",
            "line 1, byte 24: expected the second half of a pair of surrogates, found '\"'",
        ),
        (
            "[1,2,{},[{\"name\":\"a\"}]",
            "line 1, byte 22: expected ']', with which an export ends, found the end of the file",
        ),
        (
            "[1,2,{},[{\"name\":\"a\"}]]x",
            "line 1, byte 23: expected the end of the file, found 'x'",
        ),
    ] {
        assert_eq!(error(text), want, "{text}");
    }
}

#[test]
fn what_ncdu_writes_comes_out_again() {
    let text = b"[1,2,{\"progname\":\"ncdu\",\"progver\":\"1.18\",\"timestamp\":1796102288},\n\
        [{\"name\":\"/t\",\"asize\":4096,\"dsize\":4096,\"dev\":65024,\"uid\":0,\"gid\":0,\"mode\":16877,\"mtime\":1796102288},\n\
        {\"name\":\"h\",\"asize\":2,\"dsize\":4096,\"ino\":12009468,\"hlnkc\":true,\"nlink\":2},\n\
        {\"name\":\"l\",\"asize\":1,\"uid\":0,\"gid\":0,\"mode\":41471,\"mtime\":1796102288,\"notreg\":true},\n\
        {\"name\":\"bad\xff\xfe\\u001b\\u007f\\n\\\"\\\\\"},\n\
        {\"name\":\"d\",\"dev\":0,\"excluded\":\"pattern\"},\n\
        {\"name\":\"x\",\"read_error\":true},\n\
        [{\"name\":\"e\",\"read_error\":true}]]]\n";
    assert_eq!(rewritten(text).unwrap(), text);
}

#[test]
fn unknown_members_are_passed_over_and_nesting_takes_no_stack() {
    let deep = 200_000;
    let unknown = format!(
        "[1,2,{{\"a\":{}{}}},[{{\"name\":\"r\"}}]]",
        "[".repeat(deep),
        "]".repeat(deep)
    );
    let want = b"[1,2,{\"progname\":\"\",\"progver\":\"\"},\n[{\"name\":\"r\"}]]\n";
    assert_eq!(rewritten(unknown.as_bytes()).unwrap(), want);
    let tree = format!(
        "[1,2,{{}},[{{\"name\":\"r\"}}{}{}]]",
        ",[{\"name\":\"d\"}".repeat(deep),
        "]".repeat(deep)
    );
    let out = rewritten(tree.as_bytes()).unwrap();
    assert_eq!(out.iter().filter(|&&byte| byte == b'[').count(), deep + 2);
    assert!(error(&tree[..tree.len() / 2]).contains("expected"));
}

/// A string with no end is refused long before it fills the memory.
#[test]
fn strings_have_a_longest() {
    let text = format!("[1,2,{{}},[{{\"name\":\"{}", "x".repeat(3 << 20));
    assert!(error(&text).contains("a string of at most a mebibyte"));
}

fn items() -> impl Strategy<Value = NcduItem> {
    let name = prop::collection::vec((1u8..).prop_filter("no slash", |&b| b != b'/'), 1..12);
    let name = name.prop_filter("no step", |name| name != b"." && name != b"..");
    let time = (any::<i32>(), 0u32..1_000_000_000).prop_map(|(seconds, nanoseconds)| Timestamp {
        seconds: seconds.into(),
        nanoseconds,
    });
    let numbers = prop::array::uniform5(prop::option::of(1u64..));
    let small = prop::array::uniform3(prop::option::of(any::<u32>()));
    let flags = any::<[bool; 3]>();
    let excluded = prop::option::of(prop::sample::select(&Excluded::ALL[..]));
    (
        name,
        numbers,
        small,
        flags,
        excluded,
        prop::option::of(time),
    )
        .prop_map(
            |(name, numbers, small, flags, excluded, modified)| NcduItem {
                name,
                size: numbers[0],
                allocated: numbers[1],
                device: numbers[2],
                inode: numbers[3],
                links: numbers[4],
                is_hard_link: flags[0],
                has_read_error: flags[1],
                is_special: flags[2],
                excluded,
                uid: small[0],
                gid: small[1],
                mode: small[2],
                modified,
            },
        )
}

proptest! {
    #[test]
    fn what_is_written_is_read(root in items(), steps in prop::collection::vec((items(), 0u8..4), 0..20), timestamp: Option<i64>) {
        let header = NcduHeader { minor: 2, program: b"p\xff".to_vec(), version: b"1".to_vec(), timestamp };
        let mut out = Vec::new();
        let mut writer = NcduWriter::new(&header, &mut out);
        let mut events = vec![(NcduEvent::Dir, Some(root.clone()))];
        writer.dir(&root, &mut out);
        let mut depth = 1;
        for (item, step) in steps {
            match step {
                0 => { writer.dir(&item, &mut out); depth += 1; events.push((NcduEvent::Dir, Some(item))); }
                1 if depth > 1 => { writer.up(&mut out); depth -= 1; events.push((NcduEvent::Up, None)); }
                _ => { writer.entry(&item, &mut out); events.push((NcduEvent::Entry, Some(item))); }
            }
        }
        for _ in 0..depth { writer.up(&mut out); events.push((NcduEvent::Up, None)); }
        events.push((NcduEvent::End, None));
        let mut reader = NcduReader::new(&out[..]).unwrap();
        prop_assert_eq!(reader.header(), &header);
        let mut item = NcduItem::default();
        for (event, want) in events {
            prop_assert_eq!(reader.read(&mut item).unwrap(), event);
            if let Some(want) = want {
                prop_assert_eq!(&item, &want);
            }
        }
        prop_assert_eq!(rewritten(&out), Some(out));
    }

    #[test]
    fn any_bytes_end_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        let _ = rewritten(&bytes);
        let _ = rewritten(&[b"[1,2,{},[{\"name\":\"a\"},", &bytes[..]].concat());
    }
}
