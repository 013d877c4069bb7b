//! One change, as it is asked for and as it is logged.

use groma_base::{Kind, Metadata, Timestamp};

use crate::about::Volume;

/// What is known of an entry that is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Put<'a> {
    /// Its kind, as the directory told it.
    pub kind: Kind,
    /// Whether access control lists are attached to it.
    pub has_acl: bool,
    /// Whether it is a directory on which another file system is mounted.
    pub is_mount: bool,
    /// Whether it is a symbolic link that leads nowhere.
    pub is_broken: bool,
    /// What a stat call told; `None` where that failed.
    pub metadata: Option<&'a Metadata>,
}

/// A change of a tree. Entries are told by their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// An entry that is new, or stands for what had its name. `parent`: `None` for the root.
    Put {
        parent: Option<u32>,
        name: Vec<u8>,
        kind: Kind,
        has_acl: bool,
        is_mount: bool,
        is_broken: bool,
        metadata: Option<Box<Metadata>>,
    },
    /// An entry is gone, and all that lay below it.
    Remove { id: u32 },
    /// An entry is elsewhere, with all that lies below it.
    Move { id: u32, parent: u32, name: Vec<u8> },
    /// Whether a directory's content could not be read.
    Unread { id: u32, unread: bool },
    /// A file system that entries put from now on may lie in.
    Volume(Volume),
    /// When the scan that found the changes began and ended.
    Scanned { begun: Timestamp, ended: Timestamp },
}
