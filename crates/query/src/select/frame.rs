//! What every step of a search looks at: the view, its columns, and which rows columns answer for.

use std::ops::Range;
use std::sync::OnceLock;

use groma_catalog::{Damage, Names, SectionId, Segment, View};

use super::bits;
use super::set::{joined, ranges_mask, without};
use super::{Run, SelectError};

/// The view that is asked, and how.
pub(crate) struct Frame<'v> {
    pub(crate) view: &'v View,
    pub(crate) segment: &'v Segment,
    pub(crate) names: Names<'v>,
    pub(crate) run: &'v Run,
    /// Rows of the segment.
    pub(crate) rows: u32,
    /// Rows that columns answer for: live, at the place and under the name that the segment says,
    /// with the flags and totals that it says.
    pub(crate) plain: Vec<Range<u32>>,
    /// Ids that are asked one by one. The root is always among them: its name is that of its path,
    /// not of its row.
    pub(crate) odd: Vec<Range<u32>>,
    dirs: OnceLock<DirTable>,
}

/// The directories of a segment, in memory.
#[derive(Debug, Default)]
pub(crate) struct DirTable {
    /// Their rows, ascending.
    pub(crate) rows: Vec<u32>,
    /// For each, the row after the last one below it.
    pub(crate) ends: Vec<u32>,
}

impl<'v> Frame<'v> {
    pub(crate) fn new(view: &'v View, run: &'v Run) -> Result<Frame<'v>, Damage> {
        let segment = view.segment();
        let rows = segment.rows();
        let live = view.pieces().iter().map(|piece| piece.ids.clone());
        let live = joined(live.collect());
        let (below, above) = (within(&live, &(0..rows)), within(&live, &view.delta_ids()));
        let plain = without(&below, &changed(view));
        let odd = [without(&below, &plain), above].concat();
        Ok(Frame {
            view,
            segment,
            names: segment.names()?,
            run,
            rows,
            plain,
            odd,
            dirs: OnceLock::new(),
        })
    }

    /// Whether the segment tells everything: nothing is hidden or changed.
    pub(crate) fn is_sealed(&self) -> bool {
        self.view.is_sealed()
    }

    /// How many rows columns answer for.
    pub(crate) fn plain_rows(&self) -> u64 {
        self.plain.iter().map(|r| u64::from(r.end - r.start)).sum()
    }

    /// All directories of the segment; read when somebody asks for the first time.
    pub(crate) fn dirs(&self) -> Result<&DirTable, Damage> {
        if self.dirs.get().is_none() {
            let table = DirTable::read(self.segment)?;
            return Ok(self.dirs.get_or_init(|| table));
        }
        Ok(self.dirs.get_or_init(DirTable::default))
    }

    /// Whether columns answer for this row.
    pub(crate) fn is_plain_row(&self, row: u32) -> bool {
        let after = self.plain.partition_point(|range| range.end <= row);
        self.plain
            .get(after)
            .is_some_and(|range| range.contains(&row))
    }

    /// Whether columns answer for all rows of a mask.
    pub(crate) fn is_plain(&self, first: u32, mask: &bits::Mask) -> bool {
        let plain = ranges_mask(&self.plain, first);
        mask.iter()
            .zip(plain)
            .all(|(word, plain)| word & !plain == 0)
    }

    /// A wish to stop, as an error.
    pub(crate) fn look(&self) -> Result<(), SelectError> {
        if self.run.cancel.is_cancelled() {
            return Err(SelectError::Cancelled);
        }
        Ok(())
    }
}

impl DirTable {
    fn read(segment: &Segment) -> Result<DirTable, Damage> {
        let numbers = |id| {
            let column = segment.packed_column(id)?;
            let mut numbers = Vec::with_capacity(column.len());
            column.append(0..column.len(), &mut numbers)?;
            let small = |number: &u64| {
                let small = u32::try_from(*number);
                small.map_err(|_| column.wrong(0, "more than 32 bits"))
            };
            numbers
                .iter()
                .map(small)
                .collect::<Result<Vec<u32>, Damage>>()
        };
        Ok(DirTable {
            rows: numbers(SectionId::Dirs)?,
            ends: numbers(SectionId::DirEnd)?,
        })
    }

    /// The row after the last one below `row`; for a row that is no directory, the next one.
    /// `from` is where to look first, and what was found.
    pub(crate) fn end(&self, row: u32, from: &mut usize) -> u32 {
        let rest = self.rows.get(*from..).unwrap_or_default();
        let near = rest.iter().take(8).take_while(|&&dir| dir < row).count();
        *from += match near {
            8 => rest.partition_point(|&dir| dir < row),
            near => near,
        };
        match self.rows.get(*from) {
            Some(&dir) if dir == row => self.ends.get(*from).copied().unwrap_or(row + 1),
            _ => row + 1,
        }
    }
}

/// The root, and the rows that are not what or where the segment says.
fn changed(view: &View) -> Vec<Range<u32>> {
    let root = 0..view.segment().rows().min(1);
    let mut changed = vec![root];
    changed.extend_from_slice(view.relocated());
    changed.extend(view.revised().iter().map(|&row| row..row + 1));
    joined(changed)
}

/// The parts of ranges that lie in another.
fn within(ranges: &[Range<u32>], bounds: &Range<u32>) -> Vec<Range<u32>> {
    let cut = |range: &Range<u32>| range.start.max(bounds.start)..range.end.min(bounds.end);
    ranges.iter().map(cut).filter(|r| r.start < r.end).collect()
}
