#![forbid(unsafe_code)]
//! Rows as Parquet.
//!
//! [`write()`] turns entries of a view into one file; a [`Writer`] takes rows of any columns from
//! whoever has them. Rows are written as they come, in groups of a bounded size: memory does not
//! grow with their number.

mod cells;
mod column;
mod entry;
mod error;
mod spec;
mod writer;

use std::io::Write;

use groma_base::CancelToken;
use groma_catalog::View;

pub use column::Column;
pub use error::LakeError;
pub use spec::{Cell, Form, Spec};
pub use writer::{ROWS_PER_GROUP, Writer};

/// Rows between two looks at whether somebody wants to stop.
const ROWS_PER_LOOK: usize = 4096;

/// Writes entries of a view as one file and answers how many. A column that is named twice is
/// written once.
///
/// # Errors
/// [`LakeError`]; what was written until then is no whole file.
pub fn write<W: Write + Send>(
    view: &View,
    ids: impl IntoIterator<Item = u32>,
    columns: &[Column],
    out: W,
    cancel: &CancelToken,
) -> Result<u64, LakeError> {
    let specs: Vec<Spec> = columns.iter().map(|column| column.spec()).collect();
    let mut writer = Writer::new(&specs, out)?;
    let mut reader = entry::Reader::new(view, columns);
    for (count, id) in ids.into_iter().enumerate() {
        if count.is_multiple_of(ROWS_PER_LOOK) && cancel.is_cancelled() {
            return Err(LakeError::Cancelled);
        }
        reader.read(id)?;
        writer.push(columns.iter().map(|&column| reader.cell(column)))?;
    }
    writer.finish()
}
