//! Entries that are still being collected, as a tree that can be looked at meanwhile.
//!
//! Everything is in the order of arrival, and numbers are those of that order. Each directory keeps
//! the sums over what lies below it, brought up to date with every batch. Entries of one directory
//! arrive together, so what lies in it is known as a few runs of numbers.

use std::collections::{HashMap, HashSet};

use ahash::RandomState;
use groma_base::{BatchEntry, EntryBatch, FileId, Kind, Metadata, Timestamp, compare_paths};

use crate::build::{Builder, Totals};
use crate::error::{BuildError, Damage};
use crate::kinds::KindFlags;
use crate::layout::SectionId;

/// Stands for "none" among numbers.
const NONE: u32 = u32::MAX;

/// A tree that grows. Numbers are those of arrival; the entry that all others lie below has 0.
#[derive(Debug, Default)]
pub struct Growing {
    builder: Builder,
    /// By the numbers that directories were given.
    dirs: Vec<Dir>,
    runs: Vec<Run>,
    /// The first entry of each node that says it has several.
    nodes: HashMap<FileId, u32, RandomState>,
    /// Further entries of those nodes, each with the first.
    further: Vec<(u32, u32)>,
    /// Entries whose node is counted at another one.
    elsewhere: HashSet<u32, RandomState>,
}

/// What is known of a directory.
#[derive(Clone, Copy, Debug)]
struct Dir {
    /// Its own entry; `NONE` as long as that has not come.
    arrival: u32,
    /// The directory that it lies in, by number.
    parent: u32,
    /// The last run of its entries.
    last_run: u32,
    entries: u32,
    below: Totals,
}

/// Entries of a directory that came one after the other.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: u32,
    end: u32,
    /// The one before; runs of a directory are a chain.
    before: u32,
}

/// One entry of a growing tree, with what lies below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrowingEntry {
    /// Its number.
    pub id: u32,
    /// Kind and flags.
    pub kind: KindFlags,
    /// Apparent size, bytes; each node once.
    pub size: u64,
    /// Allocated size, bytes; each node once.
    pub allocated: u64,
    /// Entries, itself included.
    pub entries: u64,
    /// Newest change of content, of itself or below.
    pub newest: Timestamp,
}

impl Default for Dir {
    fn default() -> Dir {
        Dir {
            arrival: NONE,
            parent: NONE,
            last_run: NONE,
            entries: 0,
            below: Totals::default(),
        }
    }
}

impl Growing {
    /// A tree without entries.
    pub fn new() -> Growing {
        Growing::default()
    }

