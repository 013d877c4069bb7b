//! What a delta holds: entries of its own, entries that went elsewhere, what directories lost and
//! gained.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use groma_base::{Metadata, Timestamp, folded};

use crate::about::Volume;
use crate::kinds::KindFlags;

/// All changes since a segment, without those that later ones have undone.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// Entries of the delta; the first has the id after the last row of the segment.
    pub(crate) rows: Vec<Row>,
    /// Rows of the segment that were moved or renamed, with all that lies below them.
    pub(crate) moved: HashMap<u32, Link>,
    /// Rows of the segment, directories, that an entry of the delta stands for.
    pub(crate) replaced: HashMap<u32, u32>,
    /// What directories lost and gained, by their key: see [`super::Shown::key`].
    pub(crate) dirs: BTreeMap<u32, Changed>,
    /// Rows of the segment, directories, that were marked as read or not.
    pub(crate) unread: HashMap<u32, bool>,
    /// The root, where it is an entry of the delta.
    pub(crate) top: Option<u32>,
    /// File systems that the segment does not know.
    pub(crate) volumes: Vec<Volume>,
    /// Begin and end of the scan that found the last changes.
    pub(crate) scanned: Option<(Timestamp, Timestamp)>,
}

/// An entry of the delta.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) link: Link,
    /// Without what only a whole view knows: whether the node has other entries.
    pub(crate) kind: KindFlags,
    pub(crate) metadata: Option<Arc<Metadata>>,
    /// The row of the segment that it stands for: what lies below that lies below this.
    pub(crate) base: Option<u32>,
}

/// Where an entry is.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    /// The directory; `None` for the root.
    pub(crate) parent: Option<u32>,
    pub(crate) name: Arc<[u8]>,
    /// `false` once it was removed, or something else has taken its place.
    pub(crate) is_attached: bool,
}

/// What a directory lost and gained.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changed {
    /// Rows of the segment that it has no more, each with the row after the last one below it.
    pub(crate) gone: BTreeMap<u32, u32>,
    /// Entries that it has in addition.
    pub(crate) added: BTreeMap<Name, Added>,
}

/// An entry that a directory has in addition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Added {
    pub(crate) id: u32,
    /// The row of the segment that its name comes before, when the directory is one of the segment.
    pub(crate) before: u32,
}

impl Changed {
    /// Whether a row of the segment is not in this directory any more.
    pub(crate) fn lost(&self, row: u32) -> bool {
        self.gone.contains_key(&row)
    }

    /// The entries that it has in addition, by name.
    pub(crate) fn added_ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.added.values().map(|added| added.id)
    }
}

/// A name in the order of names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name {
    pub(crate) folded: Vec<u8>,
    pub(crate) raw: Arc<[u8]>,
}

impl Name {
    pub(crate) fn new(raw: &[u8]) -> Name {
        Name {
            folded: folded(raw),
            raw: raw.into(),
        }
    }
}

impl State {
    /// Whether nothing differs from the segment.
    pub(crate) fn is_unchanged(&self) -> bool {
        let untouched = self.rows.is_empty() && self.moved.is_empty() && self.unread.is_empty();
        untouched && self.dirs.values().all(|dir| dir.gone.is_empty())
    }
}
