//! Numbers for people.

use groma_base::Timestamp;
use groma_base::size::human_size;
use groma_base::time::TimeZone;
use groma_engine::stats::{Metric, Sums, Value};

/// Bytes of an exabyte.
const EXA: u128 = 1 << 60;

/// A size for people, however large.
pub(super) fn size(bytes: u128) -> String {
    match u64::try_from(bytes) {
        Ok(bytes) => human_size(bytes),
        Err(_) => format!("{}E", bytes.div_ceil(EXA)),
    }
}

/// The value of a metric for people; `-` where there is none.
pub(super) fn value(sums: &Sums, metric: Metric, zone: &TimeZone) -> String {
    match sums.value(metric) {
        None => "-".to_owned(),
        Some(Value::Count(count)) => count.to_string(),
        Some(Value::Bytes(bytes)) => size(bytes),
        Some(Value::Time(at)) => time(at, zone),
    }
}

/// A time on the clocks of a zone, to the minute.
fn time(at: Timestamp, zone: &TimeZone) -> String {
    match at.to_zoned(zone) {
        Some(zoned) => zoned.strftime("%Y-%m-%d %H:%M").to_string(),
        None => format!("@{}", at.seconds),
    }
}

/// A number that shares can be made of.
pub(super) fn amount(sums: &Sums, metric: Metric) -> Option<u128> {
    match sums.value(metric)? {
        Value::Count(count) => Some(count.into()),
        Value::Bytes(bytes) => Some(bytes),
        Value::Time(_) => None,
    }
}

/// A part of a whole in percent, with one decimal.
pub(crate) fn share(part: u128, whole: u128) -> String {
    match part.saturating_mul(1000).checked_div(whole) {
        Some(tenths) => format!("{}.{}%", tenths / 10, tenths % 10),
        None => "-".to_owned(),
    }
}

/// A bar that is as long as its part of the longest one.
pub(crate) fn bar(part: u128, longest: u128, places: u128) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = part
        .saturating_mul(places * 8)
        .checked_div(longest)
        .unwrap_or(0);
    // At most `places`, which is little.
    let (whole, rest) = ((eighths / 8) as usize, (eighths % 8) as usize);
    // What is there is seen.
    let tail = if part > 0 && eighths == 0 {
        EIGHTHS[1]
    } else {
        EIGHTHS[rest]
    };
    format!("{}{tail}", "█".repeat(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_shares_and_bars() {
        assert_eq!(size(1_572_864), "1.5M");
        assert_eq!(size(u128::from(u64::MAX) * 3), "48E");
        assert_eq!(
            (share(1, 3), share(0, 0)),
            ("33.3%".to_owned(), "-".to_owned())
        );
        assert_eq!(bar(10, 10, 4), "████");
        assert_eq!(bar(5, 16, 2), "▋");
        assert_eq!(
            (bar(1, 1_000_000, 4), bar(0, 5, 4)),
            ("▏".to_owned(), String::new())
        );
    }
}
