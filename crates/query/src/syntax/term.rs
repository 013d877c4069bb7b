//! One term: prefixes, a field and its operator, values.

use super::cursor::Cursor;
use super::error::{Problem, QueryError};
use super::operator::{self, Found};
use super::suggest::nearest;
use super::tree::{Modifiers, Op, Span, Term, Text, TextSyntax, Value, Values};
use super::word::{self, Form, Reading};
use crate::fields::{self, FIELDS, FieldInfo, ValueKind};
use crate::modifiers::{self, MODIFIERS};

type Result<T> = std::result::Result<T, Box<QueryError>>;

/// Reads the term that stands here. `before` is the word in front of it, for a hint.
pub(super) fn read(cursor: &mut Cursor<'_>, before: Option<&str>) -> Result<Term> {
    let start = cursor.at;
    check_stray_operator(cursor, before)?;
    let (modifiers, last) = read_modifiers(cursor);
    let (field, op, values) = match read_field(cursor, &modifiers)? {
        Some((info, span, found)) => {
            let values = field_values(cursor, info, &modifiers, &found)?;
            (Some((info.field, span)), found.op, values)
        }
        None => (None, Op::Has, bare_value(cursor, &modifiers, last)?),
    };
    Ok(Term {
        modifiers,
        field,
        op,
        values,
        span: cursor.span_from(start),
    })
}

/// The text of a term's only value, when it is plain.
pub(super) fn plain_text(term: &Term) -> Option<String> {
    match &term.values {
        Values::One(Value {
            text: Text::Plain(bytes),
            ..
        }) => String::from_utf8(bytes.clone()).ok(),
        _ => None,
    }
}

fn fail<T>(problem: Problem, span: Span, hint: impl Into<String>) -> Result<T> {
    Err(Box::new(QueryError {
        problem,
        span,
        hint: Some(hint.into()),
    }))
}

fn check_stray_operator(cursor: &Cursor<'_>, before: Option<&str>) -> Result<()> {
    let mut ahead = *cursor;
    let Some(op) = operator::comparison(&mut ahead) else {
        return Ok(());
    };
    let hint = match before.and_then(|word| nearest(word, field_names())) {
        Some(name) => format!("did you mean '{name} {} ...'?", op.word()),
        None => "put it in quotes to look for the text".to_owned(),
    };
    fail(
        Problem::NoField(op.word().to_owned()),
        ahead.span_from(cursor.at),
        hint,
    )
}

/// All prefixes that stand here, and the place of the last one.
fn read_modifiers(cursor: &mut Cursor<'_>) -> (Modifiers, Option<Span>) {
    let mut modifiers = Modifiers::default();
    let mut last = None;
    loop {
        let word = cursor.identifier();
        let is_prefix = cursor.rest()[word.len()..].starts_with(':');
        match modifiers::lookup(word).filter(|_| is_prefix) {
            Some(row) => row.apply(&mut modifiers),
            None => return (modifiers, last),
        }
        let start = cursor.at;
        cursor.at += word.len() + 1;
        last = Some(cursor.span_from(start));
    }
}

/// The field that stands here and its operator, if one does.
fn read_field(
    cursor: &mut Cursor<'_>,
    modifiers: &Modifiers,
) -> Result<Option<(&'static FieldInfo, Span, Found)>> {
    let word = cursor.identifier();
    let span = Span::new(cursor.at, cursor.at + word.len());
    let mut ahead = *cursor;
    ahead.at = span.end;
    if let Some(info) = fields::lookup(word) {
        let found = operator::after_field(&mut ahead);
        return Ok(found.map(|found| {
            *cursor = ahead;
            (info, span, found)
        }));
    }
    // A pattern may well look like `word:`, and whoever says `regex:` has said what it is.
    let is_text = word.is_empty() || modifiers.syntax.is_some();
    if !is_text && (ahead.eat(":") || operator::comparison(&mut ahead).is_some()) {
        *cursor = ahead;
        cursor.skip_word();
        return unknown_field(word, span, &cursor.text[span.start..cursor.at]);
    }
    Ok(None)
}

fn unknown_field<T>(word: &str, span: Span, whole: &str) -> Result<T> {
    let quote = if whole.contains('"') { '\'' } else { '"' };
    let quoted = format!("to look for the text, quote it: {quote}{whole}{quote}");
    let prefixes = MODIFIERS.iter().map(|m| m.name);
    let hint = match nearest(word, field_names().chain(prefixes)) {
        Some(name) => format!("did you mean '{name}'? Or {quoted}"),
        None => quoted,
    };
    fail(Problem::UnknownField(word.to_owned()), span, hint)
}

fn field_names() -> impl Iterator<Item = &'static str> {
    FIELDS
        .iter()
        .flat_map(|row| row.aliases.iter().copied().chain([row.name]))
}

fn field_values(
    cursor: &mut Cursor<'_>,
    info: &FieldInfo,
    modifiers: &Modifiers,
    found: &Found,
) -> Result<Values> {
    let after_operator = cursor.at;
    if !found.tight {
        cursor.skip_space();
    }
    let reading = Reading {
        form: form(modifiers, Some(found.op)),
        regex_literal: takes_regex_literal(info, modifiers, found.op),
        in_list: false,
    };
    if cursor.peek() == Some('(') {
        return list(
            cursor,
            Reading {
                in_list: true,
                ..reading
            },
        );
    }
    check_inner_modifier(cursor, info)?;
    let value = value(cursor, reading)?;
    if let Some(value) = value {
        check_time_of_day(cursor, info)?;
        return Ok(Values::One(value));
    }
    if info.values == ValueKind::Bool && found.op == Op::Has {
        cursor.at = after_operator;
        return Ok(Values::None);
    }
    let after = match found.op {
        Op::Has => format!("{}:", info.name),
        op => format!("{} {}", info.name, op.word()),
    };
    let operator = Span::new(
        after_operator.saturating_sub(found.op.word().len()),
        after_operator,
    );
    let hint = if found.tight && cursor.peek().is_some_and(char::is_whitespace) {
        "there must be no space after ':'".to_owned()
    } else {
        format!("for example {}", info.example)
    };
    fail(Problem::NoValue(after), operator, hint)
}

