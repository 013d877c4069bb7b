//! What was moved: an entry that is gone and an entry that is new are one if they have one node.

use std::collections::HashMap;
use std::ops::Range;

use groma_catalog::{Damage, View};

use super::merge::{Merge, Merged};
use super::nodes::{FileSystems, NodeKey, Nodes};

/// What became of every row of two trees.
#[derive(Debug, Default)]
pub(super) struct Fates {
    /// Rows of both trees that are one entry at one path below the same, perhaps moved, directory.
    pub(super) pairs: Vec<(u32, u32)>,
    /// Rows of both trees that are one entry at two paths.
    pub(super) moved: Vec<(u32, u32)>,
    /// Rows that only the old tree has, ascending.
    pub(super) removed: Vec<u32>,
    /// Rows that only the new tree has, ascending.
    pub(super) added: Vec<u32>,
}

/// Subtrees that only the old tree has, and those that only the new one has.
type OneSided = (Vec<Range<u32>>, Vec<Range<u32>>);

/// Rows that are yet to be recognised.
struct Search<'v> {
    merge: Merge<'v>,
    old: Nodes<'v>,
    new: Nodes<'v>,
    /// Old rows by node.
    lost: HashMap<NodeKey, Vec<u32>>,
    /// Old rows that are accounted for.
    is_found: Vec<bool>,
    fates: Fates,
    /// Pairs at one path whose nodes are two: something may have been moved away or here.
    replaced: Vec<(u32, u32)>,
}

/// Compares two trees. Their roots are one, whatever their names.
pub(super) fn fates(old: &View, new: &View) -> Result<Fates, Damage> {
    let mut systems = FileSystems::default();
    let mut search = Search {
        merge: Merge { old, new },
        old: Nodes::new(old, &mut systems)?,
        new: Nodes::new(new, &mut systems)?,
        lost: HashMap::new(),
        is_found: vec![false; old.len() as usize],
        fates: Fates::default(),
        replaced: Vec::new(),
    };
    if old.is_empty() || new.is_empty() {
        search.fates.removed = (0..old.len()).collect();
        search.fates.added = (0..new.len()).collect();
        return Ok(search.fates);
    }
    let mut merged = Merged::default();
    merged.pairs.push((0, 0));
    search.merge.below(0, 0, &mut merged)?;
    let (removed, added) = search.take_pairs(merged)?;
    search.remember(&removed)?;
    search.find_moves(added)?;
    search.settle()?;
    Ok(search.conclude(removed))
}

impl Search<'_> {
    /// Sorts the pairs of a walk. Answers what only one of the trees has.
    fn take_pairs(&mut self, merged: Merged) -> Result<OneSided, Damage> {
        let mut added = merged.added;
        for (old, new) in merged.pairs {
            if self.is_found.get(old as usize) == Some(&true) {
                // What was here has been recognised elsewhere.
                added.push(new..new + 1);
                continue;
            }
            match self.is_replaced(old, new)? {
                true => self.replaced.push((old, new)),
                false => {
                    self.find(old);
                    self.fates.pairs.push((old, new));
                }
            }
        }
        Ok((merged.removed, added))
    }

    fn find(&mut self, old: u32) {
        if let Some(found) = self.is_found.get_mut(old as usize) {
            *found = true;
        }
    }

    /// Whether another node has taken a file's place. Directories stay what they are by their path.
    fn is_replaced(&self, old: u32, new: u32) -> Result<bool, Damage> {
        if self.merge.are_dirs(old, new)?.0 {
            return Ok(false);
        }
        let nodes = self.old.of(old)?.zip(self.new.of(new)?);
        Ok(nodes.is_some_and(|(old, new)| old != new))
    }

    /// Notes the nodes of what is gone, and of what was replaced.
    fn remember(&mut self, removed: &[Range<u32>]) -> Result<(), Damage> {
        let replaced: Vec<u32> = self.replaced.iter().map(|pair| pair.0).collect();
        for row in removed.iter().cloned().flatten().chain(replaced) {
            if let Some(node) = self.old.of(row)? {
                self.lost.entry(node).or_default().push(row);
            }
        }
        // The smallest path is found first.
        self.lost.values_mut().for_each(|rows| rows.reverse());
        Ok(())
    }

    /// Looks for every new entry among what is gone; what lies below a moved directory is compared
    /// with what lay below it.
    fn find_moves(&mut self, mut added: Vec<Range<u32>>) -> Result<(), Damage> {
        added.reverse();
        while let Some(mut rows) = added.pop() {
            while !rows.is_empty() {
                let row = rows.start;
                rows.start += 1;
                let Some(old) = self.recognise(row, false)? else {
                    self.fates.added.push(row);
                    continue;
                };
                self.fates.moved.push((old, row));
                if self.merge.are_dirs(old, row)?.0 {
                    rows.start = self.merge.new.subtree(row)?.end;
                    let mut merged = Merged::default();
                    self.merge.below(old, row, &mut merged)?;
                    // What is gone from there was gone before, and is known.
                    let (_, more) = self.take_pairs(merged)?;
                    added.extend(more.into_iter().rev());
                }
            }
        }
        Ok(())
    }

    /// The old row that a new one was, which is accounted for from now on. `is_in_place`: the path
    /// existed before, so that the node alone is too little where births are not known.
    fn recognise(&mut self, row: u32, is_in_place: bool) -> Result<Option<u32>, Damage> {
        let Some(node) = self.new.of(row)? else {
            return Ok(None);
        };
        let candidates = self.lost.get(&node).cloned().unwrap_or_default();
        for old in candidates.into_iter().rev() {
            if self.is_found.get(old as usize) == Some(&false)
                && self.is_same(old, row, is_in_place)?
            {
                self.find(old);
                return Ok(Some(old));
            }
        }
        Ok(None)
    }

    /// An inode number that is free is given to another node soon: births tell them apart.
    fn is_same(&self, old: u32, new: u32, is_in_place: bool) -> Result<bool, Damage> {
        match (self.old.created(old)?, self.new.created(new)?) {
            (Some(old), Some(new)) => Ok(old == new),
            _ if is_in_place => Ok(self.old.modified(old)? == self.new.modified(new)?),
            _ => Ok(true),
        }
    }

    /// Decides about files in whose place other nodes are now.
    fn settle(&mut self) -> Result<(), Damage> {
        let replaced = std::mem::take(&mut self.replaced);
        let mut came = Vec::with_capacity(replaced.len());
        for &(_, new) in &replaced {
            let old = self.recognise(new, true)?;
            self.fates.moved.extend(old.map(|old| (old, new)));
            came.push(old.is_some());
        }
        for (&(old, new), came) in replaced.iter().zip(came) {
            let went = self.is_found.get(old as usize) == Some(&true);
            match (went, came) {
                (false, false) => {
                    self.find(old);
                    self.fates.pairs.push((old, new));
                }
                (true, false) => self.fates.added.push(new),
                (false, true) => self.fates.removed.push(old),
                (true, true) => {}
            }
        }
        Ok(())
    }

    fn conclude(mut self, removed: Vec<Range<u32>>) -> Fates {
        let is_found = &self.is_found;
        let lost = removed.into_iter().flatten();
        let lost = lost.filter(|&row| is_found.get(row as usize) == Some(&false));
        self.fates.removed.extend(lost);
        let fates = &mut self.fates;
        fates.removed.sort_unstable();
        fates.removed.dedup();
        fates.added.sort_unstable();
        fates.pairs.sort_unstable_by_key(|pair| pair.1);
        fates.moved.sort_unstable_by_key(|pair| pair.1);
        self.fates
    }
}
