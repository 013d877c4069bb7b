//! Numbers, sizes, ratios, and ranges of them.

use std::ops::{Bound, RangeInclusive};

use groma_base::size::parse_size;

use super::{Checked, bad_value, plain};
use crate::bound::{Expr, NumberField, RatioRange, Test};
use crate::fields::{Field, FieldInfo, ValueKind};
use crate::syntax::{Op, Term, Value};

pub(super) fn numbers(term: &Term, info: &FieldInfo) -> Checked<Expr> {
    let read: fn(&str) -> Result<u64, String> = match info.values {
        ValueKind::Size => |text| parse_size(text).map_err(|e| e.to_string()),
        _ => whole_number,
    };
    let mut ranges = Vec::new();
    for value in term.values.as_slice() {
        ranges.extend(number_range(value, term.op, read)?);
    }
    Ok(Expr::Test(Test::Number(number_field(info.field), ranges)))
}

fn whole_number(text: &str) -> Result<u64, String> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|_| digits)
        .ok_or_else(|| format!("'{text}' is not a whole number"))
}

/// The numbers that one value stands for; `None` when there are none, as above the largest.
fn number_range(
    value: &Value,
    op: Op,
    read: fn(&str) -> Result<u64, String>,
) -> Checked<Option<RangeInclusive<u64>>> {
    let text = plain(value)?;
    let number = |text: &str| read(text).or_else(|message| bad_value(value, message));
    Ok(match op {
        Op::Gt => number(&text)?.checked_add(1).map(|n| n..=u64::MAX),
        Op::Ge => Some(number(&text)?..=u64::MAX),
        Op::Lt => number(&text)?.checked_sub(1).map(|n| 0..=n),
        Op::Le => Some(0..=number(&text)?),
        _ => match ends(value, &text)? {
            None => Some(number(&text)?).map(|n| n..=n),
            Some((from, to)) => {
                let from = if from.is_empty() { 0 } else { number(from)? };
                let to = if to.is_empty() { u64::MAX } else { number(to)? };
                if from > to {
                    return empty_range(value, &text);
                }
                Some(from..=to)
            }
        },
    })
}

/// The two ends of a range; `None` for a single value.
fn ends<'a>(value: &Value, text: &'a str) -> Checked<Option<(&'a str, &'a str)>> {
    match text.split_once("..") {
        Some(("", "")) => bad_value(value, "a range needs one end at least"),
        ends => Ok(ends),
    }
}

fn empty_range<T>(value: &Value, text: &str) -> Checked<T> {
    bad_value(
        value,
        format!("the range '{text}' is empty: its start is above its end"),
    )
}

fn number_field(field: Field) -> NumberField {
    match field {
        Field::Allocated => NumberField::Allocated,
        Field::Uid => NumberField::Uid,
        Field::Gid => NumberField::Gid,
        Field::Links => NumberField::Links,
        Field::Inode => NumberField::Inode,
        Field::Depth => NumberField::Depth,
        Field::Items => NumberField::Items,
        Field::Files => NumberField::Files,
        Field::Dirs => NumberField::Dirs,
        Field::NameLength => NumberField::NameLength,
        Field::PathLength => NumberField::PathLength,
        Field::TreeItems => NumberField::TreeItems,
        Field::TreeSize => NumberField::TreeSize,
        Field::TreeAllocated => NumberField::TreeAllocated,
        _ => NumberField::Size,
    }
}

/// `bulkiness`, the one ratio.
pub(super) fn ratios(term: &Term) -> Checked<Expr> {
    let ranges: Checked<Vec<RatioRange>> = term
        .values
        .as_slice()
        .iter()
        .map(|value| ratio_range(value, term.op))
        .collect();
    Ok(Expr::Test(Test::Bulkiness(ranges?)))
}

fn ratio_range(value: &Value, op: Op) -> Checked<RatioRange> {
    use Bound::{Excluded, Included, Unbounded};
    let text = plain(value)?;
    let ratio = |text: &str| decimal(text).map_or_else(|message| bad_value(value, message), Ok);
    Ok(match op {
        Op::Gt => (Excluded(ratio(&text)?), Unbounded),
        Op::Ge => (Included(ratio(&text)?), Unbounded),
        Op::Lt => (Unbounded, Excluded(ratio(&text)?)),
        Op::Le => (Unbounded, Included(ratio(&text)?)),
        _ => match ends(value, &text)? {
            None => (Included(ratio(&text)?), Included(ratio(&text)?)),
            Some((from, to)) => {
                let end = |text: &str| {
                    if text.is_empty() {
                        Ok(Unbounded)
                    } else {
                        ratio(text).map(Included)
                    }
                };
                match (end(from)?, end(to)?) {
                    (Included(a), Included(b)) if a > b => return empty_range(value, &text),
                    range => range,
                }
            }
        },
    })
}

fn decimal(text: &str) -> Result<f64, String> {
    let digits = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|_| digits)
        .ok_or_else(|| format!("'{text}' is not a number"))
}
