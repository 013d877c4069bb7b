//! What a query leaves of a view: how much of each directory matches.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use groma_base::Timestamp;
use groma_catalog::{Damage, KindFlags, TimeOf, View};
use groma_query::bound::Expr;
use groma_query::select::{Run, SelectError, Selection, select};

use super::error::MapError;
use super::tree::Item;

/// Rows that are read together, and how many of them must match for that.
const STRETCH: u32 = 4096;
const MANY: usize = if cfg!(test) { 4 } else { 256 };

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
        match view.is_sealed() {
            true => filter.add_up_rows(view, run.threads)?,
            false => filter.add_up(view)?,
        }
        Ok(filter)
    }

    /// Entries that match.
    pub fn matches(&self) -> u32 {
        self.selection.count()
    }

    fn add_up(&mut self, view: &View) -> Result<(), Damage> {
        let mut own: HashMap<u32, Sums> = HashMap::new();
        let mut last: Option<(u32, Sums)> = None;
        for id in self.selection.in_order(view) {
            let sums = self.own(view, id)?;
            let Some(parent) = view.parent(id)? else {
                own.entry(id).or_default().add(&sums);
                continue;
            };
            // Entries of a directory mostly follow each other.
            match &mut last {
                Some((dir, open)) if *dir == parent => open.add(&sums),
                _ => {
                    if let Some((dir, open)) = last.replace((parent, sums)) {
                        own.entry(dir).or_default().add(&open);
                    }
                }
            }
        }
        if let Some((dir, open)) = last {
            own.entry(dir).or_default().add(&open);
        }
        for (dir, sums) in own {
            let mut at = Some(dir);
            while let Some(id) = at {
                self.sums.entry(id).or_default().add(&sums);
                at = view.parent(id)?;
            }
        }
        Ok(())
    }

    /// The same for rows of a segment, by several threads.
    fn add_up_rows(&mut self, view: &View, threads: usize) -> Result<(), Damage> {
        let next = AtomicU32::new(0);
        let work = || self.own_sums(view, &next);
        let found = thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut found = vec![work()];
            found.extend(others.into_iter().map(|thread| match thread.join() {
                Ok(sums) => sums,
                Err(panic) => std::panic::resume_unwind(panic),
            }));
            found
        });
        let mut own: BTreeMap<u32, Sums> = BTreeMap::new();
        for sums in found {
            let sums = sums?;
            let each = sums.iter();
            each.for_each(|(dir, sums)| own.entry(*dir).or_default().add(sums));
        }
        // Directories come before what lies in them: from the last one up, each has all of its own.
        while let Some((dir, sums)) = own.pop_last() {
            if let Some(parent) = view.parent(dir)? {
                own.entry(parent).or_default().add(&sums);
            }
            self.sums.insert(dir, sums);
        }
        Ok(())
    }

    /// What one thread finds to lie directly in directories: stretches, until none is left.
    fn own_sums(&self, view: &View, next: &AtomicU32) -> Result<Vec<(u32, Sums)>, Damage> {
        let mut own: Vec<(u32, Sums)> = Vec::new();
        let rows = view.segment().rows();
        loop {
            let first = next.fetch_add(STRETCH, Ordering::Relaxed);
            if first >= rows {
                return Ok(own);
            }
            let range = first..first.saturating_add(STRETCH).min(rows);
            let ids: Vec<u32> = self.selection.ids_in(range.clone()).collect();
            let mut add = |dir: u32, sums: &Sums| match own.last_mut() {
                // Entries of a directory mostly follow each other.
                Some((last, open)) if *last == dir => open.add(sums),
                _ => own.push((dir, *sums)),
            };
            if ids.len() >= MANY {
                self.each_of_stretch(view, range, &ids, &mut add)?;
                continue;
            }
            for id in ids {
                add(view.parent(id)?.unwrap_or(id), &self.own(view, id)?);
            }
        }
    }

    /// Tells what rows of a stretch add to their directories.
    fn each_of_stretch(
        &self,
        view: &View,
        range: Range<u32>,
        ids: &[u32],
        add: &mut impl FnMut(u32, &Sums),
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
            if kinds[at].has(KindFlags::LINKED) || id == 0 {
                add(view.parent(id)?.unwrap_or(id), &self.own(view, id)?);
                continue;
            }
            let sums = Sums {
                items: 1,
                size: sizes[at],
                allocated: allocated[at],
                newest: times[at],
            };
            add(parents[at], &sums);
        }
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
