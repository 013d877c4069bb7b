//! Points in time, and the ways people write them.
//!
//! There is no clock here: whoever asks hands in "now", and with it the time zone that dates
//! without an offset are read in.

mod atom;
mod calendar;
mod names;
mod span;

pub use jiff::ZonedDateTime as Zoned;
pub use jiff::civil;
pub use jiff::tz::TimeZone;
use thiserror::Error;

pub use calendar::{Calendar, Period, seconds_text};
pub use span::{TimeSpan, parse_ago, parse_period, parse_point, parse_time};

/// A point in time. Seconds and nanoseconds are apart so that 1601 and 2446 fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp {
    /// Seconds since 1970-01-01T00:00:00Z; negative before.
    pub seconds: i64,
    /// Nanoseconds after `seconds`, 0..1 000 000 000.
    pub nanoseconds: u32,
}

impl Timestamp {
    /// Before everything.
    pub const MIN: Timestamp = Timestamp {
        seconds: i64::MIN,
        nanoseconds: 0,
    };
    /// After everything.
    pub const MAX: Timestamp = Timestamp {
        seconds: i64::MAX,
        nanoseconds: 999_999_999,
    };

    /// This many whole seconds since 1970-01-01T00:00:00Z.
    pub fn from_seconds(seconds: i64) -> Timestamp {
        Timestamp {
            seconds,
            nanoseconds: 0,
        }
    }

    /// The same point for calendar arithmetic; `None` outside of the years -9999 to 9999.
    pub fn to_jiff(self) -> Option<jiff::Timestamp> {
        let nanoseconds = i32::try_from(self.nanoseconds).ok()?;
        jiff::Timestamp::new(self.seconds, nanoseconds).ok()
    }

    /// The same point on the clocks of a time zone; `None` outside of the years -9999 to 9999.
    pub fn to_zoned(self, zone: &TimeZone) -> Option<Zoned> {
        self.to_jiff().map(|t| t.to_zoned_datetime(zone.clone()))
    }

    /// The next point that can be told apart.
    pub fn next(self) -> Timestamp {
        if self.nanoseconds < 999_999_999 {
            return Timestamp {
                nanoseconds: self.nanoseconds + 1,
                ..self
            };
        }
        match self.seconds.checked_add(1) {
            Some(seconds) => Timestamp::from_seconds(seconds),
            None => self,
        }
    }
}

impl From<jiff::Timestamp> for Timestamp {
    fn from(t: jiff::Timestamp) -> Timestamp {
        // Before 1970 both parts are negative there; here nanoseconds always count forwards.
        let (seconds, nanoseconds) = (t.as_second(), t.subsec_nanosecond());
        match u32::try_from(nanoseconds) {
            Ok(nanoseconds) => Timestamp {
                seconds,
                nanoseconds,
            },
            Err(_) => Timestamp {
                seconds: seconds - 1,
                nanoseconds: 1_000_000_000 - nanoseconds.unsigned_abs(),
            },
        }
    }
}

impl From<&Zoned> for Timestamp {
    fn from(t: &Zoned) -> Timestamp {
        t.timestamp().into()
    }
}

/// Why a text names no time.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TimeError {
    /// It is none of the forms.
    #[error(
        "'{0}' is not a time: write a duration (10h, 2weeks), a date (2025, 2025-06, 2025-06-01), \
         a date and time (2025-06-01T10:00), @seconds, or a name (today, last-week)"
    )]
    Unknown(String),
    /// A duration is needed and this is something else.
    #[error("'{0}' is not a duration: write 10h, 3d, 2weeks, 1mo, 1y")]
    NotADuration(String),
    /// It names a time that no calendar here reaches.
    #[error("'{0}' is outside of the years -9999 to 9999")]
    OutOfRange(String),
    /// A range whose start is after its end.
    #[error("the range '{0}' is empty: its start is after its end")]
    EmptyRange(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts_both_ways_before_1970_too() {
        for (seconds, nanoseconds) in [
            (0, 0),
            (-1, 999_999_999),
            (-11_644_473_600, 1),
            (15_000_000_000, 5),
        ] {
            let t = Timestamp {
                seconds,
                nanoseconds,
            };
            assert_eq!(Timestamp::from(t.to_jiff().unwrap()), t);
        }
        assert_eq!(Timestamp::MAX.to_jiff(), None);
    }

    #[test]
    fn next_points() {
        assert_eq!(
            Timestamp {
                seconds: 1,
                nanoseconds: 999_999_999
            }
            .next(),
            Timestamp::from_seconds(2)
        );
        assert_eq!(Timestamp::MAX.next(), Timestamp::MAX);
    }
}
