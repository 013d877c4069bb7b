//! The one process that writes to a catalog: publishes roots, removes them, and sweeps up.

use std::io::{self, Write};
use std::path::Path;

use groma_base::CancelToken;
use groma_sys::{DirLock, PrivateDir};

use super::{Catalog, MANIFEST, at};
use crate::about::{About, Volume};
use crate::build::{Builder, Sealed};
use crate::error::{BuildError, CatalogError};
use crate::manifest::{LOG_SUFFIX, Manifest, RootRecord, SEGMENT_SUFFIX, is_file_name};

const LOCK: &str = "lock";

/// A catalog, open for writing: by one process at a time.
#[derive(Debug)]
pub struct CatalogWriter {
    pub(super) catalog: Catalog,
    _lock: DirLock,
}

impl CatalogWriter {
    /// Opens the catalog in a directory, which is made where there is none, and keeps other writers
    /// out. Files that a crash has left behind are removed.
    ///
    /// # Errors
    /// As [`Catalog::open`]; [`CatalogError::Locked`].
    pub fn open(path: &Path) -> Result<CatalogWriter, CatalogError> {
        let dir = PrivateDir::create(path).map_err(|error| at(path, error))?;
        let lock = dir.lock(LOCK).map_err(|error| at(path, error))?;
        let lock = lock.ok_or_else(|| CatalogError::Locked(path.to_owned()))?;
        let writer = CatalogWriter {
            catalog: Catalog::read(dir)?,
            _lock: lock,
        };
        writer.sweep();
        Ok(writer)
    }

    /// The catalog as a reader sees it.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Writes the entries as the new segment of the root with this key, and publishes it. `unread`:
    /// how many places could not be read.
    ///
    /// # Errors
    /// [`CatalogError::Build`], [`CatalogError::Io`]: the catalog is as it was.
    pub fn publish(
        &mut self,
        key: &[u8],
        about: &About,
        unread: u64,
        builder: Builder,
        volume: impl FnMut(u64) -> Volume,
        cancel: &CancelToken,
    ) -> Result<Sealed, CatalogError> {
        let generation = self.next_generation();
        let name = format!("{generation:08}{SEGMENT_SUFFIX}");
        let dir = &self.catalog.dir;
        let sealed = dir.replace(&name, |file| builder.seal(file, about, volume, cancel));
        let sealed: Result<Sealed, BuildError> = sealed;
        let sealed = sealed?;
        let mut manifest = self.catalog.manifest.clone();
        manifest.generation = generation;
        let old = manifest.set(RootRecord {
            key: key.to_vec(),
            path: about.root.clone(),
            source: about.source.clone(),
            segment: name,
            length: sealed.length,
            rows: sealed.rows,
            unread,
            ended: about.ended,
            log: String::new(),
            log_length: 0,
            entries: sealed.rows,
        });
        self.replace_manifest(manifest)?;
        self.forget(old);
        Ok(sealed)
    }

    /// Removes the root with this key. Answers whether there was one.
    ///
    /// # Errors
    /// [`CatalogError::Io`]: the catalog is as it was.
    pub fn remove(&mut self, key: &[u8]) -> Result<bool, CatalogError> {
        let mut manifest = self.catalog.manifest.clone();
        let old = manifest.take(key);
        if old.is_none() {
            return Ok(false);
        }
        self.replace_manifest(manifest)?;
        self.forget(old);
        Ok(true)
    }

    /// Says in another way how the root with this key was read. Its segment says it as before; the
    /// manifest counts.
    ///
    /// # Errors
    /// [`CatalogError::Io`]: the catalog is as it was.
    pub fn set_source(&mut self, key: &[u8], source: &[u8]) -> Result<(), CatalogError> {
        let mut manifest = self.catalog.manifest.clone();
        let root = manifest.roots.iter_mut().find(|root| root.key == key);
        match root {
            Some(root) if root.source != source => {
                root.source = source.to_vec();
                self.replace_manifest(manifest)
            }
            _ => Ok(()),
        }
    }

    pub(super) fn next_generation(&self) -> u64 {
        self.catalog.manifest.generation.saturating_add(1)
    }

    pub(super) fn replace_manifest(&mut self, manifest: Manifest) -> Result<(), CatalogError> {
        let dir = &self.catalog.dir;
        let write = |file: &mut std::fs::File| file.write_all(manifest.to_text().as_bytes());
        let written: io::Result<()> = dir.replace(MANIFEST, write);
        written.map_err(|error| at(&dir.path().join(MANIFEST), error))?;
        self.catalog.manifest = manifest;
        Ok(())
    }

    /// Removes what the manifest names no more. What cannot be removed now is swept by the next
    /// writer.
    fn forget(&self, root: Option<RootRecord>) {
        let Some(root) = root else {
            return;
        };
        let _ = self.catalog.dir.remove(&root.segment);
        if !root.log.is_empty() {
            let _ = self.catalog.dir.remove(&root.log);
        }
    }

    /// Removes what no manifest names: temporary files, and segments and logs that were never
    /// published.
    fn sweep(&self) {
        let roots = self.catalog.roots();
        let is_named = |name: &str| roots.iter().any(|r| r.segment == name || r.log == name);
        let has_suffix = |name: &str, suffixes: &[&str]| {
            suffixes.iter().any(|suffix| is_file_name(name, suffix))
        };
        for name in self.catalog.dir.names().unwrap_or_default() {
            let stem = name.strip_suffix(PrivateDir::TEMPORARY);
            let is_ours = |name: &str| name == MANIFEST || has_suffix(name, &[SEGMENT_SUFFIX]);
            let is_left = has_suffix(&name, &[SEGMENT_SUFFIX, LOG_SUFFIX]) && !is_named(&name);
            if stem.is_some_and(is_ours) || is_left {
                let _ = self.catalog.dir.remove(&name);
            }
        }
    }
}