/// Whether a value that begins with `/` may be a regex here.
fn takes_regex_literal(info: &FieldInfo, modifiers: &Modifiers, op: Op) -> bool {
    match (op, modifiers.syntax) {
        (Op::Matches, _) | (_, Some(TextSyntax::Regex)) => true,
        (Op::Contains | Op::Starts | Op::Ends, _) | (_, Some(_)) => false,
        _ => info.values.takes_regex_literal(),
    }
}

/// The form in which values are written.
fn form(modifiers: &Modifiers, op: Option<Op>) -> Form {
    match (modifiers.syntax, op) {
        (Some(TextSyntax::Regex), _) | (_, Some(Op::Matches)) => Form::Regex,
        (Some(TextSyntax::Glob), _) => Form::Glob,
        (Some(TextSyntax::Exact), _) | (_, Some(Op::Contains | Op::Starts | Op::Ends)) => {
            Form::Plain
        }
        _ => Form::Word,
    }
}

/// The value that stands here, `None` when none does.
fn value(cursor: &mut Cursor<'_>, reading: Reading) -> Result<Option<Value>> {
    let value = word::read(cursor, reading)?;
    let is_absent = value.span.start == value.span.end;
    Ok((!is_absent).then_some(value))
}

fn list(cursor: &mut Cursor<'_>, reading: Reading) -> Result<Values> {
    let start = cursor.at;
    cursor.bump();
    let mut values = Vec::new();
    loop {
        cursor.skip_space();
        match value(cursor, reading)? {
            Some(value) => values.push(value),
            None if cursor.peek() == Some(')') && values.is_empty() => {
                cursor.bump();
                let hint = "write the values between them: (a, b)";
                return fail(Problem::EmptyParentheses, cursor.span_from(start), hint);
            }
            None => break,
        }
        cursor.skip_space();
        if cursor.eat(")") {
            return Ok(Values::List(values));
        }
        if !cursor.eat(",") {
            break;
        }
    }
    if cursor.peek().is_none() {
        let hint = "close the list with ')'";
        return fail(
            Problem::UnclosedParenthesis,
            Span::new(start, start + 1),
            hint,
        );
    }
    let at = cursor.at;
    cursor.bump();
    let span = cursor.span_from(at);
    cursor.at += cursor.rest().find(')').map_or(0, |close| close + 1);
    let hint = "write (a, b), and put quotes around a value that has spaces or commas in it";
    fail(Problem::BadList, span, hint)
}

/// `name:regex:x`: the prefix goes before the field.
fn check_inner_modifier(cursor: &mut Cursor<'_>, info: &FieldInfo) -> Result<()> {
    let word = cursor.identifier();
    let is_prefix = cursor.rest()[word.len()..].starts_with(':');
    match modifiers::lookup(word).filter(|_| is_prefix) {
        Some(row) => {
            let span = Span::new(cursor.at, cursor.at + word.len() + 1);
            cursor.skip_word();
            let hint = format!(
                "a prefix goes before the field: {}:{}:...",
                row.name, info.name
            );
            fail(Problem::BadModifier(row.name), span, hint)
        }
        None => Ok(()),
    }
}

/// `modified:2025-06-01 10:00`: the time of day would be a word to look for.
fn check_time_of_day(cursor: &mut Cursor<'_>, info: &FieldInfo) -> Result<()> {
    let mut ahead = *cursor;
    ahead.skip_space();
    let clock: Vec<char> = ahead.rest().chars().take(5).collect();
    let is_clock =
        matches!(clock[..], [a, b, ':', c, d] if [a, b, c, d].iter().all(char::is_ascii_digit));
    if info.values != ValueKind::Time || !is_clock {
        return Ok(());
    }
    let start = ahead.at;
    ahead.skip_word();
    *cursor = ahead;
    let hint = "write the time of day after a T: 2025-06-01T10:00, or quote both";
    let problem = Problem::BadValue("the time of day is not part of the date".to_owned());
    fail(problem, ahead.span_from(start), hint)
}

/// The text of a term without a field, which only `file:` and `dir:` can do without.
fn bare_value(
    cursor: &mut Cursor<'_>,
    modifiers: &Modifiers,
    last: Option<Span>,
) -> Result<Values> {
    let reading = Reading {
        form: form(modifiers, None),
        regex_literal: !matches!(modifiers.syntax, Some(TextSyntax::Glob | TextSyntax::Exact)),
        in_list: false,
    };
    match value(cursor, reading)? {
        Some(value) => Ok(Values::One(value)),
        None if modifiers.dir.is_some() => Ok(Values::None),
        None => {
            let span = last.unwrap_or(Span::new(cursor.at, cursor.at));
            let word = cursor.text[span.start..span.end].to_owned();
            fail(
                Problem::NoValue(word),
                span,
                "a prefix stands right before one word or quoted text",
            )
        }
    }
}
