//! The dictionary of extensions, each with its rows.

use super::Segment;
use super::names::{RowList, find_u32};
use super::scan::append_numbers;
use crate::bytes::{u16_at, u32_at};
use crate::error::Damage;
use crate::layout::{EXTENSION_OVERFLOW, SectionId};
use crate::packed::Packed;

/// The distinct folded extensions of a segment in the order of their bytes. The first, number 0,
/// is the empty one: of names without an extension.
#[derive(Clone, Copy, Debug)]
pub struct Extensions<'s> {
    pub(super) segment: &'s Segment,
    bytes: &'s [u8],
    ends: Packed<'s>,
}

impl Segment {
    /// The dictionary of extensions.
    ///
    /// # Errors
    /// [`Damage`] when its sections are too short.
    pub fn extensions(&self) -> Result<Extensions<'_>, Damage> {
        Ok(Extensions {
            segment: self,
            bytes: self.section(SectionId::ExtensionBytes),
            ends: self.packed(SectionId::ExtensionEnds)?,
        })
    }
}

impl<'s> Extensions<'s> {
    /// How many there are, the empty one included.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The extension with this number, without its dot.
    ///
    /// # Errors
    /// [`Damage`] when there is none.
    pub fn get(&self, extension: u32) -> Result<&'s [u8], Damage> {
        let range = self.ends.range(extension as usize, self.bytes.len())?;
        Ok(self.bytes.get(range).unwrap_or_default())
    }

    /// The number of a folded extension.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn find(&self, folded: &[u8]) -> Result<Option<u32>, Damage> {
        let (mut low, mut high) = (0, u32::try_from(self.len()).unwrap_or(u32::MAX));
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle)?.cmp(folded) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Ok(Some(middle)),
            }
        }
        Ok(None)
    }

    /// The extension of a row.
    ///
    /// # Errors
    /// [`Damage`] when there is no such row, or it is missing among those with large numbers.
    pub fn of_row(&self, row: u32) -> Result<u32, Damage> {
        let segment = self.segment;
        let column = segment.section(SectionId::Extension);
        match u16_at(column, (row as usize).saturating_mul(2)) {
            Some(EXTENSION_OVERFLOW) => self.overflow(row),
            Some(short) => Ok(short.into()),
            None => Err(segment.out_of_range(SectionId::Extension, row as usize)),
        }
    }

    fn overflow(&self, row: u32) -> Result<u32, Damage> {
        let segment = self.segment;
        let rows = segment.section(SectionId::OverflowRows);
        let at = find_u32(rows, segment.count(SectionId::OverflowRows), row);
        let numbers = segment.section(SectionId::OverflowExtensions);
        at.and_then(|at| u32_at(numbers, at.checked_mul(4)?))
            .ok_or_else(|| Damage::section(SectionId::OverflowRows, 0, format!("no row {row}")))
    }

    /// The rows with an extension, ascending.
    ///
    /// # Errors
    /// [`Damage`] when there is no such extension, or its list is not there.
    pub fn rows(&self, extension: u32) -> Result<RowList<'s>, Damage> {
        let rows = self.segment.packed(SectionId::ExtensionRows)?;
        let ends = self.segment.packed(SectionId::ExtensionRowEnds)?;
        let range = ends.range(extension as usize, rows.len())?;
        Ok(RowList::listed(rows, range))
    }

    /// Appends the rows with an extension, ascending.
    ///
    /// # Errors
    /// As [`Extensions::rows`].
    pub fn append_rows(&self, extension: u32, out: &mut Vec<u32>) -> Result<(), Damage> {
        let rows = self.segment.packed(SectionId::ExtensionRows)?;
        let ends = self.segment.packed(SectionId::ExtensionRowEnds)?;
        let range = ends.range(extension as usize, rows.len())?;
        let mut numbers = Vec::with_capacity(range.len());
        rows.fill(range, &mut numbers)?;
        append_numbers(&rows, &numbers, out)
    }
}
