//! The query language as text: tree, parser, printer, errors.
//!
//! [`parse`] turns a line into a [`Query`] or into all that is wrong with it, each with its place;
//! [`Query`]'s `Display` writes it back so that it parses to the same tree.

mod cursor;
mod error;
mod operator;
mod parser;
mod print;
mod quoted;
mod render;
mod suggest;
mod term;
mod tree;
mod word;

pub use error::{Problem, QueryError, QueryErrors};
pub use parser::{MAX_DEPTH, MAX_LENGTH, parse, parse_all};
pub use suggest::nearest;
pub use tree::{Modifiers, Node, Op, Query, Span, Term, Text, TextSyntax, Value, Values};

#[cfg(test)]
mod tests;
