//! How many rows lists hold, and the first of them all, without reading every list.

use std::collections::BinaryHeap;
use std::ops::Range;

use super::columns::Column;
use super::{Extensions, Names};
use crate::error::Damage;
use crate::layout::{SHARED_NAME, SectionId};
use crate::packed::{BLOCK, Packed};

/// Rows of some lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstRows {
    /// How many there are.
    pub count: u64,
    /// The first of them, ascending.
    pub rows: Vec<u32>,
}

impl Names<'_> {
    /// The rows of all names of a range: how many, and the first `most`. The lists of names that have
    /// several rows are numbered in the order of the names, so that those of a range lie together.
    ///
    /// # Errors
    /// [`Damage`] when a list is not there, or not in its place.
    pub fn first_rows(&self, names: Range<u32>, most: usize) -> Result<FirstRows, Damage> {
        let postings: Column<'_, u32> = Column::new(self.segment.section(SectionId::NameRows));
        let range = names.start as usize..names.end as usize;
        let cells = postings.cells(range.clone());
        if cells.len() != range.len() {
            return Err(self.segment.out_of_range(SectionId::NameRows, range.end));
        }
        let mut least = Least::new(most);
        let alone = least.add_alone(cells);
        let lists = lists_of(cells, cells.len() - alone)?;
        let mut count = alone as u64;
        if let Some(lists) = lists {
            let rows = self.segment.packed(SectionId::SharedRows)?;
            let ends = self.segment.packed(SectionId::SharedEnds)?;
            let start = ends.range(lists.start, rows.len())?.start;
            let end = ends.range(lists.end - 1, rows.len())?.end;
            count += end.saturating_sub(start) as u64;
            least.add(&rows, start..end)?;
        }
        Ok(least.into_first(count))
    }
}

/// The numbers of the lists that postings name, which are so many.
fn lists_of(postings: &[[u8; 4]], count: usize) -> Result<Option<Range<usize>>, Damage> {
    let list = |posting: &[u8; 4]| {
        let posting = u32::from_le_bytes(*posting);
        (posting & SHARED_NAME != 0).then_some((posting & !SHARED_NAME) as usize)
    };
    let mut lists = postings.iter();
    let (Some(first), last) = (lists.find_map(list), lists.rev().find_map(list)) else {
        return Ok(None);
    };
    let last = last.unwrap_or(first);
    if last.checked_sub(first) != count.checked_sub(1) {
        let found = format!("lists {first} to {last} of {count} names");
        return Err(Damage::section(SectionId::NameRows, 0, found));
    }
    Ok(Some(first..last + 1))
}

impl Extensions<'_> {
    /// The rows with one of these extensions, each named once: how many, and the first `most`.
    ///
    /// # Errors
    /// As [`Extensions::rows`].
    pub fn first_rows(&self, extensions: &[u32], most: usize) -> Result<FirstRows, Damage> {
        let rows = self.segment.packed(SectionId::ExtensionRows)?;
        let ends = self.segment.packed(SectionId::ExtensionRowEnds)?;
        let (mut least, mut count) = (Least::new(most), 0);
        for &extension in extensions {
            let range = ends.range(extension as usize, rows.len())?;
            count += range.len() as u64;
            least.add(&rows, range)?;
        }
        Ok(least.into_first(count))
    }
}

/// The least rows of those that it is shown.
struct Least {
    most: usize,
    rows: BinaryHeap<u32>,
    /// Rows from here on are not among them.
    bound: u32,
}

impl Least {
    fn new(most: usize) -> Least {
        Least {
            most,
            rows: BinaryHeap::with_capacity(most),
            bound: if most == 0 { 0 } else { u32::MAX },
        }
    }

    fn push(&mut self, row: u32) {
        if row >= self.bound {
            return;
        }
        if self.rows.len() == self.most {
            self.rows.pop();
        }
        self.rows.push(row);
        if self.rows.len() == self.most {
            self.bound = self.rows.peek().copied().unwrap_or(0);
        }
    }

    /// Shows it the postings that are rows; answers how many these are.
    fn add_alone(&mut self, postings: &[[u8; 4]]) -> usize {
        let mut alone = 0;
        for postings in postings.chunks(64) {
            // What names a list is larger than any row. No early exit: this is vector code.
            let (mut rows, mut is_hopeful) = (0, false);
            for posting in postings {
                let posting = u32::from_le_bytes(*posting);
                rows += u32::from(posting & SHARED_NAME == 0);
                is_hopeful |= posting < self.bound;
            }
            alone += rows as usize;
            if is_hopeful {
                let rows = postings.iter().map(|bytes| u32::from_le_bytes(*bytes));
                let rows = rows.filter(|posting| posting & SHARED_NAME == 0);
                rows.for_each(|row| self.push(row));
            }
        }
        alone
    }

    /// Shows it the values of a range, which are rows. Only blocks are unpacked that may hold one of the
    /// least: the base of a block is its smallest value.
    fn add(&mut self, column: &Packed<'_>, range: Range<usize>) -> Result<(), Damage> {
        if self.most == 0 {
            return Ok(());
        }
        // Each block that lies in the range as a whole has a row as small as its base.
        let whole = range.start.div_ceil(BLOCK)..range.end / BLOCK;
        let mut bases: Vec<u64> = whole.filter_map(|b| column.block_base(b)).collect();
        let mut bound = u64::MAX;
        if bases.len() >= self.most {
            bound = *bases.select_nth_unstable(self.most - 1).1;
        }
        let mut values = [0; BLOCK];
        for block in range.start / BLOCK..range.end.div_ceil(BLOCK) {
            if column.block_base(block).is_none_or(|base| base > bound) {
                continue;
            }
            column.block(block, &mut values)?;
            let first = range.start.saturating_sub(block * BLOCK);
            let last = (range.end - block * BLOCK).min(BLOCK);
            for &value in values.get(first..last).unwrap_or_default() {
                let row = u32::try_from(value);
                let wrong = |_| column.wrong(block * BLOCK, format!("{value} in place of a row"));
                self.push(row.map_err(wrong)?);
            }
        }
        Ok(())
    }

    fn into_first(self, count: u64) -> FirstRows {
        FirstRows {
            count,
            rows: self.rows.into_sorted_vec(),
        }
    }
}
