//! Which entries of a view match.

use std::ops::Range;

use groma_catalog::View;

use super::bits;
use super::set::RowSet;

/// A set of ids.
#[derive(Clone, Debug)]
pub struct Selection {
    set: Set,
    /// Every id is below this.
    ids: u32,
}

#[derive(Clone, Debug)]
enum Set {
    /// Ascending, none twice.
    Sparse(Vec<u32>),
    Dense {
        words: Vec<u64>,
        count: u32,
    },
}

impl Selection {
    /// No id; `ids`: every id that will be put in is below this.
    pub fn none(ids: u32) -> Selection {
        Selection::of_sorted(Vec::new(), ids)
    }

    /// These ids, which must ascend and be below `ids`.
    pub(crate) fn of_sorted(list: Vec<u32>, ids: u32) -> Selection {
        let set = Set::Sparse(list);
        Selection { set, ids }
    }

    /// The ids whose bits are set.
    pub(crate) fn of_words(words: Vec<u64>, ids: u32) -> Selection {
        let count = bits::count(&words);
        let set = Set::Dense { words, count };
        Selection { set, ids }
    }

    pub(crate) fn of_set(set: RowSet, ids: u32) -> Selection {
        match set {
            RowSet::Sparse(list) => Selection::of_sorted(list, ids),
            RowSet::Ranges(ranges) => {
                let mut words = bits::empty(ids);
                for range in ranges {
                    bits::set_range(&mut words, range);
                }
                Selection::of_words(words, ids)
            }
            RowSet::Dense(mut words) => {
                words.resize((ids as usize).div_ceil(64), 0);
                Selection::of_words(words, ids)
            }
        }
    }

    /// How many ids are in it.
    pub fn count(&self) -> u32 {
        match &self.set {
            Set::Sparse(list) => u32::try_from(list.len()).unwrap_or(u32::MAX),
            Set::Dense { count, .. } => *count,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Whether an id is in it.
    pub fn contains(&self, id: u32) -> bool {
        match &self.set {
            Set::Sparse(list) => list.binary_search(&id).is_ok(),
            Set::Dense { words, .. } => bits::has(words, id),
        }
    }

    /// Puts an id in, which must be below the number that this was made with.
    pub fn insert(&mut self, id: u32) {
        match &mut self.set {
            Set::Sparse(list) => {
                if let Err(at) = list.binary_search(&id) {
                    list.insert(at, id);
                }
            }
            Set::Dense { words, count } => {
                if !bits::has(words, id) {
                    bits::set(words, id);
                    *count += 1;
                }
            }
        }
    }

    /// Puts ids in, which ascend.
    pub(crate) fn add_sorted(&mut self, ids: Vec<u32>) {
        match &mut self.set {
            Set::Sparse(list) => {
                list.extend(ids);
                // Two ascending runs: the sort merges them.
                list.sort();
                list.dedup();
            }
            Set::Dense { .. } => ids.into_iter().for_each(|id| self.insert(id)),
        }
    }

    /// The ids of a range that are in it, ascending.
    pub fn ids_in(&self, range: Range<u32>) -> IdsIn<'_> {
        match &self.set {
            Set::Sparse(list) => {
                let first = list.partition_point(|&id| id < range.start);
                let after = list.partition_point(|&id| id < range.end).max(first);
                IdsIn(Ids::Sparse(list[first..after].iter()))
            }
            Set::Dense { words, .. } => {
                let at = range.start as usize / 64;
                let word = words.get(at).copied().unwrap_or(0) & (u64::MAX << (range.start % 64));
                IdsIn(Ids::Dense {
                    words,
                    at,
                    word,
                    end: range.end,
                })
            }
        }
    }

    /// How many ids of a range are in it.
    pub fn count_in(&self, range: Range<u32>) -> u32 {
        match &self.set {
            Set::Sparse(_) => u32::try_from(self.ids_in(range).count()).unwrap_or(u32::MAX),
            Set::Dense { words, .. } => {
                let end = range.end.min(self.ids);
                if range.start >= end {
                    return 0;
                }
                let (first, last) = (range.start as usize / 64, (end as usize - 1) / 64);
                let all = bits::count(&words[first..=last]);
                let before = words[first] & !(u64::MAX << (range.start % 64));
                let behind = words[last] & !(u64::MAX >> (63 - (end - 1) % 64));
                all - before.count_ones() - behind.count_ones()
            }
        }
    }

    /// All ids, ascending, which is not always the order of paths.
    pub fn ids(&self) -> IdsIn<'_> {
        self.ids_in(0..self.ids)
    }

