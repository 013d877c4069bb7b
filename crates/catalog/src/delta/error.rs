//! Why a change cannot be made, and what can be wrong with a log.

use thiserror::Error;

use crate::error::Damage;

/// Why a change cannot be made. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DeltaError {
    /// No entry of this id, or it was removed.
    #[error("there is no entry {0}")]
    NoEntry(u32),
    /// The entry is no directory.
    #[error("entry {0} is no directory")]
    NoDir(u32),
    /// The root can be neither removed nor moved, nor become a directory or cease to be one.
    #[error("the root stays where it is and what it is")]
    Root,
    /// A directory would lie in itself.
    #[error("entry {0} would lie in itself")]
    IntoItself(u32),
    /// A name that no file can have: empty, or with a NUL or a `/`.
    #[error("an entry has the impossible name {0:?}")]
    BadName(Vec<u8>),
    /// Nanoseconds of a second that are not below 1 000 000 000.
    #[error("an entry has a time with {0} nanoseconds")]
    BadTime(u32),
    /// More entries than one root holds, changed ones counted twice.
    #[error("more than {0} entries in one root")]
    TooManyRows(u32),
    /// The segment is damaged.
    #[error(transparent)]
    Damaged(#[from] Damage),
}

/// Why a log cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("damaged log: byte {offset}: {found}")]
pub struct LogError {
    /// Byte offset from the start of the log.
    pub offset: u64,
    /// What was expected, and what was found.
    pub found: String,
}

impl LogError {
    pub(crate) fn new(offset: usize, found: impl Into<String>) -> LogError {
        LogError {
            offset: offset as u64,
            found: found.into(),
        }
    }
}
