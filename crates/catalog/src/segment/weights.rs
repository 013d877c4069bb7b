//! What lies directly in a directory, with what each entry weighs: one look at each, however much lies below.

use std::ops::Range;

use super::Segment;
use crate::error::Damage;
use crate::kinds::KindFlags;
use crate::layout::SectionId;

/// What entries are weighed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightOf {
    /// Apparent sizes, bytes.
    Size,
    /// Bytes on disk.
    Allocated,
    /// Entries: each is one, a directory also all those below it.
    Entries,
}

impl Segment {
    /// Appends the rows of the entries of a directory, each with its weight and all that lies below it;
    /// nodes with several entries weigh at the first alone. Nothing for a row that is no directory.
    ///
    /// # Errors
    /// [`Damage`] when there is no such row, or the table of directories is damaged.
    pub fn child_weights(
        &self,
        row: u32,
        of: WeightOf,
        out: &mut Vec<(u32, u64)>,
    ) -> Result<(), Damage> {
        let Some(dir) = self.dir_number(row)? else {
            return Ok(());
        };
        let (dirs, ends) = (
            self.packed(SectionId::Dirs)?,
            self.packed(SectionId::DirEnd)?,
        );
        let end = self.subtree_of(row, dir)?.end;
        let (mut at, mut next) = (row + 1, dir + 1);
        while at < end {
            // No directory lies before the next one: all these are entries of this one.
            let stop = match next < dirs.len() {
                true => dirs.get_u32(next)?.clamp(at, end),
                false => end,
            };
            self.push_own(at..stop, of, out)?;
            at = stop;
            if at == end {
                break;
            }
            let after = self.subtree_of(at, next)?.end;
            if after > end {
                return Err(ends.wrong(next, format!("row {at} ends at {after}")));
            }
            self.push_own(at..at + 1, of, out)?;
            let below = match of {
                WeightOf::Size => self.packed(SectionId::DirSize)?.get(next)?,
                WeightOf::Allocated => self.packed(SectionId::DirAllocated)?.get(next)?,
                WeightOf::Entries => u64::from(after - at - 1),
            };
            if let Some((_, weight)) = out.last_mut() {
                *weight = weight.saturating_add(below);
            }
            next += 1;
            // Mostly there is no directory in it, and the one behind it is the next.
            if next < dirs.len() && dirs.get_u32(next)? < after {
                next = dirs.lower_bound(next..dirs.len(), after.into())?;
            }
            at = after;
        }
        Ok(())
    }

    /// Appends some rows and what each of them weighs by itself.
    fn push_own(
        &self,
        rows: Range<u32>,
        of: WeightOf,
        out: &mut Vec<(u32, u64)>,
    ) -> Result<(), Damage> {
        if of == WeightOf::Entries {
            out.extend(rows.map(|row| (row, 1)));
            return Ok(());
        }
        if rows.len() == 1 {
            let row = rows.start;
            let weight = match of {
                _ if self.kind(row)?.has(KindFlags::COUNTED_ELSEWHERE) => 0,
                WeightOf::Allocated => self.allocated(row)?,
                _ => self.size(row)?,
            };
            out.push((row, weight));
            return Ok(());
        }
        let stretch = self.stretch(rows.clone())?;
        let (mut kinds, mut weights) = (Vec::new(), Vec::new());
        stretch.kinds(&mut kinds)?;
        match of {
            WeightOf::Allocated => stretch.allocated(&mut weights)?,
            _ => stretch.sizes(&mut weights)?,
        }
        let own = rows.zip(kinds.iter().zip(weights));
        out.extend(own.map(|(row, (kind, weight))| {
            let is_counted = !kind.has(KindFlags::COUNTED_ELSEWHERE);
            (row, if is_counted { weight } else { 0 })
        }));
        Ok(())
    }
}
