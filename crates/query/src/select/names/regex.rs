//! One regex for all names at once: what must be other in it so that it can run over the arena,
//! where names are folded and stand between NULs.

use memchr::memchr;
use memchr::memmem::Finder;
use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::hir::{Capture, Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look};
use regex_syntax::hir::{Repetition, print::Printer};

use crate::pattern::analyse;

/// How much memory it may take, in bytes.
const SIZE_LIMIT: usize = 20 << 20;

/// A regex that runs over folded names with NULs between them. What it finds holds no NUL.
#[derive(Clone, Debug)]
pub(super) struct ArenaRegex {
    regex: Regex,
    edges: Option<Edges>,
    is_exact: bool,
}

/// Literals that every match begins and ends with, at the end of a name: most names that hold the one do
/// not have the other, and looking at both is cheaper than running a regex.
#[derive(Clone, Debug)]
struct Edges {
    start: Finder<'static>,
    end: Vec<u8>,
}

impl Edges {
    fn of(folded: &Hir) -> Option<Edges> {
        let HirKind::Concat(list) = folded.kind() else {
            return None;
        };
        let [first, .., last, end] = &list[..] else {
            return None;
        };
        match (first.kind(), last.kind(), end.kind()) {
            (HirKind::Literal(start), HirKind::Literal(end), HirKind::Look(Look::EndLF)) => {
                Some(Edges {
                    start: Finder::new(&start.0).into_owned(),
                    end: end.0.to_vec(),
                })
            }
            _ => None,
        }
    }
}

impl ArenaRegex {
    /// From the text of a pattern; `None` where names must be asked one by one.
    pub(super) fn new(text: &str, fold: bool) -> Option<ArenaRegex> {
        let hir = analyse::parse(text, fold).ok()?;
        let folded = folded(&without_gaps(&hir), Ends::OfLines)?;
        let mut printed = String::new();
        Printer::new().print(&folded, &mut printed).ok()?;
        let regex = RegexBuilder::new(&printed)
            .line_terminator(0)
            .size_limit(SIZE_LIMIT)
            .build()
            .ok()?;
        Some(ArenaRegex {
            regex,
            edges: Edges::of(&folded),
            is_exact: ignores_ascii_case(&hir),
        })
    }

    /// Whether every name found matches; otherwise its raw form has to be asked.
    pub(super) fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// A place in the next name that matches, or its NUL: no match goes past that.
    #[inline]
    pub(super) fn find(&self, bytes: &[u8], at: usize) -> Option<usize> {
        match &self.edges {
            Some(edges) => self.find_between(edges, bytes, at),
            None => self.regex.shortest_match_at(bytes, at),
        }
    }

    fn find_between(&self, edges: &Edges, bytes: &[u8], mut at: usize) -> Option<usize> {
        loop {
            let hit = at + edges.start.find(bytes.get(at..)?)?;
            let end = memchr(0, &bytes[hit..]).map_or(bytes.len(), |nul| hit + nul);
            if bytes[hit..end].ends_with(&edges.end) && self.regex.is_match_at(&bytes[..end], hit) {
                return Some(hit);
            }
            at = end + 1;
        }
    }
}

/// Leaves `^[^/]*` away at the start, and `[^/]*$` at the end: names have no slash, so that what is
/// between may stand anywhere. Names that are no text are asked for themselves.
fn without_gaps(hir: &Hir) -> Hir {
    let HirKind::Concat(list) = hir.kind() else {
        return hir.clone();
    };
    let mut rest = &list[..];
    if let [start, gap, others @ ..] = rest
        && *start.kind() == HirKind::Look(Look::Start)
        && is_gap(gap)
        && !others.is_empty()
    {
        rest = others;
    }
    if let [others @ .., gap, end] = rest
        && *end.kind() == HirKind::Look(Look::End)
        && is_gap(gap)
        && !others.is_empty()
    {
        rest = others;
    }
    Hir::concat(rest.to_vec())
}

/// Any number of any characters, a slash perhaps excepted.
fn is_gap(hir: &Hir) -> bool {
    let HirKind::Repetition(Repetition {
        min: 0,
        max: None,
        sub,
        ..
    }) = hir.kind()
    else {
        return false;
    };
    let HirKind::Class(Class::Unicode(class)) = sub.kind() else {
        return false;
    };
    let ranges: Vec<(char, char)> = class.iter().map(|r| (r.start(), r.end())).collect();
    matches!(
        ranges[..],
        [('\0', char::MAX)] | [('\0', '.'), ('0', char::MAX)]
    )
}

/// What becomes of the ends of the text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// They are ends of lines.
    OfLines,
    /// They stay.
    Stay,
}

