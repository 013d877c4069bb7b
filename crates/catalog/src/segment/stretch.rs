//! Columns of consecutive rows, a stretch at a time: for whoever tells all rows, not a few.

use std::ops::Range;

use groma_base::Timestamp;

use super::Segment;
use crate::bytes::{allocated_from, unbias};
use crate::error::Damage;
use crate::kinds::KindFlags;
use crate::layout::SectionId;
use crate::packed::BLOCK;

/// Consecutive rows. Each method appends one value per row.
#[derive(Clone, Debug)]
pub struct Stretch<'s> {
    segment: &'s Segment,
    rows: Range<usize>,
}

/// A column of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeOf {
    /// Last access.
    Access,
    /// Last change of content.
    Content,
    /// Last change of the node.
    Node,
    /// Birth; means nothing where [`KindFlags::HAS_CREATED`] is not set.
    Birth,
}

/// A column of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberOf {
    /// Inode number.
    Inode,
    /// Hard links.
    Links,
    /// The lower twelve bits of the mode.
    Mode,
    /// Line of the table of owners.
    Owner,
    /// Line of the table of file systems.
    Volume,
}

impl Segment {
    /// The rows of a range.
    ///
    /// # Errors
    /// [`Damage`] when there are not as many rows.
    pub fn stretch(&self, rows: Range<u32>) -> Result<Stretch<'_>, Damage> {
        if rows.start > rows.end || rows.end > self.rows() {
            return Err(self.out_of_range(SectionId::Parent, rows.end as usize));
        }
        Ok(Stretch {
            segment: self,
            rows: rows.start as usize..rows.end as usize,
        })
    }
}

impl<'s> Stretch<'s> {
    /// Rows of the directories that they lie in; of the root, itself.
    ///
    /// # Errors
    /// [`Damage`] when the section is too short.
    pub fn parents(&self, out: &mut Vec<u32>) -> Result<(), Damage> {
        let numbers = self.plain::<4>(SectionId::Parent)?;
        out.extend(numbers.iter().map(|bytes| u32::from_le_bytes(*bytes)));
        Ok(())
    }

    /// Numbers of their names.
    ///
    /// # Errors
    /// [`Damage`] when the section is too short.
    pub fn names(&self, out: &mut Vec<u32>) -> Result<(), Damage> {
        let numbers = self.plain::<4>(SectionId::Name)?;
        out.extend(numbers.iter().map(|bytes| u32::from_le_bytes(*bytes)));
        Ok(())
    }

    /// Kinds and flags.
    ///
    /// # Errors
    /// [`Damage`] when the section is too short, or says nothing that is known.
    pub fn kinds(&self, out: &mut Vec<KindFlags>) -> Result<(), Damage> {
        let numbers = self.plain::<2>(SectionId::Kind)?;
        for bytes in numbers {
            let number = u16::from_le_bytes(*bytes);
            let kind = KindFlags::from_number(number).ok_or_else(|| {
                let found = format!("kind and flags {number:#x}");
                Damage::section(SectionId::Kind, self.rows.start as u64 * 2, found)
            })?;
            out.push(kind);
        }
        Ok(())
    }

    /// Apparent sizes.
    ///
    /// # Errors
    /// [`Damage`] when the section is too short.
    pub fn sizes(&self, out: &mut Vec<u64>) -> Result<(), Damage> {
        let numbers = self.plain::<8>(SectionId::Size)?;
        out.extend(numbers.iter().map(|bytes| u64::from_le_bytes(*bytes)));
        Ok(())
    }

    /// Allocated sizes.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn allocated(&self, out: &mut Vec<u64>) -> Result<(), Damage> {
        let before = out.len();
        self.packed(SectionId::Allocated, |difference| out.push(difference))?;
        let sizes = self.plain::<8>(SectionId::Size)?;
        for (allocated, size) in out.iter_mut().skip(before).zip(sizes) {
            *allocated = allocated_from(u64::from_le_bytes(*size), *allocated);
        }
        Ok(())
    }

    /// Numbers of a column.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn numbers(&self, of: NumberOf, out: &mut Vec<u64>) -> Result<(), Damage> {
        let section = match of {
            NumberOf::Inode => SectionId::Inode,
            NumberOf::Links => SectionId::Links,
            NumberOf::Mode => SectionId::Mode,
            NumberOf::Owner => SectionId::Owner,
            NumberOf::Volume => SectionId::Volume,
        };
        self.packed(section, |number| out.push(number))
    }

    /// Times of a column.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn times(&self, of: TimeOf, out: &mut Vec<Timestamp>) -> Result<(), Damage> {
        let before = out.len();
        let mut push = |seconds| out.push(Timestamp::from_seconds(seconds));
        let nanoseconds = match of {
            TimeOf::Content => {
                let seconds = self.plain::<8>(SectionId::Modified)?;
                let read = |bytes: &[u8; 8]| push(i64::from_le_bytes(*bytes));
                seconds.iter().for_each(read);
                SectionId::ModifiedNanos
            }
            TimeOf::Access => {
                self.packed(SectionId::Accessed, |value| push(unbias(value)))?;
                SectionId::AccessedNanos
            }
            TimeOf::Node => {
                self.packed(SectionId::Changed, |value| push(unbias(value)))?;
                SectionId::ChangedNanos
            }
            TimeOf::Birth => {
                self.packed(SectionId::Created, |value| push(unbias(value)))?;
                SectionId::CreatedNanos
            }
        };
        let mut times = out.iter_mut().skip(before);
        let mut largest = 0;
        self.packed(nanoseconds, |value| {
            largest = largest.max(value);
            if let Some(time) = times.next() {
                time.nanoseconds = value as u32;
            }
        })?;
        if largest >= 1_000_000_000 {
            let found = format!("{largest} nanoseconds");
            return Err(Damage::section(nanoseconds, 0, found));
        }
        Ok(())
    }

    fn plain<const WIDTH: usize>(&self, id: SectionId) -> Result<&'s [[u8; WIDTH]], Damage> {
        let bytes = self.segment.section(id);
        let (start, end) = (self.rows.start * WIDTH, self.rows.end * WIDTH);
        let bytes = bytes.get(start..end);
        let bytes = bytes.ok_or_else(|| self.segment.out_of_range(id, self.rows.end))?;
        Ok(bytes.as_chunks().0)
    }

    fn packed(&self, id: SectionId, mut each: impl FnMut(u64)) -> Result<(), Damage> {
        let column = self.segment.packed(id)?;
        let Range { start, end } = self.rows;
        if end > column.len() {
            return Err(self.segment.out_of_range(id, end));
        }
        let mut values = [0; BLOCK];
        for block in start / BLOCK..end.div_ceil(BLOCK) {
            column.block(block, &mut values)?;
            let first = start.saturating_sub(block * BLOCK);
            let last = (end - block * BLOCK).min(BLOCK);
            let wanted = values.get(first..last).unwrap_or_default();
            wanted.iter().for_each(|&value| each(value));
        }
        Ok(())
    }
}
