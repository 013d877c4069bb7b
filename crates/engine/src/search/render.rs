//! One worker: reads rows a block at a time, and shows them one by one.

use groma_base::CancelToken;

use super::block::{Block, Lookup};
use super::column::{Frame, Row};
use super::cutter::RowRef;
use super::owners::{Names, Owners};
use super::path::{PathBuilder, Step};
use super::wants::Wants;
use super::{Found, SearchError};

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
        for group in rows.chunk_by(|a, b| a.root == b.root) {
            if self.shared.cancel.is_cancelled() {
                return Err(SearchError::Cancelled);
            }
            self.show_group(group, &mut each)?;
        }
        Ok(())
    }

    /// Shows rows of one root.
    fn show_group(
        &mut self,
        rows: &[RowRef],
        each: &mut impl FnMut(Row<'_>),
    ) -> Result<(), SearchError> {
        let Some(first) = rows.first() else {
            return Ok(());
        };
        let reader = &self.shared.found.readers[first.root as usize];
        let damaged = |damage| SearchError::damaged(reader.root, damage);
        if self.root != first.root {
            self.path.reset();
            self.root = first.root;
        }
        let mut lookup = Lookup {
            owners: &mut self.owners,
            names: self.shared.names,
        };
        let ids = rows.iter().map(|row| row.id);
        self.block
            .load(reader, ids, self.wants, &mut lookup)
            .map_err(damaged)?;
        let has_path = self.wants.has(Wants::PATH);
        for &at in &self.block.shown {
            if has_path {
                let step = Step {
                    id: self.block.ids[at],
                    parent: self.block.parents[at],
                    name: self.block.name(at),
                    is_dir: self.block.kinds[at].is_dir(),
                };
                self.path.go(reader, step).map_err(damaged)?;
            }
            each(Row {
                view: reader.view,
                block: &self.block,
                owners: &self.owners,
                frame: self.shared.frame,
                at,
                path: self.path.path(),
                depth: self.path.depth(),
            });
        }
        Ok(())
    }
}
