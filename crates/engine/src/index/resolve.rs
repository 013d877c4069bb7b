//! Which root of a catalog somebody means.

use std::path::{Path, PathBuf};

use groma_catalog::RootRecord;
use groma_sys::{MountTable, path_bytes};

use super::{IndexError, identity, list};

/// The root that `given` names: by its key, by what lies at that path now, or by the path that it
/// was scanned at.
///
/// # Errors
/// [`IndexError::Unknown`]; [`IndexError::Ambiguous`] when several roots were scanned at this path
/// and none of them is there now.
pub(crate) fn resolve<'r>(
    roots: &'r [RootRecord],
    given: &Path,
) -> Result<&'r RootRecord, IndexError> {
    let bytes = path_bytes(given);
    let by_key = |key: &[u8]| roots.iter().find(|root| root.key == key);
    if let Some(root) = by_key(&bytes) {
        return Ok(root);
    }
    let path = &real(given);
    let table = MountTable::read().unwrap_or_default();
    let there = identity::key(path, &table).ok();
    if let Some(root) = there.and_then(|key| by_key(&key)) {
        return Ok(root);
    }
    let path: PathBuf = path.components().collect();
    let path = path_bytes(&path);
    let mut scanned_at = roots.iter().filter(|root| root.path[..] == path[..]);
    match (scanned_at.next(), scanned_at.next()) {
        (Some(root), None) => Ok(root),
        (Some(_), Some(_)) => Err(IndexError::Ambiguous(given.to_owned())),
        (None, _) => Err(IndexError::Unknown(given.to_owned())),
    }
}

/// The absolute path without links; of what is not there, at least of the directory it was in.
fn real(given: &Path) -> PathBuf {
    let above = || {
        let absolute = std::path::absolute(given).ok()?;
        let above = std::fs::canonicalize(absolute.parent()?).ok()?;
        Some(above.join(absolute.file_name()?))
    };
    let absolute = || std::path::absolute(given).unwrap_or_else(|_| given.to_owned());
    std::fs::canonicalize(given).unwrap_or_else(|_| above().unwrap_or_else(absolute))
}

/// The roots of the catalog in a directory, or the one that `given` names, each with its file.
///
/// # Errors
/// [`IndexError`].
pub fn one(dir: &Path, given: Option<&Path>) -> Result<Vec<(RootRecord, PathBuf)>, IndexError> {
    let Some(catalog) = list::open(dir)? else {
        return given.map_or(Ok(Vec::new()), |given| {
            Err(IndexError::Unknown(given.to_owned()))
        });
    };
    let with_file = |root: &RootRecord| (root.clone(), catalog.file(root));
    match given {
        Some(given) => Ok(vec![with_file(resolve(catalog.roots(), given)?)]),
        None => Ok(catalog.roots().iter().map(with_file).collect()),
    }
}
