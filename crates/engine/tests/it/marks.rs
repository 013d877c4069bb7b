//! What deleting marks would free, against the naive count of every entry by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;
use std::sync::Arc;

use groma_base::{BatchEntry, CancelToken, DirId, EntryBatch, FileId, Kind, Metadata, Timestamp};
use groma_catalog::{About, Builder, Delta, Put, Segment, View, Volume};
use groma_engine::map::{Freed, Marks, Sealed, Tree, Weigh, freed, links, shared};
use proptest::prelude::*;

/// A node, by its number: several entries of one number are hard links.
fn metadata(number: u64, kind: Kind, links: u64) -> Metadata {
    let time = Timestamp::from_seconds(1_700_000_000);
    Metadata {
        kind,
        id: FileId {
            device: 1 + number % 2,
            inode: 10 + number,
        },
        mode: 0o644,
        links,
        uid: 0,
        gid: 0,
        size: number * 100,
        allocated: number * 512,
        special: (0, 0),
        accessed: time,
        modified: time,
        changed: time,
        created: None,
    }
}

fn volume(device: u64) -> Volume {
    let mut volume = Volume {
        device,
        ..Volume::default()
    };
    volume.file_system[..4].copy_from_slice(b"ext4");
    volume.uuid = [device as u8; 16];
    volume
}

/// One entry that is made: which directory it goes into, and which node it is.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) parent: usize,
    pub(crate) is_dir: bool,
    pub(crate) node: u64,
    pub(crate) is_known: bool,
}

pub(crate) fn made() -> impl Strategy<Value = Made> {
    let parts = (
        any::<prop::sample::Index>(),
        any::<bool>(),
        0u64..12,
        0..8u8,
    );
    parts.prop_map(|(parent, is_dir, node, known)| Made {
        parent: parent.index(1 << 16),
        is_dir,
        node,
        is_known: known > 0,
    })
}

/// What a stat call told of an entry. Links of a node are a number of the node alone.
fn told(made: &Made, number: usize) -> Option<Metadata> {
    let told = match made.is_dir {
        true => metadata(1000 + number as u64, Kind::Dir, 3),
        false => metadata(made.node, Kind::File, 1 + made.node % 4),
    };
    made.is_known.then_some(told)
}

fn entry<'a>(
    parent: Option<u32>,
    dir: Option<u32>,
    name: &'a [u8],
    metadata: Option<&'a Metadata>,
) -> BatchEntry<'a> {
    BatchEntry {
        parent: parent.map(DirId),
        dir: dir.map(DirId),
        name,
        kind: if dir.is_some() { Kind::Dir } else { Kind::File },
        has_acl: false,
        is_mount: false,
        is_broken: false,
        excluded: None,
        metadata,
    }
}

pub(crate) fn sealed(entries: &[Made]) -> View {
    let mut batch = EntryBatch::new();
    let top = metadata(999, Kind::Dir, 2);
    batch.push(entry(None, Some(0), b"", Some(&top)));
    let mut dirs = 1;
    for (number, made) in entries.iter().enumerate() {
        let told = told(made, number);
        let dir = made.is_dir.then_some(dirs);
        let parent = Some(made.parent as u32 % dirs);
        dirs += u32::from(made.is_dir);
        let name = format!("e{number}");
        batch.push(entry(parent, dir, name.as_bytes(), told.as_ref()));
    }
    let mut builder = Builder::new();
    builder.push(&batch).unwrap();
    let about = About {
        root: b"/top".to_vec(),
        ..About::default()
    };
    let (mut out, cancel) = (Cursor::new(Vec::new()), CancelToken::new());
    builder.seal(&mut out, &about, volume, &cancel).unwrap();
    View::sealed(Arc::new(Segment::from_bytes(out.into_inner()).unwrap())).unwrap()
}

pub(crate) fn ids(view: &View) -> Vec<u32> {
    view.pieces().iter().flat_map(|p| p.ids.clone()).collect()
}

/// The same view after entries were put, moved and removed.
pub(crate) fn changed(view: View, changes: &[Made]) -> View {
    let (mut delta, mut view) = (Delta::new(view.shared_segment()), view);
    delta.add_volume(volume(1)).unwrap();
    delta.add_volume(volume(2)).unwrap();
    for (number, made) in changes.iter().enumerate() {
        let ids = ids(&view);
        let dirs = ids.iter().filter(|&&id| view.kind(id).unwrap().is_dir());
        let dirs: Vec<u32> = dirs.copied().collect();
        let (dir, id) = (dirs[made.parent % dirs.len()], ids[made.parent % ids.len()]);
        let told = told(made, 500 + number);
        let name = format!("n{number}");
        // What cannot be done, such as moving a directory into itself, is not done.
        let _ = match made.node % 4 {
            0 if view.place(id) != Some(0) => delta.remove(id),
            1 => delta.rename(id, dirs[number % dirs.len()], name.as_bytes()),
            _ => {
                let put = Put {
                    kind: if made.is_dir { Kind::Dir } else { Kind::File },
                    has_acl: false,
                    is_mount: false,
                    is_broken: false,
                    metadata: told.as_ref(),
                };
                delta.put(Some(dir), name.as_bytes(), &put).map(drop)
            }
        };
        view = delta.view().unwrap();
    }
    view
}

