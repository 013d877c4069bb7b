//! Counts anew what lies below a directory, where that could not be worked out from the changes.

use std::ops::Range;

use groma_base::Timestamp;

use super::View;
use super::sums::{DirSums, Newest, share};
use crate::build::totals::Totals;
use crate::error::Damage;
use crate::segment::DirTotals;

impl View {
    /// The totals of a directory below which something has changed.
    pub(super) fn changed_totals(&self, id: u32, sums: &DirSums) -> Result<DirTotals, Damage> {
        let places = self.subtree(id)?;
        let below = places.start.saturating_add(1)..places.end;
        let totals = |below| DirTotals {
            children: sums.children,
            entries: places.end.saturating_sub(places.start + 1),
            below,
        };
        if let Some(&counted) = sums.counted.get() {
            return Ok(totals(counted));
        }
        let (size, allocated) = match sums.size.zip(sums.allocated) {
            Some(known) => known,
            None => self.count_bytes(below.clone())?,
        };
        let newest = match sums.newest {
            Newest::Is(newest) => newest,
            Newest::AtMost(_) => self.find_newest(below)?,
        };
        let counted = Totals {
            size,
            allocated,
            newest,
        };
        Ok(totals(*sums.counted.get_or_init(|| counted)))
    }

    fn count_bytes(&self, places: Range<u32>) -> Result<(u64, u64), Damage> {
        let mut sum = Totals::default();
        for id in self.between(places).flat_map(|piece| piece.ids) {
            let share = share(self.shown(), self.kind(id)?, id)?;
            sum.add(&Totals::of(&share));
        }
        Ok((sum.size, sum.allocated))
    }

    fn find_newest(&self, places: Range<u32>) -> Result<Option<Timestamp>, Damage> {
        let mut newest = None;
        for piece in self.between(places) {
            if piece.ids.start < self.segment().rows() {
                newest = newest.max(self.segment().newest(piece.ids)?);
                continue;
            }
            for id in piece.ids {
                newest = newest.max(self.metadata(id)?.map(|m| m.modified));
            }
        }
        Ok(newest)
    }
}
