//! What a compiled pattern comes down to, for who runs it over many names at once.

use super::Pattern;
use super::matcher::Matcher;

/// What a pattern comes down to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form<'p> {
    /// Everything that is not empty matches, perhaps the empty text too.
    Everything,
    /// Plain text.
    Plain(Plain<'p>),
    /// A regular expression, as [`super::analyse`] parses it.
    Regex {
        /// Its text.
        text: &'p str,
        /// Whether case is ignored.
        fold: bool,
        /// Whether stray bytes of names that are no text can matter.
        sees_strays: bool,
    },
}

/// Plain text at a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain<'p> {
    /// Where it must stand.
    pub(crate) stands: Stands<'p>,
    /// Whether case is ignored; the text is folded then.
    pub(crate) fold: bool,
    /// Whether the rest must have no `/`.
    pub(crate) no_slash: bool,
}

/// Where a plain text must stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stands<'p> {
    Anywhere(&'p [u8]),
    AtStart(&'p [u8]),
    AtEnd(&'p [u8]),
    Alone(&'p [u8]),
    /// One at the start, another after it at the end.
    Around(&'p [u8], &'p [u8]),
}

impl Pattern {
    /// What it comes down to.
    pub(crate) fn form(&self) -> Form<'_> {
        match &self.matcher {
            Matcher::Always | Matcher::NotEmpty => Form::Everything,
            Matcher::Literal(literal) => Form::Plain(literal.plain()),
            Matcher::Regex(regex) => regex.form(),
        }
    }
}
