//! Marked entries, and what deleting them would free.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use groma_base::FileId;
use groma_catalog::{Damage, KindFlags, NumberOf, View, Volume};

/// Rows whose columns are read together.
const STRETCH: u32 = 1 << 14;

/// File systems on which files never share blocks.
const UNSHARED: [&[u8]; 8] = [
    b"ext2", b"ext3", b"ext4", b"tmpfs", b"vfat", b"exfat", b"f2fs", b"ramfs",
];

/// Marked entries, by their absolute paths: they outlast a rescan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks(BTreeSet<Vec<u8>>);

impl Marks {
    /// None.
    pub fn new() -> Marks {
        Marks::default()
    }

    /// Marks an entry, or takes its mark away. Answers whether it is marked now.
    pub fn toggle(&mut self, path: &[u8]) -> bool {
        if self.0.remove(path) {
            return false;
        }
        self.0.insert(path.to_vec())
    }

    /// Whether an entry itself is marked; what it lies in does not matter.
    pub fn contains(&self, path: &[u8]) -> bool {
        self.0.contains(path)
    }

    /// Takes the mark of an entry away.
    pub fn remove(&mut self, path: &[u8]) {
        self.0.remove(path);
    }

    /// Takes all marks away.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The paths, in the order of their bytes.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(Vec::as_slice)
    }

    /// The paths that lie below no other marked path.
    pub(super) fn outermost(&self) -> impl Iterator<Item = &[u8]> {
        self.iter().filter(|path| {
            let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
            let mut above = slashes.map(|(at, _)| &path[..at.max(1)]);
            !above.any(|above| above.len() < path.len() && self.contains(above))
        })
    }

    /// The entries of a view that are marked. Marks that the view has no entry for are passed over.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn ids(&self, view: &View) -> Result<Vec<u32>, Damage> {
        let found = self.iter().map(|path| view.find(path));
        found.filter_map(Result::transpose).collect()
    }
}

/// How many of a node's links are meant, and how many it has on the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// Those that are in the view, or are marked.
    pub here: u64,
    /// All of them, those outside of the scan included.
    pub all: u64,
}

/// Nodes that stay because not all of their links are marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// How many nodes.
    pub nodes: u64,
    /// Allocated bytes of them.
    pub bytes: u64,
    /// Their links: those that are marked, and all.
    pub links: Links,
}

/// What deleting entries would free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Freed {
    /// Allocated bytes, those of directories included.
    pub bytes: u64,
    /// Entries, each once however many marks it lies below.
    pub entries: u64,
    /// What stays although some of its links go.
    pub kept: Kept,
    /// Entries whose size is not known.
    pub unknown: u64,
    /// Whether less may be freed: the file system lets files share blocks, and was not asked.
    pub is_most: bool,
}

/// What a directory holds alone, and what other places hold as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// Allocated bytes of nodes all of whose links lie below the directory, and of directories.
    pub unique: u64,
    /// Allocated bytes of nodes that have links elsewhere as well.
    pub shared: u64,
}

/// What deleting these entries, and all that lies below them, would free. A node with several links
/// counts when every one of them goes, those outside of the scan included.
///
/// # Errors
/// [`Damage`] met on the way.
pub fn freed(view: &View, marked: &[u32]) -> Result<Freed, Damage> {
    let volumes = view.volumes()?;
    let mut sum = Sum {
        view,
        shares: volumes.iter().map(may_share).collect(),
        volumes,
        freed: Freed::default(),
        nodes: Nodes::default(),
    };
    for places in union(view, marked)? {
        for piece in view.between(places) {
            sum.add_ids(piece.ids)?;
        }
    }
    let (bytes, kept) = sum.nodes.settle();
    let mut freed = sum.freed;
    freed.bytes = freed.bytes.saturating_add(bytes);
    freed.kept = kept;
    Ok(freed)
}

/// What a directory holds alone, and what it shares with other places. Of a file, the same of it.
///
/// # Errors
/// [`Damage`] met on the way.
pub fn shared(view: &View, dir: u32) -> Result<Shared, Damage> {
    let freed = freed(view, &[dir])?;
    Ok(Shared {
        unique: freed.bytes,
        shared: freed.kept.bytes,
    })
}

/// How many of an entry's links are in the view, and how many its node has; one and one for a
/// directory.
///
/// # Errors
/// [`Damage`] when there is no such entry.
pub fn links(view: &View, id: u32) -> Result<Links, Damage> {
    let here = view.linked(id)?.len().max(1) as u64;
    let all = match view.kind(id)?.is_dir() {
        true => None,
        false => view.metadata(id)?,
    };
    Ok(Links {
        here,
        all: all.map_or(1, |metadata| metadata.links).max(here),
    })
}

/// Places of marked entries and what lies below them, each once.
fn union(view: &View, marked: &[u32]) -> Result<Vec<Range<u32>>, Damage> {
    let ranges = marked.iter().map(|&id| view.subtree(id));
    let mut ranges: Vec<Range<u32>> = ranges.collect::<Result<_, _>>()?;
    ranges.retain(|range| !range.is_empty());
    // Subtrees lie within one another or apart.
    ranges.sort_unstable_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut end = 0;
    ranges.retain(|range| {
        let is_apart = range.start >= end;
        end = end.max(range.end);
        is_apart
    });
    Ok(ranges)
}