    /// The ids in the order of paths.
    pub fn in_order<'a>(&'a self, view: &'a View) -> impl Iterator<Item = u32> + 'a {
        let pieces = view.pieces().iter();
        pieces.flat_map(|piece| self.ids_in(piece.ids.clone()))
    }
}

impl Selection {
    /// The ids of the block that begins at `first`, as bits.
    pub(crate) fn mask(&self, first: u32) -> bits::Mask {
        let mut mask = bits::NONE;
        match &self.set {
            Set::Sparse(_) => {
                let ids = self.ids_in(first..first.saturating_add(bits::BLOCK));
                ids.for_each(|id| bits::set(&mut mask, id - first));
            }
            Set::Dense { words, .. } => {
                let from = (first as usize / 64).min(words.len());
                let here = &words[from..words.len().min(from + bits::WORDS)];
                mask[..here.len()].copy_from_slice(here);
            }
        }
        mask
    }
}

impl PartialEq for Selection {
    fn eq(&self, other: &Selection) -> bool {
        self.count() == other.count() && self.ids().eq(other.ids())
    }
}

impl Eq for Selection {}

/// Ids of a selection, ascending.
#[derive(Clone, Debug)]
pub struct IdsIn<'s>(Ids<'s>);

#[derive(Clone, Debug)]
enum Ids<'s> {
    Sparse(std::slice::Iter<'s, u32>),
    Dense {
        words: &'s [u64],
        at: usize,
        word: u64,
        end: u32,
    },
}

impl Iterator for IdsIn<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        match &mut self.0 {
            Ids::Sparse(list) => list.next().copied(),
            Ids::Dense {
                words,
                at,
                word,
                end,
            } => {
                while *word == 0 {
                    *at += 1;
                    if *at * 64 >= *end as usize {
                        return None;
                    }
                    *word = *words.get(*at)?;
                }
                // There are fewer ids than 2^32.
                let id = *at as u32 * 64 + word.trailing_zeros();
                *word &= *word - 1;
                (id < *end).then_some(id)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn both_forms_are_sets(list in prop::collection::vec(0u32..400, 0..60), range in (0u32..400, 0u32..400), other in 0u32..400) {
            let model: BTreeSet<u32> = list.iter().copied().collect();
            let mut words = bits::empty(400);
            model.iter().for_each(|&id| bits::set(&mut words, id));
            let mut sparse = Selection::of_sorted(model.iter().copied().collect(), 400);
            let mut dense = Selection::of_words(words, 400);
            prop_assert_eq!(&sparse, &dense);
            let range = range.0..range.1;
            let expected: Vec<u32> = model.iter().copied().filter(|id| range.contains(id)).collect();
            for form in [&mut sparse, &mut dense] {
                prop_assert_eq!(form.count() as usize, model.len());
                prop_assert_eq!(form.ids_in(range.clone()).collect::<Vec<_>>(), expected.clone());
                prop_assert_eq!(form.count_in(range.clone()) as usize, expected.len());
                prop_assert_eq!(form.contains(other), model.contains(&other));
                form.insert(other);
                form.insert(other);
                prop_assert!(form.contains(other));
                prop_assert!(form.ids().any(|id| id == other));
                form.add_sorted(vec![1, 7, 399]);
                prop_assert!([1, 7, 399, other].iter().all(|&id| form.contains(id)));
            }
        }
    }
}
