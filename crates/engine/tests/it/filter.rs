//! What a query leaves of a tree, against the naive count of every entry by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use groma_base::time::Zoned;
use groma_base::{CancelToken, Kind};
use groma_catalog::{StoredEntry, View};
use groma_engine::map::{Expr, Filter, Sealed, Tree};
use groma_engine::search::Run;
use groma_query::bind::{Context, Target, bind};
use groma_query::syntax::parse;
use proptest::prelude::*;

use super::marks::{Made, changed, ids, made, sealed};

fn bound(text: &str) -> Expr {
    let now: Zoned = "2026-01-01T00:00:00+00:00[UTC]".parse().unwrap();
    bind(&parse(text).unwrap(), &Context::new(now, Target::Catalog)).unwrap()
}

/// Entries, apparent and allocated bytes below each entry that something matches in or at.
fn naive(view: &View, expr: &Expr) -> BTreeMap<u32, (u64, u64, u64)> {
    let (mut sums, mut seen) = (BTreeMap::new(), BTreeSet::new());
    for id in ids(view) {
        if !expr.matches(&StoredEntry::new(view, id).unwrap()) {
            continue;
        }
        let told = view.metadata(id).unwrap();
        let is_counted = told
            .is_some_and(|told| told.kind == Kind::Dir || told.links < 2 || seen.insert(told.id));
        let (size, allocated) = match is_counted {
            true => (view.size(id).unwrap(), view.allocated(id).unwrap()),
            false => (0, 0),
        };
        let mut at = Some(id);
        while let Some(id) = at {
            let sum: &mut (u64, u64, u64) = sums.entry(id).or_default();
            *sum = (sum.0 + 1, sum.1 + size, sum.2 + allocated);
            at = view.parent(id).unwrap();
        }
    }
    sums
}

fn check(view: &View, text: &str, threads: usize) {
    let expr = bound(text);
    let run = Run::new(threads, CancelToken::new());
    let filter = Filter::new(view, &expr, &run).unwrap();
    let wanted = naive(view, &expr);
    let tree = Sealed::new(view.clone()).unwrap();
    let tree = tree.filtered(Some(Arc::new(filter)));
    for id in ids(view) {
        let item = tree.item(id).unwrap();
        let found = (item.items, item.size, item.allocated);
        let wanted = wanted.get(&id).copied().unwrap_or_default();
        assert_eq!(found, wanted, "{text}: {id}");
    }
}

const QUERIES: &[&str] = &[
    "size>300",
    "links>1",
    "e1 OR size=0",
    "type:dir",
    "nothing-has-this-name",
];

proptest! {
    #[test]
    fn what_is_left_is_what_each_entry_says(
        entries in prop::collection::vec(made(), 1..120),
        changes in prop::collection::vec(made(), 0..24),
        query in prop::sample::select(QUERIES),
        threads in 1usize..4,
    ) {
        let view = sealed(&entries);
        check(&view, query, threads);
        check(&changed(view, &changes), query, threads);
    }
}

#[test]
fn many_rows_are_added_up_by_stretches() {
    let entries = (0..20_000).map(|number: usize| Made {
        parent: number / 50,
        is_dir: number.is_multiple_of(50),
        node: number as u64 % 12 + 12 * (number as u64 / 3),
        is_known: !number.is_multiple_of(7),
    });
    let view = sealed(&entries.collect::<Vec<_>>());
    for query in QUERIES {
        check(&view, query, 3);
    }
}
