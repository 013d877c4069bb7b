#![forbid(unsafe_code)]
//! groma's vocabulary: the words every other crate speaks.
//!
//! Nothing here reads a disk, a clock or an environment variable; what depends on "now" or on the
//! user's time zone is handed them.

mod batch;
mod cancel;
mod excluded;
mod facts;
mod fold;
mod kind;
mod metadata;
mod name;
mod order;
pub mod size;
pub mod time;
mod warning;

pub use batch::{BatchEntry, DirId, EntryBatch};
pub use cancel::CancelToken;
pub use excluded::Excluded;
pub use facts::{ChildCounts, Facts, SubtreeTotals};
pub use fold::{FOLD_VERSION, fold_into, folded};
pub use kind::Kind;
pub use metadata::{FileId, Metadata};
pub use name::{basename, characters, extension, parent, stem};
pub use order::{compare_names, compare_paths, folded_word, push_path_key};
pub use time::Timestamp;
pub use warning::Warning;
