//! Tests of names, each run once for a distinct name: halving the dictionary, or scanning it.

mod arena;
mod literal;
mod regex;

use std::ops::{Range, RangeInclusive};

use groma_base::{FOLD_VERSION, extension, stem};
use groma_catalog::Damage;

use super::SelectError;
use super::bits;
use super::frame::Frame;
use super::set::RowSet;
use crate::pattern::{Form, Pattern, Stands};
use groma_base::characters;

/// A regex that matches at least the folded forms of all that `hir` matches, see
/// [`regex::folded`].
pub(crate) fn folded_regex(hir: &regex_syntax::hir::Hir) -> Option<regex_syntax::hir::Hir> {
    regex::folded(hir, regex::Ends::Stay)
}

/// What is asked of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ask<'t> {
    /// The name matches.
    Name(&'t Pattern),
    /// What is before its extension matches.
    Stem(&'t Pattern),
    /// Its extension, or the empty text, matches.
    Extension(&'t Pattern),
    /// It has this many characters.
    Length(&'t [RangeInclusive<u64>]),
}

impl Ask<'_> {
    /// The answer for one name.
    pub(crate) fn is_match(&self, name: &[u8]) -> bool {
        match self {
            Ask::Name(pattern) => pattern.is_match(name),
            Ask::Stem(pattern) => pattern.is_match(stem(name)),
            Ask::Extension(pattern) => pattern.is_match(extension(name).unwrap_or_default()),
            Ask::Length(ranges) => {
                let length = characters(name);
                ranges.iter().any(|range| range.contains(&length))
            }
        }
    }
}

/// Distinct names, by number. The name of the root, which is empty, may be in it or not.
#[derive(Clone, Debug)]
pub(crate) enum NameSet {
    Range(Range<u32>),
    /// Ascending.
    List(Vec<u32>),
    /// One bit for each name.
    Bits(Vec<u64>),
}

/// The names that match.
pub(crate) fn matching(frame: &Frame<'_>, ask: Ask<'_>) -> Result<NameSet, SelectError> {
    if frame.segment.fold_version() != FOLD_VERSION {
        return arena::ask_each(frame, all(frame), &ask);
    }
    match ask {
        Ask::Name(pattern) => name(frame, pattern),
        Ask::Stem(pattern) => stems(frame, pattern),
        Ask::Extension(_) => arena::ask_each(frame, all(frame), &ask),
        Ask::Length(ranges) => arena::lengths(frame, ranges),
    }
}

fn name(frame: &Frame<'_>, pattern: &Pattern) -> Result<NameSet, SelectError> {
    match pattern.form() {
        Form::Everything => Ok(NameSet::Range(all(frame))),
        Form::Plain(plain) => literal::matching(frame, pattern, plain),
        Form::Regex {
            text,
            fold,
            sees_strays,
        } => match regex::ArenaRegex::new(text, fold) {
            Some(regex) => arena::regex(frame, &regex, pattern, sees_strays),
            None => arena::ask_each(frame, all(frame), &Ask::Name(pattern)),
        },
    }
}

/// A stem is the beginning of a name: names that hold its text, or begin so, are then asked.
fn stems(frame: &Frame<'_>, pattern: &Pattern) -> Result<NameSet, SelectError> {
    let ask = Ask::Stem(pattern);
    let Form::Plain(plain) = pattern.form() else {
        return arena::ask_each(frame, all(frame), &ask);
    };
    let text = match plain.stands {
        Stands::AtStart(text) | Stands::Alone(text) | Stands::Around(text, _) => {
            let Some(range) = literal::beginning(frame, text, plain.fold)? else {
                return arena::ask_each(frame, all(frame), &ask);
            };
            return arena::ask_each(frame, range, &ask);
        }
        Stands::Anywhere(text) | Stands::AtEnd(text) => text,
    };
    if std::str::from_utf8(text).is_err() || text.is_empty() {
        return arena::ask_each(frame, all(frame), &ask);
    }
    let holding = Pattern::plain(text, crate::pattern::Place::Anywhere, true);
    let candidates = name(frame, &holding)?;
    arena::ask_these(frame, &candidates, &ask)
}

pub(crate) fn all(frame: &Frame<'_>) -> Range<u32> {
    0..frame.names.len()
}

impl NameSet {
    /// No name.
    pub(crate) fn none() -> NameSet {
        NameSet::Range(0..0)
    }

    /// How many names there are.
    pub(crate) fn len(&self) -> u32 {
        match self {
            NameSet::Range(range) => range.end.saturating_sub(range.start),
            NameSet::List(list) => u32::try_from(list.len()).unwrap_or(u32::MAX),
            NameSet::Bits(words) => bits::count(words),
        }
    }

    /// The names, ascending.
    pub(crate) fn iter(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match self {
            NameSet::Range(range) => Box::new(range.clone()),
            NameSet::List(list) => Box::new(list.iter().copied()),
            NameSet::Bits(words) => Box::new(bits::ones(words)),
        }
    }

    /// The rows of the names by the lists of rows; `None` where these are so many that going
    /// through the column of names is faster.
    pub(crate) fn few_rows(&self, frame: &Frame<'_>) -> Result<Option<RowSet>, SelectError> {
        let most = (frame.rows / 32).max(if cfg!(test) { 16 } else { 1024 }) as usize;
        if self.len() as usize > most / 2 {
            return Ok(None);
        }
        let mut rows = Vec::new();
        for name in self.parts() {
            frame.names.append_rows(name, &mut rows)?;
            if rows.len() > most {
                return Ok(None);
            }
        }
        Ok(Some(match self.len() {
            // The list of each name ascends, and a sort finds that out.
            0..=8 => {
                rows.sort();
                RowSet::Sparse(rows)
            }
            _ => RowSet::of_unsorted(rows, frame.rows),
        }))
    }

    /// Short ranges of names that make it up.
    fn parts(&self) -> Box<dyn Iterator<Item = Range<u32>> + '_> {
        match self {
            NameSet::Range(range) => {
                let end = range.end;
                let starts = range.clone().step_by(256);
                Box::new(starts.map(move |start| start..end.min(start + 256)))
            }
            other => Box::new(other.iter().map(|name| name..name + 1)),
        }
    }
}

/// The raw form of a name, in a buffer.
pub(crate) fn raw_into(frame: &Frame<'_>, name: u32, buffer: &mut Vec<u8>) -> Result<(), Damage> {
    buffer.clear();
    frame.names.append(name, buffer)
}
