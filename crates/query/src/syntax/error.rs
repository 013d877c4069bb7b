//! What can be wrong with a query.

use std::fmt;

use thiserror::Error;

use super::render;
use super::tree::Span;

/// One mistake in a query: what, where, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem}")]
pub struct QueryError {
    /// What is wrong.
    pub problem: Problem,
    /// Where in the query.
    pub span: Span,
    /// What may help.
    pub hint: Option<String>,
}

/// A kind of mistake.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// `word:` or `word>` where the word is no field.
    #[error("there is no field '{0}'")]
    UnknownField(String),
    /// An operator with nothing on its left.
    #[error("'{0}' needs a field before it")]
    NoField(String),
    /// An operator or prefix with nothing on its right.
    #[error("a value is missing after '{0}'")]
    NoValue(String),
    /// AND, OR or NOT with nothing on one side.
    #[error("'{0}' needs a term on each side")]
    NoOperand(String),
    /// A `!` or NOT with nothing after it.
    #[error("'{0}' needs a term after it")]
    NothingToNegate(String),
    /// A `(` without a `)`.
    #[error("this '(' is never closed")]
    UnclosedParenthesis,
    /// A `)` without a `(`.
    #[error("this ')' has no '(' before it")]
    UnopenedParenthesis,
    /// `()`.
    #[error("there is nothing between the parentheses")]
    EmptyParentheses,
    /// A list that goes wrong after a value.
    #[error("expected ',' or ')' in the list")]
    BadList,
    /// A quote without its partner.
    #[error("this quote is never closed")]
    UnclosedQuote,
    /// A double quote inside of a word.
    #[error("a quote in the middle of a word")]
    QuoteInWord,
    /// An escape that means nothing.
    #[error("unknown escape '{0}'")]
    BadEscape(String),
    /// `/a b/`, which may be a regex or two words.
    #[error("this could be one regular expression or several words")]
    RegexOrWords,
    /// Parentheses and negations nest deeper than is allowed.
    #[error("nested deeper than {0} levels")]
    TooDeep(usize),
    /// The text is longer than is allowed.
    #[error("longer than {0} bytes")]
    TooLong(usize),
    /// A field that does not know the operator.
    #[error("'{field}' cannot be compared with '{op}'")]
    BadOperator {
        /// Name of the field.
        field: &'static str,
        /// The operator.
        op: &'static str,
    },
    /// A prefix that makes no sense there.
    #[error("'{0}' makes no sense here")]
    BadModifier(&'static str),
    /// A value that the field cannot have.
    #[error("{0}")]
    BadValue(String),
    /// A pattern that cannot be read.
    #[error("bad pattern: {0}")]
    BadPattern(String),
    /// Something that only a catalog can answer.
    #[error("only the catalog knows '{0}'")]
    CatalogOnly(String),
}

/// Everything that is wrong with one query, with its text.
///
/// `Display` writes each error with the line of the query and a mark under the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryErrors {
    /// The text of the query.
    pub text: String,
    /// The errors in order of their place; at least one.
    pub errors: Vec<QueryError>,
}

impl std::error::Error for QueryErrors {}

impl fmt::Display for QueryErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, error) in self.errors.iter().enumerate() {
            if at > 0 {
                writeln!(f)?;
            }
            render::error(f, &self.text, error)?;
        }
        Ok(())
    }
}
