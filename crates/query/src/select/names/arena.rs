//! Scans of the dictionary, some ten thousand names at a time, on several threads.

use std::ops::{Range, RangeInclusive};

use groma_catalog::{NameCursor, WideLoop, run_wide};

use super::regex::ArenaRegex;
use super::{Ask, NameSet, raw_into};
use crate::pattern::Pattern;
use crate::select::SelectError;
use crate::select::bits;
use crate::select::filter::answers;
use crate::select::frame::Frame;
use crate::select::parallel::in_pieces_with;
use groma_base::characters;

/// Names of one piece of work; a multiple of 64, so that pieces share no word of bits. Tests have
/// few names and are to have several pieces.
const NAMES: u32 = if cfg!(test) { 128 } else { 1 << 16 };
/// Up to so many names are asked without other threads, and held as a list.
const FEW: u32 = if cfg!(test) { 32 } else { 2048 };

/// A part of the dictionary and what was found there.
pub(super) struct Part<'f, 'v> {
    pub(super) frame: &'f Frame<'v>,
    /// Its names.
    pub(super) names: Range<u32>,
    /// Where they lie in the arena.
    pub(super) start: usize,
    pub(super) bytes: &'v [u8],
    found: Vec<u64>,
}

/// Words of 64 places each that are found together.
const WORDS: usize = 64;

/// Finds a letter and the ends of names.
struct Places<'a> {
    bytes: &'a [u8],
    letter: u8,
    /// For each 64 bytes: where the letter is, and where names end.
    places: &'a mut [(u64, u64); WORDS],
}

impl WideLoop for Places<'_> {
    type Output = ();

    #[inline(always)]
    #[allow(
        clippy::needless_range_loop,
        reason = "an iterator that is not inlined is compiled for narrow vectors"
    )]
    fn run(self) {
        let (words, rest) = self.bytes.as_chunks::<64>();
        for at in 0..words.len() {
            let hits = answers(&words[at], |&byte| byte == self.letter);
            self.places[at] = (hits, answers(&words[at], |&byte| byte == 0));
        }
        if let Some(places) = self.places.get_mut(words.len()) {
            let hits = answers(rest, |&byte| byte == self.letter);
            *places = (hits, answers(rest, |&byte| byte == 0));
        }
    }
}

/// What is to be said about a place where something was found.
pub(super) enum Verdict {
    /// The name matches.
    Yes,
    /// The name does not match, whatever else is found in it.
    No,
    /// Not here; perhaps further on in the same name.
    NotHere,
}

