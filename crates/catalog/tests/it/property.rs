//! Random trees, built in a random order, against the model.

use groma_base::{FileId, Kind, Metadata, Timestamp};
use groma_catalog::Segment;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::compare::compare;
use crate::model::Model;

pub(crate) fn names() -> impl Strategy<Value = Vec<u8>> {
    let fixed: Vec<&[u8]> = vec![
        b"a",
        b"A",
        b"ab",
        b"aB",
        b"README",
        b"readme",
        b"ReadMe.TXT",
        b"x.txt",
        b"x.TXT",
        b".rc",
        b"x.",
        b"\xff",
        b"\xffA",
        b"\xc3",
        "Ä".as_bytes(),
        "ä".as_bytes(),
        "ẞ".as_bytes(),
        "ß.ÄÖ".as_bytes(),
        "\u{212a}.k".as_bytes(),
        "K.k".as_bytes(),
        "é.É".as_bytes(),
        b"a\nb",
        b"\x1b[31m",
        b" ",
    ];
    let free = vec(
        any::<u8>().prop_filter("no name", |&b| b != 0 && b != b'/'),
        1..12,
    );
    prop_oneof![3 => prop::sample::select(fixed).prop_map(<[u8]>::to_vec), 1 => free]
}

fn times() -> impl Strategy<Value = Timestamp> {
    let seconds = prop_oneof![
        3 => 1_600_000_000i64..1_700_000_000,
        1 => any::<i64>(),
        1 => Just(-11_644_473_600),
        1 => Just(15_000_000_000),
    ];
    (seconds, 0u32..1_000_000_000).prop_map(|(seconds, nanoseconds)| Timestamp {
        seconds,
        nanoseconds,
    })
}

pub(crate) fn kinds() -> impl Strategy<Value = Kind> {
    prop_oneof![
        6 => Just(Kind::File),
        3 => Just(Kind::Dir),
        1 => Just(Kind::Symlink),
        1 => Just(Kind::Fifo),
        1 => Just(Kind::Unknown),
    ]
}

prop_compose! {
    /// Inodes and link counts are few, so that there are hard links.
    pub(crate) fn metadata()(
        (device, inode, links) in (1u64..3, 1u64..8, 1u64..4),
        (size, allocated) in prop_oneof![4 => (0u64..100_000, 0u64..100_000), 1 => any::<(u64, u64)>()],
        mode in 0u32..0o10000,
        (uid, gid) in (0u32..3, 0u32..3),
        (accessed, modified, changed) in (times(), times(), times()),
        created in proptest::option::of(times()),
    ) -> Metadata {
        Metadata {
            kind: Kind::File,
            id: FileId { device, inode },
            mode, links, uid, gid, size, allocated,
            special: (0, 0),
            accessed, modified, changed, created,
        }
    }
}

/// Per entry: which of the directories so far it goes to, and what it is.
type Plan = (prop::sample::Index, Vec<u8>, Kind, Option<Metadata>);

fn model(plans: Vec<Plan>) -> Model {
    let mut model = Model::new();
    let mut dirs = vec![0];
    for (dir, name, kind, mut metadata) in plans {
        if let Some(m) = &mut metadata {
            m.kind = kind;
            m.mode |= match kind {
                Kind::File => 0o100_000,
                Kind::Dir => 0o040_000,
                Kind::Symlink => 0o120_000,
                Kind::Fifo => 0o010_000,
                _ => 0,
            };
        }
        let before = model.nodes.len();
        let at = model.add(dirs[dir.index(dirs.len())], &name, kind, metadata);
        if model.nodes.len() > before && kind == Kind::Dir {
            dirs.push(at);
        }
    }
    model
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_segment_answers_as_the_tree_does(
        plans in vec((any::<prop::sample::Index>(), names(), kinds(), proptest::option::weighted(0.9, metadata())), 0..60),
        seed in any::<u64>(),
    ) {
        let model = model(plans);
        let bytes = model.bytes();
        let mut order: Vec<usize> = (0..model.nodes.len()).collect();
        order.sort_by_key(|&at| (at as u64 ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        prop_assert!(model.bytes_in(&order).0 == bytes, "the order of arrival shows");
        compare(&Segment::from_bytes(bytes).unwrap(), &model);
    }
}
