//! OR, AND, NOT and parentheses. Every mistake is noted and the parser goes on after it.

use super::cursor::Cursor;
use super::error::{Problem, QueryError, QueryErrors};
use super::term;
use super::tree::{Node, Query, Span};

/// How long a query may be, in bytes.
pub const MAX_LENGTH: usize = 64 * 1024;

/// How deep parentheses and negations may nest.
pub const MAX_DEPTH: usize = 100;

/// How many mistakes are told at once.
const MAX_ERRORS: usize = 20;

/// Parses a query. The empty one matches everything.
///
/// # Errors
/// All mistakes that were found, in order of their place.
pub fn parse(text: &str) -> Result<Query, QueryErrors> {
    let mut parser = Parser {
        cursor: Cursor::new(text),
        errors: Vec::new(),
        depth: 0,
        stop: false,
    };
    let root = if text.len() > MAX_LENGTH {
        let span = Span::new(MAX_LENGTH, text.len());
        parser.note(Problem::TooLong(MAX_LENGTH), span, None);
        None
    } else {
        parser.whole()
    };
    if parser.errors.is_empty() {
        Ok(Query {
            text: text.to_owned(),
            root: root.unwrap_or(Node::All),
        })
    } else {
        parser.errors.sort_by_key(|e| (e.span.start, e.span.end));
        Err(QueryErrors {
            text: text.to_owned(),
            errors: parser.errors,
        })
    }
}

/// Parses several arguments of a command line, all of which must hold. Each is a query of its
/// own: an OR in one does not reach into the next.
///
/// # Errors
/// The mistakes of the first argument that has any.
pub fn parse_all<S: AsRef<str>>(arguments: &[S]) -> Result<Query, QueryErrors> {
    if let [only] = arguments {
        return parse(only.as_ref());
    }
    let mut joined = Vec::new();
    for argument in arguments {
        // As printed, not as typed: else the words `name` and `contains` would become a comparison.
        match parse(argument.as_ref())?.root {
            Node::All => {}
            root @ Node::Or(_) => joined.push(format!("({root})")),
            root => joined.push(root.to_string()),
        }
    }
    parse(&joined.join(" "))
}

pub(super) struct Parser<'a> {
    pub(super) cursor: Cursor<'a>,
    errors: Vec<QueryError>,
    depth: usize,
    /// Set when going on makes no sense.
    stop: bool,
}

