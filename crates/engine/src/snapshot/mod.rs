//! `snapshot`: trees saved to one file each, looked at, compared, thinned out, and handed to and from
//! other programs.

mod changes;
mod compare;
mod error;
mod export;
mod import;
mod list;
mod load;
mod merge;
mod moves;
mod nodes;
#[cfg(test)]
mod property;
mod prune;
mod save;
mod series;
mod tree;

pub use compare::{Change, ChangeKind, Comparison, DirGrowth, Measure, Sum, compare, tree_bytes};
pub use error::SnapError;
pub use export::{ExportForm, NcduOptions, export, write_ncdu};
pub use groma_catalog::{SnapshotFacts, Times};
pub use import::{ImportRequest, import, read_ncdu};
pub use list::{Listed, list};
pub use load::{Loaded, is_one, load, open, verify};
pub use prune::{Keep, KeepRule, Pruned, prune};
pub use save::{SaveRequest, Saved, save, write};
pub use series::{SeriesPoint, bytes_per_day, series};
pub use tree::{LiveRequest, Tree, live};
