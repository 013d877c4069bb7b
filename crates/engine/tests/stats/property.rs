//! Random trees, queries and groupings: the numbers are those of the oracle, every bucket's query
//! lists as many rows as it counts, and threads change nothing.

use std::collections::BTreeMap;

use groma_base::{Kind, Metadata, Timestamp};
use groma_catalog::{Delta, Put, View};
use groma_engine::catalogs::OpenRoot;
use groma_engine::stats::{Metric, Report, Request, Sums};
use proptest::prelude::*;

use super::model::{Tree, answer_with, metadata, open, open_views};
use super::oracle::{FIELDS, Label, matching, sums};

/// A node is the same wherever it is linked: all of it follows from its number.
fn node(number: u64) -> (Kind, Option<Metadata>) {
    let kind = match number % 11 {
        0 => Kind::Symlink,
        1 => Kind::Fifo,
        2 => Kind::Unknown,
        _ => Kind::File,
    };
    let sizes = [
        0,
        1,
        9,
        10,
        999,
        1000,
        4096,
        5_000_000,
        u64::MAX / 2,
        u64::MAX,
    ];
    let seconds = [
        0,
        -1,
        951_782_400,
        1_749_999_000,
        1_700_000_000,
        -11_644_473_600,
        15_000_000_000,
        900_000_000_000,
        -900_000_000_000,
        i64::MIN / 4,
        i64::MAX / 4,
    ];
    if number % 13 == 5 {
        return (kind, None);
    }
    let pick = |list: &[u64], by: u64| list[(by % list.len() as u64) as usize];
    let mut metadata = metadata(kind, number, pick(&sizes, number / 3));
    metadata.links = if number < 20 { 3 } else { 1 };
    metadata.uid = [0, 4_000_000_001, 77_777][(number % 3) as usize];
    metadata.gid = (number % 4) as u32;
    metadata.mode = (metadata.mode & !0o7777) | [0o644, 0o755, 0o4711][(number % 3) as usize];
    let at = seconds[(number / 2) as usize % seconds.len()];
    metadata.modified = Timestamp {
        seconds: at,
        nanoseconds: (number % 7) as u32 * 100_000_000,
    };
    metadata.created = number
        .is_multiple_of(2)
        .then(|| Timestamp::from_seconds(at.clamp(-1000, 1 << 33)));
    if number.is_multiple_of(5) {
        metadata.allocated = 512;
    }
    (kind, Some(metadata))
}

const NAMES: &[&[u8]] = &[
    b"a",
    b"A",
    b"b.rs",
    b"B.RS",
    b"c.tar.gz",
    b".hid",
    b".x.y",
    b"e.jpg",
    b"no\xff.e\xfft",
    b"caches",
    b"f.music",
    b"two words.txt",
    b"q\"uote.t\"t",
    b"\xc3\x84.\xc3\x84",
    b"x.",
    b"dir.d",
    b"g.AND",
    b"h.a;b",
    b"z.size",
];

/// Directories first, then entries: each names its directory and its node.
fn tree(root: &'static str) -> impl Strategy<Value = Tree> {
    let dirs = prop::collection::vec((any::<prop::sample::Index>(), 0..NAMES.len()), 0..6);
    let entries = prop::collection::vec(
        (
            any::<prop::sample::Index>(),
            0..NAMES.len(),
            prop_oneof![2u64..20, 20u64..400],
        ),
        0..30,
    );
    (dirs, entries).prop_map(move |(dirs, entries)| {
        let mut tree = Tree::new(root);
        let mut places = vec![0];
        for (at, name) in dirs {
            let parent = places[at.index(places.len())];
            let inode = 10_000 + tree.nodes.len() as u64;
            let stat = metadata(Kind::Dir, inode, 4096);
            let before = tree.nodes.len();
            let dir = tree.add(parent, NAMES[name], Some(stat), Kind::Dir);
            if dir == before {
                places.push(dir);
            }
        }
        for (at, name, number) in entries {
            let parent = places[at.index(places.len())];
            let (kind, metadata) = node(number);
            tree.add(parent, NAMES[name], metadata, kind);
        }
        tree
    })
}

/// A change: what is done, to which entry, in which directory, under which name, with which node.
type Change = (u8, prop::sample::Index, prop::sample::Index, usize, u64);

