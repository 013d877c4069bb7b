//! `index`: roots scanned into a catalog, and what can be done with them there.

mod add;
mod binds;
mod check;
pub(crate) mod devices;
mod error;
pub(crate) mod feed;
mod findings;
mod identity;
mod list;
mod listing;
mod old;
mod options;
mod progress;
mod refresh;
mod remove;
mod resolve;
pub(crate) mod scan;
pub(crate) mod start;
mod sweep;
mod told;
mod visitor;

pub use add::{AddRequest, Added, Index};
pub use check::{Checked, check};
pub use error::IndexError;
pub use list::{ListedRoot, Presence, list};
pub use listing::{ListError, ListRequest};
pub use options::{ScanOptions, SourceKind};
pub use progress::{Phase, Progress};
pub use refresh::{RefreshRequest, Refreshing};
pub use resolve::one as find_root;

use groma_base::Warning;

/// Receives what cannot be read, as it is met; from several threads.
pub trait Report: Sync {
    /// A place that could not be read.
    fn warn(&self, warning: &Warning);
}
