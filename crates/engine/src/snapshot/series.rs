//! Several snapshots of one tree in the order of their times: how much it grows in a day.

use groma_base::Timestamp;

use super::compare::{Measure, tree_bytes};
use super::{Loaded, SnapError};

/// Seconds of a day.
const DAY: f64 = 86_400.0;

/// One snapshot of a series.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesPoint {
    /// When the scan had ended.
    pub at: Timestamp,
    /// Entries.
    pub entries: u32,
    /// Bytes of the whole tree.
    pub bytes: u64,
    /// Bytes a day since the one before; `None` for the first, and where no time has passed.
    pub per_day: Option<f64>,
}

/// What a series of trees, which are in the order of their times, comes to.
///
/// # Errors
/// [`SnapError::Snapshot`] with the damage that was met.
pub fn series<'l>(
    trees: impl IntoIterator<Item = &'l Loaded>,
    measure: Measure,
) -> Result<Vec<SeriesPoint>, SnapError> {
    let mut points: Vec<SeriesPoint> = Vec::new();
    for tree in trees {
        let bytes = tree_bytes(tree, measure)?;
        let at = tree.about.ended;
        let per_day = points.last().and_then(|before| {
            let growth = i128::from(bytes) - i128::from(before.bytes);
            bytes_per_day(growth, before.at, at)
        });
        points.push(SeriesPoint {
            at,
            entries: tree.view.len(),
            bytes,
            per_day,
        });
    }
    Ok(points)
}

/// Growth as bytes a day; `None` where no time has passed.
pub fn bytes_per_day(growth: i128, from: Timestamp, to: Timestamp) -> Option<f64> {
    let seconds = to.seconds.checked_sub(from.seconds)? as f64;
    let fraction = (f64::from(to.nanoseconds) - f64::from(from.nanoseconds)) / 1e9;
    let days = (seconds + fraction) / DAY;
    (days > 0.0).then(|| growth as f64 / days)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_a_day() {
        let at = Timestamp::from_seconds;
        assert_eq!(bytes_per_day(10, at(0), at(86_400)), Some(10.0));
        assert_eq!(bytes_per_day(-10, at(0), at(43_200)), Some(-20.0));
        assert_eq!(bytes_per_day(10, at(5), at(5)), None);
        assert_eq!(bytes_per_day(10, at(5), at(4)), None);
    }
}
