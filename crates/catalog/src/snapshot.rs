//! Snapshots: a segment in one compressed file, to be kept, handed on and compared.
//!
//! A snapshot holds what no other section tells; the rest is worked out when it is first asked for.
//! Opening one makes sure of every checksum and of a SHA-256 over all bytes before anything is
//! expanded; what it expands to is bounded by the length of the file ([`EXPANSION_RATIO`]).

mod coding;
mod derive;
mod expanding;
mod layout;
mod read;
mod write;

use std::fmt::Write as _;
use std::io;
use std::sync::Arc;

use groma_base::CancelToken;
use thiserror::Error;

pub(crate) use expanding::Expanding;
pub use layout::{EXPANSION_RATIO, SNAPSHOT_VERSION};
pub use write::{Kept, write_snapshot};

use crate::check::CheckError;
use crate::error::{BuildError, Damage};
use crate::layout::{Encoding, SectionId};
use crate::segment::Segment;
use crate::view::View;

/// Which times a snapshot keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Times {
    /// All of them.
    #[default]
    All,
    /// Only the last change of content; the others read as zero.
    Modified,
}

/// What a snapshot says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotFacts {
    /// Entries.
    pub rows: u32,
    /// Distinct names.
    pub names: u32,
    /// Places that could not be read when it was taken.
    pub unread: u64,
    /// Whether the scan was ended before it was done.
    pub is_partial: bool,
    /// Which times it keeps.
    pub times: Times,
    /// The version of Unicode's folding that its names are sorted by.
    pub fold_version: u32,
    /// Bytes of the file.
    pub length: u64,
    /// SHA-256 of all bytes of the file before it, which is its end.
    pub sha256: [u8; 32],
}

/// Why a snapshot cannot be opened, or is not sound.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// Reading or writing failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The first bytes are those of something else.
    #[error("this is no snapshot: its first bytes are not those of one")]
    NotASnapshot,
    /// It was written by another version of this program.
    #[error("the snapshot has version {found}; this program reads version {expected}")]
    Version {
        /// The version in the file.
        found: u32,
        /// The version this program reads.
        expected: u32,
    },
    /// Its bytes cannot be right.
    #[error("damaged snapshot: {}, byte {}: {}", .0.place, .0.offset, .0.found)]
    Damaged(#[from] Damage),
    /// It would expand to more than a file of its length may.
    #[error(
        "damaged snapshot: it expands to {asked} bytes, and {allowed} are allowed for its length"
    )]
    TooLarge {
        /// Bytes of memory that it may take.
        asked: u64,
        /// Bytes of memory that a file of this length may take.
        allowed: u64,
    },
    /// What is to be kept makes no segment.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The caller asked to stop.
    #[error("interrupted")]
    Cancelled,
}

impl From<CheckError> for SnapshotError {
    fn from(error: CheckError) -> SnapshotError {
        match error {
            CheckError::Damaged(damage) => SnapshotError::Damaged(damage),
            CheckError::Cancelled => SnapshotError::Cancelled,
        }
    }
}

/// What names are read from.
const NAMES: &[SectionId] = &[SectionId::NameBytes, SectionId::NameCase];

/// What the tree and its totals are read from.
const TREE: &[SectionId] = &[
    SectionId::Name,
    SectionId::Kind,
    SectionId::Parent,
    SectionId::DirChildren,
    SectionId::DirSize,
    SectionId::DirAllocated,
    SectionId::DirNewest,
    SectionId::DirNewestNanos,
    SectionId::OddNames,
];

/// An open snapshot. Its sections are expanded one by one, when they are first asked for.
#[derive(Clone, Debug)]
pub struct Snapshot {
    facts: SnapshotFacts,
    segment: Arc<Segment>,
}

impl Snapshot {
    /// Whether a file that begins with these bytes (eight are enough) says that it is a snapshot.
    pub fn is_one(start: &[u8]) -> bool {
        start.starts_with(&layout::MAGIC)
    }

