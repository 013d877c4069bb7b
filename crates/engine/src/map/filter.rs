//! What a query leaves of a view: how much of each directory matches.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use groma_base::Timestamp;
use groma_catalog::{Damage, KindFlags, TimeOf, View};
use groma_query::bound::Expr;
use groma_query::select::{Run, SelectError, Selection, select};

use super::error::MapError;
use super::tree::Item;
use crate::threads::on_threads;

/// Rows that are read together, and how many of them must match for that.
const STRETCH: u32 = 4096;
const MANY: usize = 256;

/// Entries that match, and their sums in every directory above them.
#[derive(Debug)]
pub struct Filter {
    selection: Selection,
    sums: HashMap<u32, Sums>,
}

#[derive(Clone, Copy, Debug)]
struct Sums {
    items: u64,
    size: u64,
    allocated: u64,
    newest: Timestamp,
}

impl Default for Sums {
    fn default() -> Sums {
        Sums {
            items: 0,
            size: 0,
            allocated: 0,
            newest: Timestamp::MIN,
        }
    }
}

impl Sums {
    fn add(&mut self, other: &Sums) {
        self.items += other.items;
        self.size = self.size.saturating_add(other.size);
        self.allocated = self.allocated.saturating_add(other.allocated);
        self.newest = self.newest.max(other.newest);
    }
}

/// What matches directly in directories; one may have several lines.
#[derive(Default)]
struct Own(Vec<(u32, Sums)>);

impl Own {
    fn add(&mut self, dir: u32, sums: &Sums) {
        match self.0.last_mut() {
            // Entries of a directory mostly follow each other.
            Some((last, open)) if *last == dir => open.add(sums),
            _ => self.0.push((dir, *sums)),
        }
    }
}

impl Filter {
    /// Asks a view. Sizes of a node with several entries are counted at the first that matches.
    ///
    /// # Errors
    /// [`MapError::Damaged`], [`MapError::Cancelled`].
    pub fn new(view: &View, expr: &Expr, run: &Run) -> Result<Filter, MapError> {
        let selection = select(expr, view, run).map_err(|error| match error {
            SelectError::Damaged(damage) => MapError::Damaged(damage),
            _ => MapError::Cancelled,
        })?;
        let mut filter = Filter {
            selection,
            sums: HashMap::new(),
        };
        filter.add_up(view, run.threads)?;
        Ok(filter)
    }

    /// Entries that match.
    pub fn matches(&self) -> u32 {
        self.selection.count()
    }

    /// Adds up what lies directly in directories, and then each directory to the one that it lies in.
    fn add_up(&mut self, view: &View, threads: usize) -> Result<(), Damage> {
        let own = match view.is_sealed() {
            true => self.own_of_rows(view, threads)?,
            false => self.own_of_ids(view)?,
        };
        let mut open: BTreeMap<Option<u32>, (u32, Sums)> = BTreeMap::new();
        let add = |open: &mut BTreeMap<_, (u32, Sums)>, dir, sums: &Sums| {
            let line = open
                .entry(view.place(dir))
                .or_insert((dir, Sums::default()));
            line.1.add(sums);
        };
        for (dir, sums) in &own.0 {
            add(&mut open, *dir, sums);
        }
        // Directories come before what lies in them: from the last one up, each has all of its own.
        while let Some((_, (dir, sums))) = open.pop_last() {
            if let Some(parent) = view.parent(dir)? {
                add(&mut open, parent, &sums);
            }
            self.sums.insert(dir, sums);
        }
        Ok(())
    }

    /// What lies directly in directories, of a view that its segment does not tell alone.
    fn own_of_ids(&self, view: &View) -> Result<Own, Damage> {
        let mut own = Own::default();
        for id in self.selection.in_order(view) {
            self.add_one(view, id, &mut own)?;
        }
        Ok(own)
    }

    /// The same for rows of a segment, by several threads.
    fn own_of_rows(&self, view: &View, threads: usize) -> Result<Own, Damage> {
        let next = AtomicU32::new(0);
        let mut all = Own::default();
        for own in on_threads(threads, || self.own_of_stretches(view, &next)) {
            all.0.append(&mut own?.0);
        }
        Ok(all)
    }