    /// Takes all entries of a batch.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub fn push(&mut self, batch: &EntryBatch) -> Result<(), BuildError> {
        let first = self.arrivals();
        self.builder.push(batch)?;
        let mut open: Option<(u32, Run, Sums)> = None;
        for (id, entry) in (first..).zip(batch.entries()) {
            let own = self.own(id, &entry);
            let parent = entry.parent.map_or(NONE, |dir| dir.0);
            match &mut open {
                Some((dir, run, sums)) if *dir == parent => {
                    run.end = id + 1;
                    sums.add(&own);
                }
                _ => {
                    self.close(open.take());
                    let run = Run {
                        first: id,
                        end: id + 1,
                        before: NONE,
                    };
                    open = Some((parent, run, own));
                }
            }
            if let Some(dir) = entry.dir {
                self.place(dir.0, id, parent);
            }
        }
        self.close(open);
        Ok(())
    }

    /// What was collected, to be sealed.
    pub fn into_builder(self) -> Builder {
        self.builder
    }

    /// How many entries have come.
    pub fn len(&self) -> usize {
        self.builder.len()
    }

    /// Whether none has come.
    pub fn is_empty(&self) -> bool {
        self.builder.is_empty()
    }

    /// Bytes that are held in memory.
    pub fn held_bytes(&self) -> usize {
        self.builder.held_bytes()
            + self.dirs.capacity() * size_of::<Dir>()
            + self.runs.capacity() * size_of::<Run>()
            + self.nodes.capacity() * 24
            + (self.further.capacity() + self.elsewhere.capacity()) * 8
    }

    /// An entry.
    ///
    /// # Errors
    /// [`Damage`] when there is none of this number.
    pub fn entry(&self, id: u32) -> Result<GrowingEntry, Damage> {
        let arrived = self.builder.arrived(id);
        let (kind, size, allocated, newest) = arrived.ok_or_else(|| {
            let found = format!("{} entries, and not {id}", self.len());
            Damage::section(SectionId::Kind, u64::from(id), found)
        })?;
        let is_elsewhere = self.elsewhere.contains(&id);
        let (size, allocated) = match is_elsewhere {
            true => (0, 0),
            false => (size, allocated),
        };
        let kind = kind.set(KindFlags::COUNTED_ELSEWHERE, is_elsewhere);
        let mut entry = GrowingEntry {
            id,
            kind,
            size,
            allocated,
            entries: 1,
            newest,
        };
        let dir = self.builder.dir_number(id);
        if let Some(dir) = dir.and_then(|dir| self.dirs.get(dir as usize)) {
            entry.size = entry.size.saturating_add(dir.below.size);
            entry.allocated = entry.allocated.saturating_add(dir.below.allocated);
            entry.entries += u64::from(dir.entries);
            entry.newest = dir.below.newest.map_or(newest, |below| below.max(newest));
        }
        Ok(entry)
    }

    /// The directory that an entry lies in, by the number of its entry; `None` for the top, and as
    /// long as that has not come.
    pub fn parent(&self, id: u32) -> Option<u32> {
        let dir = self.builder.arrived_parent(id)?;
        let arrival = self.dirs.get(dir as usize)?.arrival;
        (arrival != NONE).then_some(arrival)
    }

    /// Calls `each` with the numbers of the entries that lie directly in a directory, in no
    /// particular order.
    pub fn for_children(&self, id: u32, mut each: impl FnMut(u32)) {
        let dir = self.builder.dir_number(id);
        let dir = dir.and_then(|dir| self.dirs.get(dir as usize));
        let mut at = dir.map_or(NONE, |dir| dir.last_run);
        while let Some(run) = self.runs.get(at as usize) {
            (run.first..run.end).for_each(&mut each);
            at = run.before;
        }
    }

    /// Everything that is known of an entry; `None` where a stat call failed.
    pub fn metadata(&self, id: u32) -> Option<Metadata> {
        self.builder.arrived_metadata(id)
    }

    /// The name of an entry, raw bytes; of the top, nothing.
    pub fn name(&self, id: u32) -> &[u8] {
        self.builder.arrived_name(id)
    }

    /// Counts each node at the smallest of its paths, not at the one that came first. To be called once
    /// nothing more comes.
    pub fn settle(&mut self) {
        let mut of_node: HashMap<u32, Vec<u32>> = HashMap::new();
        for &(first, further) in &self.further {
            of_node.entry(first).or_default().push(further);
        }
        for (first, mut entries) in of_node {
            entries.push(first);
            let paths = entries.into_iter().map(|id| (self.path_below(id), id));
            let least = paths.min_by(|a, b| compare_paths(&a.0, &b.0));
            if let Some((_, least)) = least
                && least != first
            {
                self.count_at(first, least);
            }
        }
    }

    fn count_at(&mut self, first: u32, least: u32) {
        let Some((_, size, allocated, _)) = self.builder.arrived(first) else {
            return;
        };
        self.elsewhere.remove(&least);
        self.elsewhere.insert(first);
        self.each_above(first, |dir| {
            dir.below.size = dir.below.size.saturating_sub(size);
            dir.below.allocated = dir.below.allocated.saturating_sub(allocated);
        });
        self.each_above(least, |dir| {
            dir.below.size = dir.below.size.saturating_add(size);
            dir.below.allocated = dir.below.allocated.saturating_add(allocated);
        });
    }

    fn each_above(&mut self, id: u32, mut each: impl FnMut(&mut Dir)) {
        let mut at = self.builder.arrived_parent(id).unwrap_or(NONE);
        while let Some(dir) = self.dirs.get_mut(at as usize) {
            each(dir);
            at = dir.parent;
        }
    }

    /// The path of an entry below the top.
    fn path_below(&self, id: u32) -> Vec<u8> {
        let (mut at, mut way) = (id, Vec::new());
        while let Some(parent) = self.parent(at) {
            way.push(at);
            at = parent;
        }
        let names = way.iter().rev().map(|&id| self.name(id));
        names.collect::<Vec<_>>().join(&b'/')
    }

    fn arrivals(&self) -> u32 {
        // A builder takes no more than that.
        u32::try_from(self.builder.len()).unwrap_or(NONE)
    }

    /// What an entry adds to the directories above it.
    fn own(&mut self, id: u32, entry: &BatchEntry<'_>) -> Sums {
        let Some(metadata) = entry.metadata else {
            return Sums::of(Totals::default());
        };
        let mut own = Totals {
            size: metadata.size,
            allocated: metadata.allocated,
            newest: Some(metadata.modified),
        };
        if metadata.links > 1 && entry.kind != Kind::Dir {
            let first = *self.nodes.entry(metadata.id).or_insert(id);
            if first != id {
                self.further.push((first, id));
                self.elsewhere.insert(id);
                (own.size, own.allocated) = (0, 0);
            }
        }
        Sums::of(own)
    }

    /// The entry of a directory has come: what was below it already counts above it now.
    fn place(&mut self, dir: u32, arrival: u32, parent: u32) {
        let place = self.dir(dir);
        (place.arrival, place.parent) = (arrival, parent);
        let waiting = Sums {
            entries: place.entries,
            totals: place.below,
        };
        if waiting.entries > 0 {
            self.add_above(parent, &waiting);
        }
    }

    fn close(&mut self, open: Option<(u32, Run, Sums)>) {
        let Some((dir, mut run, sums)) = open else {
            return;
        };
        if dir == NONE {
            return;
        }
        let number = u32::try_from(self.runs.len()).unwrap_or(NONE);
        let place = self.dir(dir);
        run.before = std::mem::replace(&mut place.last_run, number);
        self.runs.push(run);
        self.add_above(dir, &sums);
    }

    fn add_above(&mut self, dir: u32, sums: &Sums) {
        let mut at = dir;
        while at != NONE {
            let place = self.dir(at);
            place.entries += sums.entries;
            place.below.add(&sums.totals);
            at = place.parent;
        }
    }

    fn dir(&mut self, number: u32) -> &mut Dir {
        let at = number as usize;
        if at >= self.dirs.len() {
            self.dirs.resize(at + 1, Dir::default());
        }
        &mut self.dirs[at]
    }
}

