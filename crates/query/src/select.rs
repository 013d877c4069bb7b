//! A bound expression, asked of all entries of a view at once.
//!
//! The answer is that of [`Expr::matches`] for each entry, worked out on columns: an expression
//! becomes steps ([`plan`]), tests of names run once for each distinct name ([`names`]), paths are
//! never built where names and ranges of rows tell ([`paths`]), and what is left is done block by
//! block on several threads ([`exec`]). What columns cannot tell is asked one by one: the root, and
//! entries that have changed since the segment was written ([`frame`]).

pub(crate) mod bits;
mod dirs;
mod exec;
mod explain;
pub(crate) mod filter;
mod first;
pub(crate) mod frame;
mod kinds;
mod leaf;
mod names;
mod numbers;
pub(crate) mod parallel;
mod paths;
mod plan;
pub(crate) mod range;
mod rows_of;
mod selection;
mod set;
mod texts;
mod times;
pub(crate) mod way;

use std::time::Duration;

use groma_base::CancelToken;
use groma_catalog::{Damage, View};
use thiserror::Error;

use crate::bound::Expr;
use frame::Frame;

pub use explain::{Clock, Explain, Step};
pub use first::{First, first_explained};
pub use selection::{IdsIn, Selection};

/// How a selection is worked out.
#[derive(Clone, Debug)]
pub struct Run {
    /// Most threads.
    pub threads: usize,
    /// Ends it early.
    pub cancel: CancelToken,
}

impl Run {
    /// With so many threads at most.
    pub fn new(threads: usize, cancel: CancelToken) -> Run {
        Run { threads, cancel }
    }
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
    /// Entries are to be sorted by a field that has no order.
    #[error("entries cannot be sorted by '{0}'")]
    NotSortable(&'static str),
}

/// The entries of a view that match.
///
/// # Errors
/// [`SelectError`].
pub fn select(expr: &Expr, view: &View, run: &Run) -> Result<Selection, SelectError> {
    let clock = || Duration::ZERO;
    planned(expr, view, run, explain::Steps::new(&clock, false)).map(|(selection, _)| selection)
}

fn planned(
    expr: &Expr,
    view: &View,
    run: &Run,
    mut steps: explain::Steps<'_>,
) -> Result<(Selection, Explain), SelectError> {
    let frame = Frame::new(view, run)?;
    frame.look()?;
    let plan = plan::build(&frame, expr, true, frame.plain_rows(), &mut steps)?;
    let selection = exec::run(&frame, plan, expr, &steps)?;
    let singly = frame.odd.iter().map(|ids| u64::from(ids.end - ids.start));
    let singly = singly.sum();
    Ok((selection, steps.explain(singly)))
}

#[cfg(test)]
pub(crate) mod property;
