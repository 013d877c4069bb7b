//! A bound expression, asked of all entries of a view at once.

mod selection;

use groma_base::CancelToken;
use groma_catalog::{Damage, StoredEntry, View};
use thiserror::Error;

use crate::bound::Expr;

pub use selection::Selection;

/// How a selection is worked out.
#[derive(Clone, Debug)]
pub struct Run {
    /// Most threads.
    pub threads: usize,
    /// Ends it early.
    pub cancel: CancelToken,
}

/// Why there is no selection.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SelectError {
    /// The catalog is damaged.
    #[error(transparent)]
    Damaged(#[from] Damage),
    /// The caller asked to stop.
    #[error("interrupted")]
    Cancelled,
}

/// The entries of a view that match.
///
/// # Errors
/// [`SelectError`].
pub fn select(expr: &Expr, view: &View, run: &Run) -> Result<Selection, SelectError> {
    let mut selection = Selection::none(view.ids());
    for piece in view.pieces() {
        for id in piece.ids.clone() {
            if run.cancel.is_cancelled() {
                return Err(SelectError::Cancelled);
            }
            let entry = StoredEntry::new(view, id)?;
            let is_match = expr.matches(&entry);
            if let Some(damage) = entry.damage() {
                return Err(damage.into());
            }
            if is_match {
                selection.insert(id);
            }
        }
    }
    Ok(selection)
}
