//! What can be wrong with a pattern.

use std::ops::Range;

use thiserror::Error;

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PatternError {
    /// It is no regular expression.
    #[error("{rendered}")]
    Regex {
        /// What is wrong, in one line.
        message: String,
        /// Where, in bytes of the pattern.
        at: Range<usize>,
        /// The whole message with the pattern and a mark under the place.
        rendered: String,
    },
    /// It is no glob.
    #[error("error parsing glob '{glob}': {message}")]
    Glob {
        /// What is wrong, in one line.
        message: &'static str,
        /// Where, in bytes of the glob.
        at: Range<usize>,
        /// The glob.
        glob: String,
    },
    /// The compiled pattern would take more memory than a pattern may.
    #[error("the pattern is too large: compiled it exceeds {limit} bytes")]
    TooLarge {
        /// How much a compiled pattern may take, in bytes.
        limit: usize,
    },
}

impl PatternError {
    /// What is wrong, in one line.
    pub fn summary(&self) -> String {
        match self {
            PatternError::Regex { message, .. } => message.clone(),
            PatternError::Glob { message, .. } => (*message).to_owned(),
            PatternError::TooLarge { .. } => self.to_string(),
        }
    }

    /// Where, in bytes of the pattern, if it is one place.
    pub fn place(&self) -> Option<Range<usize>> {
        match self {
            PatternError::Regex { at, .. } | PatternError::Glob { at, .. } => Some(at.clone()),
            PatternError::TooLarge { .. } => None,
        }
    }
}

impl From<regex_syntax::Error> for PatternError {
    fn from(error: regex_syntax::Error) -> PatternError {
        let (message, span) = match &error {
            regex_syntax::Error::Parse(e) => (e.kind().to_string(), Some(*e.span())),
            regex_syntax::Error::Translate(e) => (e.kind().to_string(), Some(*e.span())),
            _ => ("no regular expression".to_owned(), None),
        };
        let at = span.map_or(0..0, |s| s.start.offset..s.end.offset);
        PatternError::Regex {
            message,
            at,
            rendered: error.to_string(),
        }
    }
}