impl Parser<'_> {
    fn note(&mut self, problem: Problem, span: Span, hint: Option<&str>) {
        self.push(QueryError {
            problem,
            span,
            hint: hint.map(str::to_owned),
        });
    }

    fn push(&mut self, error: QueryError) {
        if !self.stop && self.errors.len() < MAX_ERRORS {
            self.errors.push(error);
        }
    }

    fn whole(&mut self) -> Option<Node> {
        let mut root = self.or();
        while self.cursor.peek().is_some() {
            // Only a `)` that nobody opened ends the loop above before the end.
            let start = self.cursor.at;
            self.cursor.bump();
            let hint = "write \"(\" and \")\" in quotes if they belong to the text";
            self.note(
                Problem::UnopenedParenthesis,
                self.cursor.span_from(start),
                Some(hint),
            );
            root = self.or();
        }
        root
    }

    /// `None` when nothing stands here.
    fn or(&mut self) -> Option<Node> {
        let mut list: Vec<Node> = Vec::new();
        let mut operator: Option<Span> = None;
        loop {
            let operand = self.and();
            self.cursor.skip_space();
            let start = self.cursor.at;
            let more = self.eat_or();
            let here = self.cursor.span_from(start);
            if operand.is_none() && (more || operator.is_some()) {
                let span = operator.unwrap_or(here);
                let word = self.cursor.text[span.start..span.end].to_owned();
                self.note(Problem::NoOperand(word), span, None);
            }
            list.extend(operand);
            if !more {
                break;
            }
            operator = Some(here);
        }
        if list.len() > 1 {
            Some(Node::Or(list))
        } else {
            list.pop()
        }
    }

    fn eat_or(&mut self) -> bool {
        if self.cursor.at_keyword("OR") {
            return self.cursor.eat("OR");
        }
        self.cursor.eat("||") || self.cursor.eat("|")
    }

    fn at_or(&self) -> bool {
        self.cursor.at_keyword("OR") || self.cursor.peek() == Some('|')
    }

    fn and(&mut self) -> Option<Node> {
        let mut list: Vec<Node> = Vec::new();
        let mut operator: Option<Span> = None;
        loop {
            self.cursor.skip_space();
            let start = self.cursor.at;
            let at_end = matches!(self.cursor.peek(), None | Some(')')) || self.at_or();
            let is_and = self.eat_and();
            if let Some(span) = operator
                && (at_end || is_and)
            {
                self.missing_operand(span);
            }
            if is_and && list.is_empty() && operator.is_none() {
                self.missing_operand(self.cursor.span_from(start));
            }
            operator = is_and.then(|| self.cursor.span_from(start));
            if at_end {
                break;
            }
            if !is_and {
                list.extend(self.not(list.last().and_then(plain_word)));
            }
        }
        if list.len() > 1 {
            Some(Node::And(list))
        } else {
            list.pop()
        }
    }

    fn missing_operand(&mut self, span: Span) {
        let word = self.cursor.text[span.start..span.end].to_owned();
        let hint = "put it in quotes to look for the text";
        self.note(Problem::NoOperand(word), span, Some(hint));
    }

    fn eat_and(&mut self) -> bool {
        if self.cursor.at_keyword("AND") {
            return self.cursor.eat("AND");
        }
        self.cursor.eat("&&")
    }

    /// `before` is the word that stands before, for a hint.
    fn not(&mut self, before: Option<String>) -> Option<Node> {
        let start = self.cursor.at;
        let mut negations = 0;
        while self.eat_not() {
            negations += 1;
            self.cursor.skip_space();
        }
        let negation = self.cursor.span_from(start);
        if self.depth + negations > MAX_DEPTH {
            return self.too_deep(start);
        }
        let at_end = matches!(self.cursor.peek(), None | Some(')')) || self.at_or();
        if negations > 0 && (at_end || self.cursor.at_keyword("AND")) {
            let word = self.cursor.text[negation.start..negation.end]
                .trim_end()
                .to_owned();
            let hint = "put it in quotes to look for the text";
            self.note(Problem::NothingToNegate(word), negation, Some(hint));
            return None;
        }
        self.depth += negations;
        let operand = self.operand(before);
        self.depth -= negations;
        (0..negations).fold(operand, |node, _| node.map(|n| Node::Not(Box::new(n))))
    }

    fn eat_not(&mut self) -> bool {
        if self.cursor.at_keyword("NOT") {
            return self.cursor.eat("NOT");
        }
        !self.cursor.rest().starts_with("!=") && self.cursor.eat("!")
    }

    fn operand(&mut self, before: Option<String>) -> Option<Node> {
        if self.cursor.peek() == Some('(') {
            return self.group();
        }
        let start = self.cursor.at;
        match term::read(&mut self.cursor, before.as_deref()) {
            Ok(term) => Some(Node::Term(Box::new(term))),
            Err(error) => {
                self.push(*error);
                if self.cursor.at == start {
                    self.cursor.skip_word();
                }
                None
            }
        }
    }

    fn group(&mut self) -> Option<Node> {
        let start = self.cursor.at;
        if self.depth == MAX_DEPTH {
            return self.too_deep(start);
        }
        self.cursor.bump();
        self.depth += 1;
        let errors_before = self.errors.len();
        let inner = self.or();
        self.depth -= 1;
        if !self.cursor.eat(")") {
            let span = Span::new(start, start + 1);
            let hint = "close it, or put it in quotes if it belongs to the text";
            self.note(Problem::UnclosedParenthesis, span, Some(hint));
        } else if inner.is_none() && self.errors.len() == errors_before {
            self.note(
                Problem::EmptyParentheses,
                self.cursor.span_from(start),
                None,
            );
        }
        inner
    }

    /// Notes it and gives up: what follows would only be more of the same.
    fn too_deep(&mut self, start: usize) -> Option<Node> {
        let problem = Problem::TooDeep(MAX_DEPTH);
        self.note(problem, Span::new(start, start + 1), None);
        self.cursor.at = self.cursor.text.len();
        self.stop = true;
        None
    }
}

/// The text of a term that is one unquoted word.
fn plain_word(node: &Node) -> Option<String> {
    match node {
        Node::Term(term) if term.field.is_none() => term::plain_text(term),
        _ => None,
    }
}
