//! A directory of segments: who writes, who reads, and how a new segment takes the place of an old
//! one.
//!
//! A published file is never modified. A new segment gets a name of its own; then the manifest is
//! replaced, and from that moment readers find the new one. The old one is removed, and whoever has
//! it mapped keeps it. A crash at any point leaves the old manifest or the new one, and perhaps
//! files that no manifest names: the next writer removes them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use groma_base::CancelToken;
use groma_sys::{DirLock, PrivateDir};

use crate::about::{About, Volume};
use crate::build::{Builder, Sealed};
use crate::error::{BuildError, CatalogError, Damage, OpenError, Place};
use crate::manifest::{Manifest, RootRecord, SEGMENT_SUFFIX, is_file_name};
use crate::segment::Segment;

const MANIFEST: &str = "manifest";
const LOCK: &str = "lock";
/// A manifest of more bytes than this is none of ours.
const MANIFEST_LIMIT: u64 = 64 << 20;
/// How often a reader looks for a segment that was replaced while he looked.
const ATTEMPTS: usize = 8;

/// A catalog, open for reading.
#[derive(Debug)]
pub struct Catalog {
    dir: PrivateDir,
    manifest: Manifest,
}

/// A catalog, open for writing: by one process at a time.
#[derive(Debug)]
pub struct CatalogWriter {
    catalog: Catalog,
    _lock: DirLock,
}

impl Catalog {
    /// Opens the catalog in a directory, which must belong to this user and be closed to others.
    /// A directory without a manifest is a catalog without roots.
    ///
    /// # Errors
    /// [`CatalogError::Io`], [`CatalogError::Manifest`].
    pub fn open(path: &Path) -> Result<Catalog, CatalogError> {
        Catalog::read(PrivateDir::open(path).map_err(|error| at(path, error))?)
    }

    fn read(dir: PrivateDir) -> Result<Catalog, CatalogError> {
        let manifest = read_manifest(&dir)?;
        Ok(Catalog { dir, manifest })
    }

    /// Where the catalog is.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// The roots, by key, as they were when the manifest was read.
    pub fn roots(&self) -> &[RootRecord] {
        &self.manifest.roots
    }

    /// The file that holds a root.
    pub fn file(&self, root: &RootRecord) -> PathBuf {
        self.dir.path().join(&root.segment)
    }

    /// Reads the manifest again.
    ///
    /// # Errors
    /// As [`Catalog::open`]; what was known stays.
    pub fn reload(&mut self) -> Result<(), CatalogError> {
        self.manifest = read_manifest(&self.dir)?;
        Ok(())
    }

    /// Opens the segment of a root; `None` when the catalog has no root of this key. If it is being
    /// replaced at this moment, the manifest is read again.
    ///
    /// # Errors
    /// [`CatalogError::Io`], [`CatalogError::Manifest`], [`CatalogError::Segment`].
    pub fn segment(&mut self, key: &[u8]) -> Result<Option<Segment>, CatalogError> {
        for _ in 0..ATTEMPTS {
            let Some(root) = self.roots().iter().find(|root| root.key == key) else {
                return Ok(None);
            };
            match self.dir.map(&root.segment) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => self.reload()?,
                Err(error) => return Err(at(&self.file(root), error)),
                Ok(mapping) => {
                    let opened = Segment::from_mapping(mapping);
                    let checked = opened.and_then(|segment| same_rows(segment, root));
                    let path = self.file(root);
                    let named = |error| CatalogError::Segment { path, error };
                    return checked.map(Some).map_err(named);
                }
            }
        }
        Err(at(self.dir.path(), io::ErrorKind::NotFound.into()))
    }
}

/// The segment must be the one that the manifest means.
fn same_rows(segment: Segment, root: &RootRecord) -> Result<Segment, OpenError> {
    if segment.rows() == root.rows && segment.all().len() as u64 == root.length {
        return Ok(segment);
    }
    let found = format!(
        "{} rows in place of the {} of the manifest, or another length",
        segment.rows(),
        root.rows
    );
    Err(Damage::new(Place::Header, 24, found).into())
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
        let generation = self.catalog.manifest.generation.saturating_add(1);
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

    fn replace_manifest(&mut self, manifest: Manifest) -> Result<(), CatalogError> {
        let dir = &self.catalog.dir;
        let write = |file: &mut std::fs::File| file.write_all(manifest.to_text().as_bytes());
        let written: io::Result<()> = dir.replace(MANIFEST, write);
        written.map_err(|error| at(&dir.path().join(MANIFEST), error))?;
        self.catalog.manifest = manifest;
        Ok(())
    }

    /// Removes a segment that the manifest names no more. One that cannot be removed now is swept
    /// by the next writer.
    fn forget(&self, root: Option<RootRecord>) {
        if let Some(root) = root {
            let _ = self.catalog.dir.remove(&root.segment);
        }
    }

    /// Removes what no manifest names: temporary files, and segments that were never published.
    fn sweep(&self) {
        let is_named = |name: &str| self.catalog.roots().iter().any(|r| r.segment == name);
        for name in self.catalog.dir.names().unwrap_or_default() {
            let stem = name.strip_suffix(PrivateDir::TEMPORARY);
            let is_ours = |name: &str| name == MANIFEST || is_file_name(name);
            if stem.is_some_and(is_ours) || (is_file_name(&name) && !is_named(&name)) {
                let _ = self.catalog.dir.remove(&name);
            }
        }
    }
}

fn read_manifest(dir: &PrivateDir) -> Result<Manifest, CatalogError> {
    let path = dir.path().join(MANIFEST);
    let bytes = match dir.read(MANIFEST, MANIFEST_LIMIT) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Manifest::default()),
        other => other.map_err(|error| at(&path, error))?,
    };
    Manifest::parse(&bytes).map_err(|bad| CatalogError::Manifest {
        path,
        line: bad.line,
        expected: bad.expected,
    })
}

fn at(path: &Path, error: io::Error) -> CatalogError {
    CatalogError::Io {
        path: path.to_owned(),
        error,
    }
}
