//! Filters by time.

use anyhow::{Result, anyhow};
use groma_base::Timestamp;
use groma_base::time::{TimeSpan, Zoned, parse_ago, parse_point, parse_time};
use groma_engine::find::Filter;
use groma_query::bound::TimeField;

use crate::report::Voice;

/// How a time option is read.
#[derive(Clone, Copy)]
pub(super) enum Reading {
    /// Newer than this.
    Within,
    /// Older than this.
    Before,
    /// In this range.
    Range,
    /// `-` newer, `+` older, `A..B` between, bare newer.
    Signed,
}

/// The time options: id, field, reading.
pub(super) const OPTIONS: &[(&str, TimeField, Reading)] = &[
    ("changed_within", TimeField::Modified, Reading::Within),
    ("changed_before", TimeField::Modified, Reading::Before),
    ("modified", TimeField::Modified, Reading::Range),
    ("time_modified", TimeField::Modified, Reading::Signed),
    ("accessed_within", TimeField::Accessed, Reading::Within),
    ("accessed_before", TimeField::Accessed, Reading::Before),
    ("accessed", TimeField::Accessed, Reading::Range),
    ("created_within", TimeField::Created, Reading::Within),
    ("created_before", TimeField::Created, Reading::Before),
    ("created", TimeField::Created, Reading::Range),
    ("status_changed_within", TimeField::Changed, Reading::Within),
    ("status_changed_before", TimeField::Changed, Reading::Before),
    ("status_changed", TimeField::Changed, Reading::Range),
];

/// The filter that an option's value means.
pub(super) fn filter(
    voice: Voice,
    field: TimeField,
    reading: Reading,
    text: &str,
    now: &Zoned,
) -> Result<Filter> {
    let span = match reading {
        Reading::Within => parse_point(text, now).map(after),
        Reading::Before => parse_point(text, now).map(before),
        Reading::Range => parse_time(text, now),
        Reading::Signed => signed(text, now),
    };
    let span = span.map_err(|error| match voice {
        Voice::Fd => anyhow!("'{text}' is not a valid date or duration. See 'fd --help'."),
        Voice::Groma => anyhow!(error),
    })?;
    Ok(Filter::Time(field, span))
}

/// Everything after a point.
pub(super) fn after(point: Timestamp) -> TimeSpan {
    TimeSpan {
        start: point.next(),
        end: Timestamp::MAX,
    }
}

fn before(point: Timestamp) -> TimeSpan {
    TimeSpan {
        start: Timestamp::MIN,
        end: point,
    }
}

fn signed(text: &str, now: &Zoned) -> Result<TimeSpan, groma_base::time::TimeError> {
    if text.contains("..") {
        return parse_time(text, now);
    }
    match text.strip_prefix('+') {
        Some(ago) => parse_ago(ago, now).map(before),
        None => parse_ago(text.strip_prefix('-').unwrap_or(text), now).map(after),
    }
}
