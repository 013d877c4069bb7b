//! A root taken out of its catalog.

use std::path::Path;

use groma_catalog::RootRecord;

use super::resolve::resolve;
use super::{Index, IndexError};

impl Index {
    /// Forgets the root that `given` names, and answers which that was. Nothing on the disk that it
    /// describes is touched.
    ///
    /// # Errors
    /// [`IndexError::Unknown`], [`IndexError::Ambiguous`], [`IndexError::Catalog`]: the catalog is
    /// as it was.
    pub fn remove(&mut self, given: &Path) -> Result<RootRecord, IndexError> {
        let root = resolve(self.writer.catalog().roots(), given)?.clone();
        self.writer.remove(&root.key)?;
        Ok(root)
    }
}
