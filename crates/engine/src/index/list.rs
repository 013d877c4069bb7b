//! The roots of a catalog, and whether they are there.

use std::io;
use std::path::{Path, PathBuf};

use groma_catalog::{Catalog, CatalogError, RootRecord};
use groma_sys::{MountTable, os_path};

use super::IndexError;
use super::identity;
use super::options::SourceKind;

/// Where a root is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Where it was scanned.
    Here,
    /// At another path.
    At(PathBuf),
    /// Nowhere: removed, or not mounted.
    Gone,
    /// It is no place on this machine, but a list.
    Listed,
}

/// A root of a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedRoot {
    /// What the catalog knows of it.
    pub record: RootRecord,
    /// The file that holds it.
    pub file: PathBuf,
    /// Where it is now.
    pub presence: Presence,
}

/// The roots of the catalog in a directory, in the order of their paths. Where there is no such
/// directory, there are none.
///
/// # Errors
/// [`IndexError::Catalog`].
pub fn list(dir: &Path) -> Result<Vec<ListedRoot>, IndexError> {
    let Some(catalog) = open(dir)? else {
        return Ok(Vec::new());
    };
    let table = MountTable::read().unwrap_or_default();
    let mut roots: Vec<ListedRoot> = catalog
        .roots()
        .iter()
        .map(|record| ListedRoot {
            record: record.clone(),
            file: catalog.file(record),
            presence: presence(record, &table),
        })
        .collect();
    roots.sort_by(|a, b| groma_base::compare_paths(&a.record.path, &b.record.path));
    Ok(roots)
}

/// Opens the catalog in a directory; `None` where there is no such directory.
pub(crate) fn open(dir: &Path) -> Result<Option<Catalog>, CatalogError> {
    match Catalog::open(dir) {
        Err(CatalogError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        catalog => catalog.map(Some),
    }
}

pub(crate) fn presence(record: &RootRecord, table: &MountTable) -> Presence {
    if SourceKind::of(&record.source) != Some(SourceKind::Walk) {
        return Presence::Listed;
    }
    let last = os_path(&record.path);
    match identity::locate(&record.key, &last, table) {
        Some(path) if path == last => Presence::Here,
        Some(path) => Presence::At(path),
        None => Presence::Gone,
    }
}
