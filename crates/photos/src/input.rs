//! A file that somebody wants in the library.

use groma_base::{FileId, Metadata, Timestamp};

/// By what a file is known again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// Device and inode.
    pub id: FileId,
    /// Apparent size, bytes.
    pub size: u64,
    /// When it was last written.
    pub modified: Timestamp,
}

impl From<&Metadata> for Identity {
    fn from(metadata: &Metadata) -> Identity {
        Identity {
            id: metadata.id,
            size: metadata.size,
            modified: metadata.modified,
        }
    }
}

impl Identity {
    /// Whether a file is still the one that was found. Device numbers change from mount to mount and say nothing.
    pub(crate) fn is_of(&self, found: &Metadata) -> bool {
        (self.id.inode, self.size, self.modified) == (found.id.inode, found.size, found.modified)
    }
}

/// A file that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its absolute path, raw bytes.
    pub path: Vec<u8>,
    /// What it was when it was found.
    pub identity: Identity,
    /// When it came to its disk, where that is kept.
    pub created: Option<Timestamp>,
}
