//! What can go wrong with a snapshot.

use std::io;
use std::path::{Path, PathBuf};

use groma_catalog::{BuildError, Damage, SnapshotError};
use groma_formats::ncdu::NcduError;
use thiserror::Error;

use crate::index::IndexError;
use crate::search::SearchError;

/// Why a verb on snapshots did not do what was asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SnapError {
    /// A tree cannot be read.
    #[error(transparent)]
    Scan(IndexError),
    /// The system did not let us.
    #[error("'{}': {error}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system answered.
        error: io::Error,
    },
    /// A file is no snapshot, or no sound one.
    #[error("'{}': {error}", path.display())]
    Snapshot {
        /// The file.
        path: PathBuf,
        /// Why.
        error: SnapshotError,
    },
    /// A file is no export of ncdu.
    #[error("'{}': {error}", path.display())]
    Ncdu {
        /// The file.
        path: PathBuf,
        /// Why.
        error: NcduError,
    },
    /// What was read makes no tree.
    #[error("'{}': {error}", path.display())]
    Tree {
        /// The file.
        path: PathBuf,
        /// Why.
        error: BuildError,
    },
    /// A file that would be replaced is something else than a snapshot.
    #[error("'{}' is there and is no snapshot; it stays", .0.display())]
    Occupied(PathBuf),
    /// Entries cannot be listed.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// Writing failed.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
    /// The caller asked to stop.
    #[error("interrupted")]
    Cancelled,
}

impl From<IndexError> for SnapError {
    fn from(error: IndexError) -> SnapError {
        match error {
            IndexError::Cancelled => SnapError::Cancelled,
            error => SnapError::Scan(error),
        }
    }
}

impl SnapError {
    pub(super) fn io(path: &Path, error: io::Error) -> SnapError {
        SnapError::Io {
            path: path.to_owned(),
            error,
        }
    }

    pub(super) fn snapshot(path: &Path, error: SnapshotError) -> SnapError {
        match error {
            SnapshotError::Cancelled => SnapError::Cancelled,
            SnapshotError::Io(error) => SnapError::io(path, error),
            error => SnapError::Snapshot {
                path: path.to_owned(),
                error,
            },
        }
    }

    pub(super) fn damaged(path: &Path, damage: Damage) -> SnapError {
        SnapError::snapshot(path, damage.into())
    }

    pub(super) fn build(path: &Path, error: BuildError) -> SnapError {
        match error {
            BuildError::Cancelled => SnapError::Cancelled,
            error => SnapError::Tree {
                path: path.to_owned(),
                error,
            },
        }
    }
}
