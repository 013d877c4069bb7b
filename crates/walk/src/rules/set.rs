//! The patterns of one rule file, filed so that most names are decided by one look-up.
//!
//! The last pattern that matches wins, so whatever way a pattern was found, its number decides.

use super::entry_path::EntryPath;
use super::key::{Filter, Key, NameFacts};
use super::pattern::{Pattern, Scope};
use super::table::{NONE, Table, hash};

/// What the rules say about an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No rule speaks of it.
    Undecided,
    /// A rule leaves it out.
    Ignored,
    /// A rule with `!` keeps it, even if it is hidden.
    Kept,
}

/// All patterns of one source.
#[derive(Debug, Default)]
pub(super) struct PatternSet {
    patterns: Vec<Filed>,
    names: Table,
    extensions: Table,
    /// Patterns that no table finds, last one first.
    others: Vec<Other>,
}

#[derive(Debug)]
struct Filed {
    pattern: Pattern,
    /// An earlier pattern in the same place of a table, or `NONE`.
    earlier: u32,
}

#[derive(Debug)]
struct Other {
    number: u32,
    filter: Filter,
}

/// One entry, with what is computed of its name at most once.
pub(super) struct Probe<'a> {
    name: &'a [u8],
    is_dir: bool,
    name_hash: Option<u32>,
    /// `Some(None)`: the name has no dot.
    extension_hash: Option<Option<u32>>,
    facts: NameFacts,
}

impl<'a> Probe<'a> {
    #[inline]
    pub(super) fn new(name: &'a [u8], is_dir: bool) -> Probe<'a> {
        Probe {
            name,
            is_dir,
            name_hash: None,
            extension_hash: None,
            facts: NameFacts::default(),
        }
    }

    #[inline]
    fn name_hash(&mut self) -> u32 {
        *self.name_hash.get_or_insert_with(|| hash(self.name))
    }

    #[inline]
    fn extension_hash(&mut self) -> Option<u32> {
        *self.extension_hash.get_or_insert_with(|| {
            let dot = self.name.iter().rposition(|&b| b == b'.')?;
            Some(hash(&self.name[dot + 1..]))
        })
    }
}

impl PatternSet {
    /// Files `patterns`, which are in the order of their lines.
    pub(super) fn new(patterns: Vec<Pattern>) -> PatternSet {
        let mut set = PatternSet {
            names: Table::with_room(count(&patterns, |key| matches!(key, Key::Name(_)))),
            extensions: Table::with_room(count(&patterns, |key| matches!(key, Key::Extension(_)))),
            ..PatternSet::default()
        };
        for pattern in patterns {
            set.file(pattern);
        }
        set.others.reverse();
        set
    }

    fn file(&mut self, pattern: Pattern) {
        let number = u32::try_from(self.patterns.len()).unwrap_or(NONE);
        if number == NONE {
            return;
        }
        let earlier = match &pattern.key {
            Key::Name(name) => self.names.put(hash(name), number),
            Key::Extension(extension) => self.extensions.put(hash(extension), number),
            Key::Other(filter) => {
                self.others.push(Other {
                    number,
                    filter: filter.clone(),
                });
                NONE
            }
        };
        self.patterns.push(Filed { pattern, earlier });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// What the last matching pattern says. The path is only built when a pattern needs it;
    /// `offset` says where in it this source's directory ends.
    #[inline]
    pub(super) fn verdict(
        &self,
        probe: &mut Probe<'_>,
        path: &mut EntryPath<'_>,
        offset: usize,
    ) -> Verdict {
        let mut search = Search {
            set: self,
            path,
            offset,
            best: None,
        };
        if !self.names.is_empty() {
            search.chain(self.names.get(probe.name_hash()), probe);
        }
        if !self.extensions.is_empty()
            && let Some(hash) = probe.extension_hash()
        {
            search.chain(self.extensions.get(hash), probe);
        }
        if !self.others.is_empty() {
            search.others(probe);
        }
        match search.best {
            None => Verdict::Undecided,
            Some(best) if self.patterns[best as usize].pattern.negated => Verdict::Kept,
            Some(_) => Verdict::Ignored,
        }
    }
}

fn count(patterns: &[Pattern], fits: impl Fn(&Key) -> bool) -> usize {
    patterns.iter().filter(|pattern| fits(&pattern.key)).count()
}

/// The search for the last matching pattern.
struct Search<'s, 'p> {
    set: &'s PatternSet,
    path: &'s mut EntryPath<'p>,
    offset: usize,
    best: Option<u32>,
}

impl Search<'_, '_> {
    /// Looks through patterns that share a place in a table, the last one first.
    #[inline]
    fn chain(&mut self, head: u32, probe: &Probe<'_>) {
        let mut number = head;
        while number != NONE && self.best.is_none_or(|best| number > best) {
            let filed = &self.set.patterns[number as usize];
            if self.fits(&filed.pattern, probe) {
                self.best = Some(number);
                return;
            }
            number = filed.earlier;
        }
    }

