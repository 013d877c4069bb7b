//! What is stored about directories and about hard links.

use std::ops::Range;

use groma_base::Timestamp;

use super::Segment;
use super::names::find_u32;
use crate::build::Totals;
use crate::bytes::{u32_at, unbias};
use crate::error::Damage;
use crate::layout::SectionId;

/// What a segment knows about a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirTotals {
    /// Entries directly in it.
    pub children: u32,
    /// Entries below it at any depth, itself not counted.
    pub entries: u32,
    /// Sums over these.
    pub below: Totals,
}

impl Segment {
    /// The place of a row among the directories; `None` when it is none.
    pub(crate) fn dir_number(&self, row: u32) -> Result<Option<usize>, Damage> {
        if !self.kind(row)?.is_dir() {
            return Ok(None);
        }
        let dirs = self.packed(SectionId::Dirs)?;
        let at = dirs.lower_bound(0..dirs.len(), row.into())?;
        if at < dirs.len() && dirs.get(at)? == u64::from(row) {
            return Ok(Some(at));
        }
        let found = format!("no line for row {row}");
        Err(Damage::section(SectionId::Dirs, 0, found))
    }

    /// A row and all rows below it.
    ///
    /// # Errors
    /// [`Damage`] when there is no such row, or its end is not behind it.
    pub fn subtree(&self, row: u32) -> Result<Range<u32>, Damage> {
        match self.dir_number(row)? {
            Some(dir) => self.subtree_of(row, dir),
            None => Ok(row..row.saturating_add(1)),
        }
    }

    /// The rows of the directory `row`, whose place among the directories is `dir`.
    pub(crate) fn subtree_of(&self, row: u32, dir: usize) -> Result<Range<u32>, Damage> {
        let ends = self.packed(SectionId::DirEnd)?;
        let end = ends.get_u32(dir)?;
        if end <= row || end > self.rows() {
            return Err(ends.wrong(dir, format!("row {row} ends at {end}")));
        }
        Ok(row..end)
    }

    /// What lies below a directory; `None` for a row that is none.
    ///
    /// # Errors
    /// [`Damage`] when there is no such row, or its line is damaged.
    pub fn totals(&self, row: u32) -> Result<Option<DirTotals>, Damage> {
        let Some(dir) = self.dir_number(row)? else {
            return Ok(None);
        };
        let subtree = self.subtree_of(row, dir)?;
        Ok(Some(DirTotals {
            children: self.packed(SectionId::DirChildren)?.get_u32(dir)?,
            entries: subtree.end - subtree.start - 1,
            below: self.totals_of(dir)?,
        }))
    }

    pub(crate) fn totals_of(&self, dir: usize) -> Result<Totals, Damage> {
        let nanoseconds = self.packed(SectionId::DirNewestNanos)?.get_u32(dir)?;
        let newest = Timestamp {
            seconds: unbias(self.packed(SectionId::DirNewest)?.get(dir)?),
            nanoseconds,
        };
        Ok(Totals {
            size: self.packed(SectionId::DirSize)?.get(dir)?,
            allocated: self.packed(SectionId::DirAllocated)?.get(dir)?,
            newest: (newest != Timestamp::MIN).then_some(newest),
        })
    }

    /// All rows of a row's node, ascending; empty when it has no other entry here. The first is
    /// the one at which sizes are counted.
    ///
    /// # Errors
    /// [`Damage`] when the tables of links do not fit together.
    pub fn linked_rows(&self, row: u32) -> Result<Vec<u32>, Damage> {
        let count = self.count(SectionId::LinkedRows);
        let Some(at) = find_u32(self.section(SectionId::LinkedRows), count, row) else {
            return Ok(Vec::new());
        };
        let node = u32_at(self.section(SectionId::LinkedNodes), at * 4);
        let node = node.ok_or_else(|| self.out_of_range(SectionId::LinkedNodes, at))?;
        let ends = self.packed(SectionId::LinkEnds)?;
        let range = ends.range(node as usize, count)?;
        let rows = self.section(SectionId::LinkRows);
        let row = |at: usize| {
            let row = u32_at(rows, at * 4);
            row.ok_or_else(|| self.out_of_range(SectionId::LinkRows, at))
        };
        range.map(row).collect()
    }
}
