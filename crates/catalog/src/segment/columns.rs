//! Whole columns of a segment, for who looks at many rows at once.

use std::fmt::Debug;
use std::ops::Range;

use super::Segment;
use crate::bytes::{allocated_from, bias, unbias};
use crate::error::Damage;
use crate::layout::SectionId;
use crate::packed::Packed;

/// A number as a plain column holds it.
pub trait Cell: Copy + Debug + sealed::Sealed {
    /// Its little-endian bytes.
    type Bytes: Copy + Debug + Send + Sync + 'static;

    /// The number.
    fn read(bytes: &Self::Bytes) -> Self;

    /// A section as cells.
    #[doc(hidden)]
    fn cells(section: &[u8]) -> &[Self::Bytes];
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! cells {
    ($($number:ty)*) => {$(
        impl sealed::Sealed for $number {}

        impl Cell for $number {
            type Bytes = [u8; size_of::<$number>()];

            #[inline]
            fn read(bytes: &Self::Bytes) -> $number {
                <$number>::from_le_bytes(*bytes)
            }

            fn cells(section: &[u8]) -> &[Self::Bytes] {
                section.as_chunks().0
            }
        }
    )*};
}

cells! { u16 u32 u64 i64 }

/// A plain column.
#[derive(Clone, Copy, Debug)]
pub struct Column<'s, T: Cell> {
    cells: &'s [T::Bytes],
}

impl<'s, T: Cell> Column<'s, T> {
    pub(super) fn new(section: &'s [u8]) -> Column<'s, T> {
        Column {
            cells: T::cells(section),
        }
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// One number.
    #[inline]
    pub fn get(&self, index: usize) -> Option<T> {
        self.cells.get(index).map(T::read)
    }

    /// The cells of a range, as far as there are any; [`Cell::read`] makes numbers of them.
    #[inline]
    pub fn cells(&self, range: Range<usize>) -> &'s [T::Bytes] {
        let end = range.end.min(self.cells.len());
        self.cells.get(range.start..end).unwrap_or_default()
    }

    /// The numbers of a range, as far as there are any.
    pub fn iter(&self, range: Range<usize>) -> impl ExactSizeIterator<Item = T> + use<'s, T> {
        self.cells(range).iter().map(T::read)
    }
}

/// A packed column.
#[derive(Clone, Copy, Debug)]
pub struct PackedColumn<'s>(Packed<'s>);

/// Values that a packed column is best read in at a time.
pub const PACKED_BLOCK: usize = crate::packed::BLOCK;

impl<'s> PackedColumn<'s> {
    pub(super) fn of(packed: Packed<'s>) -> PackedColumn<'s> {
        PackedColumn(packed)
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One number.
    ///
    /// # Errors
    /// [`Damage`] when there is no such number, or its block leads nowhere.
    pub fn get(&self, index: usize) -> Result<u64, Damage> {
        self.0.get(index)
    }

    /// The numbers from `block * PACKED_BLOCK` on; those behind the last one mean nothing.
    ///
    /// # Errors
    /// [`Damage`] when there is no such block, or it leads nowhere.
    pub fn block(&self, block: usize, out: &mut [u64; PACKED_BLOCK]) -> Result<(), Damage> {
        self.0.block(block, out)
    }

    /// Appends the numbers of a range.
    ///
    /// # Errors
    /// [`Damage`] when there are not as many, or a block leads nowhere.
    pub fn append(&self, range: Range<usize>, out: &mut Vec<u64>) -> Result<(), Damage> {
        self.0.fill(range, out)
    }

    /// An error about one number.
    pub fn wrong(&self, index: usize, found: &str) -> Damage {
        self.0.wrong(index, found.to_owned())
    }
}

/// Seconds as packed columns hold them: in the order of unsigned numbers.
#[inline]
pub fn packed_seconds(seconds: i64) -> u64 {
    bias(seconds)
}

/// The seconds of a number from a packed column.
#[inline]
pub fn unpacked_seconds(number: u64) -> i64 {
    unbias(number)
}

/// The allocated bytes of an entry from its size and its number in the packed column.
#[inline]
pub fn unpacked_allocated(size: u64, number: u64) -> u64 {
    allocated_from(size, number)
}

impl Segment {
    /// Per row: the row of the directory that it lies in.
    pub fn parents(&self) -> Column<'_, u32> {
        Column::new(self.section(SectionId::Parent))
    }

    /// Per row: the number of its name.
    pub fn name_numbers(&self) -> Column<'_, u32> {
        Column::new(self.section(SectionId::Name))
    }

    /// Per row: kind and flags, as [`crate::KindFlags::from_number`] reads them.
    pub fn kind_numbers(&self) -> Column<'_, u16> {
        Column::new(self.section(SectionId::Kind))
    }

    /// Per row: the number of its extension; 65535 where [`crate::Extensions::of_row`] is to be
    /// asked.
    pub fn extension_numbers(&self) -> Column<'_, u16> {
        Column::new(self.section(SectionId::Extension))
    }

    /// Per row: apparent size, bytes.
    pub fn sizes(&self) -> Column<'_, u64> {
        Column::new(self.section(SectionId::Size))
    }

    /// Per row: last change of content, whole seconds.
    pub fn modified_seconds(&self) -> Column<'_, i64> {
        Column::new(self.section(SectionId::Modified))
    }

    /// A section of packed numbers.
    ///
    /// # Errors
    /// [`Damage`] when it is too short for its directory. No other section may be asked for.
    pub fn packed_column(&self, id: SectionId) -> Result<PackedColumn<'_>, Damage> {
        self.packed(id).map(PackedColumn)
    }

    /// How many owners there are.
    pub fn owner_count(&self) -> usize {
        self.count(SectionId::Owners)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_cells_are_little_endian_and_end_where_the_section_does() {
        let column: Column<'_, u32> = Column::new(&[1, 0, 0, 0, 0, 1, 0, 0, 9]);
        assert_eq!(column.iter(0..9).collect::<Vec<_>>(), [1, 256]);
        assert_eq!((column.get(1), column.get(2)), (Some(256), None));
        assert_eq!(column.iter(1..2).len() + column.iter(5..9).len(), 1);
        let signed: Column<'_, i64> = Column::new(&[0xff; 8]);
        assert_eq!(signed.get(0), Some(-1));
    }
}
