//! Tables by example, and alignment of any rows.

use super::*;
use crate::colour::Target;
use groma_base::FileId;
use proptest::prelude::*;

const NOW: Timestamp = Timestamp {
    seconds: 1_732_992_245,
    nanoseconds: 0,
};

fn metadata(mode: u32, size: u64) -> Metadata {
    Metadata {
        kind: Kind::from_mode(mode),
        id: FileId {
            device: 1,
            inode: 2,
        },
        mode,
        links: 1,
        uid: 0,
        gid: 1000,
        size,
        allocated: 0,
        special: (0, 0),
        accessed: NOW,
        modified: NOW,
        changed: NOW,
        created: None,
    }
}

fn row(metadata: &Metadata) -> LongRow<'_> {
    LongRow {
        kind: metadata.kind,
        metadata: Some(metadata),
        user: Some(b"root"),
        group: None,
        has_acl: false,
    }
}

fn table() -> LongTable {
    LongTable::new(NOW, TimeZone::UTC)
}

fn name(text: &str) -> impl FnOnce(&mut Vec<u8>) {
    move |out| out.extend_from_slice(text.as_bytes())
}

fn rendered(table: &mut LongTable) -> String {
    let mut out = Vec::new();
    table.render(&mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn rows_are_aligned() {
    let mut table = table();
    let old = Timestamp {
        seconds: 0,
        nanoseconds: 0,
    };
    let dir = Metadata {
        links: 12,
        modified: old,
        ..metadata(0o041_777, 4096)
    };
    let null = Metadata {
        special: (1, 3),
        ..metadata(0o020_666, 0)
    };
    let disk = Metadata {
        special: (259, 12),
        gid: 6,
        ..metadata(0o060_660, 0)
    };
    table.push(&row(&metadata(0o100_644, 1171)), name("passwd"));
    table.push(
        &LongRow {
            user: Some("émile".as_bytes()),
            ..row(&dir)
        },
        name("tmp"),
    );
    table.push(&row(&null), name("null"));
    table.push(
        &LongRow {
            group: Some(b"disk"),
            ..row(&disk)
        },
        name("nvme"),
    );
    table.push(
        &LongRow {
            kind: Kind::File,
            metadata: None,
            user: None,
            group: None,
            has_acl: false,
        },
        name("lost"),
    );
    assert_eq!(table.len(), 5);
    assert_eq!(
        rendered(&mut table),
        "\
-rw-r--r--  1 root  1000    1.2K Nov 30 18:44 passwd
drwxrwxrwt 12 émile 1000    4.0K Jan  1  1970 tmp
crw-rw-rw-  1 root  1000   1,  3 Nov 30 18:44 null
brw-rw----  1 root  disk 259, 12 Nov 30 18:44 nvme
-?????????  ? ?     ?          ?            ? lost
"
    );
    assert!(table.is_empty());
}

#[test]
fn sizes_wider_than_device_numbers_and_names_without_owners() {
    let mut table = table();
    let device = Metadata {
        special: (1, 3),
        uid: 7,
        ..metadata(0o020_600, 0)
    };
    table.push(
        &LongRow {
            user: None,
            ..row(&device)
        },
        name("d"),
    );
    table.push(&row(&metadata(0o100_600, 1023 << 20)), name("f"));
    assert_eq!(
        rendered(&mut table),
        "\
crw------- 1    7 1000  1, 3 Nov 30 18:44 d
-rw------- 1 root 1000 1023M Nov 30 18:44 f
"
    );
}

#[test]
fn later_chunks_are_no_narrower() {
    let mut table = table();
    let many = Metadata {
        links: 1000,
        ..metadata(0o100_644, 1)
    };
    table.push(&row(&many), name("a"));
    assert_eq!(
        rendered(&mut table),
        "-rw-r--r-- 1000 root 1000 1 Nov 30 18:44 a\n"
    );
    table.push(&row(&metadata(0o100_644, 2)), name("b"));
    assert_eq!(
        rendered(&mut table),
        "-rw-r--r--    1 root 1000 2 Nov 30 18:44 b\n"
    );
    assert_eq!(rendered(&mut table), "");
}

#[test]
fn owners_are_shown_escaped() {
    let mut table = table();
    let metadata = metadata(0o100_644, 1);
    table.push(
        &LongRow {
            user: Some(b"a\x1b[m"),
            ..row(&metadata)
        },
        name("n"),
    );
    assert_eq!(
        rendered(&mut table),
        "-rw-r--r-- 1 a\\x1B[m 1000 1 Nov 30 18:44 n\n"
    );
}

#[test]
fn links_show_their_targets() {
    let painter = Painter::new(Some("ln=36:di=34:mi=31"));
    let form = PathForm {
        escape: true,
        ..PathForm::default()
    };
    let dir = Looks::of_kind(Kind::Dir);
    let link = Looks {
        target: Some(Target::Found {
            kind: Kind::Dir,
            mode: None,
        }),
        ..Looks::of_kind(Kind::Symlink)
    };
    let mut table = table();
    let metadata = metadata(0o120_777, 3);
    table.push(&row(&metadata), |out| {
        painter.paint_path(b"", b"l", &link, &form, out);
        push_target(Some(&painter), b"../d\n", Some(&dir), &form, out);
    });
    table.push(&row(&metadata), |out| {
        out.extend_from_slice(b"m");
        push_target(None, b"gone", None, &form, out);
    });
    assert_eq!(
        rendered(&mut table),
        "lrwxrwxrwx 1 root 1000 3 Nov 30 18:44 \x1b[36ml\x1b[0m -> \x1b[34m../d\\x0A\x1b[0m\n\
         lrwxrwxrwx 1 root 1000 3 Nov 30 18:44 m -> gone\n"
    );
}

fn any_metadata() -> impl Strategy<Value = Metadata> {
    let modes = prop_oneof![
        Just(0o100_000),
        Just(0o040_000),
        Just(0o020_000),
        Just(0o060_000)
    ];
    let numbers = (
        0u64..2000,
        any::<u32>(),
        any::<u32>(),
        any::<u64>(),
        any::<u64>(),
        0u32..64,
    );
    (modes, 0u32..0o10000, numbers, any::<(u16, u8)>()).prop_map(
        |(kind, bits, (links, uid, gid, size, seconds, shift), special)| Metadata {
            links,
            uid,
            gid,
            special: (u32::from(special.0), u32::from(special.1)),
            modified: Timestamp {
                seconds: (seconds >> shift) as i64,
                nanoseconds: 0,
            },
            ..metadata(kind | bits, size >> shift)
        },
    )
}

proptest! {
    #[test]
    fn names_of_any_rows_begin_below_each_other(rows in proptest::collection::vec(proptest::option::of(any_metadata()), 1..12)) {
        let mut table = table();
        for metadata in &rows {
            let row = LongRow { kind: Kind::File, metadata: metadata.as_ref(), user: None, group: None, has_acl: false };
            table.push(&row, name("@"));
        }
        let text = rendered(&mut table);
        prop_assert_eq!(text.lines().count(), rows.len());
        let places: Vec<_> = text.lines().map(|line| line.find('@')).collect();
        prop_assert!(places.iter().all(|place| place.is_some() && *place == places[0]), "{}", text);
        prop_assert!(text.lines().all(|line| line.ends_with(" @") && line.as_bytes()[10] == b' '));
    }
}
