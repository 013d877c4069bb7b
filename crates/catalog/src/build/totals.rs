//! Subtree totals, and the smallest and largest of each block of rows.

use std::io::{self, Write};

use groma_base::Timestamp;

use crate::bytes::bias;
use crate::kinds::KindFlags;
use crate::layout::{ROWS_PER_BLOCK, SectionId};
use crate::write::SegmentWriter;

/// What lies below a directory, itself not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Bytes, each node once.
    pub size: u64,
    /// Bytes on disk, each node once.
    pub allocated: u64,
    /// Newest change of content of all entries; `None` when none is known.
    pub newest: Option<Timestamp>,
}

/// What one row adds to the totals of the directories above it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    pub(crate) kind: KindFlags,
    pub(crate) size: u64,
    pub(crate) allocated: u64,
    pub(crate) modified: Timestamp,
}

impl Totals {
    pub(crate) fn of(share: &Share) -> Totals {
        if share.kind.has(KindFlags::NO_METADATA) {
            return Totals::default();
        }
        let counted = !share.kind.has(KindFlags::COUNTED_ELSEWHERE);
        Totals {
            size: if counted { share.size } else { 0 },
            allocated: if counted { share.allocated } else { 0 },
            newest: Some(share.modified),
        }
    }

    /// Sums stop at the largest number: a sparse file may claim nearly 2^63 bytes.
    pub(crate) fn add(&mut self, other: &Totals) {
        self.size = self.size.saturating_add(other.size);
        self.allocated = self.allocated.saturating_add(other.allocated);
        self.newest = self.newest.max(other.newest);
    }
}

/// Adds rows up, in the order of rows, with memory for the open directories and for the results.
#[derive(Debug, Default)]
pub(crate) struct Summing {
    /// Number of a directory, its end, itself as a share of its parent.
    open: Vec<(usize, u32, Totals)>,
    totals: Vec<Totals>,
}

impl Summing {
    /// Takes the next row; `dir_end` is given for a directory: the row after the last below it.
    pub(crate) fn row(&mut self, row: u32, dir_end: Option<u32>, share: &Share) {
        self.close(row);
        let own = Totals::of(share);
        match dir_end {
            Some(end) => {
                self.open.push((self.totals.len(), end, own));
                self.totals.push(Totals::default());
            }
            None => self.add_to_top(&own),
        }
    }

    /// The totals of all directories, in order of rows.
    pub(crate) fn finish(mut self) -> Vec<Totals> {
        self.close(u32::MAX);
        self.totals
    }

    /// Ends the directories that end at `row` or before.
    fn close(&mut self, row: u32) {
        while let Some(&(dir, end, own)) = self.open.last() {
            if end > row {
                break;
            }
            self.open.pop();
            let mut share = self.totals[dir];
            share.add(&own);
            self.add_to_top(&share);
        }
    }

    fn add_to_top(&mut self, share: &Totals) {
        if let Some(&(dir, _, _)) = self.open.last() {
            self.totals[dir].add(share);
        }
    }
}

/// Writes the totals of all directories.
pub(super) fn write<W: Write>(segment: &mut SegmentWriter<W>, totals: &[Totals]) -> io::Result<()> {
    let newest = |t: &Totals| t.newest.unwrap_or(Timestamp::MIN);
    segment.packed(SectionId::DirSize, totals.iter().map(|t| t.size))?;
    segment.packed(SectionId::DirAllocated, totals.iter().map(|t| t.allocated))?;
    let seconds = totals.iter().map(|t| bias(newest(t).seconds));
    segment.packed(SectionId::DirNewest, seconds)?;
    let nanoseconds = totals.iter().map(|t| u64::from(newest(t).nanoseconds));
    segment.packed(SectionId::DirNewestNanos, nanoseconds)
}

/// Smallest and largest of each block of rows, as the bytes of two numbers.
pub(crate) fn extremes<T: Ord + Copy>(
    values: impl Iterator<Item = T>,
    to_bytes: impl Fn(T) -> [u8; 8],
) -> Vec<[u8; 16]> {
    let mut blocks = Vec::new();
    let mut open: Option<(T, T)> = None;
    let mut in_block = 0;
    let bytes = |(low, high): (T, T)| {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&to_bytes(low));
        bytes[8..].copy_from_slice(&to_bytes(high));
        bytes
    };
    for value in values {
        open = Some(open.map_or((value, value), |(low, high)| {
            (low.min(value), high.max(value))
        }));
        in_block += 1;
        if in_block == ROWS_PER_BLOCK {
            blocks.extend(open.take().map(bytes));
            in_block = 0;
        }
    }
    blocks.extend(open.map(bytes));
    blocks
}
