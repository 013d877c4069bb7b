//! Random changes of random trees, published, folded and opened again, against a map of paths.

use groma_base::{CancelToken, Kind, Metadata, Timestamp};
use groma_catalog::{CatalogWriter, Delta};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::model::volume;
use crate::property::{kinds, metadata, names};
use crate::seen::{compare, compare_folded};
use crate::tree::{Entry, Key, Tree, join};

const KEY: &[u8] = b"root";

#[derive(Clone, Debug)]
enum Step {
    Put(Index, Vec<u8>, Kind, bool, Option<Metadata>),
    /// New facts for an entry that is there.
    Change(Index, bool, Option<Metadata>),
    Remove(Index),
    Move(Index, Index, Vec<u8>),
    /// Under another name in the same directory.
    Rename(Index, Vec<u8>),
    Unread(Index, bool),
    Scanned(i64),
    Append,
    Fold,
    Reopen,
    /// Forgets what was not published.
    Discard,
    Without(Index),
}

fn steps() -> impl Strategy<Value = Step> {
    let facts = || (any::<bool>(), proptest::option::weighted(0.9, metadata()));
    let index = any::<Index>;
    prop_oneof![
        8 => (index(), names(), kinds(), facts()).prop_map(|(d, n, k, (b, m))| Step::Put(d, n, k, b, m)),
        4 => (index(), facts()).prop_map(|(at, (b, m))| Step::Change(at, b, m)),
        3 => index().prop_map(Step::Remove),
        4 => (index(), index(), names()).prop_map(|(at, d, n)| Step::Move(at, d, n)),
        3 => (index(), names()).prop_map(|(at, n)| Step::Rename(at, n)),
        2 => (index(), any::<bool>()).prop_map(|(d, u)| Step::Unread(d, u)),
        1 => (0i64..1000).prop_map(Step::Scanned),
        3 => Just(Step::Append),
        1 => Just(Step::Fold),
        2 => Just(Step::Reopen),
        1 => Just(Step::Discard),
        2 => index().prop_map(Step::Without),
    ]
}

/// The mode's type bits are those of the kind, as a stat call gives them.
fn entry(kind: Kind, flag: bool, metadata: Option<Metadata>) -> Entry {
    let mut entry = Entry::new(kind, metadata);
    entry.has_acl = flag;
    entry.is_mount = flag && kind == Kind::Dir;
    entry.is_broken = flag && kind == Kind::Symlink;
    if let Some(m) = &mut entry.metadata {
        m.kind = kind;
        m.mode |= match kind {
            Kind::File => 0o100_000,
            Kind::Dir => 0o040_000,
            Kind::Symlink => 0o120_000,
            Kind::Fifo => 0o010_000,
            _ => 0,
        };
    }
    entry
}

struct World {
    dir: tempfile::TempDir,
    writer: Option<CatalogWriter>,
    delta: Delta,
    tree: Tree,
    /// What was published last.
    published: Tree,
}

fn id(delta: &Delta, key: &Key) -> u32 {
    let mut at = delta.top().unwrap();
    for (_, name) in key {
        at = delta.child(at, name).unwrap().unwrap();
    }
    at
}

/// The delta as it is published, knowing the file systems of now.
fn open(writer: &mut CatalogWriter) -> Delta {
    let mut delta = writer.delta(KEY).unwrap().unwrap();
    for device in 1..3 {
        delta.add_volume(volume(device)).unwrap();
    }
    delta
}

impl World {
    fn new(tree: Tree) -> World {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = CatalogWriter::open(&dir.path().join("c")).unwrap();
        let cancel = CancelToken::new();
        let builder = tree.builder();
        writer
            .publish(KEY, &tree.about, 0, builder, volume, &cancel)
            .unwrap();
        World {
            dir,
            delta: open(&mut writer),
            writer: Some(writer),
            published: tree.clone(),
            tree,
        }
    }

