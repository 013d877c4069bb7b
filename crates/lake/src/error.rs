//! Why rows do not become Parquet.

use std::io;

use groma_catalog::Damage;
use parquet::errors::ParquetError;
use thiserror::Error;

/// What can go wrong while rows are written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LakeError {
    /// The output took no more; a closed pipe is one of these.
    #[error("cannot write Parquet: {0}")]
    Io(#[from] io::Error),
    /// The catalog is damaged.
    #[error(transparent)]
    Damaged(#[from] Damage),
    /// A file without columns cannot be.
    #[error("expected one column or more for Parquet, found none")]
    NoColumns,
    /// The caller asked to stop.
    #[error("interrupted")]
    Cancelled,
    /// The format has a limit that these rows do not keep.
    #[error("cannot write Parquet: {0}")]
    Format(String),
}

impl From<ParquetError> for LakeError {
    /// What the output said comes back as it was, so that a closed pipe can be told.
    fn from(error: ParquetError) -> LakeError {
        match error {
            ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(error) => LakeError::Io(*error),
                Err(other) => LakeError::Format(other.to_string()),
            },
            other => LakeError::Format(other.to_string()),
        }
    }
}
