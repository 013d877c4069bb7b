//! How rule files are noticed and read.

use std::fs;
use std::io;
use std::path::PathBuf;

use super::paths;

/// Which entries of a directory matter to the rules: a small set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleFiles(u32);

impl RuleFiles {
    /// `.gitignore`.
    pub(super) const GIT_IGNORE: RuleFiles = RuleFiles(1);
    /// `.ignore`.
    pub(super) const DOT_IGNORE: RuleFiles = RuleFiles(1 << 1);
    /// `.git`: a repository's top.
    pub(super) const GIT: RuleFiles = RuleFiles(1 << 2);
    /// `.jj`: the top of a Jujutsu repository, which keeps git's rules.
    pub(super) const JJ: RuleFiles = RuleFiles(1 << 3);

    /// Either mark of a repository's top.
    pub(super) const GIT_OR_JJ: RuleFiles = RuleFiles(Self::GIT.0 | Self::JJ.0);

    /// The custom name with this index.
    pub(super) fn custom(index: usize) -> RuleFiles {
        RuleFiles(1 << (4 + index))
    }

    /// Whether nothing was noticed: the directory has the rules of its parent.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn insert(&mut self, other: RuleFiles) {
        self.0 |= other.0;
    }

    pub(super) fn has(self, other: RuleFiles) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn and(self, other: RuleFiles) -> RuleFiles {
        RuleFiles(self.0 & other.0)
    }

    pub(super) fn without(self, other: RuleFiles) -> RuleFiles {
        RuleFiles(self.0 & !other.0)
    }
}

/// Whether the last component of a path may be a symbolic link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// Read what the link leads to.
    Follow,
    /// A link is an error: git reads no `.gitignore` through a link.
    Refuse,
}

/// An open directory, as far as rules need it.
pub trait OpenFile {
    /// The bytes of the regular file at `path`: an absolute path or one relative to this
    /// directory, perhaps of several components and with `..`. Anything but a regular file is an
    /// error and must not block.
    fn read_file(&self, path: &[u8], links: Links) -> io::Result<Vec<u8>>;
}

/// A directory that is known by its path only: those above a root.
pub(super) struct DirAt(pub(super) PathBuf);

impl OpenFile for DirAt {
    fn read_file(&self, path: &[u8], links: Links) -> io::Result<Vec<u8>> {
        let path = self.0.join(paths::from_bytes(path));
        let metadata = match links {
            Links::Follow => fs::metadata(&path)?,
            Links::Refuse => fs::symlink_metadata(&path)?,
        };
        if !metadata.is_file() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "not a regular file",
            ));
        }
        fs::read(path)
    }
}
