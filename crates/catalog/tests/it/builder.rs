//! Trees of unusual shape, and entries that are no tree.

use groma_base::{BatchEntry, CancelToken, DirId, EntryBatch, Kind};
use groma_catalog::{BuildError, Builder, KindFlags, Segment};

use crate::compare::compare;
use crate::model::{Model, about, metadata, seal, volume};

fn checked(model: &Model) -> Segment {
    let segment = model.segment();
    segment.check(&CancelToken::new()).unwrap();
    segment
}

#[test]
fn no_rows_at_all() {
    let (bytes, sealed) = seal(Builder::new()).unwrap();
    assert_eq!((sealed.rows, sealed.names), (0, 0));
    let segment = Segment::from_bytes(bytes).unwrap();
    segment.check(&CancelToken::new()).unwrap();
    assert_eq!(segment.find_below(b"a").unwrap(), None);
    assert!(segment.kind(0).is_err() && segment.path(0).is_err());
    assert_eq!(segment.names().unwrap().exact(b"a").unwrap(), None);
}

#[test]
fn a_root_alone() {
    compare(&Model::new().segment(), &Model::new());
}

#[test]
fn two_thousand_levels() {
    let mut model = Model::new();
    let mut at = 0;
    for level in 0..2_000u64 {
        at = model.dir(at, "d", level + 10);
        model.file(at, "f", level + 10_000);
    }
    let segment = checked(&model);
    let deepest = 2_001;
    assert_eq!(segment.depth(deepest).unwrap(), 2_001);
    let path = segment.path(deepest).unwrap();
    assert_eq!(
        segment
            .find_below(path.strip_prefix(b"/data/").unwrap())
            .unwrap(),
        Some(deepest)
    );
    assert_eq!(segment.totals(0).unwrap().unwrap().entries, 4_000);
}

/// `count` files of as many extensions; more than 16 bits can number when there are 70 000.
fn many_extensions(count: u64) {
    let mut model = Model::new();
    for n in 0..count {
        model.file(0, &format!("f.e{n:05}"), n + 2);
    }
    let segment = checked(&model);
    let extensions = segment.extensions().unwrap();
    assert_eq!(extensions.len() as u64, count + 1);
    for n in [0, 1, count / 2, count - 1] {
        let number = extensions
            .find(format!("e{n:05}").as_bytes())
            .unwrap()
            .unwrap();
        let rows: Vec<u32> = extensions
            .rows(number)
            .unwrap()
            .map(Result::unwrap)
            .collect();
        assert_eq!(rows.len(), 1);
        assert_eq!(extensions.of_row(rows[0]).unwrap(), number);
        assert_eq!(
            segment.path(rows[0]).unwrap(),
            format!("/data/f.e{n:05}").into_bytes()
        );
    }
}

#[test]
fn more_rows_than_a_block() {
    many_extensions(9_000);
}

#[test]
#[ignore = "slow without optimisation"]
fn more_extensions_than_16_bits_number() {
    many_extensions(70_000);
}

#[test]
fn hard_links_count_at_the_smallest_path() {
    let mut model = Model::new();
    let (b, a) = (model.dir(0, "b", 2), model.dir(0, "a", 3));
    let mut linked = metadata(Kind::File, 50);
    linked.links = 3;
    for (dir, name) in [(b, "one"), (a, "two"), (0, "z")] {
        model.add(dir, name.as_bytes(), Kind::File, Some(linked.clone()));
    }
    let segment = checked(&model);
    compare(&segment, &model);
    let row = |path: &[u8]| segment.find_below(path).unwrap().unwrap();
    let below = |path: &[u8]| segment.totals(row(path)).unwrap().unwrap().below.size;
    assert_eq!((below(b"a"), below(b"b")), (5_000, 0));
    assert_eq!(
        segment.linked_rows(row(b"z")).unwrap(),
        [row(b"a/two"), row(b"b/one"), row(b"z")]
    );
}

#[test]
fn unread_directories_are_marked() {
    let mut model = Model::new();
    let dir = model.dir(0, "closed", 2);
    let mut builder = Builder::new();
    let mut batch = EntryBatch::new();
    // The mark may come before the entry.
    batch.mark_unread(DirId(u32::try_from(dir).unwrap()));
    builder.push(&batch).unwrap();
    batch.clear();
    (0..2).for_each(|at| batch.push(model.entry(at)));
    builder.push(&batch).unwrap();
    assert!(builder.held_bytes() > 0 && builder.len() == 2);
    let segment = Segment::from_bytes(seal(builder).unwrap().0).unwrap();
    assert!(segment.kind(1).unwrap().has(KindFlags::UNREAD));
    assert!(!segment.kind(0).unwrap().has(KindFlags::UNREAD));
}

