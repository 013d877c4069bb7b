//! Values: unquoted words, quoted text, `/regex/`.

use super::cursor::Cursor;
use super::error::{Problem, QueryError};
use super::quoted;
use super::tree::{Span, Text, Value};

/// How a value is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) form: Form,
    /// Whether a value that begins with `/` may be a regex.
    pub(super) regex_literal: bool,
    /// Whether a comma ends it.
    pub(super) in_list: bool,
}

/// What an unquoted word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Text, or a glob when it has wildcards in it.
    Word,
    /// Text, wildcards included.
    Plain,
    /// A glob: escapes are its own.
    Glob,
    /// A regex: escapes, parentheses and bars are its own.
    Regex,
}

impl Form {
    fn is_raw(self) -> bool {
        matches!(self, Form::Glob | Form::Regex)
    }
}

/// Reads the value that stands here. It is empty when none does.
pub(super) fn read(cursor: &mut Cursor<'_>, reading: Reading) -> Result<Value, QueryError> {
    let start = cursor.at;
    let text = match cursor.peek() {
        Some('"' | '\'') => Text::Plain(quoted::read(cursor, reading.form.is_raw())?),
        Some('/') if reading.regex_literal => match regex_literal(cursor, reading.in_list)? {
            Some(regex) => regex,
            None => word(cursor, reading)?,
        },
        _ => word(cursor, reading)?,
    };
    Ok(Value {
        text,
        span: cursor.span_from(start),
    })
}

fn word(cursor: &mut Cursor<'_>, reading: Reading) -> Result<Text, QueryError> {
    let start = cursor.at;
    let mut open = 0_usize;
    while let Some(c) = cursor.peek() {
        let ends = match (c, reading.form) {
            ('(', Form::Regex) => {
                open += 1;
                false
            }
            (')', Form::Regex) if open > 0 => {
                open -= 1;
                false
            }
            (',', Form::Regex) => reading.in_list && open == 0,
            ('|' | '"' | '&', Form::Regex) => false,
            ('"', _) => return Err(quote_in_word(cursor)),
            ('&', _) => cursor.rest().starts_with("&&"),
            ('(' | ')' | '|', _) => true,
            (',', _) => reading.in_list,
            _ => c.is_whitespace(),
        };
        if ends {
            break;
        }
        cursor.bump();
        if c == '\\' {
            cursor.bump();
        }
    }
    classify(
        &cursor.text[start..cursor.at],
        reading.form,
        cursor.span_from(start),
    )
}

fn classify(raw: &str, form: Form, span: Span) -> Result<Text, QueryError> {
    match form {
        Form::Word if has_wildcard(raw) => Ok(Text::Wild(raw.to_owned())),
        Form::Word | Form::Plain => Ok(Text::Plain(unescaped(raw).into_bytes())),
        Form::Glob | Form::Regex => quoted::raw_pattern(raw.as_bytes(), span).map(Text::Plain),
    }
}

fn quote_in_word(cursor: &mut Cursor<'_>) -> QueryError {
    let at = cursor.at;
    // What it quotes is no further mistake.
    if quoted::read(cursor, false).is_err() {
        cursor.at = at + 1;
    }
    cursor.skip_word();
    QueryError {
        problem: Problem::QuoteInWord,
        span: Span::new(at, at + 1),
        hint: Some("put quotes around the whole word, or write \\\" for a quote".to_owned()),
    }
}

/// Whether an unquoted word is a glob: `*`, `?` or `[..]` without a backslash.
fn has_wildcard(raw: &str) -> bool {
    let mut chars = raw.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '*' | '?' => return true,
            '[' if raw[at + 1..].find(']').is_some_and(|close| close > 0) => return true,
            _ => {}
        }
    }
    false
}

/// A backslash takes the meaning from punctuation and white space; before letters it is itself.
fn unescaped(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        let mut ahead = chars.clone();
        match ahead.next() {
            Some(next) if c == '\\' && (next.is_ascii_punctuation() || next.is_whitespace()) => {
                out.push(next);
                chars = ahead;
            }
            _ => out.push(c),
        }
    }
    out
}

/// `/pattern/` with `i` or `s` after it, if the word that stands here is one.
fn regex_literal(cursor: &mut Cursor<'_>, in_list: bool) -> Result<Option<Text>, QueryError> {
    let Some((pattern, flags)) = find_regex(cursor.rest(), in_list) else {
        return Ok(None);
    };
    let start = cursor.at;
    cursor.at += 1 + pattern.len() + 1 + flags.len();
    if has_bare_space(pattern) {
        return Err(QueryError {
            problem: Problem::RegexOrWords,
            span: cursor.span_from(start),
            hint: Some(format!(
                "for a regular expression write regex:\"{pattern}\", for words put each in quotes"
            )),
        });
    }
    let ignore_case = match flags {
        "i" => Some(true),
        "s" => Some(false),
        _ => None,
    };
    Ok(Some(Text::Regex {
        pattern: pattern.to_owned(),
        ignore_case,
    }))
}

/// The pattern and flags of a text that begins with `/`.
fn find_regex(text: &str, in_list: bool) -> Option<(&str, &str)> {
    let mut chars = text.char_indices().skip(1);
    let close = loop {
        match chars.next()? {
            (_, '\\') => {
                chars.next()?;
            }
            (at, '/') => break at,
            _ => {}
        }
    };
    let after = &text[close + 1..];
    let flags_end = after.find(|c| c != 'i' && c != 's').unwrap_or(after.len());
    let (flags, after) = after.split_at(flags_end);
    let ends = match after.chars().next() {
        None => true,
        Some(c) => c.is_whitespace() || matches!(c, ')' | '|') || (in_list && c == ','),
    };
    (close > 1 && ends && flags.len() <= 1).then_some((&text[1..close], flags))
}

fn has_bare_space(pattern: &str) -> bool {
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if c.is_whitespace() {
            return true;
        }
    }
    false
}
