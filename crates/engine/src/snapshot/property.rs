//! Generated trees, changed at random and compared: every row has one fate, and bytes add up.

use std::collections::{BTreeMap, HashSet};
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use groma_base::{BatchEntry, CancelToken, DirId, EntryBatch, FileId, Kind, Metadata, Timestamp};
use groma_catalog::{About, Builder, Segment, View, Volume};
use proptest::prelude::*;

use super::Loaded;
use super::compare::{ChangeKind, Measure, compare};
use super::moves::fates;
use super::tree::Tree;

/// A node: inode, size, whether it is a directory.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    inode: u64,
    size: u64,
    is_dir: bool,
}

/// Nodes by path below the root; the root has the empty one.
type Paths = BTreeMap<Vec<String>, Node>;

#[derive(Clone, Debug)]
enum Step {
    Add(usize, String, u64, bool),
    Remove(usize),
    Move(usize, usize, String),
    Link(usize, usize, String),
    Resize(usize, u64),
}

fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let name = || "[a-d]{1,2}";
    let step = prop_oneof![
        3 => (any::<usize>(), name(), 0u64..9_000, any::<bool>()).prop_map(|(d, n, s, k)| Step::Add(d, n, s, k)),
        1 => any::<usize>().prop_map(Step::Remove),
        2 => (any::<usize>(), any::<usize>(), name()).prop_map(|(a, d, n)| Step::Move(a, d, n)),
        1 => (any::<usize>(), any::<usize>(), name()).prop_map(|(a, d, n)| Step::Link(a, d, n)),
        1 => (any::<usize>(), 0u64..9_000).prop_map(|(a, s)| Step::Resize(a, s)),
    ];
    prop::collection::vec(step, 0..most)
}

fn pick(paths: &Paths, at: usize, is_fit: impl Fn(&Node) -> bool) -> Option<Vec<String>> {
    let fit: Vec<_> = paths.iter().filter(|(_, node)| is_fit(node)).collect();
    let at = at.checked_rem(fit.len())?;
    Some(fit[at].0.clone())
}

fn apply(paths: &mut Paths, step: &Step, next: &mut u64) {
    let join = |dir: Vec<String>, name: &String| [dir, vec![name.clone()]].concat();
    let dir = |paths: &Paths, at| pick(paths, at, |node| node.is_dir).unwrap_or_default();
    match step {
        Step::Add(at, name, size, is_dir) => {
            let path = join(dir(paths, *at), name);
            *next += 1;
            let (inode, size, is_dir) = (*next, *size, *is_dir);
            paths.entry(path).or_insert(Node {
                inode,
                size,
                is_dir,
            });
        }
        Step::Remove(at) => {
            let path = pick(paths, *at, |_| true).filter(|path| !path.is_empty());
            if let Some(path) = path {
                paths.retain(|other, _| !other.starts_with(&path));
            }
        }
        Step::Move(at, to, name) => {
            let (from, to) = (pick(paths, *at, |_| true), join(dir(paths, *to), name));
            let Some(from) = from.filter(|from| !from.is_empty()) else {
                return;
            };
            if to.starts_with(&from) || from.starts_with(&to) {
                return;
            }
            paths.retain(|other, _| !other.starts_with(&to));
            let moved: Vec<_> = paths
                .extract_if(.., |path, _| path.starts_with(&from))
                .collect();
            for (path, node) in moved {
                paths.insert([&to[..], &path[from.len()..]].concat(), node);
            }
        }
        Step::Link(at, to, name) => {
            let from = pick(paths, *at, |node| !node.is_dir);
            let to = join(dir(paths, *to), name);
            if let Some(node) = from.map(|from| paths[&from]) {
                paths.entry(to).or_insert(node);
            }
        }
        Step::Resize(at, size) => {
            if let Some(path) = pick(paths, *at, |node| !node.is_dir) {
                let inode = paths[&path].inode;
                let same = paths.values_mut().filter(|node| node.inode == inode);
                same.for_each(|node| node.size = *size);
            }
        }
    }
}

fn metadata(node: &Node) -> Metadata {
    let time = Timestamp::from_seconds(1_700_000_000);
    Metadata {
        kind: if node.is_dir { Kind::Dir } else { Kind::File },
        id: FileId {
            device: 7,
            inode: node.inode,
        },
        mode: 0,
        // What it says does not matter, as long as it is more than one where there are more.
        links: 9,
        uid: 0,
        gid: 0,
        size: node.size,
        allocated: node.size.next_multiple_of(4096),
        special: (0, 0),
        accessed: time,
        modified: time,
        changed: time,
        created: None,
    }
}

