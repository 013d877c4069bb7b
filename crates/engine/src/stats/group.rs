//! Entries of all roots put into buckets.

use std::collections::HashMap;
use std::sync::Arc;

use groma_base::CancelToken;
use groma_catalog::View;
use groma_query::bound::Expr;
use groma_query::select::{self, Selection, select};

use super::coder::Coder;
use super::error::{ScanError, StatsError};
use super::field::Grouping;
use super::key::Key;
use super::links::{Counted, Part, count_once, selected_ids};
use super::metric::{Needs, Sums};
use super::sample::Candidate;
use super::scan::Scan;
use crate::catalogs::OpenRoot;

/// What is asked, and with how many threads.
pub(super) struct Data<'a> {
    pub(super) roots: &'a [OpenRoot],
    pub(super) threads: usize,
    pub(super) cancel: CancelToken,
}

/// The selected entries of each root.
pub(super) type Selected = Arc<Vec<SelectedRoot>>;

/// The selected entries of one root.
#[derive(Debug)]
pub(super) struct SelectedRoot {
    pub(super) view: View,
    /// `None`: all of them.
    pub(super) selection: Option<Selection>,
    pub(super) counted: Counted,
}

impl SelectedRoot {
    /// Whether an entry is selected.
    pub(super) fn holds(&self, id: u32) -> bool {
        match &self.selection {
            Some(selection) => selection.contains(id),
            None => self.view.place(id).is_some(),
        }
    }

    /// The selected entries in the order of paths.
    pub(super) fn ids(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        selected_ids(&self.view, self.selection.as_ref())
    }
}

impl Data<'_> {
    /// The entries that match, and where their sizes are counted.
    pub(super) fn select(&self, expr: &Expr) -> Result<Selected, StatsError> {
        let mut selected = Vec::new();
        for root in self.roots {
            let one = self.select_in(&root.view, expr);
            selected.push(one.map_err(|error| StatsError::at(root.view.root(), error))?);
        }
        let parts = selected.iter_mut();
        let mut parts: Vec<Part<'_>> = parts
            .map(|root| (&root.view, root.selection.as_ref(), &mut root.counted))
            .collect();
        count_once(&mut parts, &self.cancel)
            .map_err(|(at, error)| StatsError::at(self.roots[at].view.root(), error))?;
        Ok(Arc::new(selected))
    }

    fn run(&self) -> select::Run {
        select::Run::new(self.threads, self.cancel.clone())
    }

    fn coder<'v>(
        &self,
        root: &'v SelectedRoot,
        grouping: &'v Grouping,
    ) -> Result<Coder<'v>, ScanError> {
        let has_others = self.roots.len() > 1;
        let selected = |id| root.holds(id);
        Coder::new(&root.view, grouping, has_others, &self.run(), selected)
    }

    fn select_in(&self, view: &View, expr: &Expr) -> Result<SelectedRoot, ScanError> {
        let selection = match expr {
            Expr::All => None,
            expr => Some(select(expr, view, &self.run())?),
        };
        let counted = Counted::new(view, selection.as_ref(), &self.cancel)?;
        Ok(SelectedRoot {
            view: view.clone(),
            selection,
            counted,
        })
    }

    /// Puts the selected entries into buckets.
    pub(super) fn group(
        &self,
        selected: &Selected,
        groupings: &[&Grouping],
        needs: Needs,
        samples: usize,
    ) -> Result<Buckets, StatsError> {
        let (mut buckets, mut is_final) = (Buckets::new(), selected.len() < 2);
        for (at, root) in selected.iter().enumerate() {
            is_final &= self
                .group_root(at, root, groupings, needs, samples, &mut buckets)
                .map_err(|error| StatsError::at(root.view.root(), error))?;
        }
        if !is_final {
            buckets = merged(buckets);
        }
        for (_, bucket) in &mut buckets {
            bucket.keep_best(samples);
        }
        Ok(buckets)
    }

    /// Adds the buckets of one root, and tells whether each key has one only.
    fn group_root(
        &self,
        at: usize,
        root: &SelectedRoot,
        groupings: &[&Grouping],
        needs: Needs,
        samples: usize,
        buckets: &mut Buckets,
    ) -> Result<bool, ScanError> {
        let prepared: Vec<Grouping> = groupings
            .iter()
            .map(|grouping| prepared(grouping, &root.view))
            .collect::<Result<_, _>>()?;
        let coders: Vec<Coder<'_>> = prepared
            .iter()
            .map(|grouping| self.coder(root, grouping))
            .collect::<Result<_, _>>()?;
        let scan = Scan {
            view: &root.view,
            selection: root.selection.as_ref(),
            counted: &root.counted,
            coders: &coders,
            needs,
            samples,
        };
        let table = scan.run(self.threads, &self.cancel)?;
        let lines = table.into_lines();
        buckets.reserve(lines.size_hint().0);
        for (codes, sums, best) in lines {
            let keys = coders
                .iter()
                .zip(codes)
                .map(|(coder, code)| coder.key(code));
            let best = best.into_iter().map(|candidate| (at, candidate));
            let best = best.collect();
            buckets.push((keys.collect::<Result<_, _>>()?, Bucket { sums, best }));
        }
        Ok(!coders.iter().any(Coder::may_share_keys))
    }
}

/// The same with one bucket for each key.
fn merged(buckets: Buckets) -> Buckets {
    let mut merged: HashMap<Keys, Bucket> = HashMap::new();
    for (keys, bucket) in buckets {
        merged.entry(keys).or_default().add(&bucket);
    }
    merged.into_iter().collect()
}

/// A grouping made ready for many entries of a view.
fn prepared(grouping: &Grouping, view: &View) -> Result<Grouping, ScanError> {
    let Grouping::Time(time, field, calendar) = grouping else {
        return Ok(grouping.clone());
    };
    let calendar = match super::times::extremes(view, *time)? {
        Some((first, last)) => {
            Arc::new(groma_base::time::Calendar::clone(calendar).prepared(first, last))
        }
        None => Arc::clone(calendar),
    };
    Ok(Grouping::Time(*time, *field, calendar))
}

/// The keys of a bucket, one for each level; `None` where the entries have no such thing.
pub(super) type Keys = Box<[Option<Key>]>;

/// Buckets with their keys, in no order.
pub(super) type Buckets = Vec<(Keys, Bucket)>;

/// What one bucket came to.
#[derive(Clone, Debug, Default)]
pub(super) struct Bucket {
    pub(super) sums: Sums,
    /// Examples, each with the place of its root.
    pub(super) best: Vec<(usize, Candidate)>,
}

impl Bucket {
    /// Adds another bucket.
    pub(super) fn add(&mut self, other: &Bucket) {
        self.sums.add(&other.sums);
        self.best.extend_from_slice(&other.best);
    }

    /// Leaves no more examples than were asked for: the largest, and of equal ones the first.
    pub(super) fn keep_best(&mut self, most: usize) {
        let rank = |(root, c): &(usize, Candidate)| (std::cmp::Reverse(c.size), *root, c.place);
        self.best.sort_by_key(rank);
        self.best.truncate(most);
    }
}