impl<'v> Part<'_, 'v> {
    pub(super) fn set(&mut self, name: u32, matches: bool) {
        let bit = name - self.names.start;
        match matches {
            true => bits::set(&mut self.found, bit),
            false => bits::clear(&mut self.found, bit),
        }
    }

    /// Goes from place to place: `find` tells the next one at or after a byte, `judge` what it is
    /// worth.
    #[inline]
    pub(super) fn each_hit(
        &mut self,
        mut find: impl FnMut(&[u8], usize) -> Option<usize>,
        mut judge: impl FnMut(u32, usize) -> Result<Verdict, SelectError>,
    ) -> Result<(), SelectError> {
        let mut cursor: NameCursor<'v> = self.frame.names.cursor();
        let mut at = 0;
        while let Some(hit) = find(self.bytes, at).filter(|&hit| hit < self.bytes.len()) {
            let (name, range) = cursor.seek(self.start + hit)?;
            let verdict = judge(name, self.start + hit)?;
            if matches!(verdict, Verdict::Yes) {
                self.set(name, true);
            }
            at = match verdict {
                Verdict::NotHere => hit + 1,
                _ => range.end - self.start,
            };
        }
        Ok(())
    }

    /// Sets the names that hold a letter: the way where most names do. The arena is gone through
    /// once, 64 bytes at a time.
    pub(super) fn each_with(&mut self, letter: u8) {
        let names = self.names.end - self.names.start;
        // The next name to end, and whether the letter was seen in its bytes before this word.
        let (mut name, mut seen) = (0, false);
        for bytes in self.bytes.chunks(64 * WORDS) {
            let mut places = [(0, 0); WORDS];
            run_wide(Places {
                bytes,
                letter,
                places: &mut places,
            });
            for (mut hits, mut ends) in places {
                while ends != 0 {
                    // Bits before the lowest end.
                    let own = (ends - 1) & !ends;
                    // What is damaged may have more ends than names.
                    if (seen || hits & own != 0) && name < names {
                        bits::set(&mut self.found, name);
                    }
                    (name, seen) = (name + 1, false);
                    hits &= !own;
                    ends &= ends - 1;
                }
                seen |= hits != 0;
            }
        }
    }

    /// Asks some names anew, by their raw form.
    pub(super) fn ask_again(
        &mut self,
        names: impl Iterator<Item = u32>,
        ask: &Ask<'_>,
    ) -> Result<(), SelectError> {
        let mut raw = Vec::new();
        for name in names {
            raw_into(self.frame, name, &mut raw)?;
            self.set(name, ask.is_match(&raw));
        }
        Ok(())
    }

    /// The names of this part among ascending ones.
    pub(super) fn ours<'a>(&self, list: &'a [u32]) -> impl Iterator<Item = u32> + use<'a> {
        let first = list.partition_point(|&name| name < self.names.start);
        let end = self.names.end;
        let rest = list.get(first..).unwrap_or_default().iter().copied();
        rest.take_while(move |&name| name < end)
    }

    /// The names of this part whose raw form is more than the case of ASCII letters.
    pub(super) fn odd(&self) -> Vec<u32> {
        let odd = self.frame.names.odd_names();
        let (mut low, mut high) = (0, odd.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match odd.get(middle) {
                Some(name) if name < self.names.start => low = middle + 1,
                _ => high = middle,
            }
        }
        let rest = odd.iter(low..odd.len());
        rest.take_while(|&name| name < self.names.end).collect()
    }
}

/// Scans the names of a range; `work` sets those that match. Each thread has what `make` makes.
pub(super) fn scan<S>(
    frame: &Frame<'_>,
    names: Range<u32>,
    make: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &mut Part<'_, '_>) -> Result<(), SelectError> + Sync,
) -> Result<NameSet, SelectError> {
    if names.is_empty() {
        return Ok(NameSet::none());
    }
    let first = names.start / NAMES;
    let pieces = names.end.div_ceil(NAMES) - first;
    let found = in_pieces_with(pieces as usize, frame.run, make, |own, piece| {
        // There are fewer pieces than names.
        let start = (first + piece as u32) * NAMES;
        let range = start.max(names.start)..start.saturating_add(NAMES).min(names.end);
        let (from, to) = (
            frame.names.range(range.start)?.start,
            frame.names.range(range.end - 1)?.end + 1,
        );
        let mut part = Part {
            frame,
            start: from,
            bytes: frame.names.arena().get(from..to).unwrap_or_default(),
            found: bits::empty(range.end - range.start),
            names: range,
        };
        work(own, &mut part)?;
        Ok((part.names.start, part.found))
    })?;
    Ok(together(frame, found))
}

fn together(frame: &Frame<'_>, found: Vec<(u32, Vec<u64>)>) -> NameSet {
    let few = found
        .iter()
        .map(|(_, words)| bits::count(words))
        .sum::<u32>()
        < FEW;
    if few {
        let list = found.iter().flat_map(|(start, words)| {
            let start = *start;
            bits::ones(words).map(move |bit| start + bit)
        });
        return NameSet::List(list.collect());
    }
    let mut words = bits::empty(frame.names.len());
    for (start, part) in found {
        let at = start as usize / 64;
        if start % 64 == 0 {
            words[at..at + part.len()].copy_from_slice(&part);
        } else {
            bits::ones(&part).for_each(|bit| bits::set(&mut words, start + bit));
        }
    }
    NameSet::Bits(words)
}

