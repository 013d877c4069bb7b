//! A view as a tree of items.

use std::ops::Range;
use std::sync::Arc;

use groma_base::{Metadata, Timestamp};
use groma_catalog::{Damage, KindFlags, View, WeightOf};

use super::filter::Filter;
use super::tree::{Item, Tree, Weigh, weights_of_items};

/// Consecutive entries from which on they are read together.
const TOGETHER: u32 = 8;

/// A view, or what a filter leaves of it.
#[derive(Clone, Debug)]
pub struct Sealed {
    view: View,
    top: u32,
    filter: Option<Arc<Filter>>,
}

impl Sealed {
    /// All of a view; `None` when it has no entries.
    pub fn new(view: View) -> Option<Sealed> {
        let top = view.top()?;
        Some(Sealed::below(view, top))
    }

    /// An entry of a view and all that lies below it.
    pub fn below(view: View, top: u32) -> Sealed {
        Sealed {
            view,
            top,
            filter: None,
        }
    }

    /// The same, but only what a filter lets through weighs something.
    #[must_use]
    pub fn filtered(mut self, filter: Option<Arc<Filter>>) -> Sealed {
        self.filter = filter;
        self
    }

    /// The view.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The entry itself, without what lies below.
    fn own(&self, id: u32, kind: KindFlags) -> Result<Item, Damage> {
        let is_counted = !kind.has(KindFlags::COUNTED_ELSEWHERE);
        let bytes = |of: Result<u64, Damage>| of.map(|bytes| if is_counted { bytes } else { 0 });
        Ok(Item {
            id,
            kind,
            size: bytes(self.view.size(id))?,
            allocated: bytes(self.view.allocated(id))?,
            items: 1,
            newest: self.view.modified(id)?,
        })
    }

    fn with_below(&self, mut item: Item) -> Result<Item, Damage> {
        if let Some(totals) = self.view.totals(item.id)? {
            item.size = item.size.saturating_add(totals.below.size);
            item.allocated = item.allocated.saturating_add(totals.below.allocated);
            item.items += u64::from(totals.entries);
            item.newest = totals
                .below
                .newest
                .unwrap_or(Timestamp::MIN)
                .max(item.newest);
        }
        Ok(item)
    }

    /// Entries of a segment that follow each other, none of them a directory with a line of its own
    /// to be looked up but those that say so.
    fn push_rows(&self, rows: Range<u32>, out: &mut Vec<Item>) -> Result<(), Damage> {
        let stretch = self.view.segment().stretch(rows.clone())?;
        let (mut kinds, mut sizes, mut allocated) = (Vec::new(), Vec::new(), Vec::new());
        let mut times = Vec::new();
        stretch.kinds(&mut kinds)?;
        stretch.sizes(&mut sizes)?;
        stretch.allocated(&mut allocated)?;
        stretch.times(groma_catalog::TimeOf::Content, &mut times)?;
        for (at, id) in rows.enumerate() {
            let kind = kinds[at];
            let is_counted = !kind.has(KindFlags::COUNTED_ELSEWHERE);
            let item = Item {
                id,
                kind,
                size: if is_counted { sizes[at] } else { 0 },
                allocated: if is_counted { allocated[at] } else { 0 },
                items: 1,
                newest: times[at],
            };
            out.push(match kind.is_dir() {
                true => self.with_below(item)?,
                false => item,
            });
        }
        Ok(())
    }
}

impl Tree for Sealed {
    fn top(&self) -> u32 {
        self.top
    }

    fn item(&self, id: u32) -> Result<Item, Damage> {
        if let Some(filter) = &self.filter {
            return filter.item(&self.view, id);
        }
        let own = self.own(id, self.view.kind(id)?)?;
        self.with_below(own)
    }

    fn parent(&self, id: u32) -> Result<Option<u32>, Damage> {
        match id == self.top {
            true => Ok(None),
            false => self.view.parent(id),
        }
    }

    fn children(&self, id: u32, out: &mut Vec<Item>) -> Result<(), Damage> {
        if !self.view.kind(id)?.is_dir() {
            return Ok(());
        }
        let children = self.view.children(id)?;
        if let Some(filter) = &self.filter {
            return filter.push_items(&self.view, &children, out);
        }
        out.reserve(children.len());
        let is_sealed = self.view.is_sealed();
        for run in children.chunk_by(|a, b| *b == *a + 1) {
            let (first, last) = (run[0], run[run.len() - 1]);
            if is_sealed && last - first >= TOGETHER {
                self.push_rows(first..last + 1, out)?;
                continue;
            }
            for &id in run {
                out.push(self.item(id)?);
            }
        }
        Ok(())
    }

    fn weights(&self, id: u32, weigh: Weigh, out: &mut Vec<(u32, u64)>) -> Result<(), Damage> {
        if self.filter.is_some() || !self.view.is_sealed() {
            return weights_of_items(self, id, weigh, out);
        }
        let of = match weigh {
            Weigh::Allocated => WeightOf::Allocated,
            Weigh::Apparent => WeightOf::Size,
            Weigh::Count => WeightOf::Entries,
        };
        self.view.segment().child_weights(id, of, out)
    }

    fn is_dir(&self, id: u32) -> Result<bool, Damage> {
        Ok(self.view.kind(id)?.is_dir())
    }

    fn metadata(&self, id: u32) -> Result<Option<Metadata>, Damage> {
        self.view.metadata(id)
    }

    fn child(&self, id: u32, name: &[u8]) -> Result<Option<u32>, Damage> {
        self.view.child(id, name)
    }

    fn append_name(&self, id: u32, out: &mut Vec<u8>) -> Result<(), Damage> {
        match id == self.top {
            true => self.view.append_path(id, out),
            false => self.view.append_name(id, out),
        }
    }
}
