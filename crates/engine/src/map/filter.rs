//! What a query leaves of a view: how much of each directory matches.

use std::collections::HashMap;

use groma_base::Timestamp;
use groma_catalog::{Damage, KindFlags, View};
use groma_query::bound::Expr;
use groma_query::select::{Run, SelectError, Selection, select};

use super::error::MapError;
use super::tree::Item;

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
        filter.add_up(view)?;
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
