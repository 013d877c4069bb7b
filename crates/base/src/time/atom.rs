//! One time, not a range: what it covers at the precision it is written in.

use jiff::civil::{Date, DateTime};
use jiff::{SignedDuration, Span};

use super::names;
use super::{TimeError, TimeSpan, Timestamp, Zoned};

/// One time as written.
pub(super) struct Atom {
    /// From its first instant to the first one after it.
    pub(super) period: TimeSpan,
    /// Whether it was written as a duration before now.
    pub(super) is_duration: bool,
}

pub(super) fn parse(text: &str, now: &Zoned) -> Result<Atom, TimeError> {
    if let Some(start) = duration(text, now) {
        return Ok(Atom {
            period: TimeSpan::instant(start?),
            is_duration: true,
        });
    }
    let period = date_time(text, now)
        .or_else(|| epoch(text))
        .or_else(|| year_or_month(text, now))
        .or_else(|| names::parse(text, now))
        .unwrap_or_else(|| Err(TimeError::Unknown(text.to_owned())))?;
    Ok(Atom {
        period,
        is_duration: false,
    })
}

/// The point a duration before now; `None` when the text is no duration.
fn duration(text: &str, now: &Zoned) -> Option<Result<Timestamp, TimeError>> {
    let span: Span = text.parse().ok()?;
    // "2d ago" is read as a negative span, but it means the past as "2d" does.
    let span = if text.trim_end().ends_with("ago") {
        span.abs()
    } else {
        span
    };
    let point = now
        .checked_sub(span)
        .map_err(|_| TimeError::OutOfRange(text.to_owned()));
    Some(point.map(|t| Timestamp::from(&t)))
}

/// `2018-10-27`, `2018-10-27 10:00:00`, `2018-10-27T10:00Z` and the like.
fn date_time(text: &str, now: &Zoned) -> Option<Result<TimeSpan, TimeError>> {
    let Some(precision) = precision(text) else {
        return text
            .parse::<Date>()
            .ok()
            .map(|date| whole_day(date, text, now));
    };
    let start: jiff::Timestamp = match text.parse() {
        Ok(instant) => instant,
        Err(_) => {
            let local: DateTime = text.parse().ok()?;
            match now.time_zone().to_ambiguous_zoned_datetime(local).later() {
                Ok(zoned) => zoned.timestamp(),
                Err(_) => return Some(Err(TimeError::OutOfRange(text.to_owned()))),
            }
        }
    };
    let end = start
        .checked_add(precision)
        .map_or(Timestamp::MAX, Timestamp::from);
    Some(Ok(TimeSpan {
        start: start.into(),
        end,
    }))
}

/// How long the last unit written in a date and time is; `None` when there is no time of day.
fn precision(text: &str) -> Option<SignedDuration> {
    let before_zone_name = text.split('[').next().unwrap_or(text);
    let at = before_zone_name.find(['T', 't', ' '])?;
    let time = &before_zone_name[at + 1..];
    let end = time
        .find(|c: char| !c.is_ascii_digit() && !":.,".contains(c))
        .unwrap_or(time.len());
    let time = &time[..end];
    if let Some((_, fraction)) = time.split_once(['.', ',']) {
        let places = u32::try_from(fraction.len()).unwrap_or(9).min(9);
        return Some(SignedDuration::from_nanos(10_i64.pow(9 - places)));
    }
    let digits = time.bytes().filter(u8::is_ascii_digit).count();
    Some(match digits {
        0..=2 => SignedDuration::from_hours(1),
        3..=4 => SignedDuration::from_mins(1),
        _ => SignedDuration::from_secs(1),
    })
}

/// `@1707723412`, negative before 1970, with decimals if need be.
fn epoch(text: &str) -> Option<Result<TimeSpan, TimeError>> {
    let number = text.strip_prefix('@')?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let is_number = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !is_number(digits) || !is_number(fraction) {
        return None;
    }
    let out_of_range = || TimeError::OutOfRange(text.to_owned());
    Some(
        whole
            .parse::<i64>()
            .map_err(|_| out_of_range())
            .and_then(|seconds| {
                if number.contains('.') {
                    epoch_fraction(seconds, whole.starts_with('-'), fraction)
                        .ok_or_else(out_of_range)
                } else {
                    let start = Timestamp::from_seconds(seconds);
                    let end = seconds
                        .checked_add(1)
                        .map_or(Timestamp::MAX, Timestamp::from_seconds);
                    Ok(TimeSpan { start, end })
                }
            }),
    )
}

fn epoch_fraction(seconds: i64, negative: bool, fraction: &str) -> Option<TimeSpan> {
    let digits = &fraction[..fraction.len().min(9)];
    let nanoseconds: u32 = format!("{digits:0<9}").parse().ok()?;
    let start = if negative && nanoseconds > 0 {
        Timestamp {
            seconds: seconds.checked_sub(1)?,
            nanoseconds: 1_000_000_000 - nanoseconds,
        }
    } else {
        Timestamp {
            seconds,
            nanoseconds,
        }
    };
    Some(TimeSpan::instant(start))
}

/// `2025` and `2025-06`.
fn year_or_month(text: &str, now: &Zoned) -> Option<Result<TimeSpan, TimeError>> {
    let (year, month) = match text.split_once('-') {
        Some((year, month)) => (year, Some(month)),
        None => (text, None),
    };
    let is_number = |s: &str, len| s.len() == len && s.bytes().all(|b| b.is_ascii_digit());
    if !is_number(year, 4) || month.is_some_and(|m| !is_number(m, 2)) {
        return None;
    }
    let year: i16 = year.parse().ok()?;
    let month: Option<i8> = month.and_then(|m| m.parse().ok());
    let first = Date::new(year, month.unwrap_or(1), 1).ok()?;
    let next = match month {
        Some(_) => first.checked_add(Span::new().months(1)),
        None => first.checked_add(Span::new().years(1)),
    };
    Some(days(first, next.ok(), text, now))
}

pub(super) fn whole_day(date: Date, text: &str, now: &Zoned) -> Result<TimeSpan, TimeError> {
    days(date, date.tomorrow().ok(), text, now)
}

/// From the start of one day to the start of another (to the end of time when there is none).
pub(super) fn days(
    first: Date,
    next: Option<Date>,
    text: &str,
    now: &Zoned,
) -> Result<TimeSpan, TimeError> {
    let midnight = |date: Date| {
        date.to_zoned_datetime(now.time_zone().clone())
            .map(|t| Timestamp::from(&t))
            .map_err(|_| TimeError::OutOfRange(text.to_owned()))
    };
    Ok(TimeSpan {
        start: midnight(first)?,
        end: next.map_or(Ok(Timestamp::MAX), midnight)?,
    })
}
