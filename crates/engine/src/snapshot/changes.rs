//! From what became of rows to changes: what each entry adds or takes away, entries of a new or removed
//! directory under that directory, growth per directory.

use groma_catalog::{Damage, KindFlags, View};

use super::compare::{Change, ChangeKind, DirGrowth, Measure};
use super::moves::Fates;

/// Two trees, and what is measured.
pub(super) struct Scale<'v> {
    pub(super) old: &'v View,
    pub(super) new: &'v View,
    pub(super) measure: Measure,
}

impl Scale<'_> {
    /// What an entry alone adds to the sums of the directories above it.
    fn own(&self, view: &View, row: u32) -> Result<u64, Damage> {
        let flags = view.kind(row)?;
        if flags.has(KindFlags::COUNTED_ELSEWHERE) || flags.has(KindFlags::NO_METADATA) {
            return Ok(0);
        }
        match self.measure {
            Measure::Allocated => view.allocated(row),
            Measure::Apparent => view.size(row),
        }
    }

    /// What lies below a directory.
    fn below(&self, view: &View, row: u32) -> Result<u64, Damage> {
        let totals = view.totals(row)?;
        Ok(totals.map_or(0, |totals| match self.measure {
            Measure::Allocated => totals.below.allocated,
            Measure::Apparent => totals.below.size,
        }))
    }

    /// All changes, in the order of new paths, then of old ones.
    pub(super) fn changes(&self, fates: &Fates) -> Result<Vec<Change>, Damage> {
        let mut changes = Vec::new();
        for &(old, new) in &fates.pairs {
            let (before, after) = (self.own(self.old, old)?, self.own(self.new, new)?);
            let kind = match before.cmp(&after) {
                std::cmp::Ordering::Less => ChangeKind::Grown,
                std::cmp::Ordering::Greater => ChangeKind::Shrunk,
                std::cmp::Ordering::Equal => continue,
            };
            changes.push(Change::both(kind, old, new, before, after));
        }
        for &(old, new) in &fates.moved {
            let (before, after) = (self.own(self.old, old)?, self.own(self.new, new)?);
            changes.push(Change::both(ChangeKind::Moved, old, new, before, after));
        }
        self.one_sided(self.new, &fates.added, ChangeKind::New, &mut changes)?;
        self.one_sided(self.old, &fates.removed, ChangeKind::Removed, &mut changes)?;
        changes.sort_by_key(|change| (change.new.is_none(), change.new, change.old));
        Ok(changes)
    }

    /// Entries of one tree alone, which ascend. One that lies in a directory of the same fate stands
    /// under it, and counts there too.
    fn one_sided(
        &self,
        view: &View,
        rows: &[u32],
        kind: ChangeKind,
        changes: &mut Vec<Change>,
    ) -> Result<(), Damage> {
        /// A directory of this fate: its row, its end, the change that it stands under.
        struct Open(u32, u32, usize);
        let mut open: Vec<Open> = Vec::new();
        for &row in rows {
            while open.pop_if(|dir| dir.1 <= row).is_some() {}
            let own = self.own(view, row)?;
            let parent = view.parent(row)?;
            let above = open.iter().rev().find(|dir| Some(dir.0) == parent);
            let top = above.map_or(changes.len(), |dir| dir.2);
            if view.kind(row)?.is_dir() {
                open.push(Open(row, view.subtree(row)?.end, top));
            }
            let is_inside = top != changes.len();
            changes.push(Change::one(kind, row, own, is_inside));
            if let Some(change) = changes.get_mut(top) {
                change.entries += 1;
                change.sum = change.sum.saturating_add(own);
            }
        }
        Ok(())
    }

    /// Directories below which there is more or less than before.
    pub(super) fn growth(&self, fates: &Fates) -> Result<Vec<DirGrowth>, Damage> {
        let mut dirs = Vec::new();
        for &(old, new) in fates.pairs.iter().chain(&fates.moved) {
            if self.new.kind(new)?.is_dir() {
                dirs.push(DirGrowth {
                    old: Some(old),
                    new: Some(new),
                    before: self.below(self.old, old)?,
                    after: self.below(self.new, new)?,
                });
            }
        }
        for &new in &fates.added {
            if self.new.kind(new)?.is_dir() {
                dirs.push(DirGrowth {
                    old: None,
                    new: Some(new),
                    before: 0,
                    after: self.below(self.new, new)?,
                });
            }
        }
        for &old in &fates.removed {
            if self.old.kind(old)?.is_dir() {
                dirs.push(DirGrowth {
                    old: Some(old),
                    new: None,
                    before: self.below(self.old, old)?,
                    after: 0,
                });
            }
        }
        dirs.retain(|dir| dir.before != dir.after);
        dirs.sort_by_key(|dir| {
            let size = dir.growth().unsigned_abs();
            (std::cmp::Reverse(size), dir.new.is_none(), dir.new, dir.old)
        });
        Ok(dirs)
    }
}
