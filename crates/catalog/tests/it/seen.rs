//! Asks a view everything, and works the answers out from the tree, naively.

use std::collections::BTreeMap;

use groma_base::{CancelToken, Kind};
use groma_catalog::{Builder, DirTotals, KindFlags, Totals, View};

use crate::tree::{Entry, Key, Tree, path, seal};

/// Panics at the first difference.
pub(crate) fn compare(view: &View, tree: &Tree) {
    let keys = tree.keys();
    assert_eq!(view.len() as usize, keys.len());
    assert_eq!(view.about().unwrap(), tree.about);
    let ids = compare_order(view, &keys);
    let nodes = nodes(tree, &keys);
    for (place, key) in keys.iter().enumerate() {
        compare_entry(view, tree, &keys, &ids, place);
        compare_links(view, &nodes, &ids, place);
        if tree.entries[key].kind == Kind::Dir {
            compare_dir(view, tree, &keys, &ids, &nodes, place);
        } else {
            assert_eq!(view.totals(ids[place]).unwrap(), None);
            assert_eq!(view.children(ids[place]).unwrap(), []);
        }
    }
    compare_columns(view);
    compare_missing(view, tree);
}

/// What is folded is what is built from the same entries.
pub(crate) fn compare_folded(view: &View, tree: &Tree) {
    let builder = Builder::of_view(view, &CancelToken::new()).unwrap();
    assert!(
        seal(builder, &tree.about) == tree.bytes(),
        "folded otherwise"
    );
}

fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap()
}

/// Ids in the order of paths.
fn compare_order(view: &View, keys: &[Key]) -> Vec<u32> {
    let mut ids = Vec::new();
    let rows = view.segment().rows();
    for piece in view.pieces() {
        assert_eq!(piece.start as usize, ids.len());
        assert!(!piece.ids.is_empty() && piece.ids.end <= view.ids());
        assert!(piece.ids.end <= rows || piece.ids.start >= rows);
        ids.extend(piece.ids.clone());
    }
    assert_eq!(ids.len(), keys.len());
    for (place, &id) in ids.iter().enumerate() {
        let mut found = Vec::new();
        view.append_path(id, &mut found).unwrap();
        let expected = [&b"/data/"[..], &path(&keys[place])].concat();
        let expected = expected.strip_suffix(b"/").unwrap_or(&expected);
        assert_eq!(found, expected);
        assert_eq!(view.find(expected).unwrap(), Some(id));
        assert_eq!(view.place(id), Some(number(place)));
        assert_eq!(view.at_place(number(place)), Some(id));
        assert!(view.is_live(id));
    }
    assert_eq!(view.at_place(number(ids.len())), None);
    for id in 0..view.ids() + 2 {
        assert_eq!(view.is_live(id), ids.contains(&id));
    }
    ids
}

fn compare_entry(view: &View, tree: &Tree, keys: &[Key], ids: &[u32], place: usize) {
    let (id, key) = (ids[place], &keys[place]);
    let entry = &tree.entries[key];
    let mut name = Vec::new();
    view.append_name(id, &mut name).unwrap();
    assert_eq!(name, key.last().map_or(&b""[..], |name| &name.1));
    let above = key.split_last().map(|(_, above)| above);
    let parent = above.map(|above| keys.iter().position(|k| k[..] == *above).unwrap());
    assert_eq!(view.parent(id).unwrap(), parent.map(|parent| ids[parent]));
    assert_eq!(view.depth(id).unwrap() as usize, key.len());
    assert_eq!(view.metadata(id).unwrap(), entry.metadata);
    let metadata = entry.metadata.as_ref();
    assert_eq!(view.size(id).unwrap(), metadata.map_or(0, |m| m.size));
    let allocated = metadata.map_or(0, |m| m.allocated);
    assert_eq!(view.allocated(id).unwrap(), allocated);
    let modified = metadata.map(|m| m.modified).unwrap_or_default();
    assert_eq!(view.modified(id).unwrap(), modified);
    let device = metadata.map(|m| m.id.device);
    let volume = view.volume(id).unwrap();
    assert_eq!(volume, device.map(crate::model::volume));
    let shares = |other: &Key| other != key && other.last() == key.last();
    let shares = !key.is_empty() && keys.iter().any(shares);
    assert_eq!(view.shares_name(id).unwrap(), shares);
    let flags = view.kind(id).unwrap();
    assert_eq!(flags.kind(), entry.kind);
    for (flag, expected) in [
        (KindFlags::ACL, entry.has_acl),
        (KindFlags::MOUNT, entry.is_mount),
        (KindFlags::BROKEN, entry.is_broken),
        (KindFlags::UNREAD, entry.is_unread),
        (KindFlags::NO_METADATA, metadata.is_none()),
        (
            KindFlags::HAS_CREATED,
            metadata.is_some_and(|m| m.created.is_some()),
        ),
    ] {
        assert_eq!(flags.has(flag), expected, "{flag:?} of {key:?}");
    }
}

