//! Stretches of time: one period, or a range from one to another.

use super::{TimeError, Timestamp, Zoned, atom};

/// A stretch of time: from `start` to the last instant before `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeSpan {
    /// First instant.
    pub start: Timestamp,
    /// First instant that does not belong to it any more.
    pub end: Timestamp,
}

impl TimeSpan {
    /// Exactly one instant.
    pub fn instant(at: Timestamp) -> TimeSpan {
        TimeSpan {
            start: at,
            end: at.next(),
        }
    }

    /// Whether an instant lies within.
    #[inline]
    pub fn contains(&self, at: Timestamp) -> bool {
        self.start <= at && at < self.end
    }
}

/// Reads a time or a range of times, as a filter that an entry's time must lie in.
///
/// * A duration is everything from that long before now on: `7d`, `2weeks`, `1mo`.
/// * A date or date and time is as long as its last unit: `2025`, `2025-06`, `2025-06-01`,
///   `2025-06-01T10:00`, with `Z` or an offset or else in the zone of `now`; `@1707723412`.
/// * A name: `now today yesterday tomorrow this-week last-week this-month last-month this-year
///   last-year ytd`.
/// * A range `A..B` with both ends included at their precision; either end may be missing. Two
///   durations may stand in any order.
pub fn parse_time(text: &str, now: &Zoned) -> Result<TimeSpan, TimeError> {
    if let Some((from, to)) = text.split_once("..") {
        return range(text, from.trim(), to.trim(), now);
    }
    let atom = atom::parse(text, now)?;
    Ok(if atom.is_duration {
        TimeSpan {
            start: atom.period.start,
            end: Timestamp::MAX,
        }
    } else {
        atom.period
    })
}

fn range(text: &str, from: &str, to: &str, now: &Zoned) -> Result<TimeSpan, TimeError> {
    if from.is_empty() && to.is_empty() {
        return Err(TimeError::Unknown(text.to_owned()));
    }
    let end_of = |part: &str| match part {
        "" => Ok(None),
        part => atom::parse(part, now).map(Some),
    };
    let (mut first, mut last) = (end_of(from)?, end_of(to)?);
    if let (Some(a), Some(b)) = (&first, &last)
        && a.is_duration
        && b.is_duration
        && a.period.start > b.period.start
    {
        std::mem::swap(&mut first, &mut last);
    }
    let start = first.map_or(Timestamp::MIN, |a| a.period.start);
    let end = last.map_or(Timestamp::MAX, |a| a.period.end);
    if start >= end {
        return Err(TimeError::EmptyRange(text.to_owned()));
    }
    Ok(TimeSpan { start, end })
}

/// Reads one time, not a range, as the period it covers at the precision it is written in: for
/// `<` and `>`. A duration is the one instant that long before now.
pub fn parse_period(text: &str, now: &Zoned) -> Result<TimeSpan, TimeError> {
    atom::parse(text, now).map(|atom| atom.period)
}

/// Reads one time as a point, for "newer than" and "older than": a duration before now, the first
/// instant of a period.
pub fn parse_point(text: &str, now: &Zoned) -> Result<Timestamp, TimeError> {
    parse_period(text, now).map(|period| period.start)
}

/// Reads a duration, and nothing else, as the point that long before now.
pub fn parse_ago(text: &str, now: &Zoned) -> Result<Timestamp, TimeError> {
    match atom::parse(text, now) {
        Ok(atom) if atom.is_duration => Ok(atom.period.start),
        Err(error @ TimeError::OutOfRange(_)) => Err(error),
        _ => Err(TimeError::NotADuration(text.to_owned())),
    }
}

#[cfg(test)]
mod tests;
