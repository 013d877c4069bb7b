//! The newest change of content in a range of rows, without looking at all of them.

use std::ops::Range;

use groma_base::Timestamp;

use super::Segment;
use crate::error::Damage;
use crate::kinds::KindFlags;
use crate::layout::ROWS_PER_BLOCK;

impl Segment {
    /// The newest change of content among rows whose metadata is known.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub(crate) fn newest(&self, rows: Range<u32>) -> Result<Option<Timestamp>, Damage> {
        let first = rows.start.next_multiple_of(ROWS_PER_BLOCK).min(rows.end);
        let last = (rows.end / ROWS_PER_BLOCK * ROWS_PER_BLOCK).max(first);
        let before = self.newest_of_each(rows.start..first)?;
        let mut newest = before.max(self.newest_of_each(last..rows.end)?);
        // Blocks with the latest times first: soon the others cannot hold a newer one. Where a time
        // is not known zero is stored, so a block's latest is never too early.
        for (latest, block) in self.blocks_by_latest(first..last)? {
            if newest.is_some_and(|newest| latest < newest.seconds) {
                break;
            }
            let start = block * ROWS_PER_BLOCK;
            newest = newest.max(self.newest_of_each(start..start + ROWS_PER_BLOCK)?);
        }
        Ok(newest)
    }

    /// Whole blocks with their latest change, latest first.
    fn blocks_by_latest(&self, rows: Range<u32>) -> Result<Vec<(i64, u32)>, Damage> {
        let blocks = rows.start / ROWS_PER_BLOCK..rows.end / ROWS_PER_BLOCK;
        let latest = |block: u32| Ok((self.modified_extremes(block as usize)?.1, block));
        let mut blocks = blocks.map(latest).collect::<Result<Vec<_>, Damage>>()?;
        blocks.sort_unstable_by(|a, b| b.cmp(a));
        Ok(blocks)
    }

    fn newest_of_each(&self, rows: Range<u32>) -> Result<Option<Timestamp>, Damage> {
        let mut newest = None;
        for row in rows {
            if !self.kind(row)?.has(KindFlags::NO_METADATA) {
                newest = newest.max(Some(self.modified(row)?));
            }
        }
        Ok(newest)
    }
}
