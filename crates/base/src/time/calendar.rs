//! The calendar as a scale: days, weeks, months and years with numbers, and which one an instant
//! is in.

use jiff::Span;
use jiff::civil::Date;

use super::{TimeSpan, TimeZone, Timestamp};

/// The length of a period of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Period {
    /// From midnight to midnight.
    Day,
    /// From Monday to Monday.
    Week,
    /// From the first of a month to the first of the next.
    Month,
    /// From the first of January to the next.
    Year,
}

impl Period {
    /// Every length, with its name.
    pub const ALL: [(&'static str, Period); 4] = [
        ("day", Period::Day),
        ("week", Period::Week),
        ("month", Period::Month),
        ("year", Period::Year),
    ];

    /// Its name.
    pub fn word(self) -> &'static str {
        let row = Period::ALL.iter().find(|row| row.1 == self);
        row.map_or("day", |row| row.0)
    }
}

/// Seconds of one window of the table, as a power of two: from 18 hours to 12 days. Few windows have
/// a start in them, and there are not many windows.
fn window(period: Period) -> u32 {
    match period {
        Period::Day => 16,
        Period::Week => 17,
        Period::Month => 18,
        Period::Year => 20,
    }
}

/// The table reaches no further than from 1900 to 2200; other years are worked out one by one.
const TABLE: (i64, i64) = (-2_208_988_800, 7_258_118_400);

/// The periods of one length in one time zone. Each has a number, and follows the one before it
/// without a gap. The first one reaches back to the beginning of all time, the last one to its end,
/// as they do in queries.
#[derive(Clone, Debug)]
pub struct Calendar {
    period: Period,
    zone: TimeZone,
    /// The numbers of the first and of the last period.
    ends: (i64, i64),
    prepared: Option<(i64, i64)>,
    table: Table,
}

/// The starts of consecutive periods, with an index over windows of time.
#[derive(Clone, Debug, Default)]
struct Table {
    /// Where they start; one more than there are, for the end of the last.
    starts: Vec<i64>,
    /// Per window from the first start on: the index of the period that its first instant is in.
    windows: Vec<u32>,
    /// Seconds of a window, as a power of two.
    window: u32,
}

impl Calendar {
    /// Periods of this length. Dates are those of `zone`.
    pub fn new(period: Period, zone: TimeZone) -> Calendar {
        let ends = (
            number_of_date(period, Date::MIN),
            number_of_date(period, Date::MAX),
        );
        Calendar {
            period,
            zone,
            ends,
            prepared: None,
            table: Table::default(),
        }
    }

    /// The same, prepared for many instants from `first` to `last`, in seconds since 1970.
    #[must_use]
    pub fn prepared(mut self, first: i64, last: i64) -> Calendar {
        let (first, last) = (first.clamp(TABLE.0, TABLE.1), last.clamp(TABLE.0, TABLE.1));
        if first <= last {
            let (from, to) = (self.number_of(first), self.number_of(last));
            let starts = (from..=to + 1).map(|n| self.start(n));
            self.table = Table::new(starts.collect(), window(self.period));
            self.prepared = Some((from, to));
        }
        self
    }

    /// The number of the first period, which reaches back to the beginning of all time.
    pub fn first(&self) -> i64 {
        self.ends.0
    }

    /// The numbers of the first and the last period that it was prepared for. What it was not
    /// prepared for still has its number.
    pub fn prepared_for(&self) -> Option<(i64, i64)> {
        self.prepared
    }

    /// The length of its periods.
    pub fn period(&self) -> Period {
        self.period
    }

    /// The number of the period that an instant is in, in seconds since 1970.
    #[inline]
    pub fn number_of(&self, seconds: i64) -> i64 {
        match (self.place_of(seconds), self.prepared) {
            (Some(place), Some((first, _))) => first + place as i64,
            _ => self.exact(seconds),
        }
    }

    /// How many of the periods that it was prepared for lie before that of an instant; `None` when
    /// it was not prepared for that one.
    #[inline]
    pub fn place_of(&self, seconds: i64) -> Option<usize> {
        self.table.place_of(seconds)
    }

    /// The period that a date is in may not be the one that an instant of that date is in: where a
    /// clock is set back over midnight, a date ends twice. The starts decide.
    fn exact(&self, seconds: i64) -> i64 {
        let date = Timestamp::from_seconds(seconds).to_zoned(&self.zone);
        let mut number = match date {
            Some(zoned) => number_of_date(self.period, zoned.date()),
            None if seconds < 0 => self.ends.0,
            None => self.ends.1,
        };
        while number > self.ends.0 && self.start(number) > seconds {
            number -= 1;
        }
        while number < self.ends.1 && self.start(number + 1) <= seconds {
            number += 1;
        }
        number
    }

