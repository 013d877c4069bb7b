//! What each form of a time means.

use super::super::{TimeError, TimeZone, Timestamp, Zoned};
use super::{TimeSpan, parse_ago, parse_period, parse_point, parse_time};
use jiff::tz::Offset;
use proptest::prelude::*;

/// Wednesday 2025-06-18 10:30:00 at +02:00.
fn now() -> Zoned {
    "2025-06-18T10:30:00+02:00[+02:00]".parse().unwrap()
}

fn at(text: &str) -> Timestamp {
    text.parse::<jiff::Timestamp>().unwrap().into()
}

#[track_caller]
fn check(text: &str, start: &str, end: &str) {
    let want = TimeSpan {
        start: if start == "-" {
            Timestamp::MIN
        } else {
            at(start)
        },
        end: if end == "-" { Timestamp::MAX } else { at(end) },
    };
    assert_eq!(parse_time(text, &now()), Ok(want), "{text}");
}

#[test]
fn durations_reach_from_then_on() {
    check("10h", "2025-06-18T00:30:00+02:00", "-");
    check("1d", "2025-06-17T10:30:00+02:00", "-");
    check("35min", "2025-06-18T09:55:00+02:00", "-");
    check("2weeks", "2025-06-04T10:30:00+02:00", "-");
    check("1mo", "2025-05-18T10:30:00+02:00", "-");
    check("1y", "2024-06-18T10:30:00+02:00", "-");
    check("1d 2h", "2025-06-17T08:30:00+02:00", "-");
    check("2 days ago", "2025-06-16T10:30:00+02:00", "-");
    check("100y", "1925-06-18T10:30:00+02:00", "-");
}

#[test]
fn dates_are_as_long_as_their_last_unit() {
    check(
        "2018-10-27",
        "2018-10-27T00:00:00+02:00",
        "2018-10-28T00:00:00+02:00",
    );
    check(
        "20181027",
        "2018-10-27T00:00:00+02:00",
        "2018-10-28T00:00:00+02:00",
    );
    check(
        "2025",
        "2025-01-01T00:00:00+02:00",
        "2026-01-01T00:00:00+02:00",
    );
    check(
        "2025-06",
        "2025-06-01T00:00:00+02:00",
        "2025-07-01T00:00:00+02:00",
    );
    check(
        "1601-12",
        "1601-12-01T00:00:00+02:00",
        "1602-01-01T00:00:00+02:00",
    );
    check(
        "2446",
        "2446-01-01T00:00:00+02:00",
        "2447-01-01T00:00:00+02:00",
    );
    check("9999", "9999-01-01T00:00:00+02:00", "-");
    check(
        "2018-10-27 10:00:00",
        "2018-10-27T10:00:00+02:00",
        "2018-10-27T10:00:01+02:00",
    );
    check(
        "2025-06-01T10:00",
        "2025-06-01T10:00:00+02:00",
        "2025-06-01T10:01:00+02:00",
    );
    check(
        "2025-06-01T10",
        "2025-06-01T10:00:00+02:00",
        "2025-06-01T11:00:00+02:00",
    );
    check(
        "2025-06-01T10:00Z",
        "2025-06-01T10:00:00Z",
        "2025-06-01T10:01:00Z",
    );
    check(
        "2025-06-01T10:00:00-07:00",
        "2025-06-01T17:00:00Z",
        "2025-06-01T17:00:01Z",
    );
    check(
        "2025-06-01T10:00:00.25Z",
        "2025-06-01T10:00:00.25Z",
        "2025-06-01T10:00:00.26Z",
    );
}

#[test]
fn names_are_whole_periods() {
    check(
        "today",
        "2025-06-18T00:00:00+02:00",
        "2025-06-19T00:00:00+02:00",
    );
    check(
        "yesterday",
        "2025-06-17T00:00:00+02:00",
        "2025-06-18T00:00:00+02:00",
    );
    check(
        "tomorrow",
        "2025-06-19T00:00:00+02:00",
        "2025-06-20T00:00:00+02:00",
    );
    check(
        "this-week",
        "2025-06-16T00:00:00+02:00",
        "2025-06-23T00:00:00+02:00",
    );
    check(
        "lastweek",
        "2025-06-09T00:00:00+02:00",
        "2025-06-16T00:00:00+02:00",
    );
    check(
        "This_Month",
        "2025-06-01T00:00:00+02:00",
        "2025-07-01T00:00:00+02:00",
    );
    check(
        "last-month",
        "2025-05-01T00:00:00+02:00",
        "2025-06-01T00:00:00+02:00",
    );
    check(
        "this-year",
        "2025-01-01T00:00:00+02:00",
        "2026-01-01T00:00:00+02:00",
    );
    check(
        "last-year",
        "2024-01-01T00:00:00+02:00",
        "2025-01-01T00:00:00+02:00",
    );
    check(
        "ytd",
        "2025-01-01T00:00:00+02:00",
        "2025-06-19T00:00:00+02:00",
    );
}