    /// Looks through the patterns that are in no table.
    fn others(&mut self, probe: &mut Probe<'_>) {
        for other in &self.set.others {
            if self.best.is_some_and(|best| best > other.number) {
                return;
            }
            if !other.filter.admits(probe.name, &mut probe.facts) {
                continue;
            }
            if self.fits(&self.set.patterns[other.number as usize].pattern, probe) {
                self.best = Some(other.number);
                return;
            }
        }
    }

    #[inline]
    fn fits(&mut self, pattern: &Pattern, probe: &Probe<'_>) -> bool {
        if pattern.dir_only && !probe.is_dir {
            return false;
        }
        match pattern.scope {
            Scope::Name => pattern.matches(probe.name),
            Scope::TopName => self.path.is_directly_in(self.offset) && pattern.matches(probe.name),
            Scope::Path => {
                self.path.dir_below(self.offset).starts_with(pattern.lead())
                    && pattern.matches(self.path.below(self.offset, probe.name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::pattern::{Dialect, compile};

    fn verdict(lines: &[&str], path: &str, is_dir: bool) -> Verdict {
        let patterns = lines
            .iter()
            .flat_map(|line| compile(line.as_bytes(), Dialect::Git).unwrap());
        let set = PatternSet::new(patterns.collect());
        let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut buffer = Vec::new();
        let mut entry_path = EntryPath::new(b"", dir.as_bytes(), &mut buffer);
        set.verdict(&mut Probe::new(name.as_bytes(), is_dir), &mut entry_path, 0)
    }

    #[test]
    fn the_last_match_wins_however_it_was_found() {
        use Verdict::{Ignored, Kept, Undecided};
        for (lines, path, want) in [
            (&["*.o", "!a.o"][..], "x/a.o", Kept),
            (&["!a.o", "*.o"], "a.o", Ignored),
            (&["a*", "!*.o", "/x/a.o"], "x/a.o", Ignored),
            (&["/x/a.o", "!*.o", "a*"], "y/a.o", Ignored),
            (&["/x/a.o", "a*", "!*.o"], "x/a.o", Kept),
            (&["a", "!a", "a/"], "a", Kept),
            (&["!*", "b"], "a", Kept),
            (&["b", "c*", "*d", "*.e", "/x/*"], "a", Undecided),
            (&[], "a", Undecided),
        ] {
            assert_eq!(verdict(lines, path, false), want, "{lines:?} {path}");
        }
        assert_eq!(verdict(&["a", "!a", "a/"], "a", true), Ignored);
    }

    #[test]
    fn many_names_are_all_found() {
        let lines: Vec<String> = (0..40).map(|n| format!("name-{n}")).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        for n in 0..40 {
            assert_eq!(
                verdict(&lines, &format!("d/name-{n}"), true),
                Verdict::Ignored
            );
        }
        assert_eq!(verdict(&lines, "name-40", true), Verdict::Undecided);
    }
}