    /// Opens the bytes of a file.
    ///
    /// # Errors
    /// [`SnapshotError`]: every byte is made sure of. What a hostile writer put under right sums is
    /// found when it is asked for, as [`Damage`], or by [`Snapshot::verify`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Snapshot, SnapshotError> {
        let snapshot = Snapshot::unsure(bytes)?;
        snapshot.make_sure()?;
        Ok(snapshot)
    }

    /// The same, and expands what names, tree and totals take, for who is about to show them: on
    /// several threads, while the SHA-256 is worked out. Damage in a section is told by whatever asks
    /// for it.
    ///
    /// # Errors
    /// As [`Snapshot::from_bytes`].
    pub fn prepared(bytes: Vec<u8>) -> Result<Snapshot, SnapshotError> {
        let snapshot = Snapshot::unsure(bytes)?;
        std::thread::scope(|scope| {
            for ids in [NAMES, TREE] {
                let snapshot = &snapshot;
                let make = move || snapshot.make(ids);
                // Without a thread it is done when it is asked for.
                let _ = std::thread::Builder::new().spawn_scoped(scope, make);
            }
            snapshot.make_sure()
        })?;
        Ok(snapshot)
    }

    /// A snapshot of which all is checked but the SHA-256: nothing may be told of it before that is.
    fn unsure(bytes: Vec<u8>) -> Result<Snapshot, SnapshotError> {
        let outline = read::read(&bytes)?;
        let facts = outline.facts.clone();
        let segment = Segment::from_snapshot(Expanding::new(bytes, outline));
        Ok(Snapshot {
            facts,
            segment: Arc::new(segment),
        })
    }

    fn make_sure(&self) -> Result<(), Damage> {
        let from = self.segment.expanding();
        from.map_or(Ok(()), |from| read::check_sum(from.file()))
    }

    fn make(&self, ids: &[SectionId]) {
        for &id in ids {
            // What was met is kept where it was.
            let _ = self.segment.sound(id);
        }
    }

    /// What it says about itself.
    pub fn facts(&self) -> &SnapshotFacts {
        &self.facts
    }

    /// The sections that the file holds: how many bytes each takes there, and how many before it was
    /// compressed. All others follow from these.
    pub fn stored_lengths(&self) -> impl Iterator<Item = (SectionId, usize, usize)> {
        let from = self.segment.expanding();
        from.into_iter().flat_map(Expanding::stored_lengths)
    }

    /// Its rows, as a segment.
    pub fn segment(&self) -> &Segment {
        &self.segment
    }

    /// Its entries, to be asked like those of a catalog.
    ///
    /// # Errors
    /// [`Damage`] when it does not tell its root.
    pub fn view(&self) -> Result<View, Damage> {
        View::sealed(Arc::clone(&self.segment))
    }

    /// Expands everything, and verifies every invariant of a segment.
    ///
    /// # Errors
    /// [`SnapshotError::Damaged`] with the first damage, or [`SnapshotError::Cancelled`].
    pub fn verify(&self, cancel: &CancelToken) -> Result<(), SnapshotError> {
        self.expand(cancel)?;
        Ok(self.segment.check(cancel)?)
    }

    /// Expands everything, for who reads whole columns: what is damaged is told here, once.
    ///
    /// # Errors
    /// As [`Snapshot::verify`].
    pub fn expand(&self, cancel: &CancelToken) -> Result<(), SnapshotError> {
        for &id in SectionId::ALL {
            if cancel.is_cancelled() {
                return Err(SnapshotError::Cancelled);
            }
            self.segment.sound(id)?;
        }
        Ok(())
    }
}

impl SnapshotFacts {
    /// The SHA-256 in hexadecimal digits.
    pub fn sha256_digits(&self) -> String {
        let mut digits = String::with_capacity(64);
        for byte in self.sha256 {
            // Writing to a string does not fail.
            let _ = write!(digits, "{byte:02x}");
        }
        digits
    }
}

/// Whether a section is stored as bytes, not as numbers.
fn is_bytes(id: SectionId) -> bool {
    match id.encoding() {
        Encoding::Bytes => true,
        Encoding::Plain(width) => width > 8 || id == SectionId::Owners,
        Encoding::Packed => false,
    }
}
