//! The dictionary of names for who scans all of it: from bytes of the arena to names, and what
//! names are other than they look.

use std::ops::Range;

use super::columns::{Column, PackedColumn};
use super::names::Names;
use crate::error::Damage;
use crate::layout::{SHARED_NAME, SectionId};
use crate::packed::{BLOCK, Packed};

impl<'s> Names<'s> {
    /// Where each name begins in the arena; the last number is the arena's length.
    pub fn starts(&self) -> PackedColumn<'s> {
        PackedColumn::of(self.starts)
    }

    /// The names whose raw form is not told by the case of ASCII letters, ascending.
    pub fn odd_names(&self) -> Column<'s, u32> {
        Column::new(self.segment.section(SectionId::OddNames))
    }

    /// Whether a name is one of these.
    pub fn is_odd(&self, name: u32) -> bool {
        let odd = self.odd_names();
        super::names::find_u32(self.segment.section(SectionId::OddNames), odd.len(), name).is_some()
    }

    /// Whether the raw name has the upper-case form of the letter at this byte of the arena; holds
    /// for names that are not odd.
    #[inline]
    pub fn is_upper_at(&self, at: usize) -> bool {
        let case = self.segment.section(SectionId::NameCase);
        case.get(at / 8)
            .is_some_and(|bits| bits >> (at % 8) & 1 == 1)
    }

    /// Whether a name has other than exactly one row.
    pub fn is_shared(&self, name: u32) -> bool {
        let rows: Column<'_, u32> = Column::new(self.segment.section(SectionId::NameRows));
        rows.get(name as usize)
            .is_some_and(|posting| posting & SHARED_NAME != 0)
    }

    /// Appends the rows of each name of a range: ascending for each name, not over all.
    ///
    /// # Errors
    /// [`Damage`] when a list is not there.
    pub fn append_rows(&self, names: Range<u32>, out: &mut Vec<u32>) -> Result<(), Damage> {
        let postings: Column<'_, u32> = Column::new(self.segment.section(SectionId::NameRows));
        let range = names.start as usize..names.end as usize;
        if postings.cells(range.clone()).len() != range.len() {
            return Err(self.segment.out_of_range(SectionId::NameRows, range.end));
        }
        let rows = self.segment.packed(SectionId::SharedRows)?;
        let ends = self.segment.packed(SectionId::SharedEnds)?;
        let mut numbers = Vec::new();
        for posting in postings.iter(range) {
            if posting & SHARED_NAME == 0 {
                out.push(posting);
                continue;
            }
            let list = ends.range((posting & !SHARED_NAME) as usize, rows.len())?;
            numbers.clear();
            rows.fill(list, &mut numbers)?;
            append_numbers(&rows, &numbers, out)?;
        }
        Ok(())
    }

    /// A finder of names by bytes of the arena.
    pub fn cursor(&self) -> NameCursor<'s> {
        NameCursor {
            starts: self.starts,
            names: self.len() as usize,
            block: usize::MAX,
            values: [0; BLOCK],
            place: 0,
            next: 0,
        }
    }

    /// The names that are no UTF-8, ascending; looked for once in the life of the segment.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn not_text(&self) -> Result<&'s [u32], Damage> {
        let held = &self.segment.not_text;
        if held.get().is_none() {
            let found = self.look_for_no_text()?;
            return Ok(held.get_or_init(|| found));
        }
        Ok(held.get().map_or(&[], |found| found))
    }

    fn look_for_no_text(&self) -> Result<Vec<u32>, Damage> {
        let (mut found, mut cursor, mut at) = (Vec::new(), self.cursor(), 0);
        let arena = self.arena();
        while let Some(rest) = arena.get(at..).filter(|rest| !rest.is_empty()) {
            let Err(error) = std::str::from_utf8(rest) else {
                break;
            };
            let (name, range) = cursor.seek(at + error.valid_up_to())?;
            found.push(name);
            at = range.end;
        }
        Ok(found)
    }
}

/// Appends numbers that must be rows.
pub(super) fn append_numbers(
    column: &Packed<'_>,
    numbers: &[u64],
    out: &mut Vec<u32>,
) -> Result<(), Damage> {
    out.reserve(numbers.len());
    for &number in numbers {
        let row = u32::try_from(number);
        out.push(row.map_err(|_| column.wrong(0, format!("{number} in place of a row")))?);
    }
    Ok(())
}

/// Finds names by bytes of the arena, fast where bytes ascend.
#[derive(Clone, Debug)]
pub struct NameCursor<'s> {
    starts: Packed<'s>,
    names: usize,
    /// The block of starts that `values` holds.
    block: usize,
    values: [u64; BLOCK],
    /// Where the last name was found in it.
    place: usize,
    /// The first start behind the block.
    next: u64,
}

impl NameCursor<'_> {
    /// The name whose bytes or whose NUL are at `at`, and where it lies, the NUL counted.
    ///
    /// # Errors
    /// [`Damage`] when no name is there.
    #[inline]
    pub fn seek(&mut self, at: usize) -> Result<(u32, Range<usize>), Damage> {
        let wanted = at as u64;
        if self.block == usize::MAX || wanted < self.values[0] || wanted >= self.next {
            self.load(wanted)?;
        }
        let held = (self.starts.len() - self.block * BLOCK).min(BLOCK);
        let mut place = if self.values[self.place] <= wanted {
            self.place
        } else {
            0
        };
        let near = (place + 4).min(held - 1);
        while place < near && self.values[place + 1] <= wanted {
            place += 1;
        }
        if place == near {
            let rest = &self.values[place..held];
            place += rest.partition_point(|&start| start <= wanted).max(1) - 1;
        }
        self.place = place;
        let end = if place + 1 < held {
            self.values[place + 1]
        } else {
            self.next
        };
        self.found(wanted, place, end)
    }

    fn found(&self, wanted: u64, place: usize, end: u64) -> Result<(u32, Range<usize>), Damage> {
        let (name, start) = (self.block * BLOCK + place, self.values[place]);
        let is_there = start <= wanted && wanted < end && name < self.names;
        let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        match (range, u32::try_from(name)) {
            (Some((start, end)), Ok(name)) if is_there => Ok((name, start..end)),
            _ => Err(self.starts.wrong(name, format!("no name at byte {wanted}"))),
        }
    }

    /// Loads the block of starts in which the name at `wanted` begins.
    fn load(&mut self, wanted: u64) -> Result<(), Damage> {
        let (mut low, mut high) = (0, self.starts.blocks());
        if self.block != usize::MAX && wanted >= self.next {
            // Most often it is one of the next blocks.
            let mut step = 1;
            low = self.block + 1;
            while low + step < high && self.base(low + step)? <= wanted {
                low += step;
                step *= 2;
            }
            high = high.min(low + step);
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.base(middle)? <= wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        self.starts.block(low, &mut self.values)?;
        self.block = low;
        self.place = 0;
        self.next = self.starts.block_base(low + 1).unwrap_or(u64::MAX);
        Ok(())
    }

    fn base(&self, block: usize) -> Result<u64, Damage> {
        let base = self.starts.block_base(block);
        base.ok_or_else(|| self.starts.wrong(block * BLOCK, "no block".to_owned()))
    }
}
