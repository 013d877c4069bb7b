#![forbid(unsafe_code)]
//! The catalog: a scanned tree in columns, built once, mapped and asked ever after.
//!
//! [`Builder`] takes entries in any order and writes a segment; [`Segment`] opens one and answers.
//! A [`Delta`] holds what has changed since. [`CatalogWriter`] publishes both in a directory,
//! [`Catalog`] finds them there, and a [`View`] is what questions are put to.
//! `docs/format.md` draws every byte.

mod about;
mod build;
mod bytes;
mod check;
mod delta;
mod error;
mod growing;
mod intern;
mod kinds;
mod layout;
mod manifest;
mod packed;
mod segment;
mod snapshot;
mod store;
mod view;
mod write;

pub use about::{About, Owner, Volume};
pub use build::{Builder, Sealed, Totals};
pub use check::CheckError;
pub use delta::{Delta, DeltaError, LOG_VERSION, LogError, Put};
pub use error::{BuildError, CatalogError, Damage, OpenError, Place};
pub use growing::{Growing, GrowingEntry};
pub use kinds::KindFlags;
pub use layout::{FORMAT_VERSION, MAX_ROWS, ROWS_PER_BLOCK, SectionId};
pub use manifest::RootRecord;
pub use segment::columns::{
    Cell, Column, PACKED_BLOCK, PackedColumn, packed_seconds, unpacked_allocated, unpacked_seconds,
};
pub use segment::{
    Children, DirTotals, Extensions, FirstRows, NameCursor, NameReader, Names, NumberOf, RowList,
    Segment, Stretch, TimeOf, WeightOf,
};
pub use snapshot::{
    EXPANSION_RATIO, Kept, SNAPSHOT_VERSION, Snapshot, SnapshotError, SnapshotFacts, Times,
    write_snapshot,
};
pub use store::{Catalog, CatalogWriter};
// For who goes through whole columns.
pub use groma_sys::{WideLoop, run_wide};
pub use view::{
    EntryNames, FOLD_FRACTION, FOLD_LEAST, MetadataReader, Piece, Stamp, StoredEntry, View,
};
