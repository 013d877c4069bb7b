//! What hits are sorted by.

use groma_base::{Facts, Timestamp, compare_paths, folded};

use super::entry::LiveEntry;

/// In which order hits are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As they are found; a short result in the order of paths.
    Arrival,
    /// By path.
    Path,
    /// By a field, then by path.
    By(SortField),
    /// Nearest the root first, then by path.
    Breadth,
}

/// A field to sort by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortField {
    /// The path, component by component.
    Path,
    /// The name: folded, then raw.
    Name,
    /// Apparent size, smallest first.
    Size,
    /// Last change of content, oldest first.
    Modified,
    /// Birth, oldest first.
    Created,
}

/// The value of a sort field. What is not known comes first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    None,
    Number(u64),
    Time(Timestamp),
    Name(Vec<u8>, Vec<u8>),
    Path(PathKey),
}

/// A path in the order of paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathKey(Vec<u8>);

impl Ord for PathKey {
    fn cmp(&self, other: &PathKey) -> std::cmp::Ordering {
        compare_paths(&self.0, &other.0)
    }
}

impl PartialOrd for PathKey {
    fn partial_cmp(&self, other: &PathKey) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl SortField {
    pub(crate) fn key(self, entry: &LiveEntry<'_>) -> Key {
        let meta = || entry.metadata();
        match self {
            SortField::Path => Key::Path(PathKey(entry.path().into_owned())),
            SortField::Name => Key::Name(folded(entry.name()), entry.name().to_vec()),
            SortField::Size => meta().map_or(Key::None, |meta| Key::Number(meta.size)),
            SortField::Modified => meta().map_or(Key::None, |meta| Key::Time(meta.modified)),
            SortField::Created => meta().and_then(|m| m.created).map_or(Key::None, Key::Time),
        }
    }
}
