//! Points in time, and the ways people write them.

/// A point in time. Seconds and nanoseconds are apart so that 1601 and 2446 fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp {
    /// Seconds since 1970-01-01T00:00:00Z; negative before.
    pub seconds: i64,
    /// Nanoseconds after `seconds`, 0..1 000 000 000.
    pub nanoseconds: u32,
}
