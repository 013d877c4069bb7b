//! Single changes whose answer is known, of trees that are too large for the random ones.

use std::sync::Arc;

use groma_base::{Kind, Timestamp};
use groma_catalog::{Delta, DeltaError, Segment, View, Volume};

use crate::model::{Model, metadata, volume};
use crate::seen::{compare, compare_folded};
use crate::tree::{Entry, Key, Tree, join};

fn segment(tree: &Tree) -> Arc<Segment> {
    Arc::new(Segment::from_bytes(tree.bytes()).unwrap())
}

fn file(inode: u64) -> Entry {
    Entry::new(Kind::File, Some(metadata(Kind::File, inode)))
}

fn dir(inode: u64) -> Entry {
    Entry::new(Kind::Dir, Some(metadata(Kind::Dir, inode)))
}

fn find(view: &View, path: &str) -> u32 {
    let path = format!("/data/{path}");
    let path = path.strip_suffix('/').unwrap_or(&path);
    view.find(path.as_bytes()).unwrap().unwrap()
}

/// Directories `d00` ... with files `f000` ... in each.
fn wide(dirs: u64, files: u64) -> Delta {
    let mut model = Model::new();
    for d in 0..dirs {
        let at = model.dir(0, &format!("d{d:02}"), 2 + d);
        for f in 0..files {
            model.file(at, &format!("f{f:03}"), 1000 + d * files + f);
        }
    }
    Delta::new(Arc::new(model.segment()))
}

/// Counts anew what a view says of its root.
fn expect_totals(view: &View) {
    let (mut size, mut allocated, mut newest) = (0, 0, None);
    for id in view.pieces().iter().flat_map(|piece| piece.ids.clone()) {
        if view.place(id) != Some(0) {
            size += view.size(id).unwrap();
            allocated += view.allocated(id).unwrap();
            newest = newest.max(Some(view.modified(id).unwrap()));
        }
    }
    let found = view.totals(view.top().unwrap()).unwrap().unwrap();
    assert_eq!((found.below.size, found.below.allocated), (size, allocated));
    assert_eq!(found.below.newest, newest);
    assert_eq!(found.entries, view.len() - 1);
}

#[test]
fn a_directory_is_moved_or_removed_as_a_whole() {
    let mut delta = wide(10, 1000);
    let view = delta.view().unwrap();
    assert!(view.is_sealed() && view.pieces().len() == 1 && view.relocated().is_empty());
    let (third, fifth) = (find(&view, "d03"), find(&view, "d05"));
    delta.rename(third, find(&view, "d07"), b"e").unwrap();
    delta.remove(fifth).unwrap();
    assert_eq!(delta.changes(), 3);
    let view = delta.view().unwrap();
    let whole = |row: u32| std::slice::from_ref(&(row..row + 1001)).to_vec();
    assert_eq!(view.gone(), whole(fifth));
    assert_eq!(view.relocated(), whole(third));
    // Before d03, to the end of d04, and d06 to the f000s of d07; "e" stands before them.
    assert_eq!(view.pieces().len(), 5);
    assert_eq!(view.len(), 9010);
    assert_eq!(find(&view, "d07/e/f999"), third + 1000);
    assert_eq!(view.find(b"/data/d03/f999").unwrap(), None);
    let moved = view.totals(third).unwrap().unwrap();
    assert_eq!((moved.entries, moved.children), (1000, 1000));
    assert_eq!(
        view.totals(find(&view, "d07")).unwrap().unwrap().entries,
        2001
    );
    assert_eq!(view.revised(), [0, find(&view, "d07")]);
    expect_totals(&view);
}

#[test]
fn the_newest_that_went_is_looked_for() {
    let mut delta = wide(3, 6000);
    let mut view = delta.view().unwrap();
    for _ in 0..5 {
        let newest = view.totals(0).unwrap().unwrap().below.newest.unwrap();
        let rows = 0..view.segment().rows();
        let mut live = rows.filter(|&row| view.is_live(row));
        let row = live
            .find(|&row| view.modified(row).unwrap() == newest)
            .unwrap();
        delta.remove(row).unwrap();
        view = delta.view().unwrap();
        expect_totals(&view);
    }
}

#[test]
fn a_time_before_1970_beside_one_that_is_not_known() {
    let mut model = Model::new();
    let d = model.dir(0, "d", 2);
    let old = |seconds| Timestamp::from_seconds(seconds);
    for (name, seconds) in [("early", -100), ("later", -50)] {
        let mut early = metadata(Kind::File, 5);
        early.modified = old(seconds);
        model.add(d, name.as_bytes(), Kind::File, Some(early));
    }
    for n in 0..9000 {
        model.add(d, format!("u{n}").as_bytes(), Kind::File, None);
    }
    let mut delta = Delta::new(Arc::new(model.segment()));
    let d = delta.child(0, b"d").unwrap().unwrap();
    delta
        .remove(delta.child(d, b"later").unwrap().unwrap())
        .unwrap();
    let view = delta.view().unwrap();
    let totals = view.totals(d).unwrap().unwrap();
    assert_eq!(totals.below.newest, Some(old(-100)));
}

