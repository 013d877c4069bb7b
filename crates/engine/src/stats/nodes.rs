//! Queries made of parts: what lists the rows of a bucket, as a tree that prints as text.

use groma_query::fields::{Field, ValueKind};
use groma_query::flags::Flag;
use groma_query::syntax::{Modifiers, Node, Op, Query, Span, Term, Text, Value, Values};

/// `field op text`, minding case where `case` is told.
fn term_of(field: Field, op: Op, values: Values, ignore_case: Option<bool>) -> Node {
    Node::Term(Box::new(Term {
        modifiers: Modifiers {
            ignore_case,
            ..Modifiers::default()
        },
        field: Some((field, Span::default())),
        op,
        values,
        span: Span::default(),
    }))
}

fn value(text: &[u8]) -> Value {
    Value {
        text: Text::Plain(text.to_vec()),
        span: Span::default(),
    }
}

/// `field:text`
pub(super) fn has(field: Field, text: &str) -> Node {
    compared(field, Op::Has, text)
}

/// `field = text`, for what is no text in its own right: numbers, users.
pub(super) fn is(field: Field, text: &str) -> Node {
    compared(field, Op::Eq, text)
}

/// `case:field = text`: exactly these bytes.
pub(super) fn exactly(field: Field, text: &[u8]) -> Node {
    term_of(field, Op::Eq, Values::One(value(text)), Some(false))
}

/// `nocase:field = text`
pub(super) fn whatever_case(field: Field, text: &[u8]) -> Node {
    term_of(field, Op::Eq, Values::One(value(text)), Some(true))
}

/// `case:field in (a, b)`: exactly one of these.
pub(super) fn one_of<'a>(field: Field, texts: impl IntoIterator<Item = &'a [u8]>) -> Node {
    let values = Values::List(texts.into_iter().map(value).collect());
    term_of(field, Op::In, values, Some(false))
}

/// `field op text`
pub(super) fn compared(field: Field, op: Op, text: &str) -> Node {
    let values = Values::One(value(text.as_bytes()));
    term_of(field, op, values, None)
}

/// `is:flag` or `!is:flag`
pub(super) fn flag(flag: Flag, is_set: bool) -> Node {
    let node = has(Field::Is, flag.name());
    match is_set {
        true => node,
        false => Node::Not(Box::new(node)),
    }
}

/// All of these.
pub(super) fn all(nodes: impl IntoIterator<Item = Node>) -> Node {
    let mut list = Vec::new();
    for node in nodes {
        match node {
            Node::All => {}
            Node::And(inner) => list.extend(inner),
            node => list.push(node),
        }
    }
    match list.len() {
        0 => Node::All,
        1 => list.remove(0),
        _ => Node::And(list),
    }
}

/// One of these, of which there is at least one.
pub(super) fn any(mut nodes: Vec<Node>) -> Node {
    match nodes.len() {
        1 => nodes.remove(0),
        _ => Node::Or(nodes),
    }
}

/// As a query of its own.
pub(super) fn query(root: Node) -> Query {
    let mut query = Query {
        text: String::new(),
        root,
    };
    query.text = query.to_string();
    query
}

/// Writes into every text of a query how case is to be taken, where it does not say itself: the
/// query then means the same whatever the options.
pub(super) fn pin_case(node: &mut Node, ignore_case: bool) {
    match node {
        Node::And(list) | Node::Or(list) => {
            list.iter_mut().for_each(|node| pin_case(node, ignore_case));
        }
        Node::Not(inner) => pin_case(inner, ignore_case),
        Node::Term(term) => {
            let is_text = term.field.is_none_or(|(field, _)| {
                let values = field.info().values;
                matches!(values, ValueKind::Text | ValueKind::PathText)
            });
            let has_value = !term.values.as_slice().is_empty();
            if is_text && has_value && term.modifiers.ignore_case.is_none() {
                term.modifiers.ignore_case = Some(ignore_case);
            }
        }
        _ => {}
    }
}

/// `under:path`: all that lies below a directory, itself not.
pub(super) fn under(path: &[u8]) -> Node {
    term_of(Field::Under, Op::Has, Values::One(value(path)), None)
}

/// `missing:name` of a field or flag: what has no such thing, or where it is not known.
pub(super) fn missing(name: &str) -> Node {
    has(Field::Missing, name)
}
