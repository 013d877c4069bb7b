//! Numbers as digits, appended without allocating.

/// Appends `value` in decimal.
pub(crate) fn push_decimal(value: u64, out: &mut Vec<u8>) {
    push_padded(value, 1, out);
}

/// Appends `value` in decimal, with leading zeros up to `width` digits.
pub(crate) fn push_padded(value: u64, width: usize, out: &mut Vec<u8>) {
    push_in_base(value, 10, width, out);
}

/// Appends `value` in octal, with leading zeros up to `width` digits.
pub(crate) fn push_octal(value: u64, width: usize, out: &mut Vec<u8>) {
    push_in_base(value, 8, width, out);
}

/// Appends a number that may be negative.
pub(crate) fn push_signed(value: i64, out: &mut Vec<u8>) {
    if value < 0 {
        out.push(b'-');
    }
    push_decimal(value.unsigned_abs(), out);
}

fn push_in_base(mut value: u64, base: u64, width: usize, out: &mut Vec<u8>) {
    let before = out.len();
    while value > 0 {
        out.push(b"0123456789"[(value % base) as usize]);
        value /= base;
    }
    while out.len() - before < width {
        out.push(b'0');
    }
    out[before..].reverse();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_equal_those_of_the_standard_library() {
        for value in [0, 1, 9, 10, 755, 1_000_000_007, u64::MAX] {
            let mut out = b"<".to_vec();
            push_decimal(value, &mut out);
            push_padded(value, 4, &mut out);
            push_octal(value, 4, &mut out);
            let want = format!("<{value}{value:04}{value:04o}");
            assert_eq!(String::from_utf8(out).unwrap(), want);
        }
        let mut out = Vec::new();
        push_signed(i64::MIN, &mut out);
        push_signed(7, &mut out);
        assert_eq!(out, b"-92233720368547758087");
    }
}
