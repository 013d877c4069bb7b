//! Numbers as digits, appended without allocating.

/// Most digits that a number of 64 bits has in octal; decimal takes fewer.
const MOST_DIGITS: usize = 22;

/// `00` to `99`.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut number: u8 = 0;
    while number < 100 {
        pairs[number as usize] = [b'0' + number / 10, b'0' + number % 10];
        number += 1;
    }
    pairs
};

/// Appends `value` in decimal.
pub(crate) fn push_decimal(value: u64, out: &mut Vec<u8>) {
    push_padded(value, 1, out);
}

/// Appends `value` in decimal, with leading zeros up to `width` digits (at most 22).
pub(crate) fn push_padded(mut value: u64, width: usize, out: &mut Vec<u8>) {
    let mut digits = [b'0'; MOST_DIGITS];
    let mut at = MOST_DIGITS;
    while value >= 10 {
        at -= 2;
        digits[at..at + 2].copy_from_slice(&PAIRS[(value % 100) as usize]);
        value /= 100;
    }
    if value > 0 {
        at -= 1;
        digits[at] = b'0' + value as u8;
    }
    // Two digits at a time may have written a zero in front.
    at += usize::from(at < MOST_DIGITS && digits[at] == b'0');
    let start = at.min(MOST_DIGITS.saturating_sub(width));
    out.extend_from_slice(&digits[start..]);
}

/// Two decimal digits of a number below 100.
#[inline]
pub(crate) fn pair(value: u64) -> [u8; 2] {
    PAIRS[(value % 100) as usize]
}

/// The last eight decimal digits of a number.
#[inline]
pub(crate) fn eight_digits(value: u64) -> [u8; 8] {
    let (high, low) = (value / 10_000, value % 10_000);
    let [[a, b], [c, d]] = [pair(high / 100), pair(high)];
    let [[e, f], [g, h]] = [pair(low / 100), pair(low)];
    [a, b, c, d, e, f, g, h]
}

/// The decimal digits of a number from the beginning of an array, and how many there are. At least
/// one byte behind them is free.
#[inline]
pub(crate) fn decimal(value: u64) -> ([u8; 24], usize) {
    let len = value.checked_ilog10().unwrap_or(0) as usize + 1;
    let (mut digits, mut rest, mut at) = ([b'0'; 24], value, len);
    while at >= 2 {
        at -= 2;
        digits[at..at + 2].copy_from_slice(&pair(rest));
        rest /= 100;
    }
    if at == 1 {
        digits[0] = b'0' + rest as u8;
    }
    (digits, len)
}

/// Fills `digits` with the last digits of `value` in decimal, zeros in front.
pub(crate) fn fill(mut value: u64, digits: &mut [u8]) {
    let mut pairs = digits.rchunks_exact_mut(2);
    for pair in &mut pairs {
        pair.copy_from_slice(&PAIRS[(value % 100) as usize]);
        value /= 100;
    }
    if let [first] = pairs.into_remainder() {
        *first = b'0' + (value % 10) as u8;
    }
}

/// Appends `value` in octal, with leading zeros up to `width` digits (at most 22).
pub(crate) fn push_octal(mut value: u64, width: usize, out: &mut Vec<u8>) {
    let mut digits = [b'0'; MOST_DIGITS];
    let mut at = MOST_DIGITS;
    while value > 0 {
        at -= 1;
        digits[at] = b'0' + (value % 8) as u8;
        value /= 8;
    }
    let start = at.min(MOST_DIGITS.saturating_sub(width));
    out.extend_from_slice(&digits[start..]);
}

/// Appends a number that may be negative.
pub(crate) fn push_signed(value: i64, out: &mut Vec<u8>) {
    if value < 0 {
        out.push(b'-');
    }
    push_decimal(value.unsigned_abs(), out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(value: u64) {
        let mut out = b"<".to_vec();
        push_decimal(value, &mut out);
        for width in [1, 4, 9, 22] {
            push_padded(value, width, &mut out);
            push_octal(value, width, &mut out);
        }
        let want = format!(
            "<{value}{value}{value:o}{value:04}{value:04o}{value:09}{value:09o}{value:022}{value:022o}"
        );
        assert_eq!(String::from_utf8(out).unwrap(), want);
        let (digits, len) = decimal(value);
        assert_eq!(digits[..len], value.to_string().into_bytes());
        let eight = format!("{:08}", value % 100_000_000).into_bytes();
        assert_eq!(eight_digits(value)[..], eight);
        let mut filled = [b'x'; 9];
        fill(value, &mut filled);
        assert_eq!(
            filled[..],
            format!("{:09}", value % 1_000_000_000).into_bytes()
        );
        fill(value, &mut filled[..4]);
        assert_eq!(filled[..4], format!("{:04}", value % 10_000).into_bytes());
    }

    #[test]
    fn digits_equal_those_of_the_standard_library() {
        for value in [0, 1, 9, 10, 99, 100, 101, 755, 1_000_000_007, u64::MAX] {
            check(value);
        }
        let mut out = Vec::new();
        push_signed(i64::MIN, &mut out);
        push_signed(7, &mut out);
        assert_eq!(out, b"-92233720368547758087");
    }

    proptest! {
        #[test]
        fn so_do_those_of_any_number(value in any::<u64>(), shift in 0u32..64) {
            check(value >> shift);
        }
    }
}