    fn writer(&mut self) -> &mut CatalogWriter {
        self.writer.as_mut().unwrap()
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Put(dir, name, kind, flag, metadata) => {
                let dirs = self.tree.dirs();
                let dir = dir.get(&dirs);
                self.put(dir, &name, entry(kind, flag, metadata));
            }
            Step::Change(at, flag, metadata) => {
                let keys = self.tree.keys();
                let key = at.get(&keys);
                let entry = entry(self.tree.entries[key].kind, flag, metadata);
                match key.split_last() {
                    Some((name, dir)) => self.put(&dir.to_vec(), &name.1, entry),
                    None => {
                        self.delta.put(None, b"", &entry.put()).unwrap();
                        self.tree.put_top(entry);
                    }
                }
            }
            Step::Remove(at) => self.remove(at),
            Step::Move(at, dir, name) => {
                let dirs = self.tree.dirs();
                self.rename(at, dir.get(&dirs), &name);
            }
            Step::Rename(at, name) => {
                let keys = self.tree.keys();
                let key = at.get(&keys).clone();
                self.rename(at, &key[..key.len().max(1) - 1].to_vec(), &name);
            }
            Step::Unread(dir, unread) => {
                let dirs = self.tree.dirs();
                let key = dir.get(&dirs);
                self.delta
                    .mark_unread(id(&self.delta, key), unread)
                    .unwrap();
                self.tree.entries.get_mut(key).unwrap().is_unread = unread;
            }
            other => self.keep(other),
        }
    }

    fn keep(&mut self, step: Step) {
        match step {
            Step::Scanned(seconds) => {
                let begun = Timestamp::from_seconds(seconds);
                self.delta.mark_scanned(begun, begun.next()).unwrap();
                (self.tree.about.begun, self.tree.about.ended) = (begun, begun.next());
            }
            Step::Append => self.append(),
            Step::Fold => {
                self.append();
                let sealed = self.writer().fold(KEY, &CancelToken::new()).unwrap();
                let record = self.writer().catalog().roots()[0].clone();
                assert!(record.log.is_empty() && record.entries == record.rows);
                assert!(sealed.is_none_or(|sealed| sealed.rows == record.rows));
                self.delta = open(self.writer.as_mut().unwrap());
                let file = self.dir.path().join("c").join(&record.segment);
                assert!(std::fs::read(file).unwrap() == self.tree.bytes());
            }
            Step::Reopen => {
                self.append();
                self.writer = None;
                self.writer = Some(CatalogWriter::open(&self.dir.path().join("c")).unwrap());
                self.delta = open(self.writer.as_mut().unwrap());
            }
            Step::Discard => {
                self.delta = open(self.writer.as_mut().unwrap());
                self.tree = self.published.clone();
            }
            Step::Without(at) => {
                let keys = self.tree.keys();
                let key = at.get(&keys);
                let without = self.delta.view().unwrap().without(id(&self.delta, key));
                let mut tree = self.tree.clone();
                tree.remove(key);
                compare(&without.unwrap(), &tree);
            }
            _ => {}
        }
    }

    fn put(&mut self, dir: &Key, name: &[u8], entry: Entry) {
        let parent = id(&self.delta, dir);
        let put = self.delta.put(Some(parent), name, &entry.put()).unwrap();
        self.tree.put(dir, name, entry);
        assert_eq!(id(&self.delta, &join(dir, name)), put);
    }

    fn remove(&mut self, at: Index) {
        let keys = self.tree.keys();
        let key = at.get(&keys);
        let removed = self.delta.remove(id(&self.delta, key));
        assert_eq!(removed.is_err(), key.is_empty());
        if removed.is_ok() {
            self.tree.remove(key);
        }
    }

    fn rename(&mut self, at: Index, dir: &Key, name: &[u8]) {
        let keys = self.tree.keys();
        let key = at.get(&keys);
        let renamed = self
            .delta
            .rename(id(&self.delta, key), id(&self.delta, dir), name);
        let is_refused = key.is_empty() || dir.starts_with(key);
        assert_eq!(renamed.is_err(), is_refused, "{renamed:?}");
        if !is_refused {
            self.tree.rename(key, dir, name);
        }
    }

    fn append(&mut self) {
        let writer = self.writer.as_mut().unwrap();
        let view = writer.append(KEY, &mut self.delta, 0).unwrap();
        assert_eq!(view.len() as usize, self.tree.entries.len());
        assert_eq!(writer.catalog().roots()[0].entries, view.len());
        self.published = self.tree.clone();
        let mut reader = groma_catalog::Catalog::open(writer.catalog().path()).unwrap();
        compare(&reader.view(KEY).unwrap().unwrap(), &self.tree);
    }
}

/// Which directory an entry goes to, its name and what it is.
type Plan = (Index, Vec<u8>, Kind, bool, Option<Metadata>);

/// A tree that has some of everything.
fn tree(plans: Vec<Plan>) -> Tree {
    let mut tree = Tree::new();
    for (dir, name, kind, flag, metadata) in plans {
        let dirs = tree.dirs();
        tree.put(dir.get(&dirs), &name, entry(kind, flag, metadata));
    }
    tree
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_view_answers_as_a_map_of_paths_does(
        plans in vec((any::<Index>(), names(), kinds(), any::<bool>(), proptest::option::weighted(0.9, metadata())), 0..25),
        steps in vec(steps(), 1..25),
    ) {
        let mut world = World::new(tree(plans));
        for step in steps {
            world.step(step);
            let view = world.delta.view().unwrap();
            compare(&view, &world.tree);
            compare_folded(&view, &world.tree);
        }
    }
}