/// What entries add to the directories above them.
#[derive(Clone, Copy, Debug)]
struct Sums {
    entries: u32,
    totals: Totals,
}

impl Sums {
    fn of(totals: Totals) -> Sums {
        Sums { entries: 1, totals }
    }

    fn add(&mut self, other: &Sums) {
        self.entries += other.entries;
        self.totals.add(&other.totals);
    }
}

#[cfg(test)]
mod tests {
    use groma_base::DirId;
    use proptest::prelude::*;

    use super::*;

    fn metadata(kind: Kind, size: u64, inode: u64, links: u64) -> Metadata {
        Metadata {
            kind,
            id: FileId { device: 1, inode },
            mode: 0,
            links,
            uid: 0,
            gid: 0,
            size,
            allocated: size * 2,
            special: (0, 0),
            accessed: Timestamp::default(),
            modified: Timestamp {
                seconds: size as i64,
                nanoseconds: 0,
            },
            changed: Timestamp::default(),
            created: None,
        }
    }

    /// Entry `i` (from 1 on) lies in directory `parents[i - 1] % i`; each is a directory.
    fn batches(parents: &[u32], order: &[usize], per_batch: usize) -> Vec<EntryBatch> {
        let mut all = Vec::new();
        for part in order.chunks(per_batch) {
            let mut batch = EntryBatch::new();
            for &at in part {
                let number = at as u32;
                let name = format!("d{number}");
                let meta = metadata(Kind::Dir, u64::from(number) + 1, 0, 2);
                let parent = (at > 0).then(|| DirId(parents[at - 1] % number));
                batch.push(BatchEntry {
                    parent,
                    dir: Some(DirId(number)),
                    name: if at == 0 { b"" } else { name.as_bytes() },
                    kind: Kind::Dir,
                    has_acl: false,
                    is_mount: false,
                    is_broken: false,
                    excluded: None,
                    metadata: Some(&meta),
                });
            }
            all.push(batch);
        }
        all
    }

