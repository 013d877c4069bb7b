//! What can be told of a regex from its parsed form.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

use super::error::PatternError;
use super::literal::Place;
use super::scratch::STRAY;

/// A pattern that needs no regex engine.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Everything,
    /// Everything but the empty text, which is no name.
    NotEmpty,
    Plain {
        text: Vec<u8>,
        place: Place,
        no_slash: bool,
    },
    Affixes {
        prefix: Vec<u8>,
        suffix: Vec<u8>,
        no_slash: bool,
    },
}

/// Parses a regex as the matcher will read it.
pub(crate) fn parse(regex: &str, fold: bool) -> Result<Hir, PatternError> {
    let mut parser = ParserBuilder::new()
        .utf8(false)
        .dot_matches_new_line(true)
        .case_insensitive(fold)
        .build();
    Ok(parser.parse(regex)?)
}

/// A part of a pattern that may be plain text, in the order of the pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Start,
    End,
    Text(Vec<u8>),
    /// Any number of any characters.
    Gap,
    /// Any number of characters other than `/`.
    GapWithinName,
}

/// The plain-text shape of a regex, if it has one.
pub(super) fn shape(hir: &Hir) -> Option<Shape> {
    if is_any_character(hir) {
        return Some(Shape::NotEmpty);
    }
    let mut parts = Vec::new();
    collect(hir, &mut parts)?;
    // Without an anchor, a gap at the edge takes nothing away.
    if parts.first() != Some(&Part::Start) {
        while is_gap(parts.first()) {
            parts.remove(0);
        }
        parts.splice(0..0, [Part::Start, Part::Gap]);
    }
    if parts.last() != Some(&Part::End) {
        while is_gap(parts.last()) && parts.len() > 2 {
            parts.pop();
        }
        parts.extend([Part::Gap, Part::End]);
    }
    shape_of_anchored(&parts[1..parts.len() - 1])
}

fn is_gap(part: Option<&Part>) -> bool {
    matches!(part, Some(Part::Gap | Part::GapWithinName))
}

fn shape_of_anchored(parts: &[Part]) -> Option<Shape> {
    use Part::{Gap, GapWithinName, Text};
    let plain = |text: &[u8], place, no_slash| {
        Some(Shape::Plain {
            text: text.to_vec(),
            place,
            no_slash,
        })
    };
    match parts {
        [] => plain(b"", Place::Whole, false),
        [Gap] | [Gap, Gap] => Some(Shape::Everything),
        [GapWithinName] => plain(b"", Place::Anywhere, true),
        [Text(text)] => plain(text, Place::Whole, false),
        [Gap, Text(text), Gap] => plain(text, Place::Anywhere, false),
        [GapWithinName, Text(text), GapWithinName] if !text.contains(&b'/') => {
            plain(text, Place::Anywhere, true)
        }
        [Text(text), Gap] => plain(text, Place::Start, false),
        [Text(text), GapWithinName] => plain(text, Place::Start, true),
        [Gap, Text(text)] => plain(text, Place::End, false),
        [GapWithinName, Text(text)] => plain(text, Place::End, true),
        [Text(prefix), gap @ (Gap | GapWithinName), Text(suffix)] => Some(Shape::Affixes {
            prefix: prefix.clone(),
            suffix: suffix.clone(),
            no_slash: *gap == GapWithinName,
        }),
        _ => None,
    }
}

/// Appends the parts of `hir`; `None` when something in it is no part.
fn collect(hir: &Hir, parts: &mut Vec<Part>) -> Option<()> {
    match hir.kind() {
        HirKind::Empty => {}
        HirKind::Capture(capture) => collect(&capture.sub, parts)?,
        HirKind::Concat(list) => list.iter().try_for_each(|sub| collect(sub, parts))?,
        HirKind::Look(Look::Start) if parts.is_empty() => parts.push(Part::Start),
        HirKind::Look(Look::End) => parts.push(Part::End),
        // An anchor ends the pattern; what follows it is for the regex engine to reject.
        _ if parts.last() == Some(&Part::End) => return None,
        HirKind::Literal(literal) => match parts.last_mut() {
            Some(Part::Text(text)) => text.extend_from_slice(&literal.0),
            _ => parts.push(Part::Text(literal.0.to_vec())),
        },
        HirKind::Repetition(repetition) => parts.push(gap(repetition)?),
        _ => return None,
    }
    Some(())
}

/// `.`, which people write for "everything", and `.+`.
fn is_any_character(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Repetition(plus) if plus.min == 1 => is_any_character(&plus.sub),
        _ => class_ranges(hir).as_deref() == Some(&[('\0', char::MAX)]),
    }
}

fn class_ranges(hir: &Hir) -> Option<Vec<(char, char)>> {
    match hir.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            Some(class.iter().map(|r| (r.start(), r.end())).collect())
        }
        _ => None,
    }
}

fn gap(repetition: &Repetition) -> Option<Part> {
    if repetition.min != 0 || repetition.max.is_some() {
        return None;
    }
    match class_ranges(&repetition.sub)?[..] {
        [('\0', char::MAX)] => Some(Part::Gap),
        [('\0', '.'), ('0', char::MAX)] => Some(Part::GapWithinName),
        _ => None,
    }
}

/// Whether a stray byte can matter: a class takes it, or a word boundary looks at it.
pub(super) fn sees_strays(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Class(Class::Unicode(class)) => class.iter().any(|r| r.end() == STRAY),
        HirKind::Look(look) => !matches!(look, Look::Start | Look::End),
        _ => hir.kind().subs().iter().any(sees_strays),
    }
}

/// Whether a `/` stands for itself somewhere.
pub(super) fn mentions_slash(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => literal.0.contains(&b'/'),
        _ => hir.kind().subs().iter().any(mentions_slash),
    }
}

/// Whether every match begins at the start of the name and with a dot.
pub(super) fn only_leading_dot(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Capture(capture) => only_leading_dot(&capture.sub),
        HirKind::Alternation(list) => list.iter().all(only_leading_dot),
        HirKind::Concat(list) => match list.split_first() {
            Some((first, rest)) if *first.kind() == HirKind::Look(Look::Start) => {
                rest.first().is_some_and(begins_with_dot)
            }
            Some((first, _)) => only_leading_dot(first),
            None => false,
        },
        _ => false,
    }
}

fn begins_with_dot(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => literal.0.starts_with(b"."),
        HirKind::Capture(capture) => begins_with_dot(&capture.sub),
        HirKind::Repetition(repetition) => repetition.min > 0 && begins_with_dot(&repetition.sub),
        HirKind::Concat(list) => list.first().is_some_and(begins_with_dot),
        HirKind::Alternation(list) => list.iter().all(begins_with_dot),
        _ => false,
    }
}
