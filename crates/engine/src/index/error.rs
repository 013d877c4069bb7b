//! What can go wrong with a root or with its catalog.

use std::io;
use std::path::PathBuf;

use groma_catalog::{BuildError, CatalogError};
use groma_walk::rules::RuleError;
use thiserror::Error;

/// Why a verb on the index did not do what was asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IndexError {
    /// A root cannot be opened.
    #[error("'{}': {error}", path.display())]
    Root {
        /// The root.
        path: PathBuf,
        /// What the system answered.
        error: io::Error,
    },
    /// The catalog does not know this root.
    #[error("'{}' is no root of this catalog", .0.display())]
    Unknown(PathBuf),
    /// Several roots were scanned at this path, and none of them is there now.
    #[error("'{}' names several roots; the key of one tells them apart (index list --format json)", .0.display())]
    Ambiguous(PathBuf),
    /// The root is not there: removed, or not mounted.
    #[error("'{}' is not there any more, or not mounted; what the catalog knows of it stays", .0.display())]
    Gone(PathBuf),
    /// The root came from a list, which only its maker can bring up to date.
    #[error("'{}' came from a list; add the list again", .0.display())]
    Listed(PathBuf),
    /// A list that is to be added cannot be read.
    #[error(transparent)]
    List(#[from] super::ListError),
    /// A glob that leaves entries out is malformed.
    #[error("--exclude: {0}")]
    Rule(#[from] RuleError),
    /// The catalog cannot be read or written.
    #[error(transparent)]
    Catalog(CatalogError),
    /// The caller asked to stop.
    #[error("interrupted")]
    Cancelled,
}

impl From<CatalogError> for IndexError {
    fn from(error: CatalogError) -> IndexError {
        match error {
            CatalogError::Build(error) => error.into(),
            error => IndexError::Catalog(error),
        }
    }
}

impl From<BuildError> for IndexError {
    fn from(error: BuildError) -> IndexError {
        match error {
            BuildError::Cancelled => IndexError::Cancelled,
            error => IndexError::Catalog(error.into()),
        }
    }
}
