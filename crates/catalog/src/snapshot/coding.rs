//! Numbers as bytes that compress well: differences of neighbours or of two columns, and the same
//! byte of all numbers together.

use crate::bytes::{unzigzag, zigzag};

/// Numbers as planes: as many bytes of each as the largest takes, the lowest byte of all first.
pub(super) fn to_planes(numbers: &[u64]) -> Vec<u8> {
    let all = numbers.iter().fold(0, |all, number| all | number);
    let width = width_of(all);
    let mut planes = Vec::with_capacity(numbers.len() * width);
    for plane in 0..width {
        // The lowest byte of the shifted number.
        let byte = |number: &u64| (number >> (8 * plane)) as u8;
        planes.extend(numbers.iter().map(byte));
    }
    planes
}

/// The numbers of planes; `None` where the bytes are not a whole number of planes, or too many.
pub(super) fn from_planes(planes: &[u8], count: usize) -> Option<Vec<u64>> {
    let width = match count {
        0 => 0,
        _ => planes.len() / count,
    };
    if width > 8 || planes.len() != width.checked_mul(count)? {
        return None;
    }
    let mut numbers = vec![0u64; count];
    for (place, plane) in planes.chunks_exact(count.max(1)).enumerate() {
        for (number, &byte) in numbers.iter_mut().zip(plane) {
            *number |= u64::from(byte) << (8 * place);
        }
    }
    Some(numbers)
}

/// Each number as its difference to the one before it; the first to 0.
pub(super) fn to_steps(numbers: &mut [u64]) {
    let mut before = 0u64;
    for number in numbers {
        let step = number.wrapping_sub(before);
        before = *number;
        *number = zigzag(step.cast_signed());
    }
}

/// The numbers of which these are the steps.
pub(super) fn from_steps(steps: &mut [u64]) {
    let mut before = 0u64;
    for step in steps {
        before = before.wrapping_add(unzigzag(*step).cast_unsigned());
        *step = before;
    }
}

/// Each number as its difference to another.
pub(super) fn to_differences(numbers: &mut [u64], others: &[u64]) {
    for (number, other) in numbers.iter_mut().zip(others) {
        *number = zigzag(number.wrapping_sub(*other).cast_signed());
    }
}

/// The numbers of which these are the differences.
pub(super) fn from_differences(differences: &mut [u64], others: &[u64]) {
    for (difference, other) in differences.iter_mut().zip(others) {
        *difference = other.wrapping_add(unzigzag(*difference).cast_unsigned());
    }
}

/// Bytes that a number with these bits takes.
fn width_of(bits: u64) -> usize {
    let bits = u64::BITS - bits.leading_zeros();
    // At most eight.
    bits.div_ceil(8) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_go_there_and_back(pairs in prop::collection::vec((any::<u64>(), any::<u64>()), 0..50), shift in 0u32..64) {
            let (numbers, others): (Vec<u64>, Vec<u64>) =
                pairs.into_iter().map(|(a, b)| (a >> shift, b)).unzip();
            let planes = to_planes(&numbers);
            let back = from_planes(&planes, numbers.len());
            prop_assert_eq!(back.as_ref(), Some(&numbers));
            let mut changed = numbers.clone();
            to_steps(&mut changed);
            from_steps(&mut changed);
            prop_assert_eq!(&changed, &numbers);
            to_differences(&mut changed, &others);
            from_differences(&mut changed, &others);
            prop_assert_eq!(&changed, &numbers);
        }

        #[test]
        fn any_bytes_are_planes_or_none(planes in prop::collection::vec(any::<u8>(), 0..40), count in 0usize..20) {
            let numbers = from_planes(&planes, count);
            prop_assert!(numbers.is_none_or(|numbers| numbers.len() == count));
        }
    }

    #[test]
    fn zeros_take_no_bytes() {
        assert!(to_planes(&[0, 0, 0]).is_empty());
        assert_eq!(to_planes(&[0x102, 3]), [2, 3, 1, 0]);
        assert_eq!(from_planes(&[], 3), Some(vec![0, 0, 0]));
        assert_eq!(from_planes(&[1], 0), None);
    }
}
