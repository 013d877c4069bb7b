//! Writes the columns that every row has.

use std::io::{self, Write};

use super::order::Order;
use super::{Builder, TimeColumn};
use crate::bytes::unbias;
use crate::layout::SectionId;
use crate::packed::PackedVec;
use crate::write::SegmentWriter;

/// Renumbers values by the first row that has them, so that the order in which entries came does
/// not show.
#[derive(Debug, Default)]
pub(super) struct ByFirstRow {
    /// By old number: the new one.
    new: Vec<Option<u32>>,
    /// Old numbers in the new order.
    pub(super) order: Vec<u32>,
}

impl ByFirstRow {
    /// `of_rows`: the old number of each row that has one, in the order of rows.
    pub(super) fn new(of_rows: impl Iterator<Item = Option<u64>>, values: usize) -> ByFirstRow {
        let mut numbers = ByFirstRow {
            new: vec![None; values],
            order: Vec::new(),
        };
        for old in of_rows.flatten() {
            if let Some(new @ None) = numbers.new.get_mut(old as usize) {
                *new = u32::try_from(numbers.order.len()).ok();
                numbers.order.push(old as u32);
            }
        }
        numbers
    }

    /// The new number; 0 for a row that has none.
    pub(super) fn number(&self, old: Option<u64>) -> u64 {
        let new = old.and_then(|old| self.new.get(old as usize).copied().flatten());
        new.unwrap_or(0).into()
    }
}

/// Writes a packed column in the order of rows.
pub(super) fn packed<W: Write>(
    segment: &mut SegmentWriter<W>,
    id: SectionId,
    order: &Order,
    column: &PackedVec,
) -> io::Result<()> {
    segment.packed(id, in_rows(order, column))
}

/// The values of a column in the order of rows.
pub(super) fn in_rows<'c>(
    order: &'c Order,
    column: &'c PackedVec,
) -> impl Iterator<Item = u64> + 'c {
    // One packed value costs more to fetch than a packed one and a plain one in turn.
    let values = column.to_vec();
    let arrivals = order.arrivals.iter();
    arrivals.map(move |&a| values.get(a as usize).copied().unwrap_or(0))
}

/// Seconds in the order of rows.
pub(super) fn seconds<'c>(
    order: &'c Order,
    column: &'c TimeColumn,
) -> impl Iterator<Item = i64> + 'c {
    in_rows(order, &column.seconds).map(unbias)
}

/// Writes a time column: seconds, then nanoseconds.
pub(super) fn time<W: Write>(
    segment: &mut SegmentWriter<W>,
    (seconds, nanoseconds): (SectionId, SectionId),
    order: &Order,
    column: &TimeColumn,
) -> io::Result<()> {
    packed(segment, seconds, order, &column.seconds)?;
    packed(segment, nanoseconds, order, &column.nanoseconds)
}

/// Writes the columns that searches touch most, unpacked, from the parents to the kinds.
pub(super) fn structure<W: Write>(
    segment: &mut SegmentWriter<W>,
    builder: &Builder,
    order: &Order,
    row_names: impl Iterator<Item = u32>,
) -> io::Result<()> {
    let parents = order.parents.iter().map(|row| row.to_le_bytes());
    segment.plain(SectionId::Parent, parents)?;
    segment.plain(SectionId::Name, row_names.map(u32::to_le_bytes))?;
    let kinds = order.arrivals.iter().map(|&a| builder.kinds[a as usize]);
    segment.plain(SectionId::Kind, kinds.map(u16::to_le_bytes))
}

/// Writes size and time of change, unpacked.
pub(super) fn hot<W: Write>(
    segment: &mut SegmentWriter<W>,
    builder: &Builder,
    order: &Order,
) -> io::Result<()> {
    let columns = &builder.columns;
    let sizes = in_rows(order, &columns.size).map(u64::to_le_bytes);
    segment.plain(SectionId::Size, sizes)?;
    let modified = seconds(order, &columns.modified).map(i64::to_le_bytes);
    segment.plain(SectionId::Modified, modified)
}

/// Writes the packed columns of nanoseconds of the last change and of allocated sizes.
pub(super) fn fractions<W: Write>(
    segment: &mut SegmentWriter<W>,
    builder: &Builder,
    order: &Order,
) -> io::Result<()> {
    let columns = &builder.columns;
    let nanoseconds = &columns.modified.nanoseconds;
    packed(segment, SectionId::ModifiedNanos, order, nanoseconds)?;
    packed(segment, SectionId::Allocated, order, &columns.allocated)
}
