//! One entry's facts, fetched when somebody asks.

use std::borrow::Cow;

use crate::{Kind, Metadata};

/// What can be asked of one entry. The query language is evaluated on this, row by row: a live
/// entry asks the disk only for what a query names, a stored one looks it up.
///
/// `None` means "cannot be known" (the entry vanished, access is refused): a comparison with an
/// unknown value does not match.
pub trait Facts {
    /// The name: last component of the path, raw bytes.
    fn name(&self) -> &[u8];

    /// The path as the user sees it, without a trailing `/`.
    fn path(&self) -> Cow<'_, [u8]>;

    /// The absolute path, `/` as separator.
    fn absolute_path(&self) -> Cow<'_, [u8]>;

    /// The root this entry was found under, as the user gave it.
    fn root(&self) -> Cow<'_, [u8]>;

    /// The kind; a link that is being followed has the kind of its target.
    fn kind(&self) -> Kind;

    /// Distance from the root; an entry directly in the root has depth 1.
    fn depth(&self) -> u32;

    /// Metadata of the entry.
    fn metadata(&self) -> Option<&Metadata>;

    /// Whether a file has no bytes or a directory no entries; other kinds are not empty.
    fn is_empty(&self) -> Option<bool>;

    /// Number of entries (files, directories) directly in this directory; `None` for anything else.
    fn child_counts(&self) -> Option<ChildCounts>;

    /// Whether this is a symbolic link that leads nowhere.
    fn is_broken_link(&self) -> Option<bool>;

    /// Whether the entry is a directory on which another file system is mounted.
    fn is_mount_point(&self) -> Option<bool>;

    /// Whether the process may execute this file.
    fn is_executable(&self) -> Option<bool>;

    /// What lies below this directory at any depth; `None` for anything else, and where nobody has
    /// added it up.
    fn subtree_totals(&self) -> Option<SubtreeTotals> {
        None
    }

    /// Whether another entry has the same name, among all that were scanned with this one.
    fn shares_name(&self) -> Option<bool> {
        None
    }

    /// Whether something of this entry could not be read when it was scanned: its metadata, or
    /// what lies in it.
    fn was_unreadable(&self) -> Option<bool> {
        None
    }

    /// The file system it lies on, as words with spaces between them.
    fn volume(&self) -> Option<Cow<'_, [u8]>> {
        None
    }

    /// The file attributes of Windows, as bits; 0 on a file system that has no such thing.
    fn windows_attributes(&self) -> Option<u32> {
        None
    }
}

/// Sums over all that lies below a directory, hard links once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubtreeTotals {
    /// Entries.
    pub items: u64,
    /// Apparent size, bytes.
    pub size: u64,
    /// Allocated size, bytes.
    pub allocated: u64,
}

/// How many entries lie directly in a directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChildCounts {
    /// Everything that is not a directory.
    pub files: u64,
    /// Directories.
    pub dirs: u64,
}
