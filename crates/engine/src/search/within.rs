//! Whether the catalog knows a directory that a search is to be restricted to.

use groma_catalog::{Damage, KindFlags};
use groma_query::bound::{Expr, Test};

use super::SearchError;
use super::runs::lies_in;
use crate::catalogs::OpenRoot;

/// What the catalog has at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// A directory, or roots below it.
    Directory,
    /// Something else.
    NoDirectory,
    /// Nothing, though a root lies above it.
    Nothing,
    /// Nothing: no root lies above it.
    NoRoot,
}

/// Looks an absolute path up in all roots.
///
/// # Errors
/// [`SearchError::Damaged`].
pub fn within(roots: &[OpenRoot], path: &[u8]) -> Result<Within, SearchError> {
    let mut answer = Within::NoRoot;
    for root in roots {
        let top = root.view.root();
        if top == path || lies_in(top, path) {
            return Ok(Within::Directory);
        }
        if !lies_in(path, top) {
            continue;
        }
        answer = match found(root, path).map_err(|damage| SearchError::damaged(root, damage))? {
            Some(flags) if flags.is_dir() => return Ok(Within::Directory),
            Some(_) => Within::NoDirectory,
            None if answer == Within::NoRoot => Within::Nothing,
            None => answer,
        };
    }
    Ok(answer)
}

fn found(root: &OpenRoot, path: &[u8]) -> Result<Option<KindFlags>, Damage> {
    let found = root.view.find(path)?;
    found.map(|id| root.view.kind(id)).transpose()
}

/// What lies below one of these absolute paths and matches as well; everywhere, where there are no
/// paths.
pub fn restricted(expr: Expr, paths: Vec<Vec<u8>>) -> Expr {
    if paths.is_empty() {
        return expr;
    }
    let below = paths.into_iter().map(|path| Expr::Test(Test::Under(path)));
    Expr::And(vec![Expr::Or(below.collect()), expr])
}
