//! Sizes as people write them, and back.

use thiserror::Error;

/// Why a text is no size.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SizeError {
    /// There is no number where one is needed.
    #[error("'{0}' is not a size: it has no number (write 10, 10kb, 1.5MiB)")]
    NoNumber(String),
    /// What follows the number is no unit.
    #[error(
        "'{text}' is not a size: unknown unit '{unit}' (b, k, m, g, t, p, e; ki, mi ... for powers of 1024)"
    )]
    UnknownUnit {
        /// The whole text.
        text: String,
        /// The part that is no unit.
        unit: String,
    },
    /// More bytes than 64 bits can count.
    #[error("'{0}' is more than the largest size, 18446744073709551615 bytes")]
    TooLarge(String),
}

/// Reads a size: a number, perhaps with decimals, and a unit in any case.
///
/// `k m g t p e` (with or without `b`) are powers of 1000, `ki mi gi ti pi ei` (with or without
/// `b`) powers of 1024; `b` and no unit are bytes. A fraction of a byte is cut off. More than
/// 2^64 - 1 bytes is an error, never a wrapped number.
pub fn parse_size(text: &str) -> Result<u64, SizeError> {
    let digits_end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits_end);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || fraction.contains('.') || number.ends_with('.') {
        return Err(SizeError::NoNumber(text.to_owned()));
    }
    let factor = unit_factor(unit).ok_or_else(|| SizeError::UnknownUnit {
        text: text.to_owned(),
        unit: unit.to_owned(),
    })?;
    scaled(whole, fraction, factor).ok_or_else(|| SizeError::TooLarge(text.to_owned()))
}

/// Bytes in one unit; `None` when it is no unit.
fn unit_factor(unit: &str) -> Option<u64> {
    let unit = unit.to_ascii_lowercase();
    let short = unit.strip_suffix('b').unwrap_or(&unit);
    let (base, letter): (u64, &str) = match short.strip_suffix('i') {
        Some(letter) if !letter.is_empty() => (1024, letter),
        Some(_) => return None,
        None => (1000, short),
    };
    let power = match letter {
        "" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        "p" => 5,
        "e" => 6,
        _ => return None,
    };
    Some(base.pow(power))
}

/// `whole.fraction * factor`, cut to whole bytes; `None` when it does not fit.
fn scaled(whole: &str, fraction: &str, factor: u64) -> Option<u64> {
    let whole: u64 = whole.parse().ok()?;
    // No factor is as large as 10^19, so further digits cannot make a byte.
    let fraction = &fraction[..fraction.len().min(19)];
    let part = match fraction {
        "" => 0,
        digits => {
            let scale = 10u128.checked_pow(u32::try_from(digits.len()).ok()?)?;
            digits
                .parse::<u128>()
                .ok()?
                .checked_mul(u128::from(factor))?
                / scale
        }
    };
    let total = u128::from(whole)
        .checked_mul(u128::from(factor))?
        .checked_add(part)?;
    u64::try_from(total).ok()
}

/// What `--size` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeFilter {
    /// `+N`: this many bytes or more.
    AtLeast(u64),
    /// `-N`: this many bytes or fewer.
    AtMost(u64),
    /// `N`: exactly this many bytes.
    Exactly(u64),
}

impl SizeFilter {
    /// Reads `+N`, `-N` or `N`, where `N` is anything [`parse_size`] reads.
    pub fn parse(text: &str) -> Result<SizeFilter, SizeError> {
        if let Some(size) = text.strip_prefix('+') {
            parse_size(size).map(SizeFilter::AtLeast)
        } else if let Some(size) = text.strip_prefix('-') {
            parse_size(size).map(SizeFilter::AtMost)
        } else {
            parse_size(text).map(SizeFilter::Exactly)
        }
    }

    /// Whether a size of this many bytes passes.
    #[inline]
    pub fn matches(self, size: u64) -> bool {
        match self {
            SizeFilter::AtLeast(limit) => size >= limit,
            SizeFilter::AtMost(limit) => size <= limit,
            SizeFilter::Exactly(wanted) => size == wanted,
        }
    }
}

/// A size for people, as `ls -h` writes it: powers of 1024, rounded up, one decimal below ten.
pub fn human_size(bytes: u64) -> String {
    human(bytes, 1024, ["K", "M", "G", "T", "P", "E"])
}

/// The same in powers of 1000, as `ls --si` writes it.
pub fn human_size_si(bytes: u64) -> String {
    human(bytes, 1000, ["k", "M", "G", "T", "P", "E"])
}

