//! Times and ages.

use groma_base::Timestamp;
use groma_base::time::{TimeError, TimeSpan, parse_ago, parse_period, parse_time};

use super::{Checked, Context, bad_value, plain};
use crate::bound::{Expr, Test, TimeField};
use crate::fields::Field;
use crate::syntax::{Op, Term, Value};

pub(super) fn times(term: &Term, field: Field, context: &Context<'_>) -> Checked<Expr> {
    let field = match field {
        Field::Created => TimeField::Created,
        Field::Accessed => TimeField::Accessed,
        Field::Changed => TimeField::Changed,
        _ => TimeField::Modified,
    };
    let spans: Checked<Vec<TimeSpan>> = term
        .values
        .as_slice()
        .iter()
        .map(|value| time_span(value, term.op, context))
        .collect();
    Ok(Expr::Test(Test::Time(field, spans?)))
}

/// A period is before, in or after: `<` is before its start, `>` after its end.
fn time_span(value: &Value, op: Op, context: &Context<'_>) -> Checked<TimeSpan> {
    let text = plain(value)?;
    let or_error = |result: Result<TimeSpan, TimeError>| {
        result.or_else(|error| bad_value(value, error.to_string()))
    };
    if !matches!(op, Op::Gt | Op::Ge | Op::Lt | Op::Le) {
        return or_error(parse_time(&text, &context.now));
    }
    let period = or_error(parse_period(&text, &context.now))?;
    Ok(match op {
        Op::Gt => TimeSpan {
            start: period.end,
            end: Timestamp::MAX,
        },
        Op::Ge => TimeSpan {
            start: period.start,
            end: Timestamp::MAX,
        },
        Op::Lt => TimeSpan {
            start: Timestamp::MIN,
            end: period.start,
        },
        _ => TimeSpan {
            start: Timestamp::MIN,
            end: period.end,
        },
    })
}

/// An age is a modification time, counted backwards.
pub(super) fn age(term: &Term, context: &Context<'_>) -> Checked<Expr> {
    let spans: Checked<Vec<TimeSpan>> = term
        .values
        .as_slice()
        .iter()
        .map(|value| age_span(value, term.op, context))
        .collect();
    Ok(Expr::Test(Test::Time(TimeField::Modified, spans?)))
}

fn age_span(value: &Value, op: Op, context: &Context<'_>) -> Checked<TimeSpan> {
    let text = plain(value)?;
    let ago = |text: &str| {
        parse_ago(text.trim(), &context.now).or_else(|error| bad_value(value, error.to_string()))
    };
    let older = |end| TimeSpan {
        start: Timestamp::MIN,
        end,
    };
    let younger = |start| TimeSpan {
        start,
        end: Timestamp::MAX,
    };
    Ok(match op {
        Op::Gt => older(ago(&text)?),
        Op::Ge => older(ago(&text)?.next()),
        Op::Lt => younger(ago(&text)?.next()),
        Op::Le => younger(ago(&text)?),
        _ => match text.split_once("..") {
            None => younger(ago(&text)?),
            Some(("", "")) => return bad_value(value, "a range needs one end at least"),
            Some((least, "")) => older(ago(least)?.next()),
            Some(("", most)) => younger(ago(most)?),
            Some((a, b)) => {
                let (a, b) = (ago(a)?, ago(b)?);
                TimeSpan {
                    start: a.min(b),
                    end: a.max(b).next(),
                }
            }
        },
    })
}
