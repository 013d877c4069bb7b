//! Why an entry was left out of a scan that says so.

/// Why an entry was left out: nothing is known of it but that it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Excluded {
    /// A pattern said so.
    Pattern,
    /// It lies on another file system.
    OtherFileSystem,
    /// The kernel makes it up.
    Pseudo,
    /// It is a firmlink of macOS, which would count its target twice.
    Firmlink,
}

impl Excluded {
    /// All of them, in the order of their codes in catalogs.
    pub const ALL: [Excluded; 4] = [
        Excluded::Pattern,
        Excluded::OtherFileSystem,
        Excluded::Pseudo,
        Excluded::Firmlink,
    ];
}
