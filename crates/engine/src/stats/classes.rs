//! Classes of numbers: exact values, equal widths, powers of two or ten.

use groma_base::size::parse_size;

/// How numbers are put into classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Classes {
    /// Every number is a class of its own; the largest two of 64 bits share one.
    Exact,
    /// Each class has as many numbers, the first begins at 0. Never 0.
    Width(u64),
    /// 0, then from each power of two or ten to the next.
    Powers(u64),
}

impl Classes {
    /// Reads what stands behind the colon: `2` and `10` are powers, all else a width.
    pub(super) fn parse(text: &str) -> Result<Classes, String> {
        match text {
            "2" | "10" => Ok(Classes::Powers(if text == "2" { 2 } else { 10 })),
            _ => match parse_size(text) {
                Ok(0) => Err("a class cannot be 0 wide".to_owned()),
                Ok(width) => Ok(Classes::Width(width)),
                Err(error) => Err(error.to_string()),
            },
        }
    }

    /// The class of a number. Classes are numbered in the order of their numbers.
    #[inline]
    pub(super) fn of(self, value: u64) -> u64 {
        match self {
            Classes::Exact => value.min(u64::MAX - 1),
            Classes::Width(1) => value.min(u64::MAX - 1),
            Classes::Width(width) => value / width,
            Classes::Powers(2) => u64::from(u64::BITS - value.leading_zeros()),
            Classes::Powers(_) => value.checked_ilog10().map_or(0, |log| u64::from(log) + 1),
        }
    }

    /// One more than the largest class, where there are few.
    pub(super) fn count(self) -> Option<u64> {
        match self {
            Classes::Powers(2) => Some(65),
            Classes::Powers(_) => Some(21),
            Classes::Exact | Classes::Width(_) => None,
        }
    }

    /// The smallest and the largest number of a class.
    pub(super) fn ends(self, class: u64) -> (u64, u64) {
        match self {
            Classes::Exact | Classes::Width(1) if class >= u64::MAX - 1 => (class, u64::MAX),
            Classes::Exact => (class, class),
            Classes::Width(width) => {
                let start = class.saturating_mul(width);
                (start, start.saturating_add(width - 1))
            }
            Classes::Powers(base) => {
                let power = |exponent: u64| {
                    let exponent = u32::try_from(exponent).unwrap_or(u32::MAX);
                    base.checked_pow(exponent)
                };
                match class.checked_sub(1) {
                    None => (0, 0),
                    Some(below) => (
                        power(below).unwrap_or(u64::MAX),
                        power(class).map_or(u64::MAX, |next| next - 1),
                    ),
                }
            }
        }
    }

    /// A class for people: `4096`, `1k-10k`; the end of a range of sizes is where the next begins.
    pub(super) fn label(self, class: u64, is_size: bool) -> String {
        let (start, end) = self.ends(class);
        if start == end {
            return start.to_string();
        }
        if !is_size {
            return format!("{start}-{end}");
        }
        match end.checked_add(1) {
            Some(next) => format!("{}-{}", short(start), short(next)),
            None => format!("{}-", short(start)),
        }
    }

    /// A class as the query language writes it.
    pub(super) fn text(self, class: u64) -> String {
        match self.ends(class) {
            (start, end) if start == end => start.to_string(),
            (start, u64::MAX) => format!("{start}.."),
            (start, end) => format!("{start}..{end}"),
        }
    }
}

/// A size without loss, with a unit where it is a whole number of them.
fn short(bytes: u64) -> String {
    for (base, suffix) in [(1000_u64, ""), (1024, "i")] {
        for (letter, power) in [("e", 6), ("p", 5), ("t", 4), ("g", 3), ("m", 2), ("k", 1)] {
            let unit = base.pow(power);
            if bytes >= unit && bytes.is_multiple_of(unit) {
                return format!("{}{letter}{suffix}", bytes / unit);
            }
        }
    }
    bytes.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn labels_and_texts() {
        let label = |classes: Classes, value| {
            let class = classes.of(value);
            (classes.label(class, true), classes.text(class))
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let ten = Classes::parse("10").unwrap();
        assert_eq!(label(ten, 0), pair("0", "0"));
        assert_eq!(label(ten, 9), pair("1-10", "1..9"));
        assert_eq!(label(ten, 10_000), pair("10k-100k", "10000..99999"));
        assert_eq!(label(ten, u64::MAX), pair("10e-", "10000000000000000000.."));
        let two = Classes::parse("2").unwrap();
        assert_eq!(label(two, 1), pair("1", "1"));
        assert_eq!(label(two, 4097), pair("4ki-8ki", "4096..8191"));
        assert_eq!(label(two, u64::MAX), pair("8ei-", "9223372036854775808.."));
        let wide = Classes::parse("1MiB").unwrap();
        assert_eq!(label(wide, 1_048_576), pair("1mi-2mi", "1048576..2097151"));
        assert!(Classes::parse("0").is_err() && Classes::parse("x").is_err());
    }

    proptest! {
        #[test]
        fn classes_are_in_order_and_hold_their_numbers(value in any::<u64>(), shift in 0u32..64, width in 1u64..100_000) {
            let value = value >> shift;
            for classes in [Classes::Exact, Classes::Width(width), Classes::Width(1), Classes::Powers(2), Classes::Powers(10)] {
                let class = classes.of(value);
                let (start, end) = classes.ends(class);
                prop_assert!(start <= value && value <= end);
                prop_assert_eq!(classes.of(start), class);
                prop_assert_eq!(classes.of(end), class);
                if end < u64::MAX {
                    prop_assert_eq!(classes.of(end + 1) > class, true);
                }
                if let Some(count) = classes.count() {
                    prop_assert!(class < count);
                }
            }
        }
    }
}
