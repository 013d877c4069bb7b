//! Rows on their way to the formatters, some at a time, in the order they are told.

use std::ops::Range;

use groma_query::select::Selection;

use super::Found;
use super::runs::Run;

/// A row: which root, and its id there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowRef {
    pub(crate) root: u32,
    pub(crate) id: u32,
}

/// Gives rows in order.
pub(crate) trait Source: Send {
    /// Puts up to `most` rows into `rows`, which is empty before; none when there are no more.
    fn fill(&mut self, most: usize, rows: &mut Vec<RowRef>);
}

/// All that matches, in the order of paths, but for some at the beginning and those past a limit.
pub(crate) struct InOrder<'f, 'r> {
    found: &'f Found<'r>,
    selections: &'f [Option<Selection>],
    runs: std::slice::Iter<'f, Run>,
    root: usize,
    /// Ids of the run in hand that are still to be looked at, the next range last.
    ranges: Vec<Range<u32>>,
    skip: u64,
    left: u64,
}

impl<'f, 'r> InOrder<'f, 'r> {
    pub(crate) fn new(found: &'f Found<'r>, offset: u64, limit: Option<u64>) -> Self {
        InOrder {
            skip: offset,
            left: limit.unwrap_or(u64::MAX),
            ..InOrder::of(found, &found.selections)
        }
    }

    /// Other selections of the same roots.
    pub(crate) fn of(found: &'f Found<'r>, selections: &'f [Option<Selection>]) -> Self {
        InOrder {
            found,
            selections,
            runs: found.runs.iter(),
            root: 0,
            ranges: Vec::new(),
            skip: 0,
            left: u64::MAX,
        }
    }

    /// The next range of ids with something left in it.
    fn range(&mut self) -> Option<Range<u32>> {
        loop {
            if let Some(range) = self.ranges.pop() {
                return Some(range);
            }
            let run = self.runs.next()?;
            self.root = run.root;
            let view = self.found.readers[run.root].view;
            let pieces = view.between(run.places.clone());
            self.ranges.extend(pieces.map(|piece| piece.ids));
            self.ranges.reverse();
        }
    }

    /// Takes what matches from a range until `rows` has `most` rows; gives back what is left of it.
    fn take(&mut self, range: Range<u32>, most: usize, rows: &mut Vec<RowRef>) -> Range<u32> {
        let end = range.end;
        let last = match &self.selections[self.root] {
            None => self.take_ids(range, most, rows),
            Some(selection) => self.take_ids(selection.ids_in(range), most, rows),
        };
        last.map_or(end, |id| id + 1)..end
    }

    /// Takes ids; gives back the last one when there was no room for more.
    fn take_ids(
        &mut self,
        ids: impl Iterator<Item = u32>,
        most: usize,
        rows: &mut Vec<RowRef>,
    ) -> Option<u32> {
        let root = u32::try_from(self.root).unwrap_or(u32::MAX);
        for id in ids {
            if self.skip > 0 {
                self.skip -= 1;
                continue;
            }
            rows.push(RowRef { root, id });
            self.left -= 1;
            if rows.len() == most || self.left == 0 {
                return Some(id);
            }
        }
        None
    }
}

impl Source for InOrder<'_, '_> {
    fn fill(&mut self, most: usize, rows: &mut Vec<RowRef>) {
        while self.left > 0 && rows.len() < most {
            let Some(range) = self.range() else {
                return;
            };
            let rest = self.take(range, most, rows);
            if !rest.is_empty() {
                self.ranges.push(rest);
            }
        }
    }
}

/// Rows that were sorted beforehand.
pub(crate) struct Sorted {
    rows: std::vec::IntoIter<RowRef>,
}

impl Sorted {
    pub(crate) fn new(rows: Vec<RowRef>) -> Sorted {
        Sorted {
            rows: rows.into_iter(),
        }
    }
}

impl Source for Sorted {
    fn fill(&mut self, most: usize, rows: &mut Vec<RowRef>) {
        rows.extend(self.rows.by_ref().take(most));
    }
}
