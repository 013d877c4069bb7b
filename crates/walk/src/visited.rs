//! Which directories have been entered.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use groma_base::FileId;

/// A set that all workers share. In parts, so that they seldom wait for each other.
#[derive(Debug, Default)]
pub(crate) struct Visited {
    parts: [Mutex<HashSet<FileId>>; 16],
}

impl Visited {
    /// Notes a visit. `false` when there was one before.
    pub(crate) fn insert(&self, id: FileId) -> bool {
        let part = &self.parts[(id.inode % 16) as usize];
        part.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(id)
    }
}