fn human(bytes: u64, base: u128, letters: [&str; 6]) -> String {
    if u128::from(bytes) < base {
        return bytes.to_string();
    }
    let mut unit: u128 = 1;
    for letter in letters {
        unit *= base;
        let tenths = (u128::from(bytes) * 10).div_ceil(unit);
        if tenths < 100 {
            return format!("{}.{}{letter}", tenths / 10, tenths % 10);
        }
        let whole = u128::from(bytes).div_ceil(unit);
        if whole < base {
            return format!("{whole}{letter}");
        }
    }
    // 2^64 - 1 bytes are 19E at most, so the loop has answered.
    format!("{bytes}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_sizes() {
        for (text, want) in [
            ("0", 0),
            ("10", 10),
            ("10b", 10),
            ("10B", 10),
            ("1k", 1000),
            ("1kb", 1000),
            ("1Kb", 1000),
            ("1ki", 1024),
            ("1KiB", 1024),
            ("100m", 100_000_000),
            ("1mi", 1 << 20),
            ("2GB", 2_000_000_000),
            ("2gib", 2 << 30),
            ("1t", 1_000_000_000_000),
            ("1Ti", 1 << 40),
            ("1p", 1_000_000_000_000_000),
            ("1pi", 1 << 50),
            ("1ei", 1 << 60),
            ("1.5mb", 1_500_000),
            ("0.5k", 500),
            ("0.1ki", 102),
            ("1.0000000000000000000000000000000001k", 1000),
            ("18446744073709551615", u64::MAX),
            ("16777215ti", 16_777_215 << 40),
        ] {
            assert_eq!(parse_size(text), Ok(want), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_no_size() {
        for text in [
            "", "k", "badval", "$10M", ".5k", "1.k", "1..2", "1.2.3", "-1", "+1", " 1",
        ] {
            assert!(
                matches!(parse_size(text), Err(SizeError::NoNumber(_))),
                "{text}"
            );
        }
        for text in [
            "50a", "1Mv", "1bib", "1bb", "1i", "1ib", "1 k", "1k ", "1kib5", "1é",
        ] {
            assert!(
                matches!(parse_size(text), Err(SizeError::UnknownUnit { .. })),
                "{text}"
            );
        }
        for text in [
            "16777216ti",
            "18446744073709551616",
            "18446744073709551615.9k",
            "99999999999999999999999999999999999999999999e",
        ] {
            assert!(
                matches!(parse_size(text), Err(SizeError::TooLarge(_))),
                "{text}"
            );
        }
    }

    #[test]
    fn filters() {
        let filter = |text| SizeFilter::parse(text).unwrap();
        assert!(filter("+1k").matches(1000) && !filter("+1k").matches(999));
        assert!(filter("-1k").matches(1000) && !filter("-1k").matches(1001));
        assert!(filter("1k").matches(1000) && !filter("1k").matches(1001));
        assert!(filter("0").matches(0) && filter("+0").matches(0));
        assert!(SizeFilter::parse("+16777216ti").is_err());
        assert!(SizeFilter::parse("+-1").is_err());
    }

    #[test]
    fn writes_sizes_as_ls_does() {
        for (bytes, want) in [
            (0, "0"),
            (1023, "1023"),
            (1024, "1.0K"),
            (1025, "1.1K"),
            (10_188, "10K"),
            (10_137, "9.9K"),
            (10_138, "10K"),
            (10_240, "10K"),
            (10_241, "11K"),
            (12_000, "12K"),
            (1_047_552, "1023K"),
            (1_047_553, "1.0M"),
            (1_048_576, "1.0M"),
            (1_048_577, "1.1M"),
            (u64::MAX, "16E"),
        ] {
            assert_eq!(human_size(bytes), want, "{bytes}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(text in "[0-9.]{0,24}[a-zA-Z]{0,3}") {
            let _ = parse_size(&text);
        }

        #[test]
        fn whole_numbers_are_exact(n in any::<u64>(), unit in prop::sample::select(vec![("", 1u128), ("k", 1000), ("mib", 1 << 20), ("e", 10u128.pow(18))])) {
            let want = u128::from(n) * unit.1;
            prop_assert_eq!(parse_size(&format!("{n}{}", unit.0)).ok(), u64::try_from(want).ok());
        }

        #[test]
        fn human_sizes_are_never_below(bytes in any::<u64>()) {
            let text = human_size(bytes);
            let (number, unit) = match text.strip_suffix(|c: char| c.is_ascii_uppercase()) {
                Some(number) => (number, text[number.len()..].to_lowercase() + "i"),
                None => (text.as_str(), String::new()),
            };
            // 16E is above 2^64 - 1 and cannot be read back.
            if let Ok(read) = parse_size(&format!("{number}{unit}")) {
                // "9.9K" read back is cut to whole bytes.
                prop_assert!(read + 1 >= bytes);
            }
        }
    }
}
