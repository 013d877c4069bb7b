//! One root as a listing reads it.

use std::ops::Range;
use std::sync::OnceLock;

use groma_catalog::{Damage, NameReader, View};

use crate::catalogs::OpenRoot;

/// A root's view, and what makes reading many of its entries fast.
pub(crate) struct RootReader<'r> {
    pub(crate) root: &'r OpenRoot,
    pub(crate) view: &'r View,
    /// Whether ids are rows of the segment, so that columns can be read a stretch at a time.
    pub(crate) is_sealed: bool,
    names: OnceLock<Result<NameReader<'r>, Damage>>,
}

impl<'r> RootReader<'r> {
    pub(crate) fn new(root: &'r OpenRoot) -> RootReader<'r> {
        RootReader {
            root,
            view: &root.view,
            is_sealed: root.view.is_sealed(),
            names: OnceLock::new(),
        }
    }

    /// Whether columns of the segment tell all of these rows that are entries: none has moved, and
    /// none has changed.
    pub(crate) fn is_plain(&self, rows: &Range<u32>) -> bool {
        if self.is_sealed {
            return true;
        }
        let (moved, revised) = (self.view.relocated(), self.view.revised());
        // Both ascend.
        let moved = moved.get(moved.partition_point(|range| range.end <= rows.start));
        let revised = revised.get(revised.partition_point(|id| *id < rows.start));
        rows.end <= self.view.segment().rows()
            && moved.is_none_or(|range| range.start >= rows.end)
            && revised.is_none_or(|id| *id >= rows.end)
    }

    /// The reader of names, made when somebody asks: a few rows are told without.
    pub(crate) fn names(&self) -> Result<&NameReader<'r>, Damage> {
        let made = self.names.get_or_init(|| self.view.segment().name_reader());
        made.as_ref().map_err(Clone::clone)
    }

    /// Appends the name of an entry; of the root, the last part of its path.
    pub(crate) fn append_name(&self, id: u32, out: &mut Vec<u8>) -> Result<(), Damage> {
        let before = out.len();
        self.view.append_name(id, out)?;
        if out.len() == before {
            out.extend_from_slice(groma_base::basename(self.view.root()));
        }
        Ok(())
    }
}
