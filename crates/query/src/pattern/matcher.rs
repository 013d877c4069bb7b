//! The compiled form of a pattern: nothing to do, plain text, or a regex on bytes.

use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::hir::Hir;

use super::analyse;
use super::edges::Edges;
use super::error::PatternError;
use super::form::Form;
use super::literal::Literal;
use super::scratch::with_strays;

/// How much memory one compiled regex may take, in bytes.
const REGEX_SIZE_LIMIT: usize = 10 << 20;

#[derive(Clone, Debug)]
pub(super) enum Matcher {
    Always,
    NotEmpty,
    Literal(Literal),
    Regex(ByteRegex),
}

impl Matcher {
    #[inline]
    pub(super) fn is_match(&self, name: &[u8]) -> bool {
        match self {
            Matcher::Always => true,
            Matcher::NotEmpty => !name.is_empty(),
            Matcher::Literal(literal) => literal.is_match(name),
            Matcher::Regex(regex) => regex.is_match(name),
        }
    }
}

/// A Unicode regex that also sees stray bytes as characters.
#[derive(Clone, Debug)]
pub(super) struct ByteRegex {
    regex: Regex,
    edges: Option<Edges>,
    /// Whether case is ignored.
    fold: bool,
    /// Whether stray bytes can make a difference: something in the pattern matches any character.
    sees_strays: bool,
}

impl ByteRegex {
    pub(super) fn new(text: &str, hir: &Hir, fold: bool) -> Result<ByteRegex, PatternError> {
        let regex = RegexBuilder::new(text)
            .case_insensitive(fold)
            .dot_matches_new_line(true)
            .size_limit(REGEX_SIZE_LIMIT)
            .build()
            .map_err(|error| match error {
                regex::Error::CompiledTooBig(limit) => PatternError::TooLarge { limit },
                other => PatternError::Regex {
                    message: "no regular expression".to_owned(),
                    at: 0..text.len(),
                    rendered: other.to_string(),
                },
            })?;
        // Folding changes what the parts of a pattern match, so it is parsed as it is compiled.
        let edges = match fold {
            true => Edges::of(&analyse::parse(text, true)?),
            false => Edges::of(hir),
        };
        Ok(ByteRegex {
            regex,
            edges,
            fold,
            sees_strays: analyse::sees_strays(hir),
        })
    }

    pub(super) fn form(&self) -> Form<'_> {
        Form::Regex {
            text: self.regex.as_str(),
            fold: self.fold,
            sees_strays: self.sees_strays,
        }
    }

    fn is_match(&self, name: &[u8]) -> bool {
        if self.edges.as_ref().is_some_and(|edges| !edges.admit(name)) {
            return false;
        }
        self.regex.is_match(name)
            || (self.sees_strays
                && std::str::from_utf8(name).is_err()
                && with_strays(name, |text| self.regex.is_match(text)))
    }
}