    /// The first second of a period.
    fn start(&self, number: i64) -> i64 {
        let instant = first_date(self.period, number)
            .filter(|_| number > self.ends.0)
            .and_then(|date| date.to_zoned_datetime(self.zone.clone()).ok());
        match instant {
            Some(zoned) => zoned.timestamp().as_second(),
            None if number <= number_of_date(self.period, Date::ZERO) => i64::MIN,
            None => i64::MAX,
        }
    }

    /// From the first instant of a period to the first one after it.
    pub fn span(&self, number: i64) -> TimeSpan {
        let end = match number < self.ends.1 {
            true => self.start(number + 1),
            false => i64::MAX,
        };
        TimeSpan {
            start: match self.start(number) {
                i64::MIN => Timestamp::MIN,
                seconds => Timestamp::from_seconds(seconds),
            },
            end: match end {
                i64::MAX => Timestamp::MAX,
                seconds => Timestamp::from_seconds(seconds),
            },
        }
    }

    /// A period as people write it: `2025`, `2025-06`, `2025-06-30`; a week is named by its Monday.
    pub fn label(&self, number: i64) -> String {
        // The first week begins before the calendar does.
        let date = first_date(self.period, number).unwrap_or(Date::MIN);
        let (year, month, day) = (date.year(), date.month(), date.day());
        let year = match year < 0 {
            true => format!("-{:04}", year.unsigned_abs()),
            false => format!("{year:04}"),
        };
        match self.period {
            Period::Year => year,
            Period::Month => format!("{year}-{month:02}"),
            Period::Day | Period::Week => format!("{year}-{month:02}-{day:02}"),
        }
    }

    /// A period as a time that [`super::parse_time`] reads as exactly this period, in the same zone.
    pub fn text(&self, number: i64) -> String {
        let label = self.label(number);
        let span = self.span(number);
        let is_plain = !label.starts_with('-') && span.start < span.end;
        match self.period {
            Period::Week if is_plain => {
                let sunday = first_date(self.period, number)
                    .and_then(|monday| monday.checked_add(Span::new().days(6)).ok());
                match sunday.filter(|_| span.end != Timestamp::MAX) {
                    Some(sunday) => format!("{label}..{sunday}"),
                    None => format!("{label}.."),
                }
            }
            // The day after the last one has no midnight that could be read.
            Period::Day if span.end == Timestamp::MAX => seconds_text(span),
            _ if is_plain => label,
            _ => seconds_text(span),
        }
    }
}

/// A stretch of whole seconds as [`super::parse_time`] reads it: `@0..@59`.
pub fn seconds_text(span: TimeSpan) -> String {
    let end = |at: Timestamp| at.seconds.saturating_sub(i64::from(at.nanoseconds == 0));
    match (span.start == Timestamp::MIN, span.end == Timestamp::MAX) {
        (true, true) => format!("@{}..", i64::MIN),
        (true, false) => format!("..@{}", end(span.end)),
        (false, true) => format!("@{}..", span.start.seconds),
        (false, false) => format!("@{}..@{}", span.start.seconds, end(span.end)),
    }
}

impl Table {
    fn new(starts: Vec<i64>, window: u32) -> Table {
        let (Some(&begin), Some(&end)) = (starts.first(), starts.last()) else {
            return Table::default();
        };
        let (mut windows, mut at) = (Vec::new(), 0);
        let mut first = begin;
        while first < end {
            while starts.get(at + 1).is_some_and(|&next| next <= first) {
                at += 1;
            }
            windows.push(u32::try_from(at).unwrap_or(u32::MAX));
            first += 1 << window;
        }
        Table {
            starts,
            windows,
            window,
        }
    }

    #[inline]
    fn place_of(&self, seconds: i64) -> Option<usize> {
        let begin = *self.starts.first()?;
        let window = usize::try_from(seconds.checked_sub(begin)? >> self.window).ok()?;
        let mut at = *self.windows.get(window)? as usize;
        while *self.starts.get(at + 1)? <= seconds {
            at += 1;
        }
        Some(at)
    }
}

const EPOCH: Date = Date::constant(1970, 1, 1);

/// The number of the period that a date is in.
fn number_of_date(period: Period, date: Date) -> i64 {
    let days = || date.duration_since(EPOCH).as_hours() / 24;
    let year = i64::from(date.year());
    match period {
        Period::Day => days(),
        // The Epoch was a Thursday.
        Period::Week => (days() + 3).div_euclid(7),
        Period::Month => year * 12 + i64::from(date.month()) - 1,
        Period::Year => year,
    }
}

