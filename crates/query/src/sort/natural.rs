//! Natural order of names: digits count as numbers.

use std::cmp::Ordering;

use groma_base::{compare_names, folded};

/// Compares two names by their folded forms, runs of digits by their value; where that tells
/// nothing, by (folded, raw) bytes.
pub fn compare_naturally(a: &[u8], b: &[u8]) -> Ordering {
    let (x, y) = (folded(a), folded(b));
    compare_folded(&x, &y).then_with(|| compare_names(a, b))
}

fn compare_folded(mut a: &[u8], mut b: &[u8]) -> Ordering {
    loop {
        let (Some(&x), Some(&y)) = (a.first(), b.first()) else {
            return a.len().cmp(&b.len());
        };
        if x.is_ascii_digit() && y.is_ascii_digit() {
            let (one, other) = (number(&mut a), number(&mut b));
            // Without zeros in front, the longer number is the larger one.
            let order = one.len().cmp(&other.len()).then_with(|| one.cmp(other));
            if order.is_ne() {
                return order;
            }
            continue;
        }
        if x != y {
            return x.cmp(&y);
        }
        (a, b) = (&a[1..], &b[1..]);
    }
}

/// Takes the digits off the front of a text; gives them back without zeros in front.
fn number<'t>(text: &mut &'t [u8]) -> &'t [u8] {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(length);
    *text = rest;
    let zeros = digits.iter().take_while(|&&byte| byte == b'0').count();
    &digits[zeros..]
}

/// The beginning of a folded name as a number: where two differ, names are in the same order.
pub(super) fn beginning(folded: &[u8]) -> u64 {
    let mut first = [0; 8];
    for (place, &byte) in folded.iter().take(7).enumerate() {
        if byte.is_ascii_digit() {
            // All digits are the same to what is no digit.
            first[place + 1] = b'0';
            break;
        }
        first[place + 1] = byte;
    }
    u64::from_be_bytes(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn digits_are_numbers() {
        let mut names = ["a10", "a2", "A2b", "a", "a02", "b1", "2", "10", "a2 1"];
        names.sort_by(|a, b| compare_naturally(a.as_bytes(), b.as_bytes()));
        assert_eq!(
            names,
            ["2", "10", "a", "a02", "a2", "a2 1", "A2b", "a10", "b1"]
        );
    }

    proptest! {
        #[test]
        fn beginnings_never_contradict(a in "[ab01/:]{0,9}", b in "[ab01/:]{0,9}") {
            let order = beginning(a.as_bytes()).cmp(&beginning(b.as_bytes()));
            let exact = compare_naturally(a.as_bytes(), b.as_bytes());
            prop_assert!(order.is_eq() || order == exact, "{:?} {:?}", order, exact);
        }
    }
}
