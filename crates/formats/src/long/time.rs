//! Times as `ls -l` shows them.

use groma_base::Timestamp;
use jiff::tz::TimeZone;

use crate::civil;
use crate::digits::{push_decimal, push_padded, push_signed};

/// Half of a mean Gregorian year.
const SIX_MONTHS_SECONDS: i64 = 31_556_952 / 2;

const MONTHS: [&[u8]; 12] = [
    b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec",
];

/// Appends `Nov 30 18:44` for the six months before `now`, else `Nov 30  2024`.
pub(crate) fn push(time: Timestamp, now: Timestamp, zone: &TimeZone, out: &mut Vec<u8>) {
    let local = civil::from_seconds(local_seconds(time, zone));
    let month = local.month.saturating_sub(1);
    let name = usize::try_from(month)
        .ok()
        .and_then(|month| MONTHS.get(month));
    out.extend_from_slice(name.copied().unwrap_or(b"???"));
    out.extend_from_slice(if local.day < 10 { b"  " } else { b" " });
    push_decimal(local.day, out);
    if is_recent(time, now) {
        out.push(b' ');
        push_padded(local.hour, 2, out);
        out.push(b':');
        push_padded(local.minute, 2, out);
    } else {
        out.extend_from_slice(b"  ");
        push_signed(local.year, out);
    }
}

/// Seconds as the zone's clocks count them; UTC where zones are not defined, beyond the year 9999.
fn local_seconds(time: Timestamp, zone: &TimeZone) -> i64 {
    match time.to_jiff() {
        Some(instant) => time
            .seconds
            .saturating_add(i64::from(zone.to_offset(instant).seconds())),
        None => time.seconds,
    }
}

fn is_recent(time: Timestamp, now: Timestamp) -> bool {
    let six_months_ago = Timestamp {
        seconds: now.seconds.saturating_sub(SIX_MONTHS_SECONDS),
        ..now
    };
    six_months_ago < time && time <= now
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::tz::Offset;

    const NOW: i64 = 1_732_992_245; // 2024-11-30 18:44:05 UTC

    fn shown(seconds: i64, nanoseconds: u32, zone: &TimeZone) -> String {
        let now = Timestamp {
            seconds: NOW,
            nanoseconds: 500,
        };
        let mut out = Vec::new();
        push(
            Timestamp {
                seconds,
                nanoseconds,
            },
            now,
            zone,
            &mut out,
        );
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn recent_times_show_the_clock_and_others_the_year() {
        for (seconds, nanoseconds, want) in [
            (NOW, 500, "Nov 30 18:44"),
            (NOW, 501, "Nov 30  2024"),
            (NOW + 1, 0, "Nov 30  2024"),
            (NOW - 30 * 86_400 + 86_400 * 8, 0, "Nov  8 18:44"),
            (NOW - SIX_MONTHS_SECONDS, 501, "Jun  1 03:49"),
            (NOW - SIX_MONTHS_SECONDS, 500, "Jun  1  2024"),
            (0, 0, "Jan  1  1970"),
            (-1, 0, "Dec 31  1969"),
            (-62_167_219_200, 0, "Jan  1  0"),
            (253_402_207_200, 0, "Dec 30  9999"),
            (i64::MAX, 0, "Dec  4  292277026596"),
            (i64::MIN, 0, "Jan 27  -292277022657"),
        ] {
            assert_eq!(
                shown(seconds, nanoseconds, &TimeZone::UTC),
                want,
                "{seconds}"
            );
        }
    }

    #[test]
    fn clocks_are_those_of_the_zone() {
        let east = TimeZone::fixed(Offset::constant(9));
        assert_eq!(shown(NOW, 0, &east), "Dec  1 03:44");
    }
}
