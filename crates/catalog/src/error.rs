//! What can be wrong with a segment, with what it is built from, and with a catalog.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::delta::LogError;
use crate::layout::SectionId;

/// A place in a segment whose bytes cannot be right.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("damaged segment: {place}, byte {offset}: {found}")]
pub struct Damage {
    /// The section, or the part before all sections.
    pub place: Place,
    /// Byte offset from the start of that section, or of the file for what is no section.
    pub offset: u64,
    /// What was expected, and what was found.
    pub found: String,
}

/// A part of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The header.
    Header,
    /// The section table.
    Table,
    /// Bytes between sections, and the end of the file.
    Gap,
    /// A section.
    Section(SectionId),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Header => f.write_str("header"),
            Place::Table => f.write_str("section table"),
            Place::Gap => f.write_str("between sections"),
            Place::Section(id) => write!(f, "section `{}`", id.word()),
        }
    }
}

impl Damage {
    pub(crate) fn new(place: Place, offset: u64, found: impl Into<String>) -> Damage {
        Damage {
            place,
            offset,
            found: found.into(),
        }
    }

    pub(crate) fn section(id: SectionId, offset: u64, found: impl Into<String>) -> Damage {
        Damage::new(Place::Section(id), offset, found)
    }
}

/// Why a segment cannot be opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The system did not let us.
    #[error("cannot read the segment: {0}")]
    Io(#[from] io::Error),
    /// The first bytes are those of something else.
    #[error("this is no segment: its first bytes are not `groma`")]
    NotASegment,
    /// It was written by another version of this program.
    #[error("the segment has format version {found}; this program reads version {expected}")]
    Version {
        /// The version in the file.
        found: u32,
        /// The version this program reads.
        expected: u32,
    },
    /// Its bytes cannot be right.
    #[error(transparent)]
    Damaged(#[from] Damage),
}

/// Why entries make no segment.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Writing failed.
    #[error("cannot write the segment: {0}")]
    Io(#[from] io::Error),
    /// More entries than one segment holds.
    #[error("more than {0} entries in one root")]
    TooManyRows(u32),
    /// A name that no file can have: empty, or with a NUL or a `/`.
    #[error("an entry has the impossible name {0:?}")]
    BadName(Vec<u8>),
    /// Not exactly one entry without a parent.
    #[error("{0} entries have no parent; a root has exactly one")]
    Roots(usize),
    /// A directory's number was given twice, is far above the number of directories, or belongs to
    /// an entry of another kind.
    #[error("the number {0} of a directory is used twice, out of range or not a directory's")]
    BadDir(u32),
    /// Entries whose directory is missing, or that lie in themselves.
    #[error("{0} entries lie in no directory that leads to the root")]
    Orphans(u64),
    /// Nanoseconds of a second that are not below 1 000 000 000.
    #[error("an entry has a time with {0} nanoseconds")]
    BadTime(u32),
    /// The caller asked to stop.
    #[error("interrupted")]
    Cancelled,
    /// What was kept in memory does not read back: a mistake of this program.
    #[error(transparent)]
    Damaged(#[from] Damage),
}

/// What can go wrong with a directory of segments.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CatalogError {
    /// The system did not let us.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system answered.
        error: io::Error,
    },
    /// Somebody else is writing.
    #[error("{}: another process is writing to this catalog", .0.display())]
    Locked(PathBuf),
    /// The manifest is damaged, or written by another version.
    #[error("{}: line {line}: expected {expected}", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// A segment cannot be opened.
    #[error("{}: {error}", path.display())]
    Segment {
        /// The segment's file.
        path: PathBuf,
        /// Why.
        error: OpenError,
    },
    /// A log cannot be read.
    #[error("{}: {error}", path.display())]
    Log {
        /// The log's file.
        path: PathBuf,
        /// Why.
        error: LogError,
    },
    /// The catalog has no such root, or not in the state that the changes are made to: it was
    /// published, folded or appended to since. They have to be found again.
    #[error("the root has changed meanwhile")]
    Stale,
    /// A segment cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}