fn loaded(paths: &Paths) -> Loaded {
    let ids: Vec<&Vec<String>> = paths.keys().collect();
    let id = |path: &[String]| {
        let at = ids.iter().position(|other| other[..] == *path).unwrap();
        DirId(u32::try_from(at).unwrap())
    };
    let mut batch = EntryBatch::new();
    for (path, node) in paths {
        let metadata = metadata(node);
        batch.push(BatchEntry {
            parent: path.split_last().map(|(_, above)| id(above)),
            dir: node.is_dir.then(|| id(path)),
            name: path.last().map_or("", String::as_str).as_bytes(),
            kind: metadata.kind,
            has_acl: false,
            is_mount: false,
            is_broken: false,
            excluded: None,
            metadata: Some(&metadata),
        });
    }
    let mut builder = Builder::new();
    builder.push(&batch).unwrap();
    let mut out = Cursor::new(Vec::new());
    let volume = |device| Volume {
        device,
        ..Volume::default()
    };
    let cancel = CancelToken::new();
    builder
        .seal(&mut out, &About::default(), volume, &cancel)
        .unwrap();
    let tree = Tree {
        segment: Arc::new(Segment::from_bytes(out.into_inner()).unwrap()),
        unread: 0,
        is_partial: false,
    };
    Loaded::of_tree(Path::new("/"), &tree).unwrap()
}

fn path_of(view: &View, row: u32) -> Vec<String> {
    let mut path = Vec::new();
    view.segment().append_path_below(row, &mut path).unwrap();
    let path = String::from_utf8(path).unwrap();
    path.split('/')
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Every row has one fate, and the right one for what can be said of it simply.
fn check_fates(old: &Loaded, new: &Loaded, before: &Paths, after: &Paths) {
    let fates = fates(&old.view, &new.view).unwrap();
    let both = || fates.pairs.iter().chain(&fates.moved);
    let mut of_old: Vec<u32> = both()
        .map(|pair| pair.0)
        .chain(fates.removed.clone())
        .collect();
    let mut of_new: Vec<u32> = both()
        .map(|pair| pair.1)
        .chain(fates.added.clone())
        .collect();
    of_old.sort_unstable();
    of_new.sort_unstable();
    assert_eq!(of_old, (0..old.view.len()).collect::<Vec<_>>());
    assert_eq!(of_new, (0..new.view.len()).collect::<Vec<_>>());
    for &(o, n) in &fates.moved {
        let (from, to) = (path_of(&old.view, o), path_of(&new.view, n));
        assert_eq!(before[&from].inode, after[&to].inode);
        assert_ne!(from, to);
    }
    let inodes: HashSet<u64> = before.values().map(|node| node.inode).collect();
    for &row in &fates.added {
        let path = path_of(&new.view, row);
        // A new name is new unless a node of the old tree has no other entry left for it.
        if !after[&path].is_dir && inodes.contains(&after[&path].inode) {
            let count = |paths: &Paths| {
                let same = paths.values().filter(|n| n.inode == after[&path].inode);
                same.count()
            };
            assert!(count(after) > count(before), "{path:?} was moved");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_row_has_one_fate_and_bytes_add_up(made in steps(40), changed in steps(12)) {
        let root = Node { inode: 1, size: 100, is_dir: true };
        let (mut before, mut next) = (Paths::from([(Vec::new(), root)]), 1);
        made.iter().for_each(|step| apply(&mut before, step, &mut next));
        let mut after = before.clone();
        changed.iter().for_each(|step| apply(&mut after, step, &mut next));
        let (old, new) = (loaded(&before), loaded(&after));
        check_fates(&old, &new, &before, &after);
        for measure in [Measure::Allocated, Measure::Apparent] {
            let comparison = compare(&old, &new, measure).unwrap();
            let all: i128 = comparison.changes.iter().map(|change| change.growth()).sum();
            prop_assert_eq!(all, comparison.growth());
            let outer = comparison.changes.iter().filter(|change| !change.is_inside);
            let outer: i128 = outer.map(|change| change.whole_growth()).sum();
            prop_assert_eq!(outer, comparison.growth());
            let sums: i128 = ChangeKind::ALL.iter().map(|kind| comparison.sum(*kind).growth).sum();
            prop_assert_eq!(sums, comparison.growth());
        }
        if before == after {
            let comparison = compare(&old, &new, Measure::Allocated).unwrap();
            prop_assert!(comparison.changes.is_empty() && comparison.dirs.is_empty());
        }
    }
}
