//! Changes of any sort, sensible or not: made or refused, and the same when read from a log.

use std::io::Cursor;
use std::sync::Arc;

use groma_base::{BatchEntry, CancelToken, DirId, EntryBatch, Kind, compare_paths};
use proptest::collection::vec;
use proptest::prelude::*;

use super::change::Change;
use super::{Delta, log};
use crate::about::{About, Volume};
use crate::build::Builder;
use crate::segment::Segment;
use crate::view::View;

/// `/r` with `a`, `a/b`, `a/b/f`, `c` and `f`.
fn segment() -> Arc<Segment> {
    let mut batch = EntryBatch::new();
    let entries: [(Option<u32>, &[u8], Option<u32>); 6] = [
        (None, b"", Some(0)),
        (Some(0), b"a", Some(1)),
        (Some(1), b"b", Some(2)),
        (Some(2), b"f", None),
        (Some(0), b"c", Some(3)),
        (Some(0), b"f", None),
    ];
    for (parent, name, dir) in entries {
        batch.push(BatchEntry {
            parent: parent.map(DirId),
            dir: dir.map(DirId),
            name,
            kind: if dir.is_some() { Kind::Dir } else { Kind::File },
            has_acl: false,
            is_mount: false,
            is_broken: false,
            excluded: None,
            metadata: None,
        });
    }
    let mut builder = Builder::new();
    builder.push(&batch).unwrap();
    let about = About {
        root: b"/r".to_vec(),
        ..About::default()
    };
    let mut out = Cursor::new(Vec::new());
    let volume = |_| Volume::default();
    builder
        .seal(&mut out, &about, volume, &CancelToken::new())
        .unwrap();
    Arc::new(Segment::from_bytes(out.into_inner()).unwrap())
}

fn changes() -> impl Strategy<Value = Change> {
    let id = || prop_oneof![9 => 0u32..14, 1 => any::<u32>()];
    let name = || prop::sample::select(vec![&b"a"[..], b"b", b"c", b"f", b"A", b"", b"x/y"]);
    let kind = prop::sample::select(vec![Kind::File, Kind::Dir, Kind::Symlink]);
    prop_oneof![
        4 => (proptest::option::weighted(0.9, id()), name(), kind).prop_map(|(parent, name, kind)| Change::Put {
            parent,
            name: name.to_vec(),
            kind,
            has_acl: false,
            is_mount: false,
            is_broken: false,
            metadata: None,
        }),
        2 => id().prop_map(|id| Change::Remove { id }),
        4 => (id(), id(), name()).prop_map(|(id, parent, name)| Change::Move { id, parent, name: name.to_vec() }),
        1 => (id(), any::<bool>()).prop_map(|(id, unread)| Change::Unread { id, unread }),
    ]
}

/// The paths of a view, which must be in order and lead back to their entries.
fn paths(view: &View) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    for id in view.pieces().iter().flat_map(|piece| piece.ids.clone()) {
        let mut path = Vec::new();
        view.append_path(id, &mut path).unwrap();
        assert_eq!(view.find(&path).unwrap(), Some(id));
        view.totals(id).unwrap();
        paths.push(path);
    }
    assert!(paths.is_sorted_by(|a, b| compare_paths(a, b).is_lt()));
    paths
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_changes_are_made_or_refused(changes in vec(changes(), 0..40)) {
        let segment = segment();
        let mut delta = Delta::stamped(Arc::clone(&segment), 1);
        for change in changes {
            let before = delta.unlogged();
            if delta.make(change).is_err() {
                prop_assert_eq!(before, delta.unlogged());
            }
        }
        let seen = paths(&delta.view().unwrap());
        let (bytes, checksum) = delta.unlogged();
        let replayed = Delta::replay(Arc::clone(&segment), 1, &bytes).unwrap();
        prop_assert_eq!(paths(&replayed.view().unwrap()), seen);
        prop_assert_eq!(replayed.unlogged(), (Vec::new(), checksum));
        prop_assert!(Delta::replay(segment, 2, &bytes).is_err());
    }

    /// Records that say anything, under right checksums.
    #[test]
    fn any_records_are_read_without_a_panic(records in vec((0u8..8, vec(0u8..10, 0..14)), 0..12)) {
        let segment = segment();
        let stamp = *Delta::stamped(Arc::clone(&segment), 1).stamp();
        let mut bytes = log::header(&stamp);
        let mut checksum = crate::bytes::u32_at(&bytes, log::HEADER_LEN - 4).unwrap();
        for (tag, rest) in records {
            let record = [&[tag][..], &rest].concat();
            log::write_record(&record, &mut checksum, &mut bytes);
            match Delta::replay(Arc::clone(&segment), 1, &bytes) {
                Ok(delta) => drop(paths(&delta.view().unwrap())),
                Err(error) => prop_assert!(error.offset >= 40),
            }
        }
    }
}