fn may_share(volume: &Volume) -> bool {
    let name = volume.file_system.split(|&b| b == 0).next();
    !name.is_some_and(|name| UNSHARED.contains(&name))
}

/// Nodes with several links, some of which go.
#[derive(Debug, Default)]
pub(super) struct Nodes(HashMap<FileId, Node>);

#[derive(Debug)]
struct Node {
    bytes: u64,
    links: Links,
}

impl Nodes {
    /// One more link of a node goes.
    pub(super) fn add(&mut self, id: FileId, all: u64, bytes: u64) {
        let links = Links { here: 0, all };
        let node = self.0.entry(id).or_insert(Node { bytes, links });
        node.links.here += 1;
        // Metadata of the links may have been read at different times.
        node.links.all = node.links.all.max(all);
        node.bytes = node.bytes.max(bytes);
    }

    /// Bytes of the nodes all of whose links go, and what the others are.
    pub(super) fn settle(&self) -> (u64, Kept) {
        let (mut bytes, mut kept) = (0u64, Kept::default());
        for node in self.0.values() {
            if node.links.here >= node.links.all {
                bytes = bytes.saturating_add(node.bytes);
                continue;
            }
            kept.nodes += 1;
            kept.bytes = kept.bytes.saturating_add(node.bytes);
            kept.links.here += node.links.here;
            kept.links.all = kept.links.all.saturating_add(node.links.all);
        }
        (bytes, kept)
    }
}

/// A sum that grows.
struct Sum<'v> {
    view: &'v View,
    volumes: Vec<Volume>,
    /// Which of these have files that may share blocks.
    shares: Vec<bool>,
    freed: Freed,
    nodes: Nodes,
}

/// Columns of some rows.
#[derive(Default)]
struct Columns {
    kinds: Vec<KindFlags>,
    allocated: Vec<u64>,
    links: Vec<u64>,
    inodes: Vec<u64>,
    volumes: Vec<u64>,
}

impl Sum<'_> {
    fn add_ids(&mut self, ids: Range<u32>) -> Result<(), Damage> {
        let rows = self.view.segment().rows();
        let mut columns = Columns::default();
        let mut start = ids.start;
        while start < ids.end.min(rows) {
            let end = ids.end.min(rows).min(start.saturating_add(STRETCH));
            columns.read(self.view, start..end)?;
            self.add_rows(&columns);
            start = end;
        }
        for id in start..ids.end {
            self.add_one(id)?;
        }
        Ok(())
    }

    fn add_rows(&mut self, columns: &Columns) {
        self.freed.entries += columns.kinds.len() as u64;
        for (at, kind) in columns.kinds.iter().enumerate() {
            if kind.has(KindFlags::NO_METADATA) {
                self.freed.unknown += 1;
                continue;
            }
            let allocated = columns.allocated[at];
            let volume = usize::try_from(columns.volumes[at]).unwrap_or(usize::MAX);
            let is_linked = columns.links[at] > 1 && !kind.is_dir();
            if !kind.is_dir() && allocated > 0 {
                self.freed.is_most |= self.shares.get(volume).is_none_or(|&shares| shares);
            }
            if is_linked {
                let device = self.volumes.get(volume).map_or(0, |volume| volume.device);
                let inode = columns.inodes[at];
                let id = FileId { device, inode };
                self.nodes.add(id, columns.links[at], allocated);
            } else {
                self.freed.bytes = self.freed.bytes.saturating_add(allocated);
            }
        }
    }

    /// An entry of the delta.
    fn add_one(&mut self, id: u32) -> Result<(), Damage> {
        self.freed.entries += 1;
        let Some(metadata) = self.view.metadata(id)? else {
            self.freed.unknown += 1;
            return Ok(());
        };
        let is_dir = self.view.kind(id)?.is_dir();
        if !is_dir && metadata.allocated > 0 {
            let device = metadata.id.device;
            let volume = self.volumes.iter().position(|v| v.device == device);
            self.freed.is_most |= volume.is_none_or(|volume| self.shares[volume]);
        }
        if metadata.links > 1 && !is_dir {
            self.nodes
                .add(metadata.id, metadata.links, metadata.allocated);
        } else {
            self.freed.bytes = self.freed.bytes.saturating_add(metadata.allocated);
        }
        Ok(())
    }
}

impl Columns {
    fn read(&mut self, view: &View, rows: Range<u32>) -> Result<(), Damage> {
        self.kinds.clear();
        let numbers = [
            &mut self.allocated,
            &mut self.links,
            &mut self.inodes,
            &mut self.volumes,
        ];
        numbers.into_iter().for_each(Vec::clear);
        let stretch = view.segment().stretch(rows)?;
        stretch.kinds(&mut self.kinds)?;
        stretch.allocated(&mut self.allocated)?;
        stretch.numbers(NumberOf::Links, &mut self.links)?;
        stretch.numbers(NumberOf::Volume, &mut self.volumes)?;
        stretch.numbers(NumberOf::Inode, &mut self.inodes)
    }
}
