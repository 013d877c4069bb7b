//! The tree that the paths of a list make, with the directories that it does not name itself.

use std::collections::HashMap;

use groma_base::{BatchEntry, DirId, EntryBatch, Kind, Metadata};
use groma_catalog::{BuildError, Builder, MAX_ROWS};

/// Entries of one batch on the way to the builder.
const BATCH: usize = 4096;

/// Nodes below one root. It grows with the list; a list may come in any order.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    names: Vec<u8>,
    metadata: Vec<Metadata>,
    /// By directory and name.
    numbers: HashMap<(u32, Box<[u8]>), u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    is_dir: bool,
    name: (usize, usize),
    /// One more than the place of its metadata; 0 where there are none.
    metadata: u32,
}

impl Default for Tree {
    fn default() -> Tree {
        let root = Node {
            parent: 0,
            is_dir: true,
            name: (0, 0),
            metadata: 0,
        };
        Tree {
            nodes: vec![root],
            names: Vec::new(),
            metadata: Vec::new(),
            numbers: HashMap::new(),
        }
    }
}

impl Tree {
    /// Adds an entry, and the directories that it lies in. Of an entry that comes twice, the later
    /// metadata count. `false`: there are more entries than a segment holds.
    pub(super) fn add<'p>(
        &mut self,
        components: impl Iterator<Item = &'p [u8]>,
        is_dir: bool,
        metadata: Option<Metadata>,
    ) -> bool {
        let mut at = 0;
        for name in components {
            if self.nodes.len() >= MAX_ROWS as usize {
                return false;
            }
            self.nodes[at as usize].is_dir = true;
            at = self.child(at, name);
        }
        let node = &mut self.nodes[at as usize];
        node.is_dir |= is_dir;
        if let Some(metadata) = metadata {
            if node.metadata == 0 {
                self.metadata.push(metadata);
                // There are at most as many as nodes.
                node.metadata = u32::try_from(self.metadata.len()).unwrap_or(0);
            } else {
                self.metadata[node.metadata as usize - 1] = metadata;
            }
        }
        true
    }

    fn child(&mut self, parent: u32, name: &[u8]) -> u32 {
        let next = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let (nodes, names) = (&mut self.nodes, &mut self.names);
        let new = || {
            let start = names.len();
            names.extend_from_slice(name);
            nodes.push(Node {
                parent,
                is_dir: false,
                name: (start, names.len()),
                metadata: 0,
            });
            next
        };
        *self
            .numbers
            .entry((parent, name.into()))
            .or_insert_with(new)
    }

    /// All entries, ready to be sealed.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub(super) fn into_builder(mut self) -> Result<Builder, BuildError> {
        self.numbers = HashMap::new();
        let dirs = self.dir_numbers();
        let mut builder = Builder::new();
        let mut batch = EntryBatch::new();
        for (number, node) in self.nodes.iter().enumerate() {
            batch.push(self.entry(number, node, &dirs));
            if batch.len() == BATCH {
                builder.push(&batch)?;
                batch.clear();
            }
        }
        builder.push(&batch)?;
        Ok(builder)
    }

    /// Per node: its number among the directories.
    fn dir_numbers(&mut self) -> Vec<u32> {
        let mut next = 0;
        let number = |node: &Node| {
            let number = next;
            next += u32::from(node.is_dir);
            number
        };
        let numbers = self.nodes.iter().map(number).collect();
        for node in self.nodes.iter().filter(|node| node.is_dir) {
            if let Some(at) = (node.metadata as usize).checked_sub(1) {
                let metadata = &mut self.metadata[at];
                if metadata.kind != Kind::Dir {
                    // Entries lie in it, whatever its line says.
                    metadata.kind = Kind::Dir;
                    metadata.mode = 0o040_111 | metadata.mode & 0o7777;
                    (metadata.size, metadata.allocated) = (0, 0);
                }
            }
        }
        numbers
    }

    fn entry(&self, number: usize, node: &Node, dirs: &[u32]) -> BatchEntry<'_> {
        let metadata = (node.metadata as usize).checked_sub(1);
        let metadata = metadata.and_then(|at| self.metadata.get(at));
        let kind = match (node.is_dir, metadata) {
            (true, _) => Kind::Dir,
            (false, Some(metadata)) => metadata.kind,
            // A bare path may be a directory of which nothing else is listed.
            (false, None) => Kind::Unknown,
        };
        BatchEntry {
            parent: (number > 0).then(|| DirId(dirs[node.parent as usize])),
            dir: node.is_dir.then(|| DirId(dirs[number])),
            name: &self.names[node.name.0..node.name.1],
            kind,
            has_acl: false,
            is_mount: false,
            is_broken: false,
            excluded: None,
            metadata,
        }
    }
}