fn path(view: &View, id: u32) -> Vec<u8> {
    let mut path = Vec::new();
    view.append_path(id, &mut path).unwrap();
    path
}

/// Every path by itself: is it, or one above it, marked?
fn naive(view: &View, marks: &BTreeSet<Vec<u8>>) -> Freed {
    let mut freed = Freed::default();
    let mut nodes: BTreeMap<FileId, (u64, u64, u64)> = BTreeMap::new();
    for id in ids(view) {
        let path = path(view, id);
        let covers = |mark: &Vec<u8>| {
            let below = path.strip_prefix(&mark[..]);
            below.is_some_and(|below| below.is_empty() || below[0] == b'/')
        };
        if !marks.iter().any(covers) {
            continue;
        }
        freed.entries += 1;
        match view.metadata(id).unwrap() {
            None => freed.unknown += 1,
            Some(told) if told.kind == Kind::Dir || told.links < 2 => freed.bytes += told.allocated,
            Some(told) => {
                let node = nodes
                    .entry(told.id)
                    .or_insert((0, told.links, told.allocated));
                node.0 += 1;
            }
        }
    }
    for (here, all, bytes) in nodes.into_values() {
        if here >= all {
            freed.bytes += bytes;
            continue;
        }
        freed.kept.nodes += 1;
        freed.kept.bytes += bytes;
        freed.kept.links.here += here;
        freed.kept.links.all += all;
    }
    freed
}

fn check(view: &View, picks: &[prop::sample::Index]) {
    let ids = ids(view);
    let mut marks = Marks::new();
    for pick in picks {
        let path = path(view, ids[pick.index(ids.len())]);
        if !marks.contains(&path) {
            assert!(marks.toggle(&path));
        }
    }
    let marked = marks.ids(view).unwrap();
    assert_eq!(marked.len(), marks.len());
    let paths = marks.iter().map(<[u8]>::to_vec).collect();
    assert_eq!(freed(view, &marked).unwrap(), naive(view, &paths));
    for id in marked {
        let alone = naive(view, &BTreeSet::from([path(view, id)]));
        let shared = shared(view, id).unwrap();
        assert_eq!(
            (shared.unique, shared.shared),
            (alone.bytes, alone.kept.bytes)
        );
        check_links(view, id, &ids);
    }
}

fn check_links(view: &View, id: u32, ids: &[u32]) {
    let found = links(view, id).unwrap();
    let told = view.metadata(id).unwrap();
    match told.filter(|told| told.kind != Kind::Dir && told.links > 1) {
        None => assert_eq!((found.here, found.all), (1, 1)),
        Some(told) => {
            let same = |other: &&u32| {
                let other = view.metadata(**other).unwrap();
                other.is_some_and(|other| other.id == told.id)
            };
            let here = ids.iter().filter(same).count() as u64;
            assert_eq!((found.here, found.all), (here, told.links.max(here)));
        }
    }
}

/// What entries weigh where they are laid out is what they weigh as items.
fn weights_are_those_of_items(view: &View) {
    let tree = Sealed::new(view.clone()).unwrap();
    for id in ids(view) {
        let mut items = Vec::new();
        tree.children(id, &mut items).unwrap();
        for weigh in [Weigh::Allocated, Weigh::Apparent, Weigh::Count] {
            let mut weights = Vec::new();
            tree.weights(id, weigh, &mut weights).unwrap();
            let wanted = items.iter().map(|item| (item.id, item.weight(weigh)));
            assert!(weights.into_iter().eq(wanted), "{weigh:?} below {id}");
        }
        assert_eq!(tree.is_dir(id).unwrap(), view.kind(id).unwrap().is_dir());
    }
}

proptest! {
    #[test]
    fn what_is_freed_is_what_counting_every_path_gives(
        entries in prop::collection::vec(made(), 1..120),
        changes in prop::collection::vec(made(), 0..24),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let view = sealed(&entries);
        check(&view, &picks);
        weights_are_those_of_items(&view);
        let view = changed(view, &changes);
        check(&view, &picks);
        weights_are_those_of_items(&view);
    }
}

#[test]
fn rows_of_many_stretches_are_all_counted() {
    let entries = (0..40_000).map(|number: usize| Made {
        parent: number / 50,
        is_dir: number.is_multiple_of(50),
        node: number as u64 % 12,
        is_known: true,
    });
    let view = sealed(&entries.collect::<Vec<_>>());
    let all = freed(&view, &[view.top().unwrap()]).unwrap();
    let top = BTreeSet::from([b"/top".to_vec()]);
    assert_eq!(all, naive(&view, &top));
    assert_eq!(all.entries, 40_001);
}
