//! A tree in memory, and the segment that is built from it.

use std::collections::HashSet;
use std::io::Cursor;

use groma_base::{
    BatchEntry, CancelToken, DirId, EntryBatch, FileId, Kind, Metadata, Timestamp, compare_names,
};
use groma_catalog::{About, BuildError, Builder, Sealed, Segment, Volume};

/// One entry; its place in the model's list is its identity.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) parent: Option<usize>,
    pub(crate) name: Vec<u8>,
    pub(crate) kind: Kind,
    pub(crate) metadata: Option<Metadata>,
}

/// A tree: entry 0 is the root, and a parent stands before its entries.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) nodes: Vec<Node>,
    names: HashSet<(usize, Vec<u8>)>,
}

impl Model {
    pub(crate) fn new() -> Model {
        let root = Node {
            parent: None,
            name: Vec::new(),
            kind: Kind::Dir,
            metadata: Some(metadata(Kind::Dir, 1)),
        };
        Model {
            nodes: vec![root],
            names: HashSet::new(),
        }
    }

    /// Adds an entry unless the directory has one of this name.
    pub(crate) fn add(
        &mut self,
        parent: usize,
        name: &[u8],
        kind: Kind,
        metadata: Option<Metadata>,
    ) -> usize {
        if self.names.insert((parent, name.to_vec())) {
            self.nodes.push(Node {
                parent: Some(parent),
                name: name.to_vec(),
                kind,
                metadata,
            });
        }
        self.nodes.len() - 1
    }

    pub(crate) fn file(&mut self, parent: usize, name: &str, inode: u64) -> usize {
        let metadata = metadata(Kind::File, inode);
        self.add(parent, name.as_bytes(), Kind::File, Some(metadata))
    }

    pub(crate) fn dir(&mut self, parent: usize, name: &str, inode: u64) -> usize {
        let metadata = metadata(Kind::Dir, inode);
        self.add(parent, name.as_bytes(), Kind::Dir, Some(metadata))
    }

    /// The entries' places in the order of their paths.
    pub(crate) fn sorted(&self) -> Vec<usize> {
        let ways: Vec<Vec<usize>> = (0..self.nodes.len()).map(|at| self.way(at)).collect();
        let names = |at: &usize| &self.nodes[*at].name;
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by(|&a, &b| {
            let pairs = ways[a].iter().zip(&ways[b]);
            let first = pairs
                .map(|(x, y)| compare_names(names(x), names(y)))
                .find(|order| order.is_ne());
            first.unwrap_or(ways[a].len().cmp(&ways[b].len()))
        });
        order
    }

    /// The entries from below the root down to this one.
    pub(crate) fn way(&self, mut at: usize) -> Vec<usize> {
        let mut way = Vec::new();
        while let Some(parent) = self.nodes[at].parent {
            way.push(at);
            at = parent;
        }
        way.reverse();
        way
    }

    pub(crate) fn path_below(&self, at: usize) -> Vec<u8> {
        let names: Vec<&[u8]> = self
            .way(at)
            .iter()
            .map(|&n| &self.nodes[n].name[..])
            .collect();
        names.join(&b'/')
    }

    pub(crate) fn entry(&self, at: usize) -> BatchEntry<'_> {
        let node = &self.nodes[at];
        let id = |at: usize| DirId(u32::try_from(at).unwrap());
        BatchEntry {
            parent: node.parent.map(id),
            dir: (node.kind == Kind::Dir).then(|| id(at)),
            name: &node.name,
            kind: node.kind,
            has_acl: at % 5 == 1,
            is_mount: at % 7 == 1,
            is_broken: false,
            excluded: None,
            metadata: node.metadata.as_ref(),
        }
    }

    /// The segment's bytes when entries come in this order, three to a batch.
    pub(crate) fn bytes_in(&self, order: &[usize]) -> (Vec<u8>, Sealed) {
        let mut builder = Builder::new();
        for part in order.chunks(3) {
            let mut batch = EntryBatch::new();
            part.iter().for_each(|&at| batch.push(self.entry(at)));
            builder.push(&batch).unwrap();
        }
        seal(builder).unwrap()
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let order: Vec<usize> = (0..self.nodes.len()).collect();
        self.bytes_in(&order).0
    }

    pub(crate) fn segment(&self) -> Segment {
        Segment::from_bytes(self.bytes()).unwrap()
    }
}

pub(crate) fn seal(builder: Builder) -> Result<(Vec<u8>, Sealed), BuildError> {
    let mut out = Cursor::new(Vec::new());
    let sealed = builder.seal(&mut out, &about(), volume, &CancelToken::new())?;
    assert_eq!(out.get_ref().len() as u64, sealed.length);
    Ok((out.into_inner(), sealed))
}

pub(crate) fn about() -> About {
    About {
        root: b"/data".to_vec(),
        source: b"walk".to_vec(),
        begun: Timestamp::from_seconds(1_700_000_000),
        ended: Timestamp::from_seconds(1_700_000_060),
    }
}

pub(crate) fn volume(device: u64) -> Volume {
    Volume {
        device,
        subvolume: device * 10,
        uuid: [7; 16],
        file_system: *b"ext4\0\0\0\0\0\0\0\0\0\0\0\0",
    }
}

/// Plausible metadata that differs from inode to inode.
pub(crate) fn metadata(kind: Kind, inode: u64) -> Metadata {
    let time = |n: u64| Timestamp {
        seconds: 1_700_000_000 + i64::try_from(n % 100_000).unwrap(),
        nanoseconds: u32::try_from(n.wrapping_mul(7_919) % 1_000_000_000).unwrap(),
    };
    let bits = match kind {
        Kind::Dir => 0o040_755,
        Kind::Symlink => 0o120_777,
        _ => 0o100_644,
    };
    Metadata {
        kind,
        id: FileId { device: 42, inode },
        mode: bits,
        links: 1,
        uid: 1000,
        gid: u32::try_from(inode % 3).unwrap(),
        size: inode * 100,
        allocated: (inode * 100).next_multiple_of(4096),
        special: (0, 0),
        accessed: time(inode + 1),
        modified: time(inode + 2),
        changed: time(inode + 3),
        created: (!inode.is_multiple_of(4)).then(|| time(inode + 4)),
    }
}
