//! How names must begin and end for a regex to match at all: most names are turned away by a look
//! at their first and last bytes, without the regex engine.
//!
//! Only ASCII is looked at. A name with another byte at that edge is left to the regex, so neither
//! folding beyond ASCII nor stray bytes need to be known here.

use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// More endings than this are not worth comparing one by one.
const MOST_SUFFIXES: usize = 32;

/// What is known of the edges of every matching name.
#[derive(Clone, Debug)]
pub(super) struct Edges {
    /// ASCII bytes that a name may begin with, a bit each.
    first: u128,
    /// ASCII bytes that a name may end with.
    last: u128,
    /// ASCII endings in lower case, one of which a name must have; none: any will do.
    suffixes: Vec<Vec<u8>>,
    /// Length of the longest ending.
    longest: usize,
}

impl Edges {
    /// What a parsed regex tells, if anything.
    pub(super) fn of(hir: &Hir) -> Option<Edges> {
        let first = first_of_anchored(hir);
        let suffixes = suffixes_of_anchored(hir).filter(|list| !list.iter().any(Vec::is_empty));
        if first.is_none() && suffixes.is_none() {
            return None;
        }
        let suffixes = suffixes.unwrap_or_default();
        Some(Edges {
            first: first.unwrap_or(u128::MAX),
            last: last_bytes(&suffixes),
            longest: suffixes.iter().map(Vec::len).max().unwrap_or(0),
            suffixes,
        })
    }

    /// Whether a name may match.
    #[inline]
    pub(super) fn admit(&self, name: &[u8]) -> bool {
        let (Some(&first), Some(&last)) = (name.first(), name.last()) else {
            return true;
        };
        holds(self.first, first) && holds(self.last, last) && self.admit_end(name)
    }

    fn admit_end(&self, name: &[u8]) -> bool {
        let end = &name[name.len().saturating_sub(self.longest)..];
        let ends_so = |suffix: &Vec<u8>| match end.len().checked_sub(suffix.len()) {
            Some(start) => end[start..].eq_ignore_ascii_case(suffix),
            None => false,
        };
        self.suffixes.is_empty() || !end.is_ascii() || self.suffixes.iter().any(ends_so)
    }
}

/// Whether a byte is in a set; bytes beyond ASCII always are.
#[inline]
fn holds(set: u128, byte: u8) -> bool {
    !byte.is_ascii() || set >> byte & 1 == 1
}

fn last_bytes(suffixes: &[Vec<u8>]) -> u128 {
    if suffixes.is_empty() {
        return u128::MAX;
    }
    let last = suffixes.iter().filter_map(|suffix| suffix.last());
    last.fold(0, |set, &byte| {
        set | bit(byte) | bit(byte.to_ascii_uppercase())
    })
}

fn bit(byte: u8) -> u128 {
    if byte.is_ascii() { 1 << byte } else { 0 }
}

/// The ASCII bytes that a match can begin with, where every match begins at the start.
fn first_of_anchored(hir: &Hir) -> Option<u128> {
    match hir.kind() {
        HirKind::Capture(capture) => first_of_anchored(&capture.sub),
        HirKind::Alternation(list) => union(list, first_of_anchored),
        HirKind::Concat(list) => match list.split_first() {
            Some((first, rest)) if *first.kind() == HirKind::Look(Look::Start) => first_of(rest),
            Some((first, _)) => first_of_anchored(first),
            None => None,
        },
        _ => None,
    }
}

/// The ASCII bytes that what these match in a row can begin with; `None` where that may be nothing.
fn first_of(list: &[Hir]) -> Option<u128> {
    let first = list.first()?;
    match first.kind() {
        HirKind::Empty => first_of(&list[1..]),
        HirKind::Literal(literal) => literal.0.first().map(|&byte| bit(byte)),
        HirKind::Class(class) => Some(ascii_of(class)),
        HirKind::Capture(capture) => first_of(std::slice::from_ref(&capture.sub)),
        HirKind::Concat(inner) => first_of(inner),
        HirKind::Alternation(inner) => union(inner, |hir| first_of(std::slice::from_ref(hir))),
        HirKind::Repetition(repetition) if repetition.min > 0 => {
            first_of(std::slice::from_ref(&repetition.sub))
        }
        _ => None,
    }
}

fn union(list: &[Hir], of: impl Fn(&Hir) -> Option<u128>) -> Option<u128> {
    list.iter().try_fold(0, |set, hir| Some(set | of(hir)?))
}

fn ascii_of(class: &Class) -> u128 {
    let range = |start: u32, end: u32| (start..=end.min(127)).fold(0, |set, c| set | 1u128 << c);
    match class {
        Class::Unicode(class) => class
            .iter()
            .fold(0, |set, r| set | range(r.start().into(), r.end().into())),
        Class::Bytes(class) => class
            .iter()
            .fold(0, |set, r| set | range(r.start().into(), r.end().into())),
    }
}

