//! Some entries that follow each other, and their columns read at once.
//!
//! Rows of the segment are read from its columns. What has changed since, and what a view shows
//! otherwise than its segment, is asked one by one.

use std::ops::Range;

use groma_base::Timestamp;
use groma_catalog::{
    Cell, Column, Damage, KindFlags, PackedColumn, SectionId, View, unpacked_allocated,
};
use groma_query::select::Selection;

/// Entries that are looked at together: their columns fit into the fastest cache.
const BATCH: u32 = 1024;

/// Where fewer than one in this many of a range are selected, packed numbers are read one by one.
const SPARSE: usize = 8;

/// The ids of a view in the order of paths, some at a time.
pub(super) fn parts(view: &View) -> Vec<Range<u32>> {
    let mut parts = Vec::new();
    for piece in view.pieces() {
        let mut start = piece.ids.start;
        while start < piece.ids.end {
            let end = piece.ids.end.min(start.saturating_add(BATCH));
            parts.push(start..end);
            start = end;
        }
    }
    parts
}

/// The selected entries of a range of ids.
#[derive(Debug)]
pub(super) struct Batch<'v> {
    pub(super) view: &'v View,
    /// The selected ids, ascending.
    pub(super) ids: Vec<u32>,
    range: Range<usize>,
    scratch: Vec<u64>,
}

impl<'v> Batch<'v> {
    pub(super) fn new(view: &'v View) -> Batch<'v> {
        Batch {
            view,
            ids: Vec::new(),
            range: 0..0,
            scratch: Vec::new(),
        }
    }

    /// Takes the selected entries of a range; `None`: all of them.
    pub(super) fn take(&mut self, range: Range<u32>, selection: Option<&Selection>) {
        self.ids.clear();
        self.range = range.start as usize..range.end as usize;
        match selection {
            None => self.ids.extend(range),
            Some(selection) => self.ids.extend(selection.ids_in(range)),
        }
    }

    /// Whether all entries are rows of the segment.
    pub(super) fn is_stored(&self) -> bool {
        self.range.end <= self.view.segment().rows() as usize
    }

    fn is_whole(&self) -> bool {
        self.ids.len() == self.range.len()
    }

    /// The cells of a plain column, where they are just those of the batch.
    pub(super) fn cells<T: Cell>(&self, column: Column<'v, T>) -> Option<&'v [T::Bytes]> {
        let cells = column.cells(self.range.clone());
        (self.is_stored() && self.is_whole() && cells.len() == self.ids.len()).then_some(cells)
    }

    /// Apparent sizes, where they are those of a column.
    pub(super) fn size_cells(&self) -> Option<&'v [[u8; 8]]> {
        self.cells(self.view.segment().sizes())
    }

    /// Numbers of a plain column; `false`, and nothing, where the column is too short.
    pub(super) fn plain<T: Cell>(&self, column: Column<'_, T>, out: &mut Vec<T>) -> bool {
        out.clear();
        match self.is_whole() {
            true => out.extend(column.iter(self.range.clone())),
            false => out.extend(self.ids.iter().filter_map(|&id| column.get(id as usize))),
        }
        out.len() == self.ids.len()
    }

    /// Numbers of a packed column.
    pub(super) fn packed(&mut self, id: SectionId, out: &mut Vec<u64>) -> Result<(), Damage> {
        out.clear();
        let column: PackedColumn<'_> = self.view.segment().packed_column(id)?;
        if self.is_whole() {
            return column.append(self.range.clone(), out);
        }
        if self.ids.len() < self.range.len() / SPARSE {
            for &id in &self.ids {
                out.push(column.get(id as usize)?);
            }
            return Ok(());
        }
        self.scratch.clear();
        column.append(self.range.clone(), &mut self.scratch)?;
        let number = |&id: &u32| self.scratch.get(id as usize - self.range.start).copied();
        out.extend(self.ids.iter().filter_map(number));
        Ok(())
    }

    /// Kind and flags of each.
    pub(super) fn kinds(
        &self,
        numbers: &mut Vec<u16>,
        out: &mut Vec<KindFlags>,
    ) -> Result<(), Damage> {
        out.clear();
        let is_stored = self.is_stored() && self.plain(self.view.segment().kind_numbers(), numbers);
        let together = numbers.iter().fold(0, |all, number| all | number);
        if is_stored && KindFlags::from_number(together).is_some() {
            let known = |number: &u16| KindFlags::from_number(*number).unwrap_or_default();
            out.extend(numbers.iter().map(known));
            return self.revise(out);
        }
        for &id in &self.ids {
            out.push(self.view.kind(id)?);
        }
        Ok(())
    }

    /// Corrects the flags of rows that a view shows otherwise than its segment.
    fn revise(&self, kinds: &mut [KindFlags]) -> Result<(), Damage> {
        let (revised, range) = (self.view.revised(), &self.range);
        let from = revised.partition_point(|&row| (row as usize) < range.start);
        for &row in revised[from..]
            .iter()
            .take_while(|&&row| (row as usize) < range.end)
        {
            if let Ok(at) = self.ids.binary_search(&row) {
                kinds[at] = self.view.kind(row)?;
            }
        }
        Ok(())
    }

    /// Apparent sizes.
    pub(super) fn sizes(&self, out: &mut Vec<u64>) -> Result<(), Damage> {
        if !self.is_stored() || !self.plain(self.view.segment().sizes(), out) {
            out.clear();
            for &id in &self.ids {
                out.push(self.view.size(id)?);
            }
        }
        Ok(())
    }

    /// Allocated sizes.
    pub(super) fn allocated(&mut self, sizes: &[u64], out: &mut Vec<u64>) -> Result<(), Damage> {
        if self.is_stored() {
            self.packed(SectionId::Allocated, out)?;
            for (number, &size) in out.iter_mut().zip(sizes) {
                *number = unpacked_allocated(size, *number);
            }
            return Ok(());
        }
        out.clear();
        for &id in &self.ids {
            out.push(self.view.allocated(id)?);
        }
        Ok(())
    }

    /// Whole seconds of the last change of content.
    pub(super) fn seconds(&self, out: &mut Vec<i64>) -> Result<(), Damage> {
        if !self.is_stored() || !self.plain(self.view.segment().modified_seconds(), out) {
            out.clear();
            for &id in &self.ids {
                out.push(self.view.modified(id)?.seconds);
            }
        }
        Ok(())
    }

    /// Last changes of content.
    pub(super) fn modified(
        &mut self,
        seconds: &mut Vec<i64>,
        nanoseconds: &mut Vec<u64>,
        out: &mut Vec<Timestamp>,
    ) -> Result<(), Damage> {
        out.clear();
        if self.is_stored() && self.plain(self.view.segment().modified_seconds(), seconds) {
            self.packed(SectionId::ModifiedNanos, nanoseconds)?;
            let times = seconds.iter().zip(&*nanoseconds);
            out.extend(times.map_while(|(&seconds, &nanoseconds)| {
                let nanoseconds = u32::try_from(nanoseconds).ok()?;
                (nanoseconds < 1_000_000_000).then_some(Timestamp {
                    seconds,
                    nanoseconds,
                })
            }));
        }
        if out.len() < self.ids.len() {
            out.clear();
            for &id in &self.ids {
                out.push(self.view.modified(id)?);
            }
        }
        Ok(())
    }
}
