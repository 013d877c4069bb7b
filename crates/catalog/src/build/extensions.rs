//! Writes the extensions: which there are, which rows have which.

use std::io::{self, Write};

use groma_base::extension;

use super::dictionary::Dictionary;
use crate::intern::Interner;
use crate::layout::{EXTENSION_OVERFLOW, SectionId};
use crate::write::SegmentWriter;

/// Distinct extensions in order, and each name's.
pub(crate) struct Extensions {
    sorted: Vec<Vec<u8>>,
    /// By rank of a name: the place of its extension. The empty one, of names without, is 0.
    of_names: Vec<u32>,
}

impl Extensions {
    /// Finds the extensions of names. Folding moves no dot, so that folded names tell them.
    pub(super) fn new(dictionary: &Dictionary) -> Extensions {
        Extensions::of_folded(dictionary.folded())
    }

    /// The same of folded names in order.
    pub(crate) fn of_folded<'n>(names: impl Iterator<Item = &'n [u8]>) -> Extensions {
        let mut found = Interner::default();
        found.intern(b"");
        let mut of_names: Vec<u32> = names
            .map(|name| found.intern(extension(name).unwrap_or_default()))
            .collect();
        let mut order: Vec<u32> = (0..u32::try_from(found.len()).unwrap_or(u32::MAX)).collect();
        order.sort_unstable_by(|&a, &b| found.get(a).cmp(found.get(b)));
        let places = super::dictionary::ranks(&order, found.len());
        for number in &mut of_names {
            *number = places[*number as usize];
        }
        let sorted = order.iter().map(|&number| found.get(number).to_vec());
        Extensions {
            sorted: sorted.collect(),
            of_names,
        }
    }

    /// The column of 16 bits.
    pub(crate) fn write_column<W: Write>(
        &self,
        segment: &mut SegmentWriter<W>,
        row_names: impl Iterator<Item = u32>,
    ) -> io::Result<()> {
        let short = |name| u16::try_from(self.of_names[name as usize]).unwrap_or(u16::MAX);
        let column = row_names.map(|name| short(name).to_le_bytes());
        segment.plain(SectionId::Extension, column)
    }

    /// Everything but the column.
    pub(crate) fn write<W: Write>(
        &self,
        segment: &mut SegmentWriter<W>,
        row_names: impl Iterator<Item = u32> + Clone,
    ) -> io::Result<()> {
        segment.bytes(SectionId::ExtensionBytes, &self.sorted.concat())?;
        let lengths = self.sorted.iter().map(|extension| extension.len() as u64);
        segment.packed(SectionId::ExtensionEnds, running_sum(lengths))?;
        let extensions = row_names.map(|name| self.of_names[name as usize]);
        let overflow = (0u32..)
            .zip(extensions.clone())
            .filter(|&(_, extension)| extension >= u32::from(EXTENSION_OVERFLOW));
        let rows = overflow.clone().map(|(row, _)| row.to_le_bytes());
        segment.plain(SectionId::OverflowRows, rows)?;
        let numbers = overflow.map(|(_, extension)| extension.to_le_bytes());
        segment.plain(SectionId::OverflowExtensions, numbers)?;
        let (ends, rows) = lists(extensions, self.sorted.len());
        segment.packed(SectionId::ExtensionRowEnds, ends.into_iter().map(u64::from))?;
        segment.packed(SectionId::ExtensionRows, rows.into_iter().map(u64::from))
    }
}

/// Each number added to all before it.
pub(super) fn running_sum(numbers: impl Iterator<Item = u64>) -> impl Iterator<Item = u64> {
    numbers.scan(0, |sum, number| {
        *sum += number;
        Some(*sum)
    })
}

/// The rows of each value below `values`, those of one value together and ascending; and where
/// each value's rows end.
pub(super) fn lists(
    of_rows: impl Iterator<Item = u32> + Clone,
    values: usize,
) -> (Vec<u32>, Vec<u32>) {
    let mut ends = vec![0u32; values];
    let mut count = 0;
    for value in of_rows.clone() {
        ends[value as usize] += 1;
        count += 1;
    }
    let mut start = 0;
    for end in &mut ends {
        start += std::mem::replace(end, start);
    }
    // `ends` holds where the next row of each value goes; when all are in, that is its end.
    let mut rows = vec![0; count];
    for (row, value) in (0..).zip(of_rows) {
        let place = &mut ends[value as usize];
        rows[*place as usize] = row;
        *place += 1;
    }
    (ends, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_rows() {
        let (ends, rows) = lists([2, 0, 2, 1, 2].into_iter(), 4);
        assert_eq!(ends, [1, 2, 5, 5]);
        assert_eq!(rows, [1, 3, 0, 2, 4]);
    }
}