#[test]
fn attribution_moves_with_the_smallest_path() {
    let mut tree = Tree::new();
    let mut linked = file(50);
    linked.metadata.as_mut().unwrap().links = 3;
    let root = Key::new();
    for name in ["a", "b", "c"] {
        tree.put(&root, name.as_bytes(), dir(2));
        tree.put(&join(&root, name.as_bytes()), b"x", linked.clone());
    }
    let mut delta = Delta::new(segment(&tree));
    let sizes = |view: &View| {
        let of = |id| view.totals(id).unwrap().unwrap().below.size;
        view.children(view.top().unwrap())
            .unwrap()
            .into_iter()
            .map(of)
            .collect::<Vec<_>>()
    };
    assert_eq!(sizes(&delta.view().unwrap()), [5000, 0, 0]);
    let a = delta.child(0, b"a").unwrap().unwrap();
    delta.rename(a, 0, b"z").unwrap();
    assert_eq!(sizes(&delta.view().unwrap()), [5000, 0, 0]);
    let b = delta.child(0, b"b").unwrap().unwrap();
    delta
        .remove(delta.child(b, b"x").unwrap().unwrap())
        .unwrap();
    assert_eq!(sizes(&delta.view().unwrap()), [0, 5000, 0]);
    delta.put(Some(b), b"y", &linked.put()).unwrap();
    assert_eq!(sizes(&delta.view().unwrap()), [5000, 0, 0]);
}

#[test]
fn impossible_changes_change_nothing() {
    let mut tree = Tree::new();
    tree.put(&Key::new(), b"d", dir(2));
    tree.put(&join(&Key::new(), b"d"), b"e", dir(3));
    tree.put(&Key::new(), b"f", file(4));
    let mut delta = Delta::new(segment(&tree));
    let (d, f) = (1, 3);
    let mut bad = file(9);
    bad.metadata.as_mut().unwrap().changed.nanoseconds = 1_000_000_000;
    let put = file(9);
    use DeltaError as E;
    assert_eq!(
        delta.put(Some(d), b"x", &bad.put()),
        Err(E::BadTime(1_000_000_000))
    );
    for name in [&b""[..], b"a/b", b"a\0"] {
        let expected = E::BadName(name.to_vec());
        assert_eq!(delta.put(Some(d), name, &put.put()), Err(expected.clone()));
        assert_eq!(delta.rename(f, d, name), Err(expected));
    }
    assert_eq!(delta.put(Some(f), b"x", &put.put()), Err(E::NoDir(f)));
    assert_eq!(delta.put(Some(99), b"x", &put.put()), Err(E::NoEntry(99)));
    assert_eq!(delta.put(None, b"", &put.put()), Err(E::Root));
    assert_eq!(
        delta.put(None, b"x", &dir(1).put()),
        Err(E::BadName(b"x".to_vec()))
    );
    assert_eq!(
        (delta.remove(0), delta.rename(0, d, b"x")),
        (Err(E::Root), Err(E::Root))
    );
    assert_eq!(delta.rename(d, d, b"x"), Err(E::IntoItself(d)));
    assert_eq!(delta.rename(d, d + 1, b"x"), Err(E::IntoItself(d)));
    assert_eq!(delta.mark_unread(f, true), Err(E::NoDir(f)));
    assert!(!delta.is_waiting() && delta.view().unwrap().is_sealed());
    delta.remove(d).unwrap();
    for id in [d, d + 1] {
        assert_eq!(delta.remove(id), Err(E::NoEntry(id)));
        assert_eq!(delta.put(Some(id), b"x", &put.put()), Err(E::NoEntry(id)));
        assert_eq!(delta.rename(f, id, b"x"), Err(E::NoEntry(id)));
    }
    tree.remove(&join(&Key::new(), b"d"));
    compare(&delta.view().unwrap(), &tree);
}

