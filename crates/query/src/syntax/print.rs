//! A query as text again, in one form: it parses to the same tree.

use std::fmt::{self, Display, Formatter, Write};

use super::tree::{Modifiers, Node, Op, Query, Term, Text, TextSyntax, Value, Values};
use crate::{fields, modifiers};

impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.root.fmt(f)
    }
}

impl Display for Node {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Node::All => Ok(()),
            Node::And(list) => joined(f, list, " ", |n| matches!(n, Node::And(_) | Node::Or(_))),
            Node::Or(list) => joined(f, list, " OR ", |n| matches!(n, Node::Or(_))),
            Node::Not(inner) => {
                f.write_char('!')?;
                operand(f, inner, matches!(**inner, Node::And(_) | Node::Or(_)))
            }
            Node::Term(term) => term.fmt(f),
        }
    }
}

fn joined(
    f: &mut Formatter<'_>,
    list: &[Node],
    separator: &str,
    in_parentheses: impl Fn(&Node) -> bool,
) -> fmt::Result {
    for (at, node) in list.iter().enumerate() {
        if at > 0 {
            f.write_str(separator)?;
        }
        operand(f, node, in_parentheses(node))?;
    }
    Ok(())
}

fn operand(f: &mut Formatter<'_>, node: &Node, in_parentheses: bool) -> fmt::Result {
    if in_parentheses {
        write!(f, "({node})")
    } else {
        node.fmt(f)
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.modifiers.fmt(f)?;
        let raw = self.op == Op::Matches
            || matches!(
                self.modifiers.syntax,
                Some(TextSyntax::Regex | TextSyntax::Glob)
            );
        if let Some((field, _)) = self.field {
            f.write_str(field.info().name)?;
            match self.op {
                Op::Has => f.write_char(':')?,
                op => write!(f, " {} ", op.word())?,
            }
        }
        match &self.values {
            Values::None => Ok(()),
            Values::One(one) => value(f, one, raw),
            Values::List(list) => {
                f.write_char('(')?;
                for (at, one) in list.iter().enumerate() {
                    f.write_str(if at > 0 { ", " } else { "" })?;
                    value(f, one, raw)?;
                }
                f.write_char(')')
            }
        }
    }
}

impl Display for Modifiers {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let words = [
            self.ignore_case
                .map(|ignore| if ignore { "nocase" } else { "case" }),
            self.word.then_some("word"),
            self.syntax.map(|syntax| match syntax {
                TextSyntax::Regex => "regex",
                TextSyntax::Glob => "glob",
                TextSyntax::Exact => "exact",
            }),
            self.dir.map(|dir| if dir { "dir" } else { "file" }),
        ];
        words
            .iter()
            .flatten()
            .try_for_each(|word| write!(f, "{word}:"))
    }
}

fn value(f: &mut Formatter<'_>, value: &Value, raw: bool) -> fmt::Result {
    match &value.text {
        Text::Wild(glob) => f.write_str(glob),
        Text::Regex {
            pattern,
            ignore_case,
        } => {
            let flag = ignore_case.map_or("", |ignore| if ignore { "i" } else { "s" });
            write!(f, "/{pattern}/{flag}")
        }
        Text::Plain(text) => match std::str::from_utf8(text) {
            Ok(word) if is_plain_word(word) => f.write_str(word),
            Ok(pattern) if raw => quoted_pattern(f, pattern),
            _ => quoted(f, text),
        },
    }
}

/// Whether a text means itself wherever it stands.
fn is_plain_word(text: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '+' | '-' | '%' | '@');
    !text.is_empty()
        && text.chars().all(is_plain)
        && !matches!(text, "AND" | "OR" | "NOT")
        // `size contains x` would be a comparison.
        && fields::lookup(text).is_none()
        && modifiers::lookup(text).is_none()
}

/// In a pattern a backslash belongs to the pattern; only a quote needs one more.
fn quoted_pattern(f: &mut Formatter<'_>, pattern: &str) -> fmt::Result {
    f.write_char('"')?;
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => {
                f.write_char(c)?;
                chars.next().map_or(Ok(()), |next| f.write_char(next))?;
            }
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

fn quoted(f: &mut Formatter<'_>, text: &[u8]) -> fmt::Result {
    f.write_char('"')?;
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                '\r' => f.write_str("\\r")?,
                c if c.is_ascii_control() => write!(f, "\\x{:02x}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        for byte in chunk.invalid() {
            write!(f, "\\x{byte:02x}")?;
        }
    }
    f.write_char('"')
}