/// The view of a tree after changes; those that make no sense are left out.
fn changed(tree: &Tree, changes: &[Change]) -> View {
    let mut delta = Delta::new(tree.segment());
    for (what, entry, dir, name, number) in changes {
        let view = delta.view().unwrap();
        let ids: Vec<u32> = view
            .pieces()
            .iter()
            .flat_map(|piece| piece.ids.clone())
            .collect();
        let dirs = ids.iter().filter(|&&id| view.kind(id).unwrap().is_dir());
        let dirs: Vec<u32> = dirs.copied().collect();
        let (id, dir) = (ids[entry.index(ids.len())], dirs[dir.index(dirs.len())]);
        if view.place(id) == Some(0) {
            continue;
        }
        let done = match what {
            0 => delta.remove(id),
            1 => delta.rename(id, dir, NAMES[*name]),
            _ => {
                let (kind, metadata) = node(*number);
                let put = Put {
                    kind,
                    has_acl: false,
                    is_mount: false,
                    is_broken: false,
                    metadata: metadata.as_ref(),
                };
                delta.put(Some(dir), NAMES[*name], &put).map(drop)
            }
        };
        // Moving a directory into itself is refused, and nothing has changed.
        let _ = done;
    }
    delta.view().unwrap()
}

const QUERIES: &[&str] = &[
    "",
    "type:file",
    "size>100",
    "ext:rs;gz",
    "!hidden:",
    "a",
    "links>1",
    "depth<=2",
    "modified>2000",
    "type:file OR size>1k",
    "missing:size",
    "!missing:created",
    "case:A",
    "b.rs | e.jpg",
    "under:/data/a",
    "missing:ext;type",
    "nothing matches this",
];

fn all_metrics() -> Vec<Metric> {
    let all = Metric::ALL.iter().map(|row| row.0);
    all.filter(|metric| *metric != Metric::Reclaimable)
        .collect()
}

fn counted(report: &Report) -> BTreeMap<Vec<Label>, Sums> {
    let rows = &report.sections[0].rows;
    let map: BTreeMap<_, _> = rows
        .iter()
        .map(|row| (row.labels.clone(), row.sums.clone()))
        .collect();
    assert_eq!(map.len(), rows.len(), "two buckets of one name");
    map
}

fn check(roots: &[OpenRoot], query: &str, fields: &[&str]) -> Result<(), TestCaseError> {
    let request = Request {
        query: vec![query.to_owned()],
        by: fields.iter().map(|&field| field.to_owned()).collect(),
        metrics: all_metrics(),
        missing: true,
        samples: Some(2),
        distinct: vec!["ext".to_owned()],
        ..Request::default()
    };
    let report = answer_with(&request, roots, 1);
    let entries = matching(roots, query);
    prop_assert_eq!(
        counted(&report),
        sums(&entries, fields),
        "{} by {:?}",
        query,
        fields
    );
    // Rows may overlap, the total counts each entry once.
    let total = sums(&entries, &[]).remove(&Vec::new());
    prop_assert_eq!(&report.sections[0].total, &total.unwrap_or_default());
    for row in &report.sections[0].rows {
        let text = row.query().unwrap();
        let listed = matching(roots, &text);
        prop_assert_eq!(listed.len() as u64, row.sums.count, "{}: {}", query, text);
        let extensions = sums(&listed, &["ext"]);
        let distinct = extensions.keys().filter(|key| key[0].is_some()).count();
        prop_assert_eq!(row.distinct[0], distinct as u64, "{}", text);
        prop_assert_eq!(
            row.samples.len() as u64,
            row.sums.nodes.min(2).max(row.samples.len() as u64)
        );
    }
    for threads in [2, 5] {
        let other = answer_with(&request, roots, threads);
        prop_assert_eq!(format!("{other:?}"), format!("{report:?}"));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn one_level(tree in tree("/data"), query in 0..QUERIES.len(), field in 0..FIELDS.len()) {
        check(&open(&[tree]), QUERIES[query], &[FIELDS[field]])?;
    }

    #[test]
    fn two_levels_over_several_roots(
        outer in tree("/data"),
        inner in tree("/data/a"),
        other in tree("/"),
        which in 0..4,
        query in 0..QUERIES.len(),
        fields in (0..FIELDS.len(), 0..FIELDS.len()),
    ) {
        let trees = match which {
            0 => vec![outer, inner],
            1 => vec![other],
            2 => vec![other, inner],
            _ => vec![outer],
        };
        let fields = [FIELDS[fields.0], FIELDS[fields.1]];
        check(&open(&trees), QUERIES[query], &fields)?;
    }

    #[test]
    fn changes_since_the_segment(
        tree in tree("/data"),
        changes in prop::collection::vec(
            (0u8..4, any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..NAMES.len(), prop_oneof![2u64..20, 20u64..400]),
            0..8,
        ),
        query in 0..QUERIES.len(),
        field in 0..FIELDS.len(),
    ) {
        let roots = open_views(vec![changed(&tree, &changes)]);
        check(&roots, QUERIES[query], &[FIELDS[field]])?;
    }
}
