//! Ranges of numbers in columns.

use std::ops::RangeInclusive;

use super::bits::Mask;
use super::filter::keep_cells;

/// Numbers from `start` on, and how far they go: up to 2^64 - 1 they may wrap around, so that signed
/// numbers have ranges, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellRange {
    pub(crate) start: u64,
    /// The last number is so far from the first.
    pub(crate) length: u64,
}

impl CellRange {
    /// The only one of some ranges.
    pub(crate) fn single(ranges: &[RangeInclusive<u64>]) -> Option<CellRange> {
        match ranges {
            [range] => Some(CellRange {
                start: *range.start(),
                length: range.end().checked_sub(*range.start())?,
            }),
            _ => None,
        }
    }

    /// Seconds from one to another, both within.
    pub(crate) fn of_seconds(first: i64, last: i64) -> CellRange {
        CellRange {
            start: first.cast_unsigned(),
            length: last.wrapping_sub(first).cast_unsigned(),
        }
    }

    #[inline(always)]
    pub(crate) fn holds(self, number: u64) -> bool {
        number.wrapping_sub(self.start) <= self.length
    }

    /// Keeps the rows of a mask whose numbers are in the range, or are not, as `want` says. `cells`
    /// are the numbers of the block; rows behind the last one are not in the mask.
    pub(crate) fn keep(self, cells: &[[u8; 8]], want: bool, mask: &mut Mask) {
        keep_cells(cells, mask, |number: u64| self.holds(number) == want);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::bits::{self, NONE};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keeps_what_a_look_at_each_keeps(
            numbers in prop::collection::vec(prop_oneof![0u64..9, any::<u64>()], 0..300),
            start in prop_oneof![0u64..9, any::<u64>()],
            length in prop_oneof![0u64..9, any::<u64>()],
            want in any::<bool>(),
        ) {
            let cells: Vec<[u8; 8]> = numbers.iter().map(|number| number.to_le_bytes()).collect();
            let (mut mask, mut expected) = (NONE, NONE);
            for (row, number) in (0..).zip(&numbers).filter(|(row, _)| row % 7 != 3) {
                bits::set(&mut mask, row);
                if (number.wrapping_sub(start) <= length) == want {
                    bits::set(&mut expected, row);
                }
            }
            CellRange { start, length }.keep(&cells, want, &mut mask);
            prop_assert_eq!(mask, expected);
        }
    }

    #[test]
    fn seconds_have_a_sign() {
        for (first, last) in [(-5, 7), (i64::MIN, -1), (0, i64::MAX), (i64::MIN, i64::MAX)] {
            let range = CellRange::of_seconds(first, last);
            for second in [i64::MIN, -6, -5, -1, 0, 7, 8, i64::MAX] {
                let expected = (first..=last).contains(&second);
                assert_eq!(
                    range.holds(second.cast_unsigned()),
                    expected,
                    "{first} {last} {second}"
                );
            }
        }
    }
}
