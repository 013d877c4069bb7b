//! Every field of every row.

use groma_base::{Metadata, Timestamp};
use groma_lake::{Column, ROWS_PER_GROUP};
use proptest::prelude::*;

use crate::read::{Table, Value, written};
use crate::tree::{File, file, view};

fn text(text: &str) -> Value {
    Value::Bytes(text.as_bytes().to_vec())
}

/// The values of a field.
fn of<'t>(table: &'t Table, field: &str) -> &'t [Value] {
    table.get(field).map_or(&[], Vec::as_slice)
}

#[test]
fn each_column_says_what_the_entry_is() {
    let view = view(&[file(b"Photo.JPG", 3)]);
    let table = written(&view, &[0, 1], &Column::ALL);
    let check = |field: &str, root: Value, entry: Value| {
        assert_eq!(of(&table, field), [root, entry], "{field}");
    };
    let number = Value::Number;
    check("path", text("/top"), text("/top/Photo.JPG"));
    check("name", text("top"), text("Photo.JPG"));
    check("extension", text(""), text("jpg"));
    check("kind", text("dir"), text("file"));
    check("size", number(7000), number(3000));
    check("allocated", number(7 * 4096), number(3 * 4096));
    check("modified", number(27_000_000), number(23_000_000));
    check("accessed", number(10_000_000), number(10_000_000));
    check("changed", number(30_000_000), number(30_000_000));
    check("created", Value::Nothing, Value::Nothing);
    for time in ["modified_nanos", "accessed_nanos", "changed_nanos"] {
        check(time, number(7), number(3));
    }
    check("inode", number(1007), number(1003));
    check("links", number(1), number(1));
    check("mode", number(0o755), number(0o603));
    check("uid", number(8), number(4));
    check("gid", number(9), number(5));
    check("depth", number(0), number(1));
    for beside in ["path_raw", "name_raw", "created_nanos"] {
        check(beside, Value::Nothing, Value::Nothing);
    }
}

#[test]
fn what_the_first_field_cannot_hold_stands_beside_it() {
    let at = |seconds| Timestamp {
        seconds,
        nanoseconds: 5,
    };
    let mut old = file(b"a\xff.X\xfe", 2);
    old.metadata.as_mut().unwrap().modified = at(-11_644_473_600);
    old.metadata.as_mut().unwrap().created = Some(at(i64::MAX));
    let unknown = File {
        name: b"b".to_vec(),
        metadata: None,
    };
    let table = written(&view(&[old, unknown]), &[1, 2], &Column::ALL);
    let raw = |bytes: &[u8]| Value::Bytes(bytes.to_vec());
    let nothing = || Value::Nothing;
    assert_eq!(
        of(&table, "path"),
        [text("/top/a\u{fffd}.X\u{fffd}"), text("/top/b")]
    );
    assert_eq!(
        of(&table, "path_raw"),
        [raw(b"/top/a\xff.X\xfe"), nothing()]
    );
    assert_eq!(of(&table, "name_raw"), [raw(b"a\xff.X\xfe"), nothing()]);
    assert_eq!(of(&table, "extension"), [text("x\u{fffd}"), text("")]);
    let number = Value::Number;
    assert_eq!(
        of(&table, "modified"),
        [number(-11_644_473_600_000_000), nothing()]
    );
    assert_eq!(of(&table, "modified_nanos"), [number(5), nothing()]);
    assert_eq!(of(&table, "created"), [nothing(), nothing()]);
    assert_eq!(of(&table, "accessed_nanos"), [number(2), nothing()]);
    for field in ["size", "allocated", "inode", "links", "mode", "uid", "gid"] {
        assert_ne!(of(&table, field)[0], Value::Nothing, "{field}");
        assert_eq!(of(&table, field)[1], Value::Nothing, "{field}");
    }
}

#[test]
fn columns_come_as_they_are_asked_for_and_once() {
    let columns = [Column::Size, Column::Kind, Column::Size];
    let table = written(&view(&[]), &[0], &columns);
    assert_eq!(table.len(), 2);
    assert_eq!(of(&table, "size"), [Value::Number(7000)]);
}

#[test]
fn more_rows_than_a_group_holds_come_in_their_order() {
    let files: Vec<File> = (0..50)
        .map(|n| file(format!("{n:02}.c").as_bytes(), n))
        .collect();
    let view = view(&files);
    let count = u32::try_from(ROWS_PER_GROUP).unwrap() + 5;
    let ids: Vec<u32> = (0..count).map(|n| n * 7 % 51).collect();
    let table = written(&view, &ids, &[Column::Name, Column::Uid, Column::Created]);
    for (row, &id) in ids.iter().enumerate().skip(1) {
        let (name, uid) = match id.checked_sub(1) {
            None => ("top".to_owned(), 8),
            Some(number) => (format!("{number:02}.c"), i64::from(number) + 1),
        };
        assert_eq!(of(&table, "name")[row], text(&name));
        assert_eq!(of(&table, "uid")[row], Value::Number(uid));
        let has_created = id > 0 && (id - 1) % 2 == 0;
        assert_eq!(of(&table, "created")[row] != Value::Nothing, has_created);
    }
}

/// Anything that a file system may say of a file.
fn any_file() -> impl Strategy<Value = File> {
    let name = prop::collection::vec(
        any::<u8>().prop_filter("no name has these", |&b| b != 0 && b != b'/'),
        1..20,
    );
    let numbers = any::<(bool, u64, u64, u64, i64, u32, u32)>();
    (name, numbers).prop_map(
        |(name, (is_known, size, inode, links, seconds, uid, gid))| {
            let plain = file(&name, 1).metadata.unwrap();
            let metadata = Metadata {
                // Sizes and numbers of links are signed where they come from.
                size: size >> 1,
                links: links >> 1,
                uid,
                gid,
                id: groma_base::FileId { device: 1, inode },
                modified: Timestamp::from_seconds(seconds),
                ..plain
            };
            File {
                name,
                metadata: is_known.then_some(metadata),
            }
        },
    )
}

proptest! {
    // Each case is a file of its own.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn nothing_is_lost(mut files in prop::collection::vec(any_file(), 1..40)) {
        files.sort_by(|a, b| groma_base::compare_names(&a.name, &b.name));
        files.dedup_by(|a, b| a.name == b.name);
        let ids: Vec<u32> = (1..=files.len() as u32).collect();
        let table = written(&view(&files), &ids, &Column::ALL);
        for (row, file) in files.iter().enumerate() {
            let name = match &of(&table, "name_raw")[row] {
                Value::Nothing => of(&table, "name")[row].clone(),
                raw => raw.clone(),
            };
            prop_assert_eq!(name, Value::Bytes(file.name.clone()));
            let has = |field: &str, number: fn(&Metadata) -> i64| {
                let expected = file.metadata.as_ref().map(number);
                of(&table, field)[row] == expected.map_or(Value::Nothing, Value::Number)
            };
            prop_assert!(has("size", |m| m.size.cast_signed()));
            prop_assert!(has("inode", |m| m.id.inode.cast_signed()));
            prop_assert!(has("links", |m| m.links.cast_signed()));
            prop_assert!(has("uid", |m| m.uid.into()));
            prop_assert!(has("gid", |m| m.gid.into()));
            let micros = file.metadata.as_ref().and_then(|m| m.modified.seconds.checked_mul(1_000_000));
            let expected = micros.map_or(Value::Nothing, Value::Number);
            prop_assert_eq!(&of(&table, "modified")[row], &expected);
        }
    }
}