/// By node: the places of its entries.
fn nodes(tree: &Tree, keys: &[Key]) -> BTreeMap<(u64, u64), Vec<usize>> {
    let mut nodes: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (place, key) in keys.iter().enumerate() {
        if let Some(node) = node(&tree.entries[key]) {
            nodes.entry(node).or_default().push(place);
        }
    }
    nodes.retain(|_, places| places.len() > 1);
    nodes
}

fn node(entry: &Entry) -> Option<(u64, u64)> {
    let metadata = entry.metadata.as_ref()?;
    let may_be_shared = entry.kind != Kind::Dir && metadata.links > 1;
    may_be_shared.then_some((metadata.id.device, metadata.id.inode))
}

fn places_of(nodes: &BTreeMap<(u64, u64), Vec<usize>>, place: usize) -> &[usize] {
    let found = nodes.values().find(|places| places.contains(&place));
    found.map_or(&[], |places| places)
}

fn compare_links(view: &View, nodes: &BTreeMap<(u64, u64), Vec<usize>>, ids: &[u32], place: usize) {
    let places = places_of(nodes, place);
    let linked: Vec<u32> = places.iter().map(|&place| ids[place]).collect();
    assert_eq!(view.linked(ids[place]).unwrap(), linked);
    let flags = view.kind(ids[place]).unwrap();
    assert_eq!(flags.has(KindFlags::LINKED), !places.is_empty());
    let elsewhere = places.first().is_some_and(|&first| first != place);
    assert_eq!(flags.has(KindFlags::COUNTED_ELSEWHERE), elsewhere);
}

fn compare_dir(
    view: &View,
    tree: &Tree,
    keys: &[Key],
    ids: &[u32],
    nodes: &BTreeMap<(u64, u64), Vec<usize>>,
    place: usize,
) {
    let key = &keys[place];
    let is_below = |other: &Key| other.len() > key.len() && other.starts_with(key);
    let below: Vec<usize> = (0..keys.len()).filter(|&p| is_below(&keys[p])).collect();
    let end = place + 1 + below.len();
    assert_eq!(
        view.subtree(ids[place]).unwrap(),
        number(place)..number(end)
    );
    let between = view.between(number(place)..number(end));
    let between: Vec<u32> = between.flat_map(|piece| piece.ids).collect();
    assert_eq!(between, ids[place..end]);
    let children = below.iter().filter(|&&p| keys[p].len() == key.len() + 1);
    let children: Vec<u32> = children.map(|&p| ids[p]).collect();
    assert_eq!(view.children(ids[place]).unwrap(), children);
    let mut totals = Totals::default();
    for &p in &below {
        let Some(m) = &tree.entries[&keys[p]].metadata else {
            continue;
        };
        totals.newest = totals.newest.max(Some(m.modified));
        if places_of(nodes, p).first().is_none_or(|&first| first == p) {
            totals.size = totals.size.saturating_add(m.size);
            totals.allocated = totals.allocated.saturating_add(m.allocated);
        }
    }
    let expected = DirTotals {
        children: number(children.len()),
        entries: number(below.len()),
        below: totals,
    };
    for _ in 0..2 {
        assert_eq!(view.totals(ids[place]).unwrap(), Some(expected), "{key:?}");
    }
}

/// What is neither gone nor elsewhere nor revised is what the segment's columns say.
fn compare_columns(view: &View) {
    let segment = view.segment();
    let is_in = |ranges: &[std::ops::Range<u32>], id| ranges.iter().any(|r| r.contains(&id));
    for ranges in [view.gone(), view.relocated()] {
        assert!(ranges.windows(2).all(|pair| pair[0].end <= pair[1].start));
    }
    assert!(view.revised().is_sorted());
    for id in 0..segment.rows() {
        assert_eq!(view.is_live(id), !is_in(view.gone(), id));
        if !view.is_live(id) || view.revised().contains(&id) {
            continue;
        }
        assert_eq!(view.kind(id).unwrap(), segment.kind(id).unwrap());
        assert_eq!(view.totals(id).unwrap(), segment.totals(id).unwrap());
        assert_eq!(view.metadata(id).unwrap(), segment.metadata(id).unwrap());
        if is_in(view.relocated(), id) {
            continue;
        }
        let mut path = Vec::new();
        view.append_path(id, &mut path).unwrap();
        assert_eq!(path, segment.path(id).unwrap());
        assert_eq!(view.depth(id).unwrap(), segment.depth(id).unwrap());
    }
    for &id in view.revised() {
        assert!(view.is_live(id));
    }
}

fn compare_missing(view: &View, tree: &Tree) {
    for name in [&b"a"[..], b"A", b"no such name", b"\xff"] {
        let key = crate::tree::join(&Key::new(), name);
        let path = [b"/data/", name].concat();
        let found = view.find(&path).unwrap().is_some();
        assert_eq!(found, tree.entries.contains_key(&key));
    }
    for path in [&b"/dat"[..], b"/data2", b"/", b""] {
        assert_eq!(view.find(path).unwrap(), None);
    }
}