/// A regex whose matches in a folded text are at least those of `hir` in a text that folds to it
/// by ASCII case alone, without NUL. `None` where that cannot be said.
pub(super) fn folded(hir: &Hir, ends: Ends) -> Option<Hir> {
    let list =
        |list: &[Hir]| -> Option<Vec<Hir>> { list.iter().map(|sub| folded(sub, ends)).collect() };
    Some(match hir.kind() {
        HirKind::Empty => Hir::empty(),
        HirKind::Literal(literal) if literal.0.contains(&0) => Hir::fail(),
        HirKind::Literal(literal) => {
            std::str::from_utf8(&literal.0).ok()?;
            Hir::literal(literal.0.to_ascii_lowercase())
        }
        HirKind::Class(Class::Unicode(class)) => Hir::class(Class::Unicode(folded_class(class))),
        HirKind::Class(Class::Bytes(class)) => {
            let class = class.to_unicode_class()?;
            Hir::class(Class::Unicode(folded_class(&class)))
        }
        HirKind::Look(Look::Start) if ends == Ends::OfLines => Hir::look(Look::StartLF),
        HirKind::Look(Look::End) if ends == Ends::OfLines => Hir::look(Look::EndLF),
        HirKind::Look(Look::StartLF | Look::EndLF | Look::StartCRLF | Look::EndCRLF) => {
            return None;
        }
        HirKind::Look(look) => Hir::look(*look),
        HirKind::Repetition(repetition) => Hir::repetition(Repetition {
            sub: Box::new(folded(&repetition.sub, ends)?),
            ..repetition.clone()
        }),
        HirKind::Capture(Capture { sub, .. }) => folded(sub, ends)?,
        HirKind::Concat(subs) => Hir::concat(list(subs)?),
        HirKind::Alternation(subs) => Hir::alternation(list(subs)?),
    })
}

/// The class with its capitals made small, and without what no folded name has.
fn folded_class(class: &ClassUnicode) -> ClassUnicode {
    let mut folded = class.clone();
    let capitals = one_range('A', 'Z');
    let mut small = class.clone();
    small.intersect(&capitals);
    let lower = small.iter().map(|range| {
        let (start, end) = (range.start(), range.end());
        ClassUnicodeRange::new(start.to_ascii_lowercase(), end.to_ascii_lowercase())
    });
    folded.union(&ClassUnicode::new(lower));
    // The long s and the sign of Kelvin fold to ASCII letters.
    for (start, end) in [
        ('A', 'Z'),
        ('\0', '\0'),
        ('\u{17f}', '\u{17f}'),
        ('\u{212a}', '\u{212a}'),
    ] {
        folded.difference(&one_range(start, end));
    }
    folded
}

fn one_range(start: char, end: char) -> ClassUnicode {
    ClassUnicode::new([ClassUnicodeRange::new(start, end)])
}

/// Whether it makes no difference to a regex in which case ASCII letters are.
fn ignores_ascii_case(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => !literal.0.iter().any(u8::is_ascii_alphabetic),
        HirKind::Class(Class::Unicode(class)) => is_closed(class),
        HirKind::Class(Class::Bytes(class)) => class
            .to_unicode_class()
            .is_some_and(|class| is_closed(&class)),
        _ => hir.kind().subs().iter().all(ignores_ascii_case),
    }
}

fn is_closed(class: &ClassUnicode) -> bool {
    let holds = |c: char| class.iter().any(|r| r.start() <= c && c <= r.end());
    ('a'..='z').all(|c| holds(c) == holds(c.to_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, fold: bool) -> Vec<usize> {
        let regex = ArenaRegex::new(pattern, fold).unwrap();
        let arena = b"ab.rs\0abc\0k\0x-y.js\0";
        let (mut starts, mut at) = (Vec::new(), 0);
        while let Some(hit) = regex.find(arena, at).filter(|&hit| hit < arena.len()) {
            // The start of the name.
            let before = arena[..hit].iter().rposition(|&b| b == 0);
            starts.push(before.map_or(0, |nul| nul + 1));
            at = hit + 1 + arena[hit..].iter().position(|&b| b == 0).unwrap();
        }
        starts
    }

    #[test]
    fn names_are_lines() {
        assert_eq!(found("^ab", true), [0, 6]);
        assert_eq!(found("s$", true), [0, 12]);
        assert_eq!(found("^.{1,3}$", true), [6, 10]);
        assert_eq!(found("^[^b]+$", true), [10, 12]);
        assert_eq!(found(r"\bjs\b", true), [12]);
        assert_eq!(found("K", true), [10]);
        assert_eq!(found("$", true), [0, 6, 10, 12]);
        assert_eq!(found("^[^/]*b.[^/]*$", true), [0, 6]);
        assert_eq!(found("^.*$", true), [0, 6, 10, 12]);
        assert_eq!(found(r"\x00|a\x00b", true), [] as [usize; 0]);
        assert_eq!(found("AB", false), [0, 6]);
        assert_eq!(found("x.*js$", true), [12]);
        assert_eq!(found("A.*c$", false), [6]);
        assert_eq!(found("x.*y$", true), [] as [usize; 0]);
        assert_eq!(found("y.j.*js$", true), [] as [usize; 0]);
        assert_eq!(found("b.?s$", true), [] as [usize; 0]);
        assert_eq!(found(r"b\..?s$", true), [0]);
    }

    #[test]
    fn says_when_case_matters() {
        let exact = |pattern, fold| ArenaRegex::new(pattern, fold).unwrap().is_exact();
        assert!(exact("abc", true) && exact(r"^\d+[-_.]$", false) && exact(".*", false));
        assert!(!exact("abc", false) && !exact("[a-z]", false) && !exact("(?-i)a", true));
        assert!(ArenaRegex::new("(?m)^a", true).is_none());
        assert!(ArenaRegex::new(r"(?-u:\xff)", true).is_none());
    }
}
