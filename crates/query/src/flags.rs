//! The flags that `is:` knows.

use crate::fields::same_word;

/// A property that an entry has or has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the table below says what each is")]
pub enum Flag {
    File,
    Dir,
    Symlink,
    Hidden,
    Readonly,
    Executable,
    Empty,
    Broken,
    Mount,
    Hardlinked,
    Sparse,
    Dupe,
    Error,
    System,
    Archive,
    Compressed,
    Encrypted,
    Reparse,
    Offline,
    Temporary,
    NotIndexed,
    Integrity,
    NoScrub,
    Pinned,
    Unpinned,
    RecallOnOpen,
    RecallOnAccess,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct FlagInfo {
    /// The flag.
    pub flag: Flag,
    /// Its name.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// Whether only a catalog can answer, not a live entry.
    pub catalog_only: bool,
    /// What it is, in one line.
    pub help: &'static str,
}

impl Flag {
    /// Its name.
    pub fn name(self) -> &'static str {
        FLAGS
            .iter()
            .find(|row| row.flag == self)
            .map_or("", |row| row.name)
    }
}

impl Flag {
    /// The bit of Windows' file attributes that the flag stands for, if it does.
    pub fn windows_attribute(self) -> Option<u32> {
        Some(match self {
            Flag::System => 0x4,
            Flag::Archive => 0x20,
            Flag::Temporary => 0x100,
            Flag::Reparse => 0x400,
            Flag::Compressed => 0x800,
            Flag::Offline => 0x1000,
            Flag::NotIndexed => 0x2000,
            Flag::Encrypted => 0x4000,
            Flag::Integrity => 0x8000,
            Flag::NoScrub => 0x2_0000,
            Flag::RecallOnOpen => 0x4_0000,
            Flag::Pinned => 0x8_0000,
            Flag::Unpinned => 0x10_0000,
            Flag::RecallOnAccess => 0x40_0000,
            _ => return None,
        })
    }
}

/// The flag of a name or alias, whatever its case.
pub fn lookup(word: &str) -> Option<&'static FlagInfo> {
    let matches = |name: &str| same_word(name, word);
    FLAGS
        .iter()
        .find(|row| matches(row.name) || row.aliases.iter().any(|a| matches(a)))
}

const fn live(
    flag: Flag,
    name: &'static str,
    aliases: &'static [&'static str],
    help: &'static str,
) -> FlagInfo {
    FlagInfo {
        flag,
        name,
        aliases,
        catalog_only: false,
        help,
    }
}

const fn stored(
    flag: Flag,
    name: &'static str,
    aliases: &'static [&'static str],
    help: &'static str,
) -> FlagInfo {
    FlagInfo {
        flag,
        name,
        aliases,
        catalog_only: true,
        help,
    }
}

/// Every flag.
#[rustfmt::skip]
pub static FLAGS: &[FlagInfo] = &[
    live(Flag::File, "file", &[], "a regular file"),
    live(Flag::Dir, "dir", &["directory", "folder"], "a directory"),
    live(Flag::Symlink, "symlink", &["link"], "a symbolic link"),
    live(Flag::Hidden, "hidden", &["h"], "a name that begins with a dot"),
    live(Flag::Readonly, "readonly", &["read-only", "r"], "nobody may write"),
    live(Flag::Executable, "executable", &["exec"], "a file that this process may run"),
    live(Flag::Empty, "empty", &[], "a file without bytes, a directory without entries"),
    live(Flag::Broken, "broken", &["dangling"], "a symbolic link that leads nowhere"),
    live(Flag::Mount, "mount", &["mount-point"], "a directory that another file system is mounted on"),
    live(Flag::Hardlinked, "hardlinked", &["hardlink"], "not a directory, and has more than one name"),
    live(Flag::Sparse, "sparse", &["p"], "a file that takes less space than its size"),
    stored(Flag::Dupe, "dupe", &["duplicate"], "another entry has the same name"),
    stored(Flag::Error, "error", &[], "it could not be read when the catalog was made"),
    stored(Flag::System, "system", &["s"], "NTFS: belongs to the system"),
    stored(Flag::Archive, "archive", &["a"], "NTFS: to be backed up"),
    stored(Flag::Compressed, "compressed", &["c"], "compressed by the file system"),
    stored(Flag::Encrypted, "encrypted", &["e"], "encrypted by the file system"),
    stored(Flag::Reparse, "reparse", &["l"], "NTFS: a reparse point"),
    stored(Flag::Offline, "offline", &["o"], "NTFS: content is elsewhere"),
    stored(Flag::Temporary, "temporary", &["t"], "NTFS: temporary"),
    stored(Flag::NotIndexed, "not-indexed", &["notindexed", "i"], "NTFS: content is not indexed"),
    stored(Flag::Integrity, "integrity", &["v"], "ReFS: checksummed"),
    stored(Flag::NoScrub, "no-scrub", &["noscrub", "x"], "ReFS: left out by the scrubber"),
    stored(Flag::Pinned, "pinned", &[], "NTFS: always kept on this device"),
    stored(Flag::Unpinned, "unpinned", &["u"], "NTFS: may be removed from this device"),
    stored(Flag::RecallOnOpen, "recall-on-open", &[], "NTFS: fetched when opened"),
    stored(Flag::RecallOnAccess, "recall-on-access", &["recall-on-data-access"], "NTFS: fetched when read"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_one_flag() {
        for row in FLAGS {
            assert_eq!(row.flag.name(), row.name);
            for name in row.aliases.iter().chain([&row.name]) {
                assert_eq!(lookup(name).map(|r| r.flag), Some(row.flag), "{name}");
            }
        }
    }
}
