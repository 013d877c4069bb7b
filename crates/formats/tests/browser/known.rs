//! A small tree whose numbers are known, for tests that say what a page must show.

use std::io::{self, Write};

use groma_formats::html::{Category, Meta, Node, Report, Theme, Totals};

const TAKEN: i64 = 1_780_000_000;
const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;
const MIB: u64 = 1 << 20;

/// Numbers of [`CATEGORIES`].
const PICTURES: u32 = 0;
const VIDEOS: u32 = 1;
const DOCUMENTS: u32 = 2;
const LOGS: u32 = 3;
const CODE: u32 = 4;
const OTHER: u32 = 5;

const CATEGORIES: &[Category<'static>] = &[
    category("pictures", [0x44, 0xAA, 0x99]),
    category("videos", [0xCC, 0x66, 0x77]),
    category("documents", [0xDD, 0xCC, 0x77]),
    category("logs", [0xEE, 0x88, 0x66]),
    category("code", [0x88, 0xCC, 0xEE]),
    category("other", [0xB4, 0xBA, 0xC2]),
];

const fn category(name: &'static str, colour: [u8; 3]) -> Category<'static> {
    Category { name, colour }
}

/// Writes the page: 20 MiB in 9 files, 1.02 GiB apparent.
pub(crate) fn tree<W: Write>(out: W) -> io::Result<()> {
    let meta = Meta {
        title: "Known tree",
        root: b"/data",
        taken: TAKEN,
        totals: Totals {
            errors: 1,
            ..Totals::default()
        },
        categories: CATEGORIES,
        owners: &[b"alice", b"bob"],
        theme: Theme::System,
        si: false,
        apparent: false,
        incomplete: false,
    };
    let mut report = Report::begin(out, &meta)?;
    for node in nodes() {
        report.node(&node)?;
    }
    report.end()?;
    Ok(())
}

fn nodes() -> Vec<Node<'static>> {
    vec![
        dir(0, "/data"),
        dir(1, "alpha"),
        file(2, "a1.jpg", 4 * MIB, PICTURES, HOUR),
        file(2, "a2.mp4", 9 * MIB, VIDEOS, 2 * HOUR),
        dir(2, "deep"),
        Node {
            is_counted_elsewhere: true,
            ..file(3, "linked.bin", 5 * MIB, OTHER, 40 * DAY)
        },
        file(3, "é-lower.rs", 4096, CODE, 40 * DAY),
        file(3, "É-upper.rs", 4096, CODE, 40 * DAY),
        dir(1, "beta"),
        file(2, "b.log", 2 * MIB, LOGS, 40 * DAY),
        file(2, "B-Upper.LOG", MIB, LOGS, 40 * DAY),
        dir(1, "gamma"),
        Node {
            is_error: true,
            modified: None,
            ..dir(1, "locked")
        },
        file(1, "old.txt", 3 * MIB, DOCUMENTS, 3650 * DAY),
        Node {
            size: 1024 * MIB,
            owner: 1,
            modified: None,
            ..file(1, "sparse.img", MIB, OTHER, 0)
        },
    ]
}

fn dir(depth: u32, name: &'static str) -> Node<'static> {
    Node {
        depth,
        name: name.as_bytes(),
        is_dir: true,
        modified: Some(TAKEN - 3650 * DAY),
        ..Node::default()
    }
}

fn file(depth: u32, name: &'static str, size: u64, category: u32, age: i64) -> Node<'static> {
    Node {
        depth,
        name: name.as_bytes(),
        size,
        allocated: size,
        modified: Some(TAKEN - age),
        category,
        ..Node::default()
    }
}
