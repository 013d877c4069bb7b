//! Entries on their way from a scan to a catalog, some at a time.

use crate::{Excluded, Kind, Metadata};

/// The number by which entries name the directory they lie in. Whoever scans hands them out, each
/// once, from 0 and without large gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DirId(pub u32);

/// One entry of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchEntry<'a> {
    /// The directory it lies in; `None` for the root of the scan.
    pub parent: Option<DirId>,
    /// The number that its own entries name it by, when it is a directory.
    pub dir: Option<DirId>,
    /// Its name, raw bytes; of the root, empty.
    pub name: &'a [u8],
    /// Its kind, as the directory told it.
    pub kind: Kind,
    /// Whether access control lists are attached to it.
    pub has_acl: bool,
    /// Whether it is a directory on which another file system is mounted.
    pub is_mount: bool,
    /// Whether it is a symbolic link that leads nowhere.
    pub is_broken: bool,
    /// Why it was left out; `None` for an entry that was not.
    pub excluded: Option<Excluded>,
    /// What a stat call told; `None` where that failed.
    pub metadata: Option<&'a Metadata>,
}

/// A number of entries, in any order: an entry may come before the directory it lies in, and in an
/// earlier batch. Names share one buffer, so that a batch which is used again allocates nothing.
#[derive(Debug, Default)]
pub struct EntryBatch {
    names: Vec<u8>,
    records: Vec<Record>,
    unread: Vec<DirId>,
}

#[derive(Debug)]
struct Record {
    parent: Option<DirId>,
    dir: Option<DirId>,
    name_end: usize,
    kind: Kind,
    has_acl: bool,
    is_mount: bool,
    is_broken: bool,
    excluded: Option<Excluded>,
    metadata: Option<Metadata>,
}

impl EntryBatch {
    /// An empty batch.
    pub fn new() -> EntryBatch {
        EntryBatch::default()
    }

    /// Adds one entry.
    pub fn push(&mut self, entry: BatchEntry<'_>) {
        self.names.extend_from_slice(entry.name);
        self.records.push(Record {
            parent: entry.parent,
            dir: entry.dir,
            name_end: self.names.len(),
            kind: entry.kind,
            has_acl: entry.has_acl,
            is_mount: entry.is_mount,
            is_broken: entry.is_broken,
            excluded: entry.excluded,
            metadata: entry.metadata.cloned(),
        });
    }

    /// Notes that the content of a directory could not be read, or not all of it.
    pub fn mark_unread(&mut self, dir: DirId) {
        self.unread.push(dir);
    }

    /// The entries, in the order they were added.
    pub fn entries(&self) -> impl Iterator<Item = BatchEntry<'_>> {
        let mut start = 0;
        self.records.iter().map(move |record| {
            let name = &self.names[start..record.name_end];
            start = record.name_end;
            BatchEntry {
                parent: record.parent,
                dir: record.dir,
                name,
                kind: record.kind,
                has_acl: record.has_acl,
                is_mount: record.is_mount,
                is_broken: record.is_broken,
                excluded: record.excluded,
                metadata: record.metadata.as_ref(),
            }
        })
    }

    /// The directories that could not be read.
    pub fn unread(&self) -> &[DirId] {
        &self.unread
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is nothing to hand on: no entry, and no directory that could not be read.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty() && self.unread.is_empty()
    }

    /// Forgets everything and keeps the buffers.
    pub fn clear(&mut self) {
        self.names.clear();
        self.records.clear();
        self.unread.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &[u8]) -> BatchEntry<'_> {
        BatchEntry {
            parent: Some(DirId(0)),
            dir: None,
            name,
            kind: Kind::File,
            has_acl: false,
            is_mount: false,
            is_broken: false,
            excluded: None,
            metadata: None,
        }
    }

    #[test]
    fn gives_back_what_was_pushed() {
        let mut batch = EntryBatch::new();
        for _ in 0..2 {
            batch.clear();
            assert!(batch.is_empty());
            batch.push(file(b"a"));
            batch.push(file(b"\xff\xfe"));
            batch.mark_unread(DirId(7));
            let got: Vec<_> = batch.entries().collect();
            assert_eq!(got, [file(b"a"), file(b"\xff\xfe")]);
            assert_eq!((batch.len(), batch.unread()), (2, &[DirId(7)][..]));
        }
    }
}
