//! The order of buckets, and which of them are shown.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::field::Level;
use super::group::{Bucket, Keys};
use super::key::Key;
use super::metric::{Metric, Sums};
use super::plan::{Shape, Sort, SortBy};

/// A bucket with its keys.
pub(super) type Line = (Keys, Bucket);

/// No more empty buckets are shown than make a scale this long.
const LONGEST_SCALE: u64 = 400;

/// What the buckets of each level are sorted by: what was asked for; the scale itself for what lies
/// on one; otherwise the largest come first.
pub(super) fn sorts_of(shape: &Shape, levels: &[Level], fill: bool) -> Vec<Sort> {
    let of = |level: &Level| {
        let in_order = level.grouping.is_scale() && (fill || shape.top == 0);
        shape.sort.unwrap_or(match in_order {
            true => Sort {
                by: SortBy::Key,
                descending: false,
            },
            false => Sort {
                by: SortBy::Metric(leading(&shape.metrics)),
                descending: true,
            },
        })
    };
    levels.iter().map(of).collect()
}

/// The metric that shares and bars are of: the size, or else the first one.
pub(super) fn leading(metrics: &[Metric]) -> Metric {
    let size = metrics.iter().find(|&&metric| metric == Metric::Size);
    size.or(metrics.first()).copied().unwrap_or(Metric::Count)
}

/// Sorts buckets: those of one outer bucket stay together.
pub(super) fn sort(lines: &mut [Line], sorts: &[Sort]) {
    let outer = outer_sums(lines);
    let none = Sums::default();
    let whole = |line: &Line| outer.get(&line.0[0]).unwrap_or(&none);
    match *sorts {
        [sort] => lines.sort_by(|a, b| compare(sort, (&a.1.sums, &a.0), (&b.1.sums, &b.0))),
        [outer, inner] => lines.sort_by(|a, b| {
            compare(outer, (whole(a), &a.0[..1]), (whole(b), &b.0[..1]))
                .then_with(|| compare(inner, (&a.1.sums, &a.0[1..]), (&b.1.sums, &b.0[1..])))
        }),
        _ => {}
    }
}

fn outer_sums(lines: &[Line]) -> HashMap<Option<Key>, Sums> {
    let mut outer: HashMap<Option<Key>, Sums> = HashMap::new();
    for (keys, bucket) in lines.iter().filter(|line| line.0.len() > 1) {
        let key = keys.first().cloned().flatten();
        outer.entry(key).or_default().add(&bucket.sums);
    }
    outer
}

type Side<'a> = (&'a Sums, &'a [Option<Key>]);

fn compare(sort: Sort, a: Side<'_>, b: Side<'_>) -> Ordering {
    by(sort, a.0, b.0, compare_keys(a.1, b.1))
}

/// Compares two buckets, of whose keys it is known how they compare.
pub(super) fn by(sort: Sort, a: &Sums, b: &Sums, keys: Ordering) -> Ordering {
    let turned = |order: Ordering| {
        if sort.descending {
            order.reverse()
        } else {
            order
        }
    };
    match sort.by {
        SortBy::Key => turned(keys),
        SortBy::Metric(metric) => {
            let by_value = match (a.value(metric), b.value(metric)) {
                (Some(a), Some(b)) => turned(a.cmp(&b)),
                // What is not known comes last either way.
                (a, b) => b.is_some().cmp(&a.is_some()),
            };
            by_value.then(keys)
        }
    }
}

/// What has no key comes last.
fn compare_keys(a: &[Option<Key>], b: &[Option<Key>]) -> Ordering {
    let pairs = a.iter().zip(b);
    let order = pairs.map(|(a, b)| match (a, b) {
        (Some(a), Some(b)) => a.cmp(b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    order.fold(Ordering::Equal, Ordering::then)
}

/// Cuts off what is too much: at each level no more than `top` buckets stay. Returns the others.
pub(super) fn cut(lines: &mut Vec<Line>, top: usize) -> Option<(usize, Sums)> {
    if top == 0 {
        return None;
    }
    let (mut outer, mut inner) = (0, 0);
    let mut last: Option<Option<Key>> = None;
    let mut rest = (0, Sums::default());
    lines.retain(|(keys, bucket)| {
        let key = keys.first().cloned().flatten();
        if keys.len() > 1 && last.as_ref() == Some(&key) {
            inner += 1;
        } else {
            outer += 1;
            inner = 1;
            last = Some(key);
        }
        let stays = outer <= top && inner <= top;
        if !stays {
            rest.0 += 1;
            rest.1.add(&bucket.sums);
        }
        stays
    });
    (rest.0 > 0).then_some(rest)
}

/// Adds the empty buckets between others, where a scale is not too long for that.
pub(super) fn fill(lines: &mut Vec<Line>, ranges: Option<usize>, is_real: impl Fn(&Key) -> bool) {
    let key = |line: &Line| line.0.first().cloned().flatten();
    let keys: Vec<Key> = lines.iter().filter_map(key).collect();
    let ends = keys.iter().min().zip(keys.iter().max());
    let all: Vec<Key> = match (ranges, ends) {
        (Some(count), _) => (0..count as u64).map(Key::Number).collect(),
        (None, Some((Key::Number(a), Key::Number(b)))) if b - a < LONGEST_SCALE => {
            (*a..=*b).map(Key::Number).collect()
        }
        (None, Some((Key::Period(a), Key::Period(b)))) if b.abs_diff(*a) < LONGEST_SCALE => {
            (*a..=*b).map(Key::Period).collect()
        }
        _ => return,
    };
    let known: std::collections::HashSet<Key> = keys.into_iter().collect();
    let missing = all
        .into_iter()
        .filter(|key| !known.contains(key) && is_real(key));
    for key in missing {
        lines.push((vec![Some(key)].into(), Bucket::default()));
    }
}