/// The ASCII endings in lower case, one of which every match has, where every match ends at the
/// end.
fn suffixes_of_anchored(hir: &Hir) -> Option<Vec<Vec<u8>>> {
    match hir.kind() {
        HirKind::Capture(capture) => suffixes_of_anchored(&capture.sub),
        HirKind::Alternation(list) => join(list.iter().map(suffixes_of_anchored)),
        HirKind::Concat(list) => match list.split_last() {
            Some((last, rest)) if *last.kind() == HirKind::Look(Look::End) => Some(endings(rest)),
            Some((last, _)) => suffixes_of_anchored(last),
            None => None,
        },
        _ => None,
    }
}

/// How what these match in a row can end, as far back as that is known.
fn endings(list: &[Hir]) -> Vec<Vec<u8>> {
    let mut known = vec![Vec::new()];
    for hir in list.iter().rev() {
        match texts(hir).map(|before| cross(&before, &known)) {
            Some(longer) if longer.len() <= MOST_SUFFIXES => known = longer,
            _ => break,
        }
    }
    known
}

/// All ASCII texts in lower case that are matched; `None` where there are many, or others.
fn texts(hir: &Hir) -> Option<Vec<Vec<u8>>> {
    let found = match hir.kind() {
        HirKind::Empty => vec![Vec::new()],
        HirKind::Literal(literal) if literal.0.is_ascii() => vec![literal.0.to_ascii_lowercase()],
        HirKind::Class(class) => letters(ascii_of(class)),
        HirKind::Capture(capture) => texts(&capture.sub)?,
        HirKind::Alternation(list) => join(list.iter().map(texts))?,
        HirKind::Concat(list) => {
            let mut all = vec![Vec::new()];
            for sub in list {
                all = cross(&all, &texts(sub)?);
                if all.len() > MOST_SUFFIXES {
                    return None;
                }
            }
            all
        }
        _ => return None,
    };
    (!found.is_empty() && found.len() <= MOST_SUFFIXES).then_some(found)
}

/// The bytes of a set in lower case, each as a text.
fn letters(set: u128) -> Vec<Vec<u8>> {
    let bytes = (0..128u8).filter(|&byte| holds(set, byte));
    let mut lower: Vec<Vec<u8>> = bytes.map(|byte| vec![byte.to_ascii_lowercase()]).collect();
    lower.sort();
    lower.dedup();
    lower
}

fn join(lists: impl Iterator<Item = Option<Vec<Vec<u8>>>>) -> Option<Vec<Vec<u8>>> {
    let all: Option<Vec<_>> = lists.collect();
    let all = all?.concat();
    (all.len() <= MOST_SUFFIXES).then_some(all)
}

fn cross(before: &[Vec<u8>], after: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let pairs = before
        .iter()
        .flat_map(|a| after.iter().map(move |b| [&a[..], &b[..]].concat()));
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::super::analyse::parse;
    use super::*;
    use proptest::prelude::*;

    fn edges(regex: &str, fold: bool) -> Option<Edges> {
        Edges::of(&parse(regex, fold).unwrap())
    }

    #[test]
    fn both_edges_of_an_anchored_pattern_are_known() {
        let edges = edges(r"^[a-m].*[0-9].*\.(html|js|c)$", true).unwrap();
        assert_eq!(edges.suffixes, [&b".html"[..], b".js", b".c"]);
        for (name, admitted) in [
            ("abc.js", true),
            ("Abc.JS", true),
            ("zbc.js", false),
            ("abc.rs", false),
            ("abc.jsx", false),
            ("a.j\u{17f}", true),
            ("äbc.js", true),
            ("c", false),
        ] {
            assert_eq!(edges.admit(name.as_bytes()), admitted, "{name}");
        }
    }

    #[test]
    fn nothing_is_known_without_anchors() {
        for regex in [
            "a.*b", "a$|b", "^a|b", "^(?:a|)", "a*$", r"\ba\b", "(?m)^a$",
        ] {
            assert!(edges(regex, false).is_none(), "{regex}");
        }
    }

    proptest! {
        #[test]
        fn no_match_is_turned_away(
            regex in r"\^?(\(\?:)?[abK.]{0,2}([*+?]|\{1,2\})?(\[ab\]|\[\^k\]|\|a|s)?(\$|\|b\$)?",
            name in r"[abkKsS\x{17f}\x{212a}]{0,5}",
            fold in any::<bool>(),
        ) {
            let regex = if regex.contains("(?:") { regex + ")" } else { regex };
            if let Ok(hir) = parse(&regex, fold)
                && let Some(edges) = Edges::of(&hir)
            {
                let engine = regex::bytes::RegexBuilder::new(&regex)
                    .case_insensitive(fold)
                    .build()
                    .unwrap();
                prop_assert!(edges.admit(name.as_bytes()) || !engine.is_match(name.as_bytes()));
            }
        }
    }
}
