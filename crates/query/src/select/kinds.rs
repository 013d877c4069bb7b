//! Tests of kind and flags: worked out once for each number that a row can have.

use groma_base::Kind;
use groma_catalog::{Column, KindFlags, Segment};

use super::SelectError;
use super::bits::{self, BLOCK, Mask};
use super::filter::{Filter, answers};

/// Kinds and flags take this many numbers.
const NUMBERS: usize = 1 << 12;

/// A test of kind and flags.
pub(crate) struct Kinds<'v> {
    segment: &'v Segment,
    column: Column<'v, u16>,
    /// One bit for each number that passes.
    table: [u64; NUMBERS / 64],
}

impl<'v> Kinds<'v> {
    /// Rows whose kind and flags pass.
    pub(crate) fn new(segment: &'v Segment, passes: impl Fn(KindFlags) -> bool) -> Kinds<'v> {
        let mut table = [0; NUMBERS / 64];
        for number in 0..NUMBERS as u16 {
            if KindFlags::from_number(number).is_some_and(&passes) {
                bits::set(&mut table, number.into());
            }
        }
        Kinds {
            segment,
            column: segment.kind_numbers(),
            table,
        }
    }
}

impl Filter for Kinds<'_> {
    fn apply(&self, first: u32, mask: &mut Mask) -> Result<(), SelectError> {
        let start = first as usize;
        let cells = self.column.cells(start..start + BLOCK as usize);
        let mut all = 0;
        for (word, cells) in mask.iter_mut().zip(cells.chunks(64)) {
            if *word == 0 {
                continue;
            }
            // Neighbours are most often of one kind.
            let one = cells[0];
            let kept = if cells.iter().all(|cell| *cell == one) {
                all |= u16::from_le_bytes(one);
                match self.passes(u16::from_le_bytes(one)) {
                    true => u64::MAX,
                    false => 0,
                }
            } else {
                all |= cells
                    .iter()
                    .fold(0, |all, cell| all | u16::from_le_bytes(*cell));
                answers(cells, |cell| self.passes(u16::from_le_bytes(*cell)))
            };
            *word &= kept;
        }
        if usize::from(all) >= NUMBERS || all & 0b1000 != 0 {
            self.damage(first, cells.len())?;
        }
        Ok(())
    }
}

impl Kinds<'_> {
    #[inline]
    fn passes(&self, number: u16) -> bool {
        bits::has(&self.table, number.into())
    }

    /// The error of the first row whose number means nothing.
    fn damage(&self, first: u32, rows: usize) -> Result<(), SelectError> {
        for row in first..first + rows as u32 {
            self.segment.kind(row)?;
        }
        Ok(())
    }
}

/// The kind; `None` where neither the directory nor a stat call told.
pub(crate) fn known_kind(flags: KindFlags) -> Option<Kind> {
    match flags.kind() {
        Kind::Unknown if flags.has(KindFlags::NO_METADATA) => None,
        kind => Some(kind),
    }
}

/// Whether a stat call told of it.
pub(crate) fn has_metadata(flags: KindFlags) -> bool {
    !flags.has(KindFlags::NO_METADATA)
}

/// Whether it is a directory all of whose entries are known.
pub(crate) fn is_read_dir(flags: KindFlags) -> bool {
    flags.is_dir() && !flags.has(KindFlags::UNREAD)
}
