//! Sorting against sorting naively, by the facts of each entry.

use std::cmp::Ordering;

use groma_base::{CancelToken, Facts, compare_names, extension, folded};
use groma_catalog::{StoredEntry, View};
use proptest::prelude::*;

use super::*;
use crate::fields::FIELDS;
use crate::select::property::{bound, perhaps_hidden};
use crate::select::select;
use crate::testing::tree;

/// A value to compare; what is missing is `None`.
fn value(entry: &StoredEntry<'_>, field: Field) -> Option<(i128, u32)> {
    let number = |n: u64| Some((i128::from(n), 0));
    let time = |t: groma_base::Timestamp| Some((i128::from(t.seconds), t.nanoseconds));
    let dir = entry.kind() == groma_base::Kind::Dir;
    match field {
        Field::Type => number(entry.kind() as u64),
        Field::Size => number(entry.metadata()?.size),
        Field::Allocated => number(entry.metadata()?.allocated),
        Field::Modified => time(entry.metadata()?.modified),
        Field::Created => time(entry.metadata()?.created?),
        Field::Accessed => time(entry.metadata()?.accessed),
        Field::Changed => time(entry.metadata()?.changed),
        Field::Age => {
            let t = entry.metadata()?.modified;
            Some((-i128::from(t.seconds), 999_999_999 - t.nanoseconds))
                .map(|(s, n)| (s * 1_000_000_000 + i128::from(n), 0))
        }
        Field::Owner | Field::Uid => number(entry.metadata()?.uid.into()),
        Field::Group | Field::Gid => number(entry.metadata()?.gid.into()),
        Field::Perm => number((entry.metadata()?.mode & 0o7777).into()),
        Field::Links => number(entry.metadata()?.links),
        Field::Inode => number(entry.metadata()?.id.inode),
        Field::Depth => number(entry.depth().into()),
        Field::Items => entry.child_counts().and_then(|c| number(c.files + c.dirs)),
        Field::Files => entry.child_counts().and_then(|c| number(c.files)),
        Field::Dirs => entry.child_counts().and_then(|c| number(c.dirs)),
        Field::TreeItems => entry
            .subtree_totals()
            .filter(|_| dir)
            .and_then(|t| number(t.items)),
        Field::TreeSize => entry
            .subtree_totals()
            .filter(|_| dir)
            .and_then(|t| number(t.size)),
        Field::TreeAllocated => entry
            .subtree_totals()
            .filter(|_| dir)
            .and_then(|t| number(t.allocated)),
        Field::NameLength => number(groma_base::characters(entry.name())),
        Field::PathLength => number(groma_base::characters(&entry.absolute_path())),
        Field::Bulkiness => {
            let m = entry.metadata().filter(|m| m.size > 0)?;
            number((m.allocated as f64 / m.size as f64).to_bits())
        }
        other => panic!("{other:?}"),
    }
}

fn compare(view: &View, key: &SortKey, a: u32, b: u32) -> Ordering {
    let (x, y) = (
        StoredEntry::new(view, a).unwrap(),
        StoredEntry::new(view, b).unwrap(),
    );
    let order = match key.field {
        Field::Path => view.place(a).cmp(&view.place(b)),
        Field::Name if key.natural => compare_naturally(x.name(), y.name()),
        Field::Name => compare_names(x.name(), y.name()),
        Field::Ext => {
            let text = |e: &StoredEntry<'_>| folded(extension(e.name()).unwrap_or_default());
            text(&x).cmp(&text(&y))
        }
        field => match (value(&x, field), value(&y, field)) {
            (Some(x), Some(y)) => x.cmp(&y),
            (x, y) => return y.is_some().cmp(&x.is_some()),
        },
    };
    if key.descending {
        order.reverse()
    } else {
        order
    }
}

fn naive(view: &View, selection: &Selection, keys: &[SortKey]) -> Vec<u32> {
    let mut ids: Vec<u32> = selection.in_order(view).collect();
    ids.sort_by(|&a, &b| {
        let orders = keys.iter().map(|key| compare(view, key, a, b));
        orders.fold(Ordering::Equal, Ordering::then)
    });
    ids
}

fn check(view: &View, query: &str, keys: &[SortKey], threads: usize) -> Result<(), TestCaseError> {
    let run = Run::new(threads, CancelToken::new());
    let selection = select(&bound(query), view, &run).unwrap();
    let expected = naive(view, &selection, keys);
    for most in [None, Some(0), Some(1), Some(7), Some(60), Some(100_000)] {
        let found = top(view, &selection, keys, most, &run).unwrap();
        let expected = &expected[..most.unwrap_or(usize::MAX).min(expected.len())];
        prop_assert_eq!(&found, expected, "{} {:?} {:?}", query, keys, most);
    }
    let mut sums = Sums::default();
    for id in selection.ids() {
        sums.add(view.size(id).unwrap(), view.allocated(id).unwrap());
    }
    prop_assert_eq!(sum(view, &selection, &run).unwrap(), sums);
    Ok(())
}

fn sortable() -> Vec<Field> {
    let fields = FIELDS.iter().map(|row| row.field);
    fields.filter(|&field| can_sort_by(field)).collect()
}

#[test]
fn every_field_in_both_directions() {
    for (seed, entries) in [(5, 60), (6, 250)] {
        let view = tree::view(seed, entries);
        for field in sortable() {
            for (descending, natural) in [(false, true), (true, false)] {
                let key = SortKey {
                    field,
                    descending,
                    natural,
                };
                check(&view, "", &[key], 2).unwrap();
            }
        }
    }
}

#[test]
fn what_has_no_order_is_refused() {
    let view = tree::view(5, 3);
    let run = Run::new(1, CancelToken::new());
    let key = SortKey {
        field: Field::Under,
        descending: false,
        natural: false,
    };
    let refused = top(&view, &Selection::none(3), &[key], None, &run);
    assert_eq!(refused, Err(SelectError::NotSortable("under")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn equals_sorting_naively(
        seed in any::<u64>(),
        entries in 1usize..200,
        hidden in 0usize..40,
        keys in prop::collection::vec((prop::sample::select(sortable()), any::<bool>(), any::<bool>()), 1..4),
        query in prop::sample::select(vec!["", "s", "size>0", "type:dir"]),
        threads in prop::sample::select(vec![1usize, 2, 5]),
    ) {
        let view = perhaps_hidden(tree::view(seed, entries), hidden);
        let keys: Vec<SortKey> = keys
            .into_iter()
            .map(|(field, descending, natural)| SortKey { field, descending, natural })
            .collect();
        check(&view, query, &keys, threads)?;
    }
}
