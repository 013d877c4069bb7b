//! Publishes changes: first the bytes of the log, then the manifest that says that they count.

use super::{CatalogWriter, at};
use crate::delta::Delta;
use crate::error::CatalogError;
use crate::manifest::LOG_SUFFIX;
use crate::view::View;

impl CatalogWriter {
    /// Opens a root with all that has changed since its segment was written, to change more.
    ///
    /// # Errors
    /// As [`Catalog::delta`](crate::Catalog::delta).
    pub fn delta(&mut self, key: &[u8]) -> Result<Option<Delta>, CatalogError> {
        self.catalog.delta(key)
    }

    /// Publishes the changes that were made to a delta of the root with this key since it was
    /// opened or last published. `unread`: how many places could not be read. Answers what readers
    /// see from now on.
    ///
    /// # Errors
    /// [`CatalogError::Stale`] when the delta was not made from what is published now;
    /// [`CatalogError::Io`]; [`CatalogError::Segment`]: the catalog is as it was.
    pub fn append(
        &mut self,
        key: &[u8],
        delta: &mut Delta,
        unread: u64,
    ) -> Result<View, CatalogError> {
        let record = self.catalog.root(key).ok_or(CatalogError::Stale)?;
        let stamp = delta.stamp();
        let is_same = record.generation() == stamp.generation
            && record.length == stamp.length
            && record.log_length == delta.logged();
        if !is_same {
            return Err(CatalogError::Stale);
        }
        let damaged = |damage| self.catalog.damaged(key, damage);
        let view = delta.view().map_err(damaged)?;
        let ended = delta.scanned().map_err(damaged)?.1;
        let mut record = record.clone();
        let mut manifest = self.catalog.manifest.clone();
        manifest.generation = self.next_generation();
        (record.unread, record.ended, record.entries) = (unread, ended, view.len());
        if !delta.is_waiting() {
            manifest.set(record);
            self.replace_manifest(manifest)?;
            return Ok(view);
        }
        if record.log.is_empty() {
            record.log = format!("{:08}{LOG_SUFFIX}", manifest.generation);
        }
        let (bytes, checksum) = delta.unlogged();
        let dir = &self.catalog.dir;
        dir.append(&record.log, record.log_length, &bytes)
            .map_err(|error| at(&dir.path().join(&record.log), error))?;
        record.log_length += bytes.len() as u64;
        let length = record.log_length;
        manifest.set(record);
        self.replace_manifest(manifest)?;
        delta.set_logged(length, checksum);
        Ok(view)
    }
}
