//! A set of rows in the form that it came in.

use std::ops::Range;

use super::bits::{self, BLOCK, Mask};

/// Rows.
#[derive(Clone, Debug)]
pub(crate) enum RowSet {
    /// Ascending, none twice.
    Sparse(Vec<u32>),
    /// Ascending, apart from each other.
    Ranges(Vec<Range<u32>>),
    /// One bit for each row.
    Dense(Vec<u64>),
}

impl RowSet {
    /// No row.
    pub(crate) fn none() -> RowSet {
        RowSet::Sparse(Vec::new())
    }

    /// Rows in any order, none twice, all below `rows`.
    pub(crate) fn of_unsorted(mut list: Vec<u32>, rows: u32) -> RowSet {
        // Sorting takes longer than setting bits long before bits take more memory.
        let few = if cfg!(test) { 32 } else { 1 << 14 };
        if list.len() < few || list.len() < rows as usize / 512 {
            list.sort_unstable();
            return RowSet::Sparse(list);
        }
        let mut words = bits::empty(rows);
        for row in list.into_iter().filter(|&row| row < rows) {
            bits::set(&mut words, row);
        }
        RowSet::Dense(words)
    }

    /// One bit for each of `rows` rows.
    pub(crate) fn into_words(self, rows: u32) -> Vec<u64> {
        let mut words = bits::empty(rows);
        match self {
            RowSet::Sparse(list) => {
                let known = list.into_iter().filter(|&row| row < rows);
                known.for_each(|row| bits::set(&mut words, row));
            }
            RowSet::Ranges(ranges) => {
                for range in ranges {
                    bits::set_range(&mut words, range.start.min(rows)..range.end.min(rows));
                }
            }
            RowSet::Dense(held) => return held,
        }
        words
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> u64 {
        match self {
            RowSet::Sparse(rows) => rows.len() as u64,
            RowSet::Ranges(ranges) => ranges.iter().map(|r| u64::from(r.end - r.start)).sum(),
            RowSet::Dense(words) => words.iter().map(|w| u64::from(w.count_ones())).sum(),
        }
    }

    /// Whether a row is in it.
    pub(crate) fn contains(&self, row: u32) -> bool {
        match self {
            RowSet::Sparse(rows) => rows.binary_search(&row).is_ok(),
            RowSet::Ranges(ranges) => {
                let after = ranges.partition_point(|range| range.end <= row);
                ranges.get(after).is_some_and(|range| range.contains(&row))
            }
            RowSet::Dense(words) => bits::has(words, row),
        }
    }

    /// The rows, ascending.
    pub(crate) fn iter(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match self {
            RowSet::Sparse(rows) => Box::new(rows.iter().copied()),
            RowSet::Ranges(ranges) => Box::new(ranges.iter().cloned().flatten()),
            RowSet::Dense(words) => Box::new(bits::ones(words)),
        }
    }

    /// The rows of the block that begins at `first`, as bits.
    pub(crate) fn mask(&self, first: u32) -> Mask {
        let mut mask = bits::NONE;
        let end = first.saturating_add(BLOCK);
        match self {
            RowSet::Sparse(rows) => {
                let from = rows.partition_point(|&row| row < first);
                let rest = rows.get(from..).unwrap_or_default();
                let here = rest.iter().take_while(|&&row| row < end);
                here.for_each(|row| bits::set(&mut mask, row - first));
            }
            RowSet::Ranges(ranges) => return ranges_mask(ranges, first),
            RowSet::Dense(words) => {
                let from = (first as usize / 64).min(words.len());
                let here = &words[from..words.len().min(from + bits::WORDS)];
                mask[..here.len()].copy_from_slice(here);
            }
        }
        mask
    }

    /// The numbers of the blocks below `blocks` that may hold rows of it, ascending.
    pub(crate) fn blocks(&self, blocks: u32) -> Vec<u32> {
        let mut list: Vec<u32> = match self {
            RowSet::Sparse(rows) => rows.iter().map(|row| row / BLOCK).collect(),
            RowSet::Ranges(ranges) => {
                let of = |range: &Range<u32>| range.start / BLOCK..range.end.div_ceil(BLOCK);
                ranges.iter().flat_map(of).collect()
            }
            RowSet::Dense(_) => (0..blocks).collect(),
        };
        list.dedup();
        list
    }
}

/// The rows of ascending ranges in the block that begins at `first`, as bits.
pub(crate) fn ranges_mask(ranges: &[Range<u32>], first: u32) -> Mask {
    let mut mask = bits::NONE;
    let end = first.saturating_add(BLOCK);
    let from = ranges.partition_point(|range| range.end <= first);
    let rest = ranges.get(from..).unwrap_or_default();
    for range in rest.iter().take_while(|range| range.start < end) {
        let (start, end) = (range.start.max(first), range.end.min(end));
        bits::set_range(&mut mask, start - first..end - first);
    }
    mask
}

/// What is left of ascending ranges, apart from each other, without others of the same kind.
pub(crate) fn without(ranges: &[Range<u32>], holes: &[Range<u32>]) -> Vec<Range<u32>> {
    let mut left = Vec::new();
    for range in ranges {
        let mut start = range.start;
        let first = holes.partition_point(|hole| hole.end <= start);
        for hole in holes.iter().skip(first) {
            if hole.start >= range.end {
                break;
            }
            if hole.start > start {
                left.push(start..hole.start);
            }
            start = hole.end.min(range.end);
        }
        if start < range.end {
            left.push(start..range.end);
        }
    }
    left
}

/// Sorts ranges and joins those that touch or overlap.
pub(crate) fn joined(mut ranges: Vec<Range<u32>>) -> Vec<Range<u32>> {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_unstable_by_key(|range| range.start);
    let mut joined: Vec<Range<u32>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if last.end >= range.start => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_forms_hold_the_same() {
        let rows = [1, 2, 3, 4095, 4096, 9000, 9001];
        let ranges = vec![1..4, 4095..4097, 9000..9002];
        let mut words = bits::empty(10_000);
        rows.iter().for_each(|&row| bits::set(&mut words, row));
        let forms = [
            RowSet::Sparse(rows.to_vec()),
            RowSet::Ranges(ranges),
            RowSet::Dense(words),
        ];
        for form in forms {
            assert_eq!(form.iter().collect::<Vec<_>>(), rows);
            assert_eq!(form.len(), 7);
            for first in [0, 4096, 8192] {
                let mask = form.mask(first);
                let here: Vec<u32> = bits::ones(&mask).map(|bit| bit + first).collect();
                let expected = rows.iter().filter(|&&row| row / BLOCK == first / BLOCK);
                assert_eq!(here, expected.copied().collect::<Vec<_>>());
            }
            assert!(form.contains(4096) && !form.contains(5));
            assert_eq!(form.blocks(3), [0, 1, 2]);
        }
    }

    #[test]
    fn ranges_are_joined_and_cut() {
        assert_eq!(joined(vec![5..7, 1..3, 3..4, 6..6]), [1..4, 5..7]);
        assert_eq!(
            without(&[0..10, 20..30], &[0..1, 5..6, 9..25]),
            [1..5, 6..9, 25..30]
        );
        assert_eq!(
            without(&[0..10, 11..12], &[0..10, 11..12]),
            [] as [Range<u32>; 0]
        );
    }
}
