//! The stored bytes of a catalog verified.

use std::path::{Path, PathBuf};

use groma_base::CancelToken;
use groma_catalog::{Catalog, CatalogError, CheckError, OpenError, RootRecord};

use super::resolve::resolve;
use super::{IndexError, Phase, Progress, list};

/// What the check of one root found.
#[derive(Debug)]
pub struct Checked {
    /// What the catalog knows of the root.
    pub record: RootRecord,
    /// The file that was checked.
    pub file: PathBuf,
    /// The first damage, if there is any.
    pub damage: Option<CatalogError>,
}

/// Verifies every checksum and every invariant of all roots of the catalog in a directory, or of
/// the one that `given` names. All bytes are read.
///
/// # Errors
/// [`IndexError::Unknown`], [`IndexError::Cancelled`], [`IndexError::Catalog`] when the manifest
/// itself is damaged. What is wrong with a root is told in its place.
pub fn check(
    dir: &Path,
    given: Option<&Path>,
    progress: &Progress,
    cancel: &CancelToken,
) -> Result<Vec<Checked>, IndexError> {
    progress.set_phase(Phase::Checking);
    let Some(mut catalog) = list::open(dir)? else {
        return given.map_or(Ok(Vec::new()), |given| {
            Err(IndexError::Unknown(given.to_owned()))
        });
    };
    let roots = match given {
        Some(given) => vec![resolve(catalog.roots(), given)?.clone()],
        None => catalog.roots().to_vec(),
    };
    let mut checked = Vec::new();
    for record in roots {
        progress.set_place(&record.path);
        let file = catalog.file(&record);
        let damage = match check_one(&mut catalog, &record, cancel) {
            Ok(()) => None,
            Err(IndexError::Catalog(damage)) => Some(damage),
            Err(error) => return Err(error),
        };
        progress.add(record.rows.into());
        checked.push(Checked {
            record,
            file,
            damage,
        });
    }
    Ok(checked)
}

fn check_one(
    catalog: &mut Catalog,
    record: &RootRecord,
    cancel: &CancelToken,
) -> Result<(), IndexError> {
    // One that was removed meanwhile has nothing left to check.
    let Some(segment) = catalog.segment(&record.key)? else {
        return Ok(());
    };
    match segment.check(cancel) {
        // Reading a log checks every byte of it, and that its changes can be made.
        Ok(()) => Ok(catalog.delta(&record.key).map(drop)?),
        Err(CheckError::Damaged(damage)) => Err(IndexError::Catalog(CatalogError::Segment {
            path: catalog.file(record),
            error: OpenError::Damaged(damage),
        })),
        Err(_) => Err(IndexError::Cancelled),
    }
}
