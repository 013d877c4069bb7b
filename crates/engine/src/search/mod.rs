//! `search`: a query put to all roots of a catalog, its answer in some order and some form.
//!
//! [`search`] finds which entries match, and how many; [`Found::write`] tells them. In the order of
//! paths rows are told as they are read and memory does not grow with them; any other order keeps
//! as many rows as are to be told.

mod block;
mod column;
mod csv_rows;
mod cutter;
mod form;
mod listing;
mod natural;
mod owners;
mod parquet;
mod path;
mod pipeline;
mod reader;
mod render;
mod runs;
mod sort;
mod wants;
mod within;

use groma_catalog::Damage;
use groma_query::bound::Expr;
use groma_query::select::{First, SelectError, Selection, first_explained};
use thiserror::Error;

pub use column::{COLUMNS, column_name, is_column};
pub use form::Form;
pub use groma_query::select::{Clock, Explain, Run};
pub use listing::Listing;
pub use sort::SortKey;
pub use within::{Within, restricted, within};

use crate::catalogs::OpenRoot;
use reader::RootReader;
use runs::{Run as PathRun, runs};

/// Why a search has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The catalog of a root is damaged.
    #[error("the catalog of '{}': {damage}", String::from_utf8_lossy(root))]
    Damaged {
        /// Path of the root.
        root: Vec<u8>,
        /// Where, and what was found there.
        damage: Damage,
    },
    /// What is written to does not take it.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The caller asked to stop.
    #[error("interrupted")]
    Cancelled,
}

impl SearchError {
    fn damaged(root: &OpenRoot, damage: Damage) -> SearchError {
        SearchError::Damaged {
            root: root.record.path.clone(),
            damage,
        }
    }
}

/// What matches.
pub struct Found<'r> {
    readers: Vec<RootReader<'r>>,
    /// All roots' entries in one order of paths.
    runs: Vec<PathRun>,
    /// For each root what matches, or as much of it as is going to be told; `None` for everything.
    selections: Vec<Option<Selection>>,
    report: Vec<RootReport>,
}

/// What a search did in one root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootReport {
    /// Path of the root.
    pub root: Vec<u8>,
    /// Entries that it has.
    pub entries: u32,
    /// Entries that match.
    pub matches: u32,
    /// How that was found out.
    pub explain: Explain,
}

/// Finds the entries of all roots that match. The roots are in the order of their paths, and none
/// shows what another one shows. `most`: no more than so many of each are going to be told, in the order
/// of paths; `None`: any of them, in any order. `clock` tells the time that passes, for the report.
///
/// # Errors
/// [`SearchError`].
pub fn search<'r>(
    roots: &'r [OpenRoot],
    expr: &Expr,
    run: &Run,
    most: Option<u64>,
    clock: &Clock<'_>,
) -> Result<Found<'r>, SearchError> {
    let mut found = Found {
        readers: Vec::new(),
        runs: runs(roots)?,
        selections: Vec::new(),
        report: Vec::new(),
    };
    for root in roots {
        let (first, explain) = first(root, expr, run, most, clock)?;
        let entries = root.view.len();
        found.report.push(RootReport {
            root: root.record.path.clone(),
            entries,
            matches: first.as_ref().map_or(entries, |first| first.count),
            explain,
        });
        found.selections.push(first.map(|first| first.selection));
        found.readers.push(RootReader::new(root));
    }
    Ok(found)
}

fn first(
    root: &OpenRoot,
    expr: &Expr,
    run: &Run,
    most: Option<u64>,
    clock: &Clock<'_>,
) -> Result<(Option<First>, Explain), SearchError> {
    if matches!(expr, Expr::All) {
        return Ok((None, Explain::default()));
    }
    match first_explained(expr, &root.view, run, most.unwrap_or(u64::MAX), clock) {
        Ok((first, explain)) => Ok((Some(first), explain)),
        Err(SelectError::Damaged(damage)) => Err(SearchError::damaged(root, damage)),
        Err(_) => Err(SearchError::Cancelled),
    }
}

impl Found<'_> {
    /// How many entries match, in all roots together.
    pub fn total(&self) -> u64 {
        let matches = self.report.iter().map(|root| u64::from(root.matches));
        matches.sum()
    }

    /// What was done in each root.
    pub fn report(&self) -> &[RootReport] {
        &self.report
    }
}