fn entry(parent: Option<u32>, dir: Option<u32>, name: &[u8]) -> BatchEntry<'_> {
    BatchEntry {
        parent: parent.map(DirId),
        dir: dir.map(DirId),
        name,
        kind: if dir.is_some() { Kind::Dir } else { Kind::File },
        has_acl: false,
        is_mount: false,
        is_broken: false,
        excluded: None,
        metadata: None,
    }
}

fn build(entries: &[BatchEntry<'_>]) -> Result<(Vec<u8>, groma_catalog::Sealed), BuildError> {
    let mut batch = EntryBatch::new();
    entries.iter().for_each(|&entry| batch.push(entry));
    let mut builder = Builder::new();
    builder.push(&batch)?;
    seal(builder)
}

#[test]
fn links_that_lead_nowhere_are_marked() {
    let link = |name, is_broken| BatchEntry {
        kind: Kind::Symlink,
        is_broken,
        excluded: None,
        ..entry(Some(0), None, name)
    };
    let (bytes, _) = build(&[
        entry(None, Some(0), b""),
        link(b"broken", true),
        link(b"fine", false),
    ])
    .unwrap();
    let segment = Segment::from_bytes(bytes).unwrap();
    let is_broken = |row| segment.kind(row).unwrap().has(KindFlags::BROKEN);
    assert_eq!([0, 1, 2].map(is_broken), [false, true, false]);
    segment.check(&CancelToken::new()).unwrap();
}

#[test]
fn of_two_entries_with_one_name_the_first_is_kept() {
    let (bytes, sealed) = build(&[
        entry(None, Some(0), b""),
        entry(Some(0), Some(1), b"a"),
        entry(Some(1), None, b"kept"),
        entry(Some(0), Some(2), b"a"),
        entry(Some(2), None, b"lost"),
    ])
    .unwrap();
    assert_eq!((sealed.rows, sealed.names, sealed.duplicates), (3, 3, 2));
    let segment = Segment::from_bytes(bytes).unwrap();
    segment.check(&CancelToken::new()).unwrap();
    assert_eq!(segment.path(2).unwrap(), b"/data/a/kept");
}

#[test]
fn what_is_no_tree_is_refused() {
    let root = entry(None, Some(0), b"");
    let refused = |entries: &[BatchEntry<'_>]| build(entries).unwrap_err();
    assert!(matches!(refused(&[root, root]), BuildError::BadDir(0)));
    let other_root = entry(None, Some(1), b"");
    assert!(matches!(refused(&[root, other_root]), BuildError::Roots(2)));
    let top = entry(Some(0), None, b"a");
    assert!(matches!(refused(&[top]), BuildError::Roots(0)));
    let orphan = entry(Some(9), None, b"a");
    assert!(matches!(refused(&[root, orphan]), BuildError::Orphans(1)));
    let far = entry(Some(4_000_000_000), None, b"a");
    assert!(matches!(refused(&[root, far]), BuildError::Orphans(1)));
    let ring = [entry(Some(2), Some(1), b"a"), entry(Some(1), Some(2), b"b")];
    assert!(matches!(
        refused(&[root, ring[0], ring[1]]),
        BuildError::Orphans(2)
    ));
    let huge = entry(Some(0), Some(u32::MAX - 1), b"a");
    assert!(matches!(refused(&[root, huge]), BuildError::BadDir(_)));
    for name in [&b""[..], b"a/b", b"a\0"] {
        assert!(matches!(
            refused(&[root, entry(Some(0), None, name)]),
            BuildError::BadName(_)
        ));
    }
    let mut bad_time = metadata(Kind::File, 5);
    bad_time.accessed.nanoseconds = 1_000_000_000;
    let bad_time = BatchEntry {
        excluded: None,
        metadata: Some(&bad_time),
        ..top
    };
    assert!(matches!(
        refused(&[root, bad_time]),
        BuildError::BadTime(1_000_000_000)
    ));
}

#[test]
fn who_cancels_gets_no_segment() {
    let cancel = CancelToken::new();
    cancel.cancel();
    let mut out = std::io::Cursor::new(Vec::new());
    let answer = Builder::new().seal(&mut out, &about(), volume, &cancel);
    assert!(matches!(answer, Err(BuildError::Cancelled)));
}
