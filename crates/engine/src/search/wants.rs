//! Which columns of the catalog a listing reads.

/// A set of columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wants(u32);

impl Wants {
    /// Nothing beyond kind and flags, which are always read.
    pub(crate) const NONE: Wants = Wants(0);
    pub(crate) const NAME: Wants = Wants(1);
    /// The path, and with it depth and name.
    pub(crate) const PATH: Wants = Wants(1 << 1 | 1);
    pub(crate) const SIZE: Wants = Wants(1 << 2);
    pub(crate) const ALLOCATED: Wants = Wants(1 << 3);
    pub(crate) const MODIFIED: Wants = Wants(1 << 4);
    pub(crate) const ACCESSED: Wants = Wants(1 << 5);
    pub(crate) const CHANGED: Wants = Wants(1 << 6);
    pub(crate) const CREATED: Wants = Wants(1 << 7);
    pub(crate) const INODE: Wants = Wants(1 << 8);
    pub(crate) const LINKS: Wants = Wants(1 << 9);
    pub(crate) const MODE: Wants = Wants(1 << 10);
    pub(crate) const OWNER: Wants = Wants(1 << 11);
    /// Device numbers.
    pub(crate) const VOLUME: Wants = Wants(1 << 12);
    /// All that a stat call tells.
    pub(crate) const METADATA: Wants = Wants(0b111_1111_1111 << 2);
    /// Entries directly in a directory, by kind.
    pub(crate) const COUNTS: Wants = Wants(1 << 13);
    /// Sums of a directory's subtree.
    pub(crate) const TOTALS: Wants = Wants(1 << 14);
    /// Flags that are asked of the entry as queries ask them.
    pub(crate) const FLAGS: Wants = Wants(1 << 15);

    /// The file system in words.
    pub(crate) const VOLUME_NAME: Wants = Wants(1 << 16);
    /// What is asked of each entry by itself.
    pub(crate) const ASKED: Wants = Wants::COUNTS
        .and(Wants::TOTALS)
        .and(Wants::FLAGS)
        .and(Wants::VOLUME_NAME);

    pub(crate) const fn and(self, other: Wants) -> Wants {
        Wants(self.0 | other.0)
    }

    /// Those of these that `other` has too.
    pub(crate) const fn only(self, other: Wants) -> Wants {
        Wants(self.0 & other.0)
    }

    /// Whether all of `other` are wanted.
    pub(crate) const fn has(self, other: Wants) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether one of `other` is wanted.
    pub(crate) const fn has_any(self, other: Wants) -> bool {
        self.0 & other.0 != 0
    }
}