    proptest! {
        #[test]
        fn sums_are_those_of_the_tree_in_any_order_of_arrival(
            parents in prop::collection::vec(any::<u32>(), 0..40),
            seed in any::<u64>(),
            per_batch in 1_usize..10,
        ) {
            let count = parents.len() + 1;
            let mut order: Vec<usize> = (0..count).collect();
            let mut state = seed | 1;
            for at in (1..count).rev() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                order.swap(at, (state >> 33) as usize % (at + 1));
            }
            let mut growing = Growing::new();
            for batch in batches(&parents, &order, per_batch) {
                growing.push(&batch).unwrap();
            }
            let mut want = vec![(1_u64, 0_u64); count];
            for at in (0..count).rev() {
                want[at].1 += at as u64 + 1;
                if at > 0 {
                    let parent = (parents[at - 1] % at as u32) as usize;
                    want[parent].0 += want[at].0;
                    want[parent].1 += want[at].1;
                }
            }
            for (arrival, &at) in order.iter().enumerate() {
                let entry = growing.entry(arrival as u32).unwrap();
                prop_assert_eq!((entry.entries, entry.size), want[at]);
                let mut children = Vec::new();
                growing.for_children(arrival as u32, |id| children.push(order[id as usize]));
                children.sort_unstable();
                let lies_here = |&child: &usize| child > 0 && parents[child - 1] % child as u32 == at as u32;
                let wanted: Vec<usize> = (0..count).filter(lies_here).collect();
                prop_assert_eq!(children, wanted);
            }
        }
    }

    #[test]
    fn a_node_is_counted_at_its_smallest_path() {
        let mut batch = EntryBatch::new();
        let dir = metadata(Kind::Dir, 0, 0, 2);
        let file = metadata(Kind::File, 10, 7, 3);
        let mut push = |parent: Option<u32>, dir_id: Option<u32>, name: &[u8], meta: &Metadata| {
            batch.push(BatchEntry {
                parent: parent.map(DirId),
                dir: dir_id.map(DirId),
                name,
                kind: meta.kind,
                has_acl: false,
                is_mount: false,
                is_broken: false,
                excluded: None,
                metadata: Some(meta),
            });
        };
        push(None, Some(0), b"", &dir);
        push(Some(0), Some(1), b"z", &dir);
        push(Some(0), Some(2), b"a", &dir);
        push(Some(1), None, b"one", &file);
        push(Some(2), None, b"two", &file);
        push(Some(0), None, b"b", &file);
        let mut growing = Growing::new();
        growing.push(&batch).unwrap();
        let sizes =
            |growing: &Growing| [0, 1, 2, 3, 4, 5].map(|id| growing.entry(id).unwrap().size);
        assert_eq!(sizes(&growing), [10, 10, 0, 10, 0, 0]);
        growing.settle();
        assert_eq!(sizes(&growing), [10, 0, 10, 0, 10, 0]);
    }
}
