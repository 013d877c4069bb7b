//! The roots of a catalog, opened to be asked.

use std::path::Path;

use groma_base::compare_paths;
pub use groma_catalog::CatalogError;
use groma_catalog::{Catalog, Damage, OpenError, RootRecord, View};

/// One root, open.
#[derive(Clone, Debug)]
pub struct OpenRoot {
    /// What the catalog's manifest says of it.
    pub record: RootRecord,
    /// Its entries, without those that a root further inside shows.
    pub view: View,
}

/// Opens all roots of the catalog in a directory, in the order of their paths. Where one root lies
/// within another, its entries are shown by the inner one only.
///
/// # Errors
/// [`CatalogError`].
pub fn open(dir: &Path) -> Result<Vec<OpenRoot>, CatalogError> {
    let mut catalog = Catalog::open(dir)?;
    let mut records = catalog.roots().to_vec();
    records.sort_by(|a, b| compare_paths(&a.path, &b.path));
    let mut roots = Vec::new();
    for record in records {
        // A root that was removed meanwhile is no root any more.
        if let Some(view) = catalog.view(&record.key)? {
            roots.push(OpenRoot { record, view });
        }
    }
    hide_inner(&catalog, &mut roots)?;
    Ok(roots)
}

fn hide_inner(catalog: &Catalog, roots: &mut [OpenRoot]) -> Result<(), CatalogError> {
    let paths: Vec<Vec<u8>> = roots.iter().map(|root| root.record.path.clone()).collect();
    for (at, root) in roots.iter_mut().enumerate() {
        // What lies within a root comes after it in the order of paths.
        for inner in &paths[at + 1..] {
            let hidden = match root.view.find(inner) {
                Ok(Some(id)) if root.view.top() != Some(id) => root.view.without(id),
                Ok(_) => continue,
                Err(damage) => Err(damage),
            };
            root.view = hidden.map_err(|d| damaged(catalog, &root.record, d))?;
        }
    }
    Ok(())
}

fn damaged(catalog: &Catalog, record: &RootRecord, damage: Damage) -> CatalogError {
    CatalogError::Segment {
        path: catalog.file(record),
        error: OpenError::Damaged(damage),
    }
}
