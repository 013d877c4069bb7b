//! Plain text in names: exact texts and beginnings by halving, others by a search in the arena.

use std::ops::Range;

use groma_base::folded;
use memchr::arch::all::packedpair::HeuristicFrequencyRank;
use memchr::memmem::{Finder, FinderBuilder};

use super::arena::{self, Verdict};
use super::{Ask, NameSet, all, raw_into};
use crate::pattern::{Pattern, Plain, Stands, commonness};
use crate::select::SelectError;
use crate::select::frame::Frame;

/// The names that match a plain text; `pattern` is the same as a whole.
pub(super) fn matching(
    frame: &Frame<'_>,
    pattern: &Pattern,
    plain: Plain<'_>,
) -> Result<NameSet, SelectError> {
    let ask = Ask::Name(pattern);
    match plain.stands {
        Stands::Alone(text) if plain.fold => Ok(NameSet::Range(frame.names.equal_folded(text)?)),
        Stands::Alone(text) => {
            let name = frame.names.exact(text)?;
            Ok(name.map_or_else(NameSet::none, |name| NameSet::Range(name..name + 1)))
        }
        Stands::AtStart(text) | Stands::Around(text, _) => {
            let range = beginning(frame, text, plain.fold)?;
            let is_exact = plain.fold && matches!(plain.stands, Stands::AtStart(_));
            match range {
                Some(range) if is_exact => Ok(NameSet::Range(range)),
                Some(range) => arena::ask_each(frame, range, &ask),
                None => arena::ask_each(frame, all(frame), &ask),
            }
        }
        Stands::Anywhere([]) | Stands::AtEnd([]) => Ok(NameSet::Range(all(frame))),
        // A NUL stands between names, in none.
        Stands::Anywhere(text) | Stands::AtEnd(text) if text.contains(&0) => Ok(NameSet::none()),
        Stands::Anywhere(text) => search(frame, pattern, text, false, plain.fold),
        Stands::AtEnd(text) => search(frame, pattern, text, true, plain.fold),
    }
}

/// The names that begin so when case is ignored; `None` where folding a part of a name is not a
/// part of folding it.
pub(super) fn beginning(
    frame: &Frame<'_>,
    text: &[u8],
    fold: bool,
) -> Result<Option<Range<u32>>, SelectError> {
    if fold {
        return Ok(Some(frame.names.with_folded_prefix(text)?));
    }
    match std::str::from_utf8(text) {
        Ok(_) => Ok(Some(frame.names.with_folded_prefix(&folded(text))?)),
        Err(_) => Ok(None),
    }
}

fn search(
    frame: &Frame<'_>,
    pattern: &Pattern,
    text: &[u8],
    at_end: bool,
    fold: bool,
) -> Result<NameSet, SelectError> {
    let mut needle = text.to_vec();
    if !fold {
        needle.make_ascii_lowercase();
    }
    if at_end {
        needle.push(0);
    }
    let finder = FinderBuilder::new().build_forward_with_ranker(InNames, &needle);
    arena::scan(frame, all(frame), Vec::new, |raw, part| {
        let find = |bytes: &[u8], at: usize| find(&finder, bytes, at);
        if let ([letter], true) = (&needle[..], fold) {
            part.each_with(*letter);
            return Ok(());
        }
        if fold {
            return part.each_hit(find, |_, _| Ok(Verdict::Yes));
        }
        let has_odd = !frame.names.odd_names().is_empty();
        part.each_hit(find, |name, at| {
            if has_odd && frame.names.is_odd(name) {
                raw_into(frame, name, raw)?;
                return Ok(match pattern.is_match(raw) {
                    true => Verdict::Yes,
                    false => Verdict::No,
                });
            }
            let is_same = (at..)
                .zip(text)
                .all(|(at, byte)| frame.names.is_upper_at(at) == byte.is_ascii_uppercase());
            Ok(if is_same {
                Verdict::Yes
            } else {
                Verdict::NotHere
            })
        })?;
        // A letter beyond ASCII may be another one in the folded name.
        if !text.is_ascii() {
            let odd = part.odd();
            part.ask_again(odd.into_iter(), &Ask::Name(pattern))?;
        }
        Ok(())
    })
}

#[inline]
fn find(finder: &Finder<'_>, bytes: &[u8], at: usize) -> Option<usize> {
    finder.find(bytes.get(at..)?).map(|hit| at + hit)
}

/// How common bytes are in names, so that a search looks for the rare ones first.
#[derive(Clone, Copy)]
struct InNames;

impl HeuristicFrequencyRank for InNames {
    fn rank(&self, byte: u8) -> u8 {
        match byte {
            // Each name ends in one.
            0 => u8::MAX,
            byte => u8::try_from(commonness(byte) * 4).unwrap_or(u8::MAX),
        }
    }
}
