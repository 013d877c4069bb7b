//! The order of buckets, and which of them are shown.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::field::Level;
use super::group::{Bucket, Keys};
use super::key::Key;
use super::metric::{Metric, Sums, Value};
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
    let Some((&inner, outer)) = sorts.split_last() else {
        return;
    };
    let places = outer.first().map(|&outer| outer_places(lines, outer));
    let rank = |(at, (keys, bucket)): (usize, &Line)| {
        let place = places.as_ref().and_then(|places| places.get(&keys[0]));
        ((place.copied(), rank(inner, &bucket.sums)), at)
    };
    // What is compared is worked out once, and what is moved about is small.
    let mut ranks: Vec<_> = lines.iter().enumerate().map(rank).collect();
    ranks.sort_unstable_by(|a, b| {
        let last = |at: usize| lines[at].0.last();
        let by_key = || keys_in_order(inner, compare_keys(last(a.1), last(b.1)));
        a.0.cmp(&b.0).then_with(by_key)
    });
    let mut order: Vec<usize> = ranks.into_iter().map(|rank| rank.1).collect();
    arrange(lines, &mut order);
}

/// Puts lines into an order: which of them comes first, second and so on.
fn arrange(lines: &mut [Line], order: &mut [usize]) {
    for start in 0..order.len() {
        let mut at = start;
        // Lines change places along a cycle; what has come to its place points to itself.
        while order[at] != start {
            let from = std::mem::replace(&mut order[at], at);
            lines.swap(at, from);
            at = from;
        }
        order[at] = at;
    }
}

/// The places of outer buckets in their order.
fn outer_places(lines: &[Line], sort: Sort) -> HashMap<Option<Key>, usize> {
    let mut outer: HashMap<&Option<Key>, Sums> = HashMap::new();
    for (keys, bucket) in lines {
        outer.entry(&keys[0]).or_default().add(&bucket.sums);
    }
    let mut order: Vec<(&Option<Key>, Sums)> = outer.into_iter().collect();
    order.sort_unstable_by(|(a, sums), (b, other)| {
        by(sort, sums, other, compare_keys(Some(a), Some(b)))
    });
    let keys = order.into_iter().map(|(key, _)| key.clone());
    keys.enumerate().map(|(place, key)| (key, place)).collect()
}

/// What is sorted by first, as numbers that ascend. What is not known comes last either way.
fn rank(sort: Sort, sums: &Sums) -> (bool, u128) {
    let SortBy::Metric(metric) = sort.by else {
        return (false, 0);
    };
    let number = match sums.value(metric) {
        None => return (true, 0),
        Some(Value::Count(count)) => count.into(),
        Some(Value::Bytes(bytes)) => bytes,
        Some(Value::Time(at)) => {
            let seconds = at.seconds.abs_diff(i64::MIN);
            u128::from(seconds) << 32 | u128::from(at.nanoseconds)
        }
    };
    (false, if sort.descending { !number } else { number })
}

/// Compares two buckets, of whose keys it is known how they compare.
pub(super) fn by(sort: Sort, a: &Sums, b: &Sums, keys: Ordering) -> Ordering {
    let ranks = rank(sort, a).cmp(&rank(sort, b));
    ranks.then(keys_in_order(sort, keys))
}

/// Only where keys are what is sorted by, they may descend.
fn keys_in_order(sort: Sort, keys: Ordering) -> Ordering {
    match sort.by == SortBy::Key && sort.descending {
        true => keys.reverse(),
        false => keys,
    }
}

/// What has no key comes last.
fn compare_keys(a: Option<&Option<Key>>, b: Option<&Option<Key>>) -> Ordering {
    match (a.and_then(Option::as_ref), b.and_then(Option::as_ref)) {
        (Some(a), Some(b)) => a.cmp(b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
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
