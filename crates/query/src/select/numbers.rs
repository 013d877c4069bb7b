//! Tests of numbers in columns: ranges of them, sizes with minima and maxima of blocks, and what
//! is worked out from two columns.

use std::ops::RangeInclusive;

use groma_catalog::{Column, PackedColumn, SectionId, Segment, unpacked_allocated};

use super::SelectError;
use super::bits::{self, BLOCK, Mask};
use super::filter::{Cells, Filter, PackedCells, each_packed};
use super::frame::Frame;
use super::range::CellRange;
use super::way::{PathLengths, Way};

type Ranges = Vec<RangeInclusive<u64>>;

/// Whether a number is in one of the ranges.
#[inline]
pub(crate) fn is_in(ranges: &[RangeInclusive<u64>], number: u64) -> bool {
    ranges.iter().any(|range| range.contains(&number))
}

/// Rows whose number in a packed column is in one of the ranges, or is not, as `want` says.
pub(crate) fn packed<'v>(
    column: PackedColumn<'v>,
    ranges: &[RangeInclusive<u64>],
    want: bool,
) -> Box<dyn Filter + 'v> {
    if let Some(range) = CellRange::single(ranges) {
        let test = move |number| range.holds(number) == want;
        return Box::new(PackedCells { column, test });
    }
    let ranges = ranges.to_vec();
    let test = move |number| is_in(&ranges, number) == want;
    Box::new(PackedCells { column, test })
}

/// Rows whose number in a packed column is one whose bit is set.
pub(crate) fn packed_bits<'v>(column: PackedColumn<'v>, set: Vec<u64>) -> Box<dyn Filter + 'v> {
    let test = move |number| u32::try_from(number).is_ok_and(|number| bits::has(&set, number));
    Box::new(PackedCells { column, test })
}

/// A test of apparent sizes.
pub(crate) struct Sizes<'v> {
    segment: &'v Segment,
    ranges: Ranges,
    want: bool,
    /// Where it is a single one.
    range: Option<CellRange>,
}

impl<'v> Sizes<'v> {
    pub(crate) fn new(
        segment: &'v Segment,
        ranges: &[RangeInclusive<u64>],
        want: bool,
    ) -> Sizes<'v> {
        Sizes {
            segment,
            ranges: ranges.to_vec(),
            want,
            range: CellRange::single(ranges),
        }
    }
}

impl Filter for Sizes<'_> {
    fn apply(&self, first: u32, mask: &mut Mask) -> Result<(), SelectError> {
        let (least, most) = self.segment.size_extremes((first / BLOCK) as usize)?;
        let all = |range: &RangeInclusive<u64>| range.contains(&least) && range.contains(&most);
        let none = |range: &RangeInclusive<u64>| *range.start() > most || *range.end() < least;
        if self.ranges.iter().any(all) {
            return settle(mask, self.want);
        }
        if self.ranges.iter().all(none) {
            return settle(mask, !self.want);
        }
        let column = self.segment.sizes();
        if let Some(range) = self.range {
            let rows = first as usize..(first + BLOCK) as usize;
            range.keep(column.cells(rows), self.want, mask);
            return Ok(());
        }
        let test = |size| is_in(&self.ranges, size) == self.want;
        Cells { column, test }.apply(first, mask)
    }
}

/// All rows of a block pass, or none.
pub(crate) fn settle(mask: &mut Mask, passes: bool) -> Result<(), SelectError> {
    if !passes {
        *mask = bits::NONE;
    }
    Ok(())
}

/// A test of size and allocated size.
pub(crate) struct SizePairs<'v, F> {
    sizes: Column<'v, u64>,
    allocated: PackedColumn<'v>,
    test: F,
}

impl<'v, F: Fn(u64, u64) -> bool + Sync> SizePairs<'v, F> {
    pub(crate) fn new(frame: &Frame<'v>, test: F) -> Result<SizePairs<'v, F>, SelectError> {
        Ok(SizePairs {
            sizes: frame.segment.sizes(),
            allocated: frame.segment.packed_column(SectionId::Allocated)?,
            test,
        })
    }
}

impl<F: Fn(u64, u64) -> bool + Sync> Filter for SizePairs<'_, F> {
    fn apply(&self, first: u32, mask: &mut Mask) -> Result<(), SelectError> {
        let start = first as usize;
        let sizes = self.sizes.cells(start..start + BLOCK as usize);
        each_packed(&self.allocated, first, mask, |place, number| {
            let size = sizes.get(place).map_or(0, |cell| u64::from_le_bytes(*cell));
            (self.test)(size, unpacked_allocated(size, number))
        })
    }
}

/// A test of distances from the root.
pub(crate) struct Depths<'f, 'v> {
    pub(crate) frame: &'f Frame<'v>,
    pub(crate) ranges: Ranges,
    pub(crate) want: bool,
}

impl Filter for Depths<'_, '_> {
    fn apply(&self, first: u32, mask: &mut Mask) -> Result<(), SelectError> {
        let mut way = Way::new(self.frame);
        for bit in bits::ones(&mask.clone()) {
            way.go(first + bit)?;
            if is_in(&self.ranges, way.depth()) != self.want {
                bits::clear(mask, bit);
            }
        }
        Ok(())
    }
}

/// A test of lengths of absolute paths.
pub(crate) struct Lengths<'f, 'v> {
    pub(crate) frame: &'f Frame<'v>,
    pub(crate) ranges: Ranges,
    pub(crate) want: bool,
}

impl Filter for Lengths<'_, '_> {
    fn apply(&self, first: u32, mask: &mut Mask) -> Result<(), SelectError> {
        let mut lengths = PathLengths::new(self.frame);
        for bit in bits::ones(&mask.clone()) {
            if is_in(&self.ranges, lengths.length(first + bit)?) != self.want {
                bits::clear(mask, bit);
            }
        }
        Ok(())
    }
}
