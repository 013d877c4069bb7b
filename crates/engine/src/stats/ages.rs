//! Ages: stretches of time counted back from now.

use groma_base::time::{Period, TimeError, TimeSpan, Timestamp, Zoned, parse_ago, seconds_text};

/// Stretches that ages are put into when no length is asked for.
const STRETCHES: [&str; 9] = ["1d", "7d", "30d", "90d", "1y", "2y", "5y", "10y", "20y"];
/// More steps of one length are never told apart; what is older than that is one stretch.
const MOST_STEPS: u32 = 400;

/// Stretches of age. The first one, number 0, is the future; then from the youngest to the oldest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ages {
    /// Ascending: an instant from this second on is younger than the one before.
    cuts: Vec<i64>,
    /// As people write the lengths that belong to the cuts but the last, youngest first.
    lengths: Vec<String>,
}

impl Ages {
    /// Stretches as seen from `now`: of this length each, or of growing lengths.
    ///
    /// # Errors
    /// [`TimeError::OutOfRange`] where the calendar does not reach back far enough.
    pub(super) fn new(step: Option<Period>, now: &Zoned) -> Result<Ages, TimeError> {
        let lengths: Vec<String> = match step {
            None => STRETCHES.map(str::to_owned).to_vec(),
            Some(step) => {
                let unit = match step {
                    Period::Day => "d",
                    Period::Week => "w",
                    Period::Month => "mo",
                    Period::Year => "y",
                };
                (1..=MOST_STEPS).map(|n| format!("{n}{unit}")).collect()
            }
        };
        let mut cuts = vec![Timestamp::from(now).seconds.saturating_add(1)];
        for length in &lengths {
            cuts.push(parse_ago(length, now)?.seconds);
        }
        cuts.reverse();
        Ok(Ages { cuts, lengths })
    }

    /// How many stretches there are.
    pub(super) fn count(&self) -> u64 {
        self.cuts.len() as u64 + 1
    }

    /// The stretch that an instant lies in.
    #[inline]
    pub(super) fn of(&self, seconds: i64) -> u64 {
        let younger = self.cuts.partition_point(|&cut| cut <= seconds);
        (self.cuts.len() - younger) as u64
    }

    pub(super) fn label(&self, stretch: u64) -> String {
        let length = |at: u64| {
            let at = usize::try_from(at).ok()?;
            self.lengths.get(at).map(String::as_str)
        };
        match (
            stretch.checked_sub(2).and_then(length),
            stretch.checked_sub(1).and_then(length),
        ) {
            _ if stretch == 0 => "future".to_owned(),
            (None, Some(youngest)) => format!("under {youngest}"),
            (Some(from), Some(to)) => format!("{from}-{to}"),
            (Some(oldest), None) => format!("over {oldest}"),
            (None, None) => "any".to_owned(),
        }
    }

    /// The stretch as times that the query language reads: absolute ones, which stay what they are.
    pub(super) fn text(&self, stretch: u64) -> String {
        let cut = |back: u64| {
            let at = self.cuts.len().checked_sub(usize::try_from(back).ok()?)?;
            self.cuts
                .get(at)
                .map(|&seconds| Timestamp::from_seconds(seconds))
        };
        seconds_text(TimeSpan {
            start: stretch
                .checked_add(1)
                .and_then(cut)
                .unwrap_or(Timestamp::MIN),
            end: cut(stretch).unwrap_or(Timestamp::MAX),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_base::time::{TimeZone, parse_time};

    fn now() -> Zoned {
        let now = Timestamp {
            seconds: 1_750_000_000,
            nanoseconds: 500_000_000,
        };
        now.to_zoned(&TimeZone::UTC).unwrap()
    }

    #[test]
    fn stretches_follow_each_other_and_have_texts() {
        for step in [
            None,
            Some(Period::Day),
            Some(Period::Month),
            Some(Period::Year),
        ] {
            let ages = Ages::new(step, &now()).unwrap();
            for stretch in 0..ages.count() {
                let span = parse_time(&ages.text(stretch), &now()).unwrap();
                let first = span.start.seconds.max(-9_000_000_000_000_000_000);
                assert_eq!(ages.of(first), stretch, "{step:?} {stretch}");
                if span.end != Timestamp::MAX {
                    assert_eq!(ages.of(span.end.seconds - 1), stretch);
                    assert_eq!(ages.of(span.end.seconds), stretch - 1);
                }
            }
        }
    }

    #[test]
    fn labels() {
        let ages = Ages::new(None, &now()).unwrap();
        let label = |seconds| ages.label(ages.of(seconds));
        assert_eq!(label(1_750_000_001), "future");
        assert_eq!(label(1_750_000_000), "under 1d");
        assert_eq!(label(1_750_000_000 - 86_400), "under 1d");
        assert_eq!(label(1_750_000_000 - 86_401), "1d-7d");
        assert_eq!(
            label(-5),
            "20y over".split(' ').rev().collect::<Vec<_>>().join(" ")
        );
    }
}
