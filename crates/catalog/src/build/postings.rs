//! Writes the rows of each name.

use std::io::{self, Write};

use super::extensions::{lists, running_sum};
use crate::layout::{SHARED_NAME, SectionId};
use crate::write::SegmentWriter;

/// Writes three sections. A name with one row has that row itself; others have the number of a
/// list. `row_names`: per row the number of its name, below `names`.
pub(crate) fn write_postings<W: Write>(
    segment: &mut SegmentWriter<W>,
    row_names: impl Iterator<Item = u32> + Clone,
    names: usize,
) -> io::Result<()> {
    let (ends, rows) = lists(row_names, names);
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let ranges = starts
        .zip(&ends)
        .map(|(start, &end)| start as usize..end as usize);
    let mut shared = 0;
    let postings = ranges.clone().map(|range| match range.len() {
        1 => rows[range.start],
        _ => {
            shared += 1;
            SHARED_NAME | (shared - 1)
        }
    });
    segment.plain(SectionId::NameRows, postings.map(u32::to_le_bytes))?;
    let shared = ranges.filter(|range| range.len() != 1);
    let lengths = shared.clone().map(|range| range.len() as u64);
    segment.packed(SectionId::SharedEnds, running_sum(lengths))?;
    let rows = shared.flat_map(|range| &rows[range]);
    segment.packed(SectionId::SharedRows, rows.map(|&row| row.into()))
}
