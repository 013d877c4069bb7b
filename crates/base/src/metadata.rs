//! One node's metadata, as a stat call gives it.

use crate::{Kind, Timestamp};

/// The identity of a node: entries with equal ids are hard links of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId {
    /// Device number of the file system; changes from mount to mount.
    pub device: u64,
    /// Inode number within that file system.
    pub inode: u64,
}

/// What a stat call tells about one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// Kind, from the type bits of `mode`.
    pub kind: Kind,
    /// Device and inode.
    pub id: FileId,
    /// Full Unix mode, type bits included.
    pub mode: u32,
    /// Number of hard links.
    pub links: u64,
    /// Owning user.
    pub uid: u32,
    /// Owning group.
    pub gid: u32,
    /// Apparent size in bytes.
    pub size: u64,
    /// Bytes taken on disk (512-byte blocks times 512).
    pub allocated: u64,
    /// Device number that a device node stands for, as (major, minor).
    pub special: (u32, u32),
    /// Last access.
    pub accessed: Timestamp,
    /// Last change of content.
    pub modified: Timestamp,
    /// Last change of the node itself (ctime).
    pub changed: Timestamp,
    /// Birth time, where the file system keeps it.
    pub created: Option<Timestamp>,
}

impl Metadata {
    /// Whether any execute bit is set.
    pub fn any_execute_bit(&self) -> bool {
        self.mode & 0o111 != 0
    }
}
