//! A tree as a map from paths to entries: the simplest thing that a view can be compared with.

use std::collections::BTreeMap;
use std::io::Cursor;

use groma_base::{BatchEntry, CancelToken, DirId, EntryBatch, Kind, Metadata, folded};
use groma_catalog::{About, Builder, Put};

use crate::model::{about, volume};

/// Components of a path in the order of names: (folded, raw).
pub(crate) type Key = Vec<(Vec<u8>, Vec<u8>)>;

/// What is known of one entry.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    pub(crate) has_acl: bool,
    pub(crate) is_mount: bool,
    pub(crate) is_broken: bool,
    pub(crate) is_unread: bool,
    pub(crate) metadata: Option<Metadata>,
}

/// All entries by path; the root has the empty one.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) entries: BTreeMap<Key, Entry>,
    pub(crate) about: About,
}

/// The key of an entry in a directory.
pub(crate) fn join(dir: &Key, name: &[u8]) -> Key {
    let mut key = dir.clone();
    key.push((folded(name), name.to_vec()));
    key
}

/// The raw path below the root.
pub(crate) fn path(key: &Key) -> Vec<u8> {
    let names: Vec<&[u8]> = key.iter().map(|(_, raw)| &raw[..]).collect();
    names.join(&b'/')
}

impl Entry {
    pub(crate) fn new(kind: Kind, metadata: Option<Metadata>) -> Entry {
        Entry {
            kind,
            has_acl: false,
            is_mount: false,
            is_broken: false,
            is_unread: false,
            metadata,
        }
    }

    pub(crate) fn put(&self) -> Put<'_> {
        Put {
            kind: self.kind,
            has_acl: self.has_acl,
            is_mount: self.is_mount,
            is_broken: self.is_broken,
            metadata: self.metadata.as_ref(),
        }
    }
}

impl Tree {
    /// A root and nothing else.
    pub(crate) fn new() -> Tree {
        let metadata = crate::model::metadata(Kind::Dir, 1);
        Tree {
            entries: BTreeMap::from([(Key::new(), Entry::new(Kind::Dir, Some(metadata)))]),
            about: about(),
        }
    }

    pub(crate) fn keys(&self) -> Vec<Key> {
        self.entries.keys().cloned().collect()
    }

    pub(crate) fn dirs(&self) -> Vec<Key> {
        let dirs = self.entries.iter().filter(|(_, e)| e.kind == Kind::Dir);
        dirs.map(|(key, _)| key.clone()).collect()
    }

    /// As [`groma_catalog::Delta::put`].
    pub(crate) fn put(&mut self, dir: &Key, name: &[u8], mut entry: Entry) {
        let key = join(dir, name);
        match self.entries.get(&key) {
            Some(old) if old.kind == Kind::Dir && entry.kind == Kind::Dir => {
                entry.is_unread = old.is_unread;
            }
            _ => self.remove(&key),
        }
        self.entries.insert(key, entry);
    }

    /// New facts of the root.
    pub(crate) fn put_top(&mut self, mut entry: Entry) {
        entry.is_unread = self.entries[&Key::new()].is_unread;
        self.entries.insert(Key::new(), entry);
    }

    pub(crate) fn remove(&mut self, key: &Key) {
        self.entries.retain(|other, _| !other.starts_with(key));
    }

    /// Moves what lies at `from`; the caller makes sure that it does not go into itself.
    pub(crate) fn rename(&mut self, from: &Key, dir: &Key, name: &[u8]) {
        let to = join(dir, name);
        if to == *from {
            return;
        }
        let moved = self.below(from);
        self.remove(&to);
        self.remove(from);
        for (key, entry) in moved {
            let key = [&to[..], &key[from.len()..]].concat();
            self.entries.insert(key, entry);
        }
    }

    fn below(&self, key: &Key) -> Vec<(Key, Entry)> {
        let below = self.entries.iter().filter(|(k, _)| k.starts_with(key));
        below.map(|(k, e)| (k.clone(), e.clone())).collect()
    }

    /// The bytes of a segment that is built from the entries.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        seal(self.builder(), &self.about)
    }

    pub(crate) fn builder(&self) -> Builder {
        let keys = self.keys();
        let id = |key: &[(Vec<u8>, Vec<u8>)]| {
            let place = keys.binary_search_by(|other| other[..].cmp(key)).unwrap();
            DirId(u32::try_from(place).unwrap())
        };
        let mut batch = EntryBatch::new();
        for (key, entry) in &self.entries {
            let (name, parent) = match key.split_last() {
                Some((name, above)) => (&name.1[..], Some(id(above))),
                None => (&b""[..], None),
            };
            let is_dir = entry.kind == Kind::Dir;
            batch.push(BatchEntry {
                parent,
                dir: is_dir.then(|| id(key)),
                name,
                kind: entry.kind,
                has_acl: entry.has_acl,
                is_mount: entry.is_mount,
                is_broken: entry.is_broken,
                excluded: None,
                metadata: entry.metadata.as_ref(),
            });
            if entry.is_unread {
                batch.mark_unread(id(key));
            }
        }
        let mut builder = Builder::new();
        builder.push(&batch).unwrap();
        builder
    }
}

pub(crate) fn seal(builder: Builder, about: &About) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    builder
        .seal(&mut out, about, volume, &CancelToken::new())
        .unwrap();
    out.into_inner()
}