/// Whoever reads a directory again knows it by its row, and may go on to.
#[test]
fn a_directory_that_was_put_again_is_known_by_its_row_too() {
    let mut tree = Tree::new();
    let root = Key::new();
    tree.put(&root, b"d", dir(2));
    let key = join(&root, b"d");
    tree.put(&key, b"old", file(3));
    let mut delta = Delta::new(segment(&tree));
    let id = delta.put(Some(0), b"d", &dir(9).put()).unwrap();
    tree.put(&root, b"d", dir(9));
    delta.put(Some(1), b"new", &file(4).put()).unwrap();
    tree.put(&key, b"new", file(4));
    delta
        .rename(delta.child(1, b"old").unwrap().unwrap(), 1, b"older")
        .unwrap();
    tree.rename(&join(&key, b"old"), &key, b"older");
    delta.mark_unread(1, true).unwrap();
    tree.entries.get_mut(&key).unwrap().is_unread = true;
    assert_eq!(
        (delta.current(1), delta.current(id), delta.current(0)),
        (id, id, 0)
    );
    compare(&delta.view().unwrap(), &tree);
    delta.remove(1).unwrap();
    tree.remove(&key);
    compare(&delta.view().unwrap(), &tree);
    assert_eq!(delta.remove(1), Err(DeltaError::NoEntry(id)));
}

/// The same disk under another number, and another disk under the same number.
#[test]
fn file_systems_are_told_by_what_lasts() {
    let mut tree = Tree::new();
    let mut linked = file(50);
    linked.metadata.as_mut().unwrap().links = 2;
    tree.put(&Key::new(), b"a", linked.clone());
    let mut delta = Delta::new(segment(&tree));
    let (here, there) = (
        volume(42),
        Volume {
            uuid: [9; 16],
            ..volume(42)
        },
    );
    delta.add_volume(Volume { device: 77, ..here }).unwrap();
    delta.add_volume(there).unwrap();
    let mut same = linked.clone();
    same.metadata.as_mut().unwrap().id.device = 77;
    let b = delta.put(Some(0), b"b", &same.put()).unwrap();
    let c = delta.put(Some(0), b"c", &linked.put()).unwrap();
    let view = delta.view().unwrap();
    assert_eq!(view.linked(b).unwrap(), [1, b]);
    assert_eq!(view.metadata(b).unwrap().unwrap().id.device, 42);
    assert_eq!(view.linked(c).unwrap(), []);
    let device = view.metadata(c).unwrap().unwrap().id.device;
    let volumes = view.volumes().unwrap();
    assert_eq!(volumes, [here, Volume { device, ..there }]);
}

#[test]
fn an_empty_segment_can_be_filled() {
    let (bytes, _) = crate::model::seal(groma_catalog::Builder::new()).unwrap();
    let mut delta = Delta::new(Arc::new(Segment::from_bytes(bytes).unwrap()));
    assert_eq!(delta.top(), None);
    delta.add_volume(volume(42)).unwrap();
    assert!(delta.put(Some(0), b"a", &file(1).put()).is_err());
    let view = delta.view().unwrap();
    assert!(view.is_empty() && view.find(b"/data").unwrap().is_none());
    let mut tree = Tree::new();
    let root = tree.entries[&Key::new()].clone();
    let top = delta.put(None, b"", &root.put()).unwrap();
    delta.put(Some(top), b"f", &file(3).put()).unwrap();
    tree.put(&Key::new(), b"f", file(3));
    let view = delta.view().unwrap();
    compare(&view, &tree);
    compare_folded(&view, &tree);
    assert!(view.without(top).unwrap().is_empty());
}

/// Six hundred levels, each of them changed: nothing is worked out by recursion.
#[test]
fn deep_changes() {
    let mut model = Model::new();
    let mut at = 0;
    for level in 0..600u64 {
        at = model.dir(at, "d", level + 10);
    }
    let mut delta = Delta::new(Arc::new(model.segment()));
    for id in 1..600u32 {
        let parent = delta.child(0, b"d").unwrap().filter(|_| id > 1);
        assert!(id == 1 || parent.is_some());
        let put = dir(u64::from(id) + 5000);
        // What stands for row `id` lies in what stands for the row before it.
        let parent = if id == 1 { 0 } else { 601 + id - 2 };
        assert_eq!(
            delta.put(Some(parent), b"d", &put.put()).unwrap(),
            601 + id - 1
        );
    }
    let view = delta.view().unwrap();
    assert_eq!(view.len(), 601);
    assert_eq!(view.depth(600).unwrap(), 600);
    assert_eq!(view.totals(0).unwrap().unwrap().entries, 600);
    expect_totals(&view);
}

#[test]
fn folding_is_due_when_much_has_changed() {
    let mut delta = wide(6, 999);
    for n in 0..4096u64 {
        delta
            .put(Some(1), format!("n{n}").as_bytes(), &file(n).put())
            .unwrap();
    }
    assert!(!delta.view().unwrap().is_fold_due());
    delta.put(Some(1), b"one more", &file(1).put()).unwrap();
    assert!(delta.view().unwrap().is_fold_due());
}
