//! Name patterns: what a name must look like.
//!
//! Names are bytes. A pattern is read as Unicode text, so that one `.` stands for one character;
//! in a name that is not UTF-8, each stray byte counts as one character that is no letter, digit
//! or white space: `bad.\.txt` and `bad?.txt` match `bad\xff.txt`.
//!
//! Most patterns that people type are plain text with or without an anchor; those never reach the
//! regex engine.

pub(crate) mod analyse;
mod edges;
mod error;
mod extensions;
mod form;
mod glob;
mod literal;
mod matcher;
mod scratch;
mod uppercase;

use regex_syntax::hir::Hir;

pub use error::PatternError;
pub use extensions::Extensions;
pub(crate) use form::{Form, Plain, Stands};
pub(crate) use literal::{Place, commonness};

use analyse::Shape;
use literal::Literal;
use matcher::{ByteRegex, Matcher};

/// How the text of a pattern is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// A regular expression that may match anywhere in the name.
    Regex,
    /// A glob for the whole name: `* ? [a-z] {a,b} **`; only `**` crosses a `/`.
    Glob,
    /// Plain text that may stand anywhere in the name.
    Fixed,
    /// Plain text that is the whole name.
    Exact,
}

/// Whether upper and lower case are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Case {
    /// Told apart only when the pattern has an upper-case letter in it.
    #[default]
    Smart,
    /// Told apart.
    Sensitive,
    /// Not told apart.
    Insensitive,
}

impl Case {
    /// The case for several patterns of one command: smart case looks at all of them together.
    pub fn resolve<'a>(self, patterns: impl IntoIterator<Item = &'a str>, syntax: Syntax) -> Case {
        match self {
            Case::Smart
                if patterns
                    .into_iter()
                    .any(|p| has_uppercase_literal(p, syntax)) =>
            {
                Case::Sensitive
            }
            Case::Smart => Case::Insensitive,
            decided => decided,
        }
    }
}

/// A compiled pattern.
///
/// It can be shared between threads; a thread that matches many names should have its own clone,
/// since the regex engine's working memory belongs to one instance.
#[derive(Clone, Debug)]
pub struct Pattern {
    matcher: Matcher,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// The text is no regex or no glob, or it needs more memory than a pattern may take.
    pub fn compile(text: &str, syntax: Syntax, case: Case) -> Result<Pattern, PatternError> {
        let fold = case.resolve([text], syntax) == Case::Insensitive;
        match syntax {
            Syntax::Fixed => Ok(Pattern::plain(text.as_bytes(), Place::Anywhere, fold)),
            Syntax::Exact => Ok(Pattern::plain(text.as_bytes(), Place::Whole, fold)),
            Syntax::Glob => Pattern::from_regex(&glob::to_regex(text)?, fold),
            Syntax::Regex => Pattern::from_regex(text, fold),
        }
    }

    /// Plain text, raw bytes, at a place of the name.
    pub(crate) fn plain(text: &[u8], place: Place, fold: bool) -> Pattern {
        if text.is_empty() && place != Place::Whole {
            return Pattern {
                matcher: Matcher::Always,
            };
        }
        Pattern {
            matcher: Matcher::Literal(Literal::new(text, place, false, fold)),
        }
    }

    /// A regular expression; `fold` is whether case is ignored.
    pub(crate) fn from_regex(regex: &str, fold: bool) -> Result<Pattern, PatternError> {
        let hir = analyse::parse(regex, false)?;
        // An inline flag such as `(?-i)` changes what folding means for a part of the pattern.
        let has_flags = fold && regex.contains("(?");
        let shape = if has_flags {
            None
        } else {
            analyse::shape(&hir)
        };
        let matcher = match shape {
            Some(Shape::Everything) => Matcher::Always,
            Some(Shape::NotEmpty) => Matcher::NotEmpty,
            Some(Shape::Plain {
                text,
                place,
                no_slash,
            }) => Matcher::Literal(Literal::new(&text, place, no_slash, fold)),
            Some(Shape::Affixes {
                prefix,
                suffix,
                no_slash,
            }) => Matcher::Literal(Literal::affixes(&prefix, &suffix, no_slash, fold)),
            None => Matcher::Regex(ByteRegex::new(regex, &hir, fold)?),
        };
        Ok(Pattern { matcher })
    }

    /// Whether a name (or a path, when it is asked about paths) matches.
    #[inline]
    pub fn is_match(&self, name: &[u8]) -> bool {
        self.matcher.is_match(name)
    }

    /// Whether every name matches, so that it need not be asked. No name is empty.
    pub fn matches_everything(&self) -> bool {
        matches!(self.matcher, Matcher::Always | Matcher::NotEmpty)
    }
}

/// Whether a pattern has an upper-case letter that stands for itself: in `[a-zA-Z]` and `\x41`,
/// but not in `\S` or `\Acargo`. A pattern that cannot be read has none.
pub fn has_uppercase_literal(text: &str, syntax: Syntax) -> bool {
    match syntax {
        Syntax::Fixed | Syntax::Exact => text.chars().any(char::is_uppercase),
        Syntax::Regex => uppercase::in_regex(text),
        Syntax::Glob => glob::to_regex(text).is_ok_and(|regex| uppercase::in_regex(&regex)),
    }
}

/// A regex for exactly these bytes.
pub(crate) fn escape_bytes(text: &[u8]) -> String {
    let mut regex = String::new();
    for chunk in text.utf8_chunks() {
        regex_syntax::escape_into(chunk.valid(), &mut regex);
        for byte in chunk.invalid() {
            regex.push_str(&format!("(?-u:\\x{byte:02x})"));
        }
    }
    regex
}

/// Whether a regex has a `/` that stands for itself, so that no name can match.
pub(crate) fn mentions_slash(regex: &str) -> bool {
    analyse::parse(regex, false).is_ok_and(|hir| analyse::mentions_slash(&hir))
}

/// Whether a pattern can only match names that begin with a dot: `^\.git`, `^(\.a|\.b)`, the glob
/// or exact text `.gitignore`.
pub fn only_matches_dotfiles(text: &str, syntax: Syntax) -> bool {
    match syntax {
        Syntax::Fixed => false,
        Syntax::Exact => text.starts_with('.'),
        Syntax::Regex | Syntax::Glob => {
            hir_of(text, syntax).is_some_and(|hir| analyse::only_leading_dot(&hir))
        }
    }
}

fn hir_of(text: &str, syntax: Syntax) -> Option<Hir> {
    match syntax {
        Syntax::Glob => analyse::parse(&glob::to_regex(text).ok()?, false).ok(),
        _ => analyse::parse(text, false).ok(),
    }
}

#[cfg(test)]
mod tests;
