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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_any_length() {
        assert_eq!(size(1_572_864), "1.5M");
        assert_eq!(size(u128::from(u64::MAX) * 3), "48E");
    }
}