    /// What one thread finds: stretches, until none is left.
    fn own_of_stretches(&self, view: &View, next: &AtomicU32) -> Result<Own, Damage> {
        let (mut own, rows) = (Own::default(), view.segment().rows());
        loop {
            let first = next.fetch_add(STRETCH, Ordering::Relaxed);
            if first >= rows {
                return Ok(own);
            }
            let range = first..first.saturating_add(STRETCH).min(rows);
            let ids: Vec<u32> = self.selection.ids_in(range.clone()).collect();
            if ids.len() >= MANY {
                self.add_stretch(view, range, &ids, &mut own)?;
                continue;
            }
            for id in ids {
                self.add_one(view, id, &mut own)?;
            }
        }
    }

    /// Adds rows of a stretch, whose columns are read at once.
    fn add_stretch(
        &self,
        view: &View,
        range: Range<u32>,
        ids: &[u32],
        own: &mut Own,
    ) -> Result<(), Damage> {
        let stretch = view.segment().stretch(range.clone())?;
        let (mut parents, mut kinds, mut times) = (Vec::new(), Vec::new(), Vec::new());
        let (mut sizes, mut allocated) = (Vec::new(), Vec::new());
        stretch.parents(&mut parents)?;
        stretch.kinds(&mut kinds)?;
        stretch.times(TimeOf::Content, &mut times)?;
        stretch.sizes(&mut sizes)?;
        stretch.allocated(&mut allocated)?;
        for &id in ids {
            let at = (id - range.start) as usize;
            if kinds[at].has(KindFlags::LINKED) {
                self.add_one(view, id, own)?;
                continue;
            }
            let sums = Sums {
                items: 1,
                size: sizes[at],
                allocated: allocated[at],
                newest: times[at],
            };
            // The root lies in itself.
            own.add(parents[at], &sums);
        }
        Ok(())
    }

    fn add_one(&self, view: &View, id: u32, own: &mut Own) -> Result<(), Damage> {
        own.add(view.parent(id)?.unwrap_or(id), &self.own(view, id)?);
        Ok(())
    }

    /// What an entry that matches adds to its directory.
    fn own(&self, view: &View, id: u32) -> Result<Sums, Damage> {
        let kind = view.kind(id)?;
        let is_counted = match kind.has(KindFlags::LINKED) {
            true => self.is_first(view, id)?,
            false => true,
        };
        let bytes = |of: Result<u64, Damage>| of.map(|bytes| if is_counted { bytes } else { 0 });
        Ok(Sums {
            items: 1,
            size: bytes(view.size(id))?,
            allocated: bytes(view.allocated(id))?,
            newest: view.modified(id)?,
        })
    }

    fn is_first(&self, view: &View, id: u32) -> Result<bool, Damage> {
        let linked = view.linked(id)?;
        let first = linked.iter().find(|&&id| self.selection.contains(id));
        Ok(first.is_none_or(|&first| first == id))
    }

    /// An entry with what matches of it and below it.
    pub(super) fn item(&self, view: &View, id: u32) -> Result<Item, Damage> {
        let kind = view.kind(id)?;
        let mut sums = match self.selection.contains(id) && view.parent(id)?.is_some() {
            true => self.own(view, id)?,
            false => Sums::default(),
        };
        if let Some(below) = self.sums.get(&id) {
            sums.add(below);
        }
        Ok(Item {
            id,
            kind,
            size: sums.size,
            allocated: sums.allocated,
            items: sums.items,
            newest: sums.newest,
        })
    }

    /// Appends those of some entries of which something matches.
    pub(super) fn push_items(
        &self,
        view: &View,
        ids: &[u32],
        out: &mut Vec<Item>,
    ) -> Result<(), Damage> {
        for &id in ids {
            let item = self.item(view, id)?;
            if item.items > 0 {
                out.push(item);
            }
        }
        Ok(())
    }
}
