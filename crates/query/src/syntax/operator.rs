//! Operators, and when a field's name is followed by one.

use super::cursor::Cursor;
use super::tree::Op;

/// An operator that follows a field's name, and whether it was a `:` that needs its value at once.
pub(super) struct Found {
    pub(super) op: Op,
    pub(super) tight: bool,
}

/// Steps over the operator that follows a field's name. Where none does, the name was an ordinary
/// word and the cursor stays.
pub(super) fn after_field(cursor: &mut Cursor<'_>) -> Option<Found> {
    if cursor.eat(":") {
        // `size:>1mb` is what users of Everything type.
        return Some(match comparison(cursor) {
            Some(op) => Found { op, tight: false },
            None => Found {
                op: Op::Has,
                tight: true,
            },
        });
    }
    let mut ahead = *cursor;
    let spaced = ahead.skip_space();
    let op = symbol(&mut ahead).or_else(|| if spaced { word(&mut ahead) } else { None })?;
    *cursor = ahead;
    Some(Found { op, tight: false })
}

/// `= != > >= < <=`
pub(super) fn comparison(cursor: &mut Cursor<'_>) -> Option<Op> {
    const SYMBOLS: [(&str, Op); 7] = [
        ("!=", Op::Ne),
        (">=", Op::Ge),
        ("<=", Op::Le),
        ("==", Op::Eq),
        (">", Op::Gt),
        ("<", Op::Lt),
        ("=", Op::Eq),
    ];
    SYMBOLS
        .iter()
        .find(|(token, _)| cursor.eat(token))
        .map(|&(_, op)| op)
}

fn symbol(cursor: &mut Cursor<'_>) -> Option<Op> {
    comparison(cursor).or_else(|| {
        if cursor.eat("~") {
            Some(Op::Matches)
        } else if cursor.eat(":") {
            Some(Op::Has)
        } else {
            None
        }
    })
}

/// `contains`, `in` and so on: only with a value after them, else they are words to look for.
fn word(cursor: &mut Cursor<'_>) -> Option<Op> {
    let op = match cursor.identifier() {
        "contains" => Op::Contains,
        "starts" => Op::Starts,
        "ends" => Op::Ends,
        "matches" => Op::Matches,
        "in" => Op::In,
        _ => return None,
    };
    cursor.at += cursor.identifier().len();
    let mut ahead = *cursor;
    let spaced = ahead.skip_space();
    let value_follows = match ahead.peek() {
        None | Some(')' | '|') => false,
        Some('(') => true,
        Some('"' | '\'') => op != Op::In,
        Some(_) => op != Op::In && spaced && !at_conjunction(&ahead),
    };
    value_follows.then_some(op)
}

fn at_conjunction(cursor: &Cursor<'_>) -> bool {
    cursor.at_keyword("AND") || cursor.at_keyword("OR") || cursor.rest().starts_with("&&")
}
