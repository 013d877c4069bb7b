//! Calendar dates in UTC for any number of seconds.
//!
//! The calendar crate ends at the year 9999, and a day short of its end; file systems do not.

const DAY_SECONDS: i64 = 86_400;
/// Days of 400 Gregorian years, after which the calendar repeats.
const ERA_DAYS: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01. Years that begin in March have their leap day at the end.
const EPOCH_DAYS: i64 = 719_468;

/// A date and time of day in UTC, proleptic Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Civil {
    pub(crate) year: i64,
    /// 1 to 12.
    pub(crate) month: u64,
    /// 1 to 31.
    pub(crate) day: u64,
    pub(crate) hour: u64,
    pub(crate) minute: u64,
    pub(crate) second: u64,
}

/// The calendar's words for this many seconds since 1970-01-01T00:00:00Z.
pub(crate) fn from_seconds(seconds: i64) -> Civil {
    let days = seconds.div_euclid(DAY_SECONDS) + EPOCH_DAYS;
    let second_of_day = seconds.rem_euclid(DAY_SECONDS);
    let (era, day_of_era) = (days.div_euclid(ERA_DAYS), days.rem_euclid(ERA_DAYS));
    let year_of_era = year_of_era(day_of_era);
    let day_of_year = day_of_era - days_before_year(year_of_era);
    // Months from March on have 31, 30, 31, 30, 31 days, again and again: 153 in five.
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let next_year = month_from_march >= 10;
    let month = if next_year {
        month_from_march - 9
    } else {
        month_from_march + 3
    };
    Civil {
        year: era * 400 + year_of_era + i64::from(next_year),
        month: month.unsigned_abs(),
        day: day.unsigned_abs(),
        hour: (second_of_day / 3600).unsigned_abs(),
        minute: (second_of_day / 60 % 60).unsigned_abs(),
        second: (second_of_day % 60).unsigned_abs(),
    }
}

/// The year (from March) of an era that a day of it belongs to.
fn year_of_era(day_of_era: i64) -> i64 {
    // A year too late at the most: 365 days are the shortest year.
    let latest = (day_of_era / 365).min(399);
    latest - i64::from(days_before_year(latest) > day_of_era)
}

/// Days of an era before one of its years.
fn days_before_year(year_of_era: i64) -> i64 {
    365 * year_of_era + year_of_era / 4 - year_of_era / 100
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::tz::Offset;
    use proptest::prelude::*;

    fn by_jiff(seconds: i64) -> Option<Civil> {
        let civil = Offset::UTC.to_datetime(jiff::Timestamp::from_second(seconds).ok()?);
        let field = |value: i8| u64::from(value.unsigned_abs());
        Some(Civil {
            year: i64::from(civil.year()),
            month: field(civil.month()),
            day: field(civil.day()),
            hour: field(civil.hour()),
            minute: field(civil.minute()),
            second: field(civil.second()),
        })
    }

    #[test]
    fn edges() {
        for (seconds, year, month, day) in [
            (0, 1970, 1, 1),
            (-1, 1969, 12, 31),
            (951_782_400, 2000, 2, 29),
            (-2_203_891_200, 1900, 3, 1),
            (253_402_300_799, 9999, 12, 31),
            (253_402_300_800, 10_000, 1, 1),
            (i64::MAX, 292_277_026_596, 12, 4),
            (i64::MIN, -292_277_022_657, 1, 27),
        ] {
            let civil = from_seconds(seconds);
            assert_eq!(
                (civil.year, civil.month, civil.day),
                (year, month, day),
                "{seconds}"
            );
        }
    }

    #[test]
    fn every_day_of_an_era_and_its_neighbours() {
        for day in -800_000..800_000i64 {
            let seconds = day * DAY_SECONDS + day.rem_euclid(DAY_SECONDS);
            assert_eq!(Some(from_seconds(seconds)), by_jiff(seconds), "{seconds}");
        }
    }

    proptest! {
        #[test]
        fn equals_the_calendar_crate(seconds in -377_000_000_000i64..253_000_000_000) {
            prop_assert_eq!(Some(from_seconds(seconds)), by_jiff(seconds));
        }
    }
}
