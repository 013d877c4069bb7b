//! Quoted text: `'as it is'` and `"with \" escapes"`.

use super::cursor::Cursor;
use super::error::{Problem, QueryError};
use super::tree::Span;

/// Reads the quoted text that stands here. `raw` is for patterns: their backslashes are theirs.
pub(super) fn read(cursor: &mut Cursor<'_>, raw: bool) -> Result<Vec<u8>, QueryError> {
    let start = cursor.at;
    let quote = cursor.bump();
    let escapes = quote == Some('"');
    let mut out = Vec::new();
    // After a bad escape the rest is still read, so that the parser goes on after the quote.
    let mut mistake = None;
    loop {
        let from = cursor.at;
        match cursor.bump() {
            None => return Err(unclosed(cursor.span_from(start), quote)),
            c if c == quote => break,
            Some('\\') if escapes && !raw => {
                mistake = mistake.or(escape(cursor, from, &mut out).err());
            }
            // Only so that the quote it hides does not end the text.
            Some('\\') if escapes => {
                cursor.bump();
                out.extend_from_slice(&cursor.text.as_bytes()[from..cursor.at]);
            }
            Some(_) => out.extend_from_slice(&cursor.text.as_bytes()[from..cursor.at]),
        }
    }
    match mistake {
        Some(mistake) => Err(mistake),
        None if raw => raw_pattern(&out, cursor.span_from(start)),
        None => Ok(out),
    }
}

fn unclosed(span: Span, quote: Option<char>) -> QueryError {
    let hint = match quote {
        Some('\'') => "close it, or write the text in double quotes if the ' belongs to it",
        _ => "close it, or write \\\" if the quote belongs to the text",
    };
    QueryError {
        problem: Problem::UnclosedQuote,
        span: Span::new(span.start, span.start + 1),
        hint: Some(hint.to_owned()),
    }
}

/// A pattern in its one form: `\"` is `"`, and no backslash is left without a partner.
pub(super) fn raw_pattern(text: &[u8], span: Span) -> Result<Vec<u8>, QueryError> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.iter();
    while let Some(&b) = bytes.next() {
        match (b, if b == b'\\' { bytes.next() } else { None }) {
            (b'\\', None) => return Err(lone_backslash(span)),
            (b'\\', Some(b'"')) => out.push(b'"'),
            (b'\\', Some(&next)) => out.extend([b, next]),
            _ => out.push(b),
        }
    }
    Ok(out)
}

/// What stands after a backslash at `from`.
fn escape(cursor: &mut Cursor<'_>, from: usize, out: &mut Vec<u8>) -> Result<(), QueryError> {
    let mut encoded = [0; 4];
    match cursor.bump() {
        Some('n') => out.push(b'\n'),
        Some('t') => out.push(b'\t'),
        Some('r') => out.push(b'\r'),
        Some('x') => {
            let byte = cursor
                .rest()
                .get(..2)
                .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
            let byte = byte.and_then(|digits| u8::from_str_radix(digits, 16).ok());
            cursor.at += if byte.is_some() { 2 } else { 0 };
            out.push(byte.ok_or_else(|| bad_escape("\\x", cursor.span_from(from)))?);
        }
        Some('u') => {
            let c = unicode(cursor).ok_or_else(|| bad_escape("\\u", cursor.span_from(from)))?;
            out.extend_from_slice(c.encode_utf8(&mut encoded).as_bytes());
        }
        Some(c) if c.is_ascii_punctuation() || c == ' ' => {
            out.extend_from_slice(c.encode_utf8(&mut encoded).as_bytes());
        }
        _ => {
            return Err(bad_escape(
                &cursor.text[from..cursor.at],
                cursor.span_from(from),
            ));
        }
    }
    Ok(())
}

/// `{1f600}` after `\u`.
fn unicode(cursor: &mut Cursor<'_>) -> Option<char> {
    let (digits, _) = cursor.rest().strip_prefix('{')?.split_once('}')?;
    let code = u32::from_str_radix(digits, 16).ok()?;
    cursor.at += digits.len() + 2;
    char::from_u32(code)
}

fn lone_backslash(span: Span) -> QueryError {
    QueryError {
        problem: Problem::BadEscape("\\".to_owned()),
        span: Span::new(span.end.saturating_sub(1).max(span.start), span.end),
        hint: Some("a pattern cannot end in a single backslash".to_owned()),
    }
}

fn bad_escape(escape: &str, span: Span) -> QueryError {
    let hint = "known are \\\\ \\\" \\n \\t \\r \\xff (a byte) \\u{e4} (a character); in single \
                quotes a backslash is only a backslash";
    QueryError {
        problem: Problem::BadEscape(escape.to_owned()),
        span,
        hint: Some(hint.to_owned()),
    }
}