/// Asks each name of a range by its raw form.
pub(super) fn ask_each(
    frame: &Frame<'_>,
    names: Range<u32>,
    ask: &Ask<'_>,
) -> Result<NameSet, SelectError> {
    if names.end.saturating_sub(names.start) <= FEW {
        return ask_these(frame, &NameSet::Range(names), ask);
    }
    let make = || Own::of(ask);
    scan(frame, names, make, |own, part| {
        part.ask_again(part.names.clone(), &own.ask())
    })
}

/// Asks each of these names by its raw form.
pub(super) fn ask_these(
    frame: &Frame<'_>,
    names: &NameSet,
    ask: &Ask<'_>,
) -> Result<NameSet, SelectError> {
    let list: Vec<u32> = names.iter().collect();
    let parts: Vec<&[u32]> = list.chunks(FEW as usize * 4).collect();
    let make = || Own::of(ask);
    let kept = in_pieces_with(parts.len(), frame.run, make, |own, at| {
        let (mut raw, mut kept) = (Vec::new(), Vec::new());
        for &name in parts[at] {
            raw_into(frame, name, &mut raw)?;
            if own.ask().is_match(&raw) {
                kept.push(name);
            }
        }
        Ok(kept)
    })?;
    Ok(NameSet::List(kept.concat()))
}

/// A question with a pattern of its own: the regex engine's working memory belongs to one thread.
enum Own {
    Name(Pattern),
    Stem(Pattern),
    Extension(Pattern),
    Length(Vec<RangeInclusive<u64>>),
}

impl Own {
    fn of(ask: &Ask<'_>) -> Own {
        match *ask {
            Ask::Name(pattern) => Own::Name(pattern.clone()),
            Ask::Stem(pattern) => Own::Stem(pattern.clone()),
            Ask::Extension(pattern) => Own::Extension(pattern.clone()),
            Ask::Length(ranges) => Own::Length(ranges.to_vec()),
        }
    }

    fn ask(&self) -> Ask<'_> {
        match self {
            Own::Name(pattern) => Ask::Name(pattern),
            Own::Stem(pattern) => Ask::Stem(pattern),
            Own::Extension(pattern) => Ask::Extension(pattern),
            Own::Length(ranges) => Ask::Length(ranges),
        }
    }
}

/// Names of these lengths. Folding leaves the number of characters as it is.
pub(super) fn lengths(
    frame: &Frame<'_>,
    ranges: &[RangeInclusive<u64>],
) -> Result<NameSet, SelectError> {
    scan(
        frame,
        super::all(frame),
        || (),
        |(), part| {
            let bytes: &[u8] = part.bytes;
            for (name, folded) in part.names.clone().zip(bytes.split(|&byte| byte == 0)) {
                let length = characters(folded);
                if ranges.iter().any(|range| range.contains(&length)) {
                    part.set(name, true);
                }
            }
            Ok(())
        },
    )
}

/// Names that a regex matches.
pub(super) fn regex(
    frame: &Frame<'_>,
    regex: &ArenaRegex,
    pattern: &Pattern,
    sees_strays: bool,
) -> Result<NameSet, SelectError> {
    let strays = if sees_strays {
        frame.names.not_text()?
    } else {
        &[]
    };
    let make = || (regex.clone(), pattern.clone(), Vec::new());
    scan(
        frame,
        super::all(frame),
        make,
        |(regex, pattern, raw), part| {
            let find = |bytes: &[u8], at: usize| regex.find(bytes, at);
            part.each_hit(find, |name, _| {
                if regex.is_exact() {
                    return Ok(Verdict::Yes);
                }
                raw_into(frame, name, raw)?;
                Ok(match pattern.is_match(raw) {
                    true => Verdict::Yes,
                    false => Verdict::No,
                })
            })?;
            let ask = Ask::Name(pattern);
            let odd = part.odd();
            part.ask_again(odd.into_iter(), &ask)?;
            let ours = part.ours(strays);
            part.ask_again(ours, &ask)
        },
    )
}
