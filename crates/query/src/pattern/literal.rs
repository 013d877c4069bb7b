//! Plain text at a place of a name: the fast path of nearly every pattern.

use groma_base::folded;
use memchr::memmem::Finder;
use memchr::{memchr, memchr2};

use super::form::{Plain, Stands};
use super::scratch::with_folded;

/// Where in the name a plain text must stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Anywhere,
    Start,
    End,
    Whole,
}

#[derive(Clone, Debug)]
pub(super) struct Literal {
    what: What,
    /// Whether the rest of the name must have no `/`.
    no_slash: bool,
    /// Whether case is ignored; the texts are folded then.
    fold: bool,
}

#[derive(Clone, Debug)]
enum What {
    Anywhere(Box<Needle>),
    Start(Box<[u8]>),
    End(Box<[u8]>),
    Whole(Box<[u8]>),
    Affixes(Box<[u8]>, Box<[u8]>),
}

#[derive(Clone, Debug)]
struct Needle {
    finder: Finder<'static>,
    /// Position and value of the byte that is rarest in names, for folded search.
    rare_at: usize,
    rare: u8,
}

impl Literal {
    pub(super) fn new(text: &[u8], place: Place, no_slash: bool, fold: bool) -> Literal {
        let text: Box<[u8]> = prepared(text, fold);
        let what = match place {
            Place::Anywhere => What::Anywhere(Box::new(Needle::new(&text))),
            Place::Start => What::Start(text),
            Place::End => What::End(text),
            Place::Whole => What::Whole(text),
        };
        Literal {
            what,
            no_slash,
            fold,
        }
    }

    /// A name that begins with one text and, after it, ends with another.
    pub(super) fn affixes(prefix: &[u8], suffix: &[u8], no_slash: bool, fold: bool) -> Literal {
        let what = What::Affixes(prepared(prefix, fold), prepared(suffix, fold));
        Literal {
            what,
            no_slash,
            fold,
        }
    }

    pub(super) fn plain(&self) -> Plain<'_> {
        let stands = match &self.what {
            What::Anywhere(needle) => Stands::Anywhere(needle.finder.needle()),
            What::Start(text) => Stands::AtStart(text),
            What::End(text) => Stands::AtEnd(text),
            What::Whole(text) => Stands::Alone(text),
            What::Affixes(prefix, suffix) => Stands::Around(prefix, suffix),
        };
        Plain {
            stands,
            fold: self.fold,
            no_slash: self.no_slash,
        }
    }

    #[inline]
    pub(super) fn is_match(&self, name: &[u8]) -> bool {
        if !self.fold {
            self.find(name, |a, b| a == b, Needle::find)
        } else if name.is_ascii() {
            self.find(name, <[u8]>::eq_ignore_ascii_case, Needle::find_folded)
        } else {
            with_folded(name, |folded| {
                self.find(folded, |a, b| a == b, Needle::find)
            })
        }
    }

    /// The one place that knows what each form means; how bytes are compared is handed in.
    #[inline]
    fn find(
        &self,
        name: &[u8],
        equal: impl Fn(&[u8], &[u8]) -> bool,
        find: impl Fn(&Needle, &[u8]) -> bool,
    ) -> bool {
        let free = |rest: &[u8]| !self.no_slash || memchr(b'/', rest).is_none();
        match &self.what {
            What::Anywhere(needle) => find(needle, name) && free(name),
            What::Whole(text) => equal(name, text),
            What::Start(text) => name
                .split_at_checked(text.len())
                .is_some_and(|(head, rest)| equal(head, text) && free(rest)),
            What::End(text) => split_end(name, text.len())
                .is_some_and(|(rest, tail)| equal(tail, text) && free(rest)),
            What::Affixes(prefix, suffix) => name
                .split_at_checked(prefix.len())
                .filter(|(head, _)| equal(head, prefix))
                .and_then(|(_, rest)| split_end(rest, suffix.len()))
                .is_some_and(|(rest, tail)| equal(tail, suffix) && free(rest)),
        }
    }
}

fn prepared(text: &[u8], fold: bool) -> Box<[u8]> {
    if fold {
        folded(text).into()
    } else {
        text.into()
    }
}

#[inline]
fn split_end(name: &[u8], len: usize) -> Option<(&[u8], &[u8])> {
    name.len().checked_sub(len).map(|at| name.split_at(at))
}

impl Needle {
    fn new(text: &[u8]) -> Needle {
        let rarest = text.iter().enumerate().min_by_key(|&(_, &b)| commonness(b));
        let (rare_at, rare) = rarest.map_or((0, 0), |(at, &b)| (at, b));
        Needle {
            finder: Finder::new(text).into_owned(),
            rare_at,
            rare,
        }
    }

    fn find(&self, name: &[u8]) -> bool {
        self.finder.find(name).is_some()
    }

    /// Search in an ASCII name whatever the case; the needle is folded.
    fn find_folded(&self, name: &[u8]) -> bool {
        let needle = self.finder.needle();
        if needle.is_empty() {
            return true;
        }
        let (lower, upper) = (self.rare, self.rare.to_ascii_uppercase());
        // The rare byte cannot stand so early that the needle's start would fall off the name.
        let mut from = self.rare_at;
        while let Some(rest) = name.get(from..) {
            let hit = if lower == upper {
                memchr(lower, rest)
            } else {
                memchr2(lower, upper, rest)
            };
            let Some(offset) = hit else { return false };
            let start = from + offset - self.rare_at;
            match name.get(start..start + needle.len()) {
                Some(candidate) if candidate.eq_ignore_ascii_case(needle) => return true,
                Some(_) => from += offset + 1,
                None => return false,
            }
        }
        false
    }
}

/// Roughly how common a byte is in file names; only speed depends on it.
pub(crate) fn commonness(byte: u8) -> usize {
    const RARE_TO_COMMON: &[u8] = b"qzjxkw#vyb~+=@%&!$,9876543fhgumdp210lc-_onrsaite.";
    RARE_TO_COMMON
        .iter()
        .position(|&b| b == byte)
        .map_or(0, |at| at + 1)
}
