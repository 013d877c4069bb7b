//! A directory of segments and logs: how readers find what was published last.
//!
//! A published segment is never modified. A new one gets a name of its own; then the manifest is
//! replaced, and from that moment readers find the new one. The old one is removed, and whoever has
//! it mapped keeps it. A log grows: first its bytes, then the manifest that says how many are valid.
//! A crash at any point leaves the old manifest or the new one, and perhaps bytes and files that no
//! manifest names: the next writer cuts off and removes them.

mod append;
mod fold;
mod writer;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use groma_sys::PrivateDir;

pub use writer::CatalogWriter;

use crate::delta::{Delta, LogError};
use crate::error::{CatalogError, Damage, OpenError, Place};
use crate::manifest::{Manifest, RootRecord};
use crate::segment::Segment;
use crate::view::View;

const MANIFEST: &str = "manifest";
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

    /// Opens the segment of a root, without what has changed since; `None` when the catalog has no
    /// root of this key. If it is being replaced at this moment, the manifest is read again.
    ///
    /// # Errors
    /// [`CatalogError::Io`], [`CatalogError::Manifest`], [`CatalogError::Segment`].
    pub fn segment(&mut self, key: &[u8]) -> Result<Option<Segment>, CatalogError> {
        self.while_replaced(key, Catalog::open_segment)
    }

    /// Opens a root with all that has changed since its segment was written.
    ///
    /// # Errors
    /// As [`Catalog::segment`], or [`CatalogError::Log`].
    pub fn delta(&mut self, key: &[u8]) -> Result<Option<Delta>, CatalogError> {
        self.while_replaced(key, Catalog::open_delta)
    }

    /// A frozen reading of a root; `None` when the catalog has no root of this key.
    ///
    /// # Errors
    /// As [`Catalog::delta`].
    pub fn view(&mut self, key: &[u8]) -> Result<Option<View>, CatalogError> {
        let Some(delta) = self.delta(key)? else {
            return Ok(None);
        };
        let view = delta.view();
        view.map(Some).map_err(|damage| self.damaged(key, damage))
    }

    /// The root of this key.
    pub(crate) fn root(&self, key: &[u8]) -> Option<&RootRecord> {
        self.roots().iter().find(|root| root.key == key)
    }

    /// Damage of a root's segment, with the name of its file.
    fn damaged(&self, key: &[u8], damage: Damage) -> CatalogError {
        let file = self.root(key).map(|root| self.file(root));
        CatalogError::Segment {
            path: file.unwrap_or_else(|| self.path().to_owned()),
            error: OpenError::Damaged(damage),
        }
    }

    /// Opens something of a root, and looks where it is again as long as a file is not there.
    fn while_replaced<T>(
        &mut self,
        key: &[u8],
        open: impl Fn(&Catalog, &RootRecord) -> Result<Option<T>, CatalogError>,
    ) -> Result<Option<T>, CatalogError> {
        for _ in 0..ATTEMPTS {
            let Some(root) = self.root(key) else {
                return Ok(None);
            };
            match open(self, root)? {
                Some(opened) => return Ok(Some(opened)),
                None => self.reload()?,
            }
        }
        Err(at(self.dir.path(), io::ErrorKind::NotFound.into()))
    }

    /// `None` when the file is not there.
    fn open_segment(&self, root: &RootRecord) -> Result<Option<Segment>, CatalogError> {
        let path = self.file(root);
        let mapping = match self.dir.map(&root.segment) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(|error| at(&path, error))?,
        };
        let opened = Segment::from_mapping(mapping);
        let checked = opened.and_then(|segment| same_rows(segment, root));
        let named = |error| CatalogError::Segment { path, error };
        checked.map(Some).map_err(named)
    }

    /// `None` when one of the files is not there.
    fn open_delta(&self, root: &RootRecord) -> Result<Option<Delta>, CatalogError> {
        let Some(segment) = self.open_segment(root)? else {
            return Ok(None);
        };
        let (segment, generation) = (Arc::new(segment), root.generation());
        if root.log.is_empty() {
            return Ok(Some(Delta::stamped(segment, generation)));
        }
        let path = self.dir.path().join(&root.log);
        let log = match self.dir.read_start(&root.log, root.log_length) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                let found = format!("fewer than the {} bytes of the manifest", root.log_length);
                let error = LogError::new(0, found);
                return Err(CatalogError::Log { path, error });
            }
            other => other.map_err(|error| at(&path, error))?,
        };
        let replayed = Delta::replay(segment, generation, &log);
        let named = |error| CatalogError::Log { path, error };
        replayed.map(Some).map_err(named)
    }
}

/// The segment must be the one that the manifest means.
fn same_rows(segment: Segment, root: &RootRecord) -> Result<Segment, OpenError> {
    if segment.rows() == root.rows && segment.length() as u64 == root.length {
        return Ok(segment);
    }
    let found = format!(
        "{} rows in place of the {} of the manifest, or another length",
        segment.rows(),
        root.rows
    );
    Err(Damage::new(Place::Header, 24, found).into())
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
