//! The tree of a query: what was written, with the place of each part.

use crate::fields::Field;

/// A place in the text of a query, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// First byte after it.
    pub end: usize,
}

impl Span {
    pub(crate) fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    pub(crate) fn to(self, other: Span) -> Span {
        Span {
            start: self.start,
            end: other.end.max(self.end),
        }
    }
}

/// A query: its text and its tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The text it was parsed from; spans point into it.
    pub text: String,
    /// Its meaning.
    pub root: Node,
}

/// One node of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Node {
    /// The empty query: everything matches.
    All,
    /// All of these; at least two.
    And(Vec<Node>),
    /// One of these; at least two.
    Or(Vec<Node>),
    /// Not this.
    Not(Box<Node>),
    /// One comparison.
    Term(Box<Term>),
}

/// One comparison: modifiers, a field unless it is about the name or path, and what to compare
/// with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Prefixes such as `case:` and `file:`.
    pub modifiers: Modifiers,
    /// The field; `None` for a bare word, which is about the name, or the path if it has a `/`.
    pub field: Option<(Field, Span)>,
    /// How to compare.
    pub op: Op,
    /// What with.
    pub values: Values,
    /// All of the term.
    pub span: Span,
}

/// What a field is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Nothing: `empty:`, or a prefix that stands alone, `file:`.
    None,
    /// One value.
    One(Value),
    /// A list in parentheses: one of these.
    List(Vec<Value>),
}

impl Values {
    /// The values, whether one or several.
    pub fn as_slice(&self) -> &[Value] {
        match self {
            Values::None => &[],
            Values::One(value) => std::slice::from_ref(value),
            Values::List(values) => values,
        }
    }
}

/// One value as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// What it says.
    pub text: Text,
    /// Where it stands, quotes included.
    pub span: Span,
}

/// The text of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// Text to be taken as it is; escapes are resolved, so it may be any bytes. After `regex:`,
    /// `glob:` and `~` it is the pattern.
    Plain(Vec<u8>),
    /// An unquoted word with `*`, `?` or `[..]` in it: a glob, escapes as written.
    Wild(String),
    /// `/pattern/`, `/pattern/i` or `/pattern/s`.
    Regex {
        /// Between the slashes, as written.
        pattern: String,
        /// `i` is to ignore case, `s` to mind it.
        ignore_case: Option<bool>,
    },
}

/// The prefixes of a term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    /// `case:` or `nocase:`.
    pub ignore_case: Option<bool>,
    /// `word:`: the text begins and ends at word boundaries.
    pub word: bool,
    /// `regex:`, `glob:` or `exact:`.
    pub syntax: Option<TextSyntax>,
    /// `file:` (false) or `dir:` (true).
    pub dir: Option<bool>,
}

/// How a prefix says that a text is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextSyntax {
    /// `regex:`
    Regex,
    /// `glob:`
    Glob,
    /// `exact:`
    Exact,
}

/// An operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// `:`, what the field finds most natural.
    Has,
    /// `=`
    Eq,
    /// `!=`
    Ne,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `~` or `matches`: a regular expression.
    Matches,
    /// `contains`
    Contains,
    /// `starts`
    Starts,
    /// `ends`
    Ends,
    /// `in (..)`
    In,
}

impl Op {
    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            Op::Has => ":",
            Op::Eq => "=",
            Op::Ne => "!=",
            Op::Gt => ">",
            Op::Ge => ">=",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Matches => "~",
            Op::Contains => "contains",
            Op::Starts => "starts",
            Op::Ends => "ends",
            Op::In => "in",
        }
    }
}

impl Query {
    /// Sets every span to nothing, so that two queries can be compared by meaning.
    pub fn erase_spans(&mut self) {
        self.text.clear();
        erase(&mut self.root);
    }
}

fn erase(node: &mut Node) {
    match node {
        Node::All => {}
        Node::And(list) | Node::Or(list) => list.iter_mut().for_each(erase),
        Node::Not(inner) => erase(inner),
        Node::Term(term) => {
            term.span = Span::default();
            if let Some((_, span)) = &mut term.field {
                *span = Span::default();
            }
            match &mut term.values {
                Values::None => {}
                Values::One(value) => value.span = Span::default(),
                Values::List(list) => list.iter_mut().for_each(|v| v.span = Span::default()),
            }
        }
    }
}
