//! Keys of a whole block of rows at once, from columns.

use groma_catalog::{Damage, KindFlags, SectionId, unpacked_allocated, unpacked_seconds};

use super::keys::{Key, LARGEST, MISSING, Value, seconds, seconds_of};
use super::{Field, SortKey};
use crate::select::SelectError;
use crate::select::bits::{self, BLOCK, Mask};
use crate::select::frame::Frame;
use crate::select::range::CellRange;
use crate::select::way::{PathLengths, Way};

/// What a stat call failed to tell.
const NO_METADATA: u16 = 1 << 4;
/// Whose birth is known.
const HAS_CREATED: u16 = 1 << 8;

impl<'f, 'v> Key<'f, 'v> {
    pub(super) fn new(frame: &'f Frame<'v>, key: SortKey) -> Result<Key<'f, 'v>, Damage> {
        let segment = frame.segment;
        let id = match key.field {
            Field::Allocated => Some(SectionId::Allocated),
            Field::Created => Some(SectionId::Created),
            Field::Accessed => Some(SectionId::Accessed),
            Field::Changed => Some(SectionId::Changed),
            Field::Links => Some(SectionId::Links),
            Field::Inode => Some(SectionId::Inode),
            Field::Perm => Some(SectionId::Mode),
            Field::Owner | Field::Uid | Field::Group | Field::Gid => Some(SectionId::Owner),
            _ => None,
        };
        let owners = (0..segment.owner_count()).map(|number| {
            let owner = segment.owner(number)?;
            Ok(match key.field {
                Field::Group | Field::Gid => owner.gid.into(),
                _ => owner.uid.into(),
            })
        });
        Ok(Key {
            frame,
            key,
            names: segment.name_numbers(),
            kinds: segment.kind_numbers(),
            packed: id.map(|id| segment.packed_column(id)).transpose()?,
            owners: owners.collect::<Result<_, Damage>>()?,
        })
    }

    /// A rough key that no row of the block which begins at `first` is before, where minima and
    /// maxima tell one.
    pub(super) fn best_of_block(&self, first: u32) -> Result<Option<u64>, SelectError> {
        let block = (first / BLOCK) as usize;
        // Ids above the rows of the segment are in none of its blocks.
        if first.saturating_add(BLOCK) > self.frame.rows {
            return Ok(None);
        }
        let segment = self.frame.segment;
        let ends = match self.key.field {
            Field::Size => {
                let (least, most) = segment.size_extremes(block)?;
                [least.min(LARGEST), most.min(LARGEST)]
            }
            Field::Modified | Field::Age => {
                let (least, most) = segment.modified_extremes(block)?;
                [seconds(least), seconds(most)]
            }
            _ => return Ok(None),
        };
        Ok(ends.into_iter().map(|end| self.directed(end)).min())
    }

    /// The rows of a mask that may have a rough key up to `bar`, where a plain column tells that
    /// quickly. All of them must be plain.
    pub(super) fn hopeful(&self, first: u32, mask: &Mask, bar: u64) -> Option<Mask> {
        if bar >= LARGEST {
            return None;
        }
        let (segment, rows) = (self.frame.segment, first as usize..(first + BLOCK) as usize);
        let edge = self.directed(bar);
        let is_least = self.is_reversed();
        let mut hopeful = *mask;
        match self.key.field {
            Field::Size => {
                let range = match is_least {
                    true => CellRange {
                        start: edge,
                        length: u64::MAX - edge,
                    },
                    false => CellRange {
                        start: 0,
                        length: edge,
                    },
                };
                range.keep(segment.sizes().cells(rows), true, &mut hopeful);
            }
            Field::Modified | Field::Age => {
                let edge = seconds_of(edge);
                let range = match is_least {
                    true => CellRange::of_seconds(edge, i64::MAX),
                    false => CellRange::of_seconds(i64::MIN, edge),
                };
                range.keep(segment.modified_seconds().cells(rows), true, &mut hopeful);
            }
            _ => return None,
        }
        Some(hopeful)
    }