/// The first day of a period; `None` where the calendar does not reach.
fn first_date(period: Period, number: i64) -> Option<Date> {
    let date = |year: i64, month: i64| {
        Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, 1).ok()
    };
    let day = |days: i64| {
        let days = Span::new().try_days(days).ok()?;
        EPOCH.checked_add(days).ok()
    };
    match period {
        Period::Day => day(number),
        Period::Week => day(number.checked_mul(7)? - 3),
        Period::Month => date(number.div_euclid(12), number.rem_euclid(12) + 1),
        Period::Year => date(number, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Zoned, parse_time};
    use super::*;
    use proptest::prelude::*;

    fn zones() -> Vec<TimeZone> {
        // Berlin has summer time, Apia lost a day, Sao Paulo set its clock forward at midnight.
        let names = ["UTC", "Europe/Berlin", "Pacific/Apia", "America/Sao_Paulo"];
        names
            .iter()
            .map(|name| TimeZone::get(name).unwrap())
            .collect()
    }

    fn now(zone: &TimeZone) -> Zoned {
        Timestamp::from_seconds(1_750_000_000)
            .to_zoned(zone)
            .unwrap()
    }

    /// An instant lies in its period, and the period's text means the period.
    fn check(calendar: &Calendar, zone: &TimeZone, seconds: i64) {
        let number = calendar.number_of(seconds);
        let span = calendar.span(number);
        let what = format!("{:?} {zone:?} {seconds} {number}", calendar.period());
        assert!(span.contains(Timestamp::from_seconds(seconds)), "{what}");
        let text = calendar.text(number);
        let read = parse_time(&text, &now(zone)).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!(read, span, "{what}: {text}");
        if span.end != Timestamp::MAX {
            assert!(calendar.number_of(span.end.seconds) > number, "{what}");
        }
    }

    #[test]
    fn periods_have_texts() {
        let zone = TimeZone::UTC;
        for (period, seconds, label, text) in [
            (Period::Year, 0, "1970", "1970"),
            (Period::Month, -1, "1969-12", "1969-12"),
            (Period::Day, 951_782_400, "2000-02-29", "2000-02-29"),
            (Period::Week, 0, "1969-12-29", "1969-12-29..1970-01-04"),
            (Period::Year, 15_000_000_000, "2445", "2445"),
            (Period::Year, -11_644_473_600, "1601", "1601"),
            (
                Period::Year,
                -62_190_000_000,
                "-0001",
                "@-62198755200..@-62167219201",
            ),
            (Period::Year, i64::MAX - 1, "9999", "9999"),
            (Period::Year, i64::MIN, "-9999", "..@-377673580801"),
        ] {
            let calendar = Calendar::new(period, zone.clone());
            let number = calendar.number_of(seconds);
            assert_eq!(calendar.label(number), label, "{seconds}");
            assert_eq!(calendar.text(number), text, "{seconds}");
        }
    }

    #[test]
    fn days_that_are_missing_or_last_longer() {
        for zone in zones() {
            for (_, period) in Period::ALL {
                let prepared = Calendar::new(period, zone.clone()).prepared(0, 2_000_000_000);
                let plain = Calendar::new(period, zone.clone());
                // Around the lost day of Apia, and the midnights that Sao Paulo skipped.
                for day in (15_330..15_345).chain(17_100..17_110).chain(17_830..17_840) {
                    for hour in 0..24 {
                        let seconds = day * 86_400 + hour * 3600 - 1;
                        check(&prepared, &zone, seconds);
                        assert_eq!(prepared.number_of(seconds), plain.number_of(seconds));
                    }
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_instant_lies_in_its_period(
            seconds in prop_oneof![any::<i64>(), -400_000_000_000i64..300_000_000_000, -2_500_000_000i64..8_000_000_000],
            ends in (-3_000_000_000i64..8_000_000_000, -3_000_000_000i64..8_000_000_000),
            which in (0usize..4, 0usize..4),
        ) {
            let zone = zones()[which.0].clone();
            let period = Period::ALL[which.1].1;
            let plain = Calendar::new(period, zone.clone());
            // Days are many: a short table is enough.
            let last = if period == Period::Day { ends.0.saturating_add(40_000_000) } else { ends.1 };
            let prepared = plain.clone().prepared(ends.0, last);
            prop_assert_eq!(prepared.number_of(seconds), plain.number_of(seconds));
            if seconds != i64::MAX {
                check(&prepared, &zone, seconds);
            }
        }
    }
}
