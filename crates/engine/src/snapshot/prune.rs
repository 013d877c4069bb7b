//! Snapshots thinned out: of each root so many are kept by days, weeks, months and years.

use std::path::{Path, PathBuf};

use groma_base::time::{Calendar, Period, TimeZone};
use groma_base::{CancelToken, Timestamp};
use groma_sys::Dir;

use super::SnapError;
use super::list::{Listed, list, name_of};

/// How many are kept by one measure of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeepRule {
    /// The length of a period, of which the newest snapshot is kept.
    pub period: Period,
    /// How many such periods; those without a snapshot do not count.
    pub count: u32,
}

/// What is kept. A snapshot stays if any rule keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keep(pub Vec<KeepRule>);

/// What became of a snapshot.
#[derive(Debug)]
pub struct Pruned {
    /// The file.
    pub path: PathBuf,
    /// The path of its root; raw bytes.
    pub root: Vec<u8>,
    /// Its time.
    pub at: Timestamp,
    /// Bytes of the file.
    pub length: u64,
    /// The periods by which it is kept; none for one that goes.
    pub kept_by: Vec<Period>,
    /// What is wrong with it: it stays then, and counts for nothing.
    pub damage: Option<SnapError>,
    /// Why it could not be removed.
    pub failure: Option<SnapError>,
}

impl Keep {
    /// Reads `daily=7,weekly=4,monthly=12,yearly=10`, as many of these as there are.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Keep, String> {
        let mut keep = Keep::default();
        for part in text.split(',') {
            let (word, count) = part.split_once('=').ok_or_else(|| {
                format!("expected a period and a number like daily=7, found '{part}'")
            })?;
            let words = [
                ("daily", Period::Day),
                ("weekly", Period::Week),
                ("monthly", Period::Month),
                ("yearly", Period::Year),
            ];
            let period = words.iter().find(|(known, _)| *known == word.trim());
            let (_, period) = period.ok_or_else(|| {
                format!("expected daily, weekly, monthly or yearly, found '{word}'")
            })?;
            if keep.0.iter().any(|rule| rule.period == *period) {
                return Err(format!("'{word}' is there twice"));
            }
            let count = count.trim().parse().ok().filter(|&count| count > 0);
            keep.0.push(KeepRule {
                period: *period,
                count: count.ok_or_else(|| format!("expected a number above 0 in '{part}'"))?,
            });
        }
        Ok(keep)
    }
}

/// Thins out the snapshots that lie directly in a directory; `is_dry`: nothing is removed. Each is
/// verified before, and goes by its name in the open directory only if it still is the file that was
/// verified. Partial ones are kept only where their period has no whole one.
///
/// # Errors
/// [`SnapError::Io`] when the directory cannot be read, [`SnapError::Cancelled`].
pub fn prune(
    dir: &Path,
    keep: &Keep,
    zone: &TimeZone,
    is_dry: bool,
    cancel: &CancelToken,
) -> Result<Vec<Pruned>, SnapError> {
    let open = Dir::open(dir).map_err(|error| SnapError::io(dir, error))?;
    let listed = list(dir, true, cancel)?;
    let same_root = |a: &Listed, b: &Listed| root(a) == root(b);
    let mut all = Vec::new();
    for of_root in listed.chunk_by(same_root) {
        let kept_by = kept_by(of_root, keep, zone);
        for (listed, kept_by) in of_root.iter().zip(kept_by) {
            let mut pruned = described(listed, kept_by);
            let goes = listed.told.is_ok() && pruned.kept_by.is_empty();
            if goes && !is_dry && !cancel.is_cancelled() {
                pruned.failure = remove(&open, listed).err();
            }
            all.push(pruned);
        }
    }
    // What is damaged is told by name.
    for (pruned, listed) in all.iter_mut().zip(listed) {
        pruned.damage = listed.told.err();
    }
    Ok(all)
}

fn root(listed: &Listed) -> Option<&[u8]> {
    let told = listed.told.as_ref().ok();
    told.map(|(_, about)| &about.root[..])
}

fn described(listed: &Listed, kept_by: Vec<Period>) -> Pruned {
    let told = listed.told.as_ref().ok();
    Pruned {
        path: listed.path.clone(),
        root: told.map_or_else(Vec::new, |(_, about)| about.root.clone()),
        at: told.map_or_else(Timestamp::default, |(_, about)| about.ended),
        length: told.map_or(0, |(facts, _)| facts.length),
        kept_by,
        damage: None,
        failure: None,
    }
}

/// For each snapshot of one root, oldest first, the periods by which it is kept.
fn kept_by(listed: &[Listed], keep: &Keep, zone: &TimeZone) -> Vec<Vec<Period>> {
    let mut kept_by = vec![Vec::new(); listed.len()];
    for rule in &keep.0 {
        let calendar = Calendar::new(rule.period, zone.clone());
        let mut periods = 0;
        let mut last = None;
        for (at, (number, _)) in newest(listed, &calendar) {
            if last != Some(number) {
                last = Some(number);
                periods += 1;
                if periods > rule.count {
                    break;
                }
                if let Some(kept_by) = kept_by.get_mut(at) {
                    kept_by.push(rule.period);
                }
            }
        }
    }
    kept_by
}

/// Sound snapshots with the number of their period and whether they are partial: latest period first,
/// in it whole ones before partial ones, the newest first.
fn newest(listed: &[Listed], calendar: &Calendar) -> Vec<(usize, (i64, bool))> {
    let sound = listed.iter().enumerate();
    let sound = sound.filter_map(|(at, listed)| {
        let (facts, about) = listed.told.as_ref().ok()?;
        let number = calendar.number_of(about.ended.seconds);
        Some((at, (number, facts.is_partial)))
    });
    let mut sound: Vec<_> = sound.collect();
    sound.sort_by_key(|&(at, (number, is_partial))| {
        (std::cmp::Reverse(number), is_partial, std::cmp::Reverse(at))
    });
    sound
}

fn remove(dir: &Dir, listed: &Listed) -> Result<(), SnapError> {
    let failed = |error| SnapError::io(&listed.path, error);
    let name = name_of(&listed.path);
    let name = name.ok_or_else(|| failed(std::io::ErrorKind::InvalidInput.into()))?;
    dir.remove(&name, listed.id, false).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read() {
        let keep = Keep::parse("daily=7, weekly=4").unwrap();
        let rule = |period, count| KeepRule { period, count };
        assert_eq!(keep.0, [rule(Period::Day, 7), rule(Period::Week, 4)]);
        for bad in [
            "",
            "daily",
            "hourly=3",
            "daily=0",
            "daily=x",
            "daily=1,daily=2",
        ] {
            assert!(Keep::parse(bad).is_err(), "{bad}");
        }
    }
}