    /// Puts the rough keys of the rows of `mask` into `out`, by their places in the block that
    /// begins at `first`. All of these rows must be plain.
    pub(super) fn fill(
        &self,
        first: u32,
        mask: &Mask,
        out: &mut Vec<u64>,
    ) -> Result<(), SelectError> {
        out.clear();
        let rows = first as usize..first.saturating_add(BLOCK).min(self.frame.rows) as usize;
        let segment = self.frame.segment;
        match self.key.field {
            Field::Size => out.extend(segment.sizes().iter(rows.clone()).map(|s| s.min(LARGEST))),
            Field::Modified | Field::Age => {
                let column = segment.modified_seconds();
                out.extend(column.iter(rows.clone()).map(seconds));
            }
            Field::Name if !self.key.natural => {
                let ranks = self.names.iter(rows.clone());
                out.extend(ranks.map(|name| self.directed(u64::from(name) * 2 + 1)));
                return Ok(());
            }
            Field::Depth => return self.walk_depths(first, mask, out),
            Field::PathLength => return self.walk_lengths(first, mask, out),
            _ => match self.packed {
                Some(column) => {
                    column.append(rows.clone(), out)?;
                    self.unpack(rows.start, out);
                }
                None => return self.one_by_one(first, mask, out),
            },
        }
        self.finish(rows, out);
        Ok(())
    }

    /// From numbers of a packed column to values.
    fn unpack(&self, start: usize, out: &mut [u64]) {
        match self.key.field {
            Field::Allocated => {
                let sizes = self.frame.segment.sizes();
                let sizes = sizes.iter(start..start + out.len());
                for (number, size) in out.iter_mut().zip(sizes) {
                    *number = unpacked_allocated(size, *number).min(LARGEST);
                }
            }
            Field::Created | Field::Accessed | Field::Changed => {
                for number in out {
                    *number = seconds(unpacked_seconds(*number));
                }
            }
            Field::Owner | Field::Uid | Field::Group | Field::Gid => {
                for number in out {
                    let owner = usize::try_from(*number).ok();
                    let id = owner.and_then(|owner| self.owners.get(owner));
                    *number = id.copied().unwrap_or(LARGEST);
                }
            }
            _ => out
                .iter_mut()
                .for_each(|number| *number = (*number).min(LARGEST)),
        }
    }

    /// Gives values their direction, and what is missing its place.
    fn finish(&self, rows: std::ops::Range<usize>, out: &mut [u64]) {
        let needed = match self.key.field {
            Field::Created => HAS_CREATED,
            _ => 0,
        };
        for (rough, kind) in out.iter_mut().zip(self.kinds.iter(rows)) {
            let is_known = kind & NO_METADATA == 0 && kind & needed == needed;
            *rough = if is_known {
                self.directed(*rough)
            } else {
                MISSING
            };
        }
    }

    fn walk_depths(&self, first: u32, mask: &Mask, out: &mut Vec<u64>) -> Result<(), SelectError> {
        out.resize(BLOCK as usize, MISSING);
        let mut way = Way::new(self.frame);
        for bit in bits::ones(mask) {
            way.go(first + bit)?;
            out[bit as usize] = self.rough_of(Value::Number(way.depth()));
        }
        Ok(())
    }

    fn walk_lengths(&self, first: u32, mask: &Mask, out: &mut Vec<u64>) -> Result<(), SelectError> {
        out.resize(BLOCK as usize, MISSING);
        let mut lengths = PathLengths::new(self.frame);
        for bit in bits::ones(mask) {
            let length = lengths.length(first + bit)?;
            out[bit as usize] = self.rough_of(Value::Number(length));
        }
        Ok(())
    }

    fn one_by_one(&self, first: u32, mask: &Mask, out: &mut Vec<u64>) -> Result<(), SelectError> {
        out.resize(BLOCK as usize, MISSING);
        let only_dirs = matches!(
            self.key.field,
            Field::Items
                | Field::Files
                | Field::Dirs
                | Field::TreeItems
                | Field::TreeSize
                | Field::TreeAllocated
        );
        for bit in bits::ones(mask) {
            let id = first + bit;
            if only_dirs && !self.frame.segment.kind(id).is_ok_and(KindFlags::is_dir) {
                continue;
            }
            out[bit as usize] = self.rough(id)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_the_flags() {
        for (bit, flag) in [
            (NO_METADATA, KindFlags::NO_METADATA),
            (HAS_CREATED, KindFlags::HAS_CREATED),
        ] {
            let flags = KindFlags::from_number(bit);
            assert!(flags.is_some_and(|flags| flags.has(flag)));
        }
    }
}
