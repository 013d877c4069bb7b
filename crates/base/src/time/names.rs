//! Times that have a name. Weeks begin on Monday.

use jiff::Span;
use jiff::civil::Date;

use super::atom::{days, whole_day};
use super::{TimeError, TimeSpan, Timestamp, Zoned};

/// What a name stands for; `None` when it is no name. Hyphens are optional and case is ignored.
pub(super) fn parse(text: &str, now: &Zoned) -> Option<Result<TimeSpan, TimeError>> {
    let today = now.date();
    let monday = today.checked_sub(Span::new().days(today.weekday().to_monday_zero_offset()));
    let month = today.first_of_month();
    let year = today.first_of_year();
    let out_of_range = || TimeError::OutOfRange(text.to_owned());
    let period = |first: Result<Date, jiff::Error>, length: Span| {
        let first = first.map_err(|_| out_of_range())?;
        days(first, first.checked_add(length).ok(), text, now)
    };
    let day = |date: Result<Date, jiff::Error>| {
        date.map_err(|_| out_of_range())
            .and_then(|date| whole_day(date, text, now))
    };
    let (one_week, one_month, one_year) = (
        Span::new().weeks(1),
        Span::new().months(1),
        Span::new().years(1),
    );
    Some(
        match text.to_ascii_lowercase().replace(['-', '_'], "").as_str() {
            "now" => Ok(TimeSpan::instant(Timestamp::from(now))),
            "today" => day(Ok(today)),
            "yesterday" => day(today.yesterday()),
            "tomorrow" => day(today.tomorrow()),
            "thisweek" => period(monday, one_week),
            "lastweek" => period(monday.and_then(|d| d.checked_sub(one_week)), one_week),
            "thismonth" => period(Ok(month), one_month),
            "lastmonth" => period(month.checked_sub(one_month), one_month),
            "thisyear" => period(Ok(year), one_year),
            "lastyear" => period(year.checked_sub(one_year), one_year),
            "ytd" => days(year, today.tomorrow().ok(), text, now),
            _ => return None,
        },
    )
}
