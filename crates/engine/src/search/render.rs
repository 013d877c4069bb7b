//! One worker: reads rows a block at a time, and shows them one by one.

use groma_base::CancelToken;

use super::block::{Block, Lookup};
use super::column::{Frame, Row};
use super::csv_rows::CsvRows;
use super::cutter::RowRef;
use super::owners::{Names, Owners};
use super::path::{PathBuilder, Step};
use super::reader::RootReader;
use super::wants::Wants;
use super::{Found, SearchError};

/// Rows whose columns fit into a processor's own cache.
const CACHED: usize = 1024;

/// What all workers of a listing share.
pub(crate) struct Shared<'f, 'r> {
    pub(crate) found: &'f Found<'r>,
    pub(crate) frame: &'f Frame,
    pub(crate) names: &'f Names,
    pub(crate) cancel: &'f CancelToken,
}

/// A worker's own buffers.
pub(crate) struct Worker<'f, 'r> {
    shared: &'f Shared<'f, 'r>,
    wants: Wants,
    block: Block,
    owners: Owners,
    path: PathBuilder,
    root: u32,
}

impl<'f, 'r> Worker<'f, 'r> {
    pub(crate) fn new(shared: &'f Shared<'f, 'r>, wants: Wants) -> Self {
        Worker {
            shared,
            wants,
            block: Block::default(),
            owners: Owners::default(),
            path: PathBuilder::default(),
            root: u32::MAX,
        }
    }

    /// Shows rows in their order.
    pub(crate) fn show(
        &mut self,
        rows: &[RowRef],
        mut each: impl FnMut(Row<'_>),
    ) -> Result<(), SearchError> {
        self.show_groups(rows, |worker, group| worker.show_group(group, &mut each))
    }

    /// Appends rows as CSV.
    pub(crate) fn write_csv(
        &mut self,
        rows: &[RowRef],
        csv: &mut CsvRows,
        out: &mut Vec<u8>,
    ) -> Result<(), SearchError> {
        self.show_groups(rows, |worker, group| {
            let mut parts = group.chunks(CACHED);
            parts.try_for_each(|rows| worker.write_csv_group(rows, csv, out))
        })
    }

    fn show_groups(
        &mut self,
        rows: &[RowRef],
        mut show: impl FnMut(&mut Self, &[RowRef]) -> Result<(), SearchError>,
    ) -> Result<(), SearchError> {
        for group in rows.chunk_by(|a, b| a.root == b.root) {
            if self.shared.cancel.is_cancelled() {
                return Err(SearchError::Cancelled);
            }
            show(self, group)?;
        }
        Ok(())
    }

    /// Reads rows of one root, of which there is one at least.
    fn load(&mut self, rows: &[RowRef]) -> Result<&'f RootReader<'r>, SearchError> {
        let root = rows.first().map_or(0, |row| row.root);
        let reader = &self.shared.found.readers[root as usize];
        if self.root != root {
            self.path.reset();
            self.root = root;
        }
        let mut lookup = Lookup {
            owners: &mut self.owners,
            names: self.shared.names,
        };
        let ids = rows.iter().map(|row| row.id);
        let loaded = self.block.load(reader, ids, self.wants, &mut lookup);
        loaded.map_err(|damage| SearchError::damaged(reader.root, damage))?;
        Ok(reader)
    }

    /// Shows rows of one root.
    fn show_group(
        &mut self,
        rows: &[RowRef],
        each: &mut impl FnMut(Row<'_>),
    ) -> Result<(), SearchError> {
        let reader = self.load(rows)?;
        let has_path = self.wants.has(Wants::PATH);
        for &at in &self.block.shown {
            if has_path {
                let step = step(&self.block, at);
                let gone = self.path.go(reader, step);
                gone.map_err(|damage| SearchError::damaged(reader.root, damage))?;
            }
            each(self.row(reader, at));
        }
        Ok(())
    }

    /// Appends rows of one root as CSV.
    fn write_csv_group(
        &mut self,
        rows: &[RowRef],
        csv: &mut CsvRows,
        out: &mut Vec<u8>,
    ) -> Result<(), SearchError> {
        let reader = self.load(rows)?;
        csv.begin(&self.block);
        let (has_path, is_whole) = (self.wants.has(Wants::PATH), csv.needs_whole_path());
        for &at in &self.block.shown {
            if has_path {
                let step = step(&self.block, at);
                let gone = match is_whole {
                    true => self.path.go(reader, step),
                    false => self.path.stand(reader, step),
                };
                gone.map_err(|damage| SearchError::damaged(reader.root, damage))?;
            }
            csv.push(self.row(reader, at), &self.path, out);
        }
        Ok(())
    }

    #[inline]
    fn row<'a>(&'a self, reader: &'a RootReader<'_>, at: usize) -> Row<'a> {
        Row {
            view: reader.view,
            block: &self.block,
            owners: &self.owners,
            frame: self.shared.frame,
            at,
            path: self.path.path(),
            depth: self.path.depth(),
        }
    }
}

#[inline]
fn step(block: &Block, at: usize) -> Step<'_> {
    Step {
        id: block.ids[at],
        parent: block.parents[at],
        name: block.name(at),
        is_dir: block.kinds[at].is_dir(),
    }
}
