//! Why there is no map.

use std::io;

use groma_catalog::{BuildError, Damage, OpenError};
use thiserror::Error;

use super::roots::Failed;
use crate::index::IndexError;

/// Why there is no map.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MapError {
    /// None of the places that were named can be opened; why, where that was not known before.
    #[error("there is nothing to map")]
    Nothing(Vec<Failed>),
    /// The scan could not be done.
    #[error(transparent)]
    Scan(#[from] IndexError),
    /// What was found is no tree.
    #[error("what was found does not fit together: {0}")]
    Build(#[from] BuildError),
    /// What was found cannot be read back.
    #[error("what was found cannot be read: {0}")]
    Open(#[from] OpenError),
    /// The catalog or snapshot is damaged.
    #[error("damaged: {0}")]
    Damaged(#[from] Damage),
    /// What is written to does not take it.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The caller asked to stop.
    #[error("interrupted")]
    Cancelled,
}