#[test]
fn ranges_include_both_ends() {
    check(
        "2025-01..2025-03",
        "2025-01-01T00:00:00+02:00",
        "2025-04-01T00:00:00+02:00",
    );
    check("..2024", "-", "2025-01-01T00:00:00+02:00");
    check("2024-02-29..", "2024-02-29T00:00:00+02:00", "-");
    check(
        "1d..2h",
        "2025-06-17T10:30:00+02:00",
        "2025-06-18T08:30:00.000000001+02:00",
    );
    check(
        "2h..1d",
        "2025-06-17T10:30:00+02:00",
        "2025-06-18T08:30:00.000000001+02:00",
    );
    check(
        "last-week..today",
        "2025-06-09T00:00:00+02:00",
        "2025-06-19T00:00:00+02:00",
    );
    let empty = parse_time("2025-03..2025-01", &now());
    assert_eq!(
        empty,
        Err(TimeError::EmptyRange("2025-03..2025-01".to_owned()))
    );
    assert!(parse_time("..", &now()).is_err());
    assert!(parse_time("1d..2h..3h", &now()).is_err());
}

#[test]
fn epoch_seconds() {
    check(
        "@1707723412",
        "2024-02-12T07:36:52Z",
        "2024-02-12T07:36:53Z",
    );
    check("@-86400", "1969-12-31T00:00:00Z", "1969-12-31T00:00:01Z");
    check(
        "@-1.5",
        "1969-12-31T23:59:58.5Z",
        "1969-12-31T23:59:58.500000001Z",
    );
    check(
        "@0.25",
        "1970-01-01T00:00:00.25Z",
        "1970-01-01T00:00:00.250000001Z",
    );
    // Far beyond what a 32-bit clock and any calendar here hold.
    let far = parse_point("@9223372036854775807", &now());
    assert_eq!(far, Ok(Timestamp::from_seconds(i64::MAX)));
    for text in ["@9999999999999999999", "@-9999999999999999999"] {
        assert_eq!(
            parse_point(text, &now()),
            Err(TimeError::OutOfRange(text.to_owned()))
        );
    }
    for text in ["@", "@-", "@x", "@1.", "@+1", "1707723412"] {
        assert_eq!(
            parse_point(text, &now()),
            Err(TimeError::Unknown(text.to_owned()))
        );
    }
}

#[test]
fn points_are_first_instants() {
    let point = |text| parse_point(text, &now()).unwrap();
    assert_eq!(point("2018-10-27"), at("2018-10-27T00:00:00+02:00"));
    assert_eq!(point("1h"), at("2025-06-18T09:30:00+02:00"));
    assert_eq!(
        parse_period("1h", &now()),
        Ok(TimeSpan::instant(point("1h")))
    );
    assert!(matches!(
        parse_point("20000y", &now()),
        Err(TimeError::Unknown(_) | TimeError::OutOfRange(_))
    ));
    assert!(matches!(
        parse_point("15000y", &now()),
        Err(TimeError::OutOfRange(_))
    ));
}

#[test]
fn only_durations_are_ages() {
    assert_eq!(parse_ago("1d", &now()), Ok(at("2025-06-17T10:30:00+02:00")));
    assert!(matches!(
        parse_ago("2025", &now()),
        Err(TimeError::NotADuration(_))
    ));
    assert!(matches!(
        parse_ago("", &now()),
        Err(TimeError::NotADuration(_))
    ));
}

#[test]
fn refuses_what_is_no_time() {
    for text in [
        "",
        "soon",
        "2025-13",
        "2025-02-30",
        "25:00",
        "é",
        "2025-6",
        "12345",
        "1x",
    ] {
        assert_eq!(
            parse_time(text, &now()),
            Err(TimeError::Unknown(text.to_owned())),
            "{text}"
        );
    }
}

#[test]
fn a_day_on_which_clocks_change_has_its_own_length() {
    let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
    let now = at("2025-06-18T10:00:00Z").to_zoned(&zone).unwrap();
    let day = parse_time("2025-10-26", &now).unwrap();
    assert_eq!(day.end.seconds - day.start.seconds, 25 * 3600);
    let twice = parse_point("2025-10-26 02:30", &now).unwrap();
    assert_eq!(twice, at("2025-10-26T02:30:00+01:00"));
}

proptest! {
    #[test]
    fn never_panics(text in "\\PC{0,24}") {
        let _ = parse_time(&text, &now());
    }

    #[test]
    fn never_panics_on_likely_text(text in "[-@0-9TZ:.+ dhmoy]{0,24}", offset in -25..=25i8) {
        let now = now().with_time_zone(TimeZone::fixed(Offset::constant(offset)));
        if let Ok(span) = parse_time(&text, &now) {
            prop_assert!(span.start < span.end);
        }
    }
}
