//! Texts and patterns: names, paths, extensions, directories.

use super::lists::group_extensions;
use super::{Checked, Context, any_of, bad_value, fail, modifier_word, words};
use crate::bound::{Expr, How, Test, TextField, TextTest};
use crate::fields::Field;
use crate::pattern::{Case, Extensions, Pattern, PatternError, Place, Syntax, escape_bytes};
use crate::pattern::{has_uppercase_literal, mentions_slash};
use crate::syntax::{Modifiers, Op, Problem, Span, Term, Text, TextSyntax, Value, Values};

/// A word without a field: about the name, or about the path if it has a `/` in it.
pub(super) fn bare(term: &Term, context: &Context<'_>) -> Checked<Expr> {
    let Values::One(value) = &term.values else {
        return Ok(Expr::All);
    };
    let has_slash = match &value.text {
        Text::Regex { pattern, .. } => mentions_slash(pattern),
        Text::Wild(glob) => glob.contains('/'),
        Text::Plain(text) if term.modifiers.syntax == Some(TextSyntax::Regex) => {
            std::str::from_utf8(text).is_ok_and(mentions_slash)
        }
        Text::Plain(text) => text.contains(&b'/'),
    };
    let field = if has_slash {
        TextField::Path
    } else {
        TextField::Name
    };
    test(field, value, Op::Has, &term.modifiers, context)
}

/// A text field and its values.
pub(super) fn field(term: &Term, field: Field, context: &Context<'_>) -> Checked<Expr> {
    let field = match field {
        Field::Stem => TextField::Stem,
        Field::Path => TextField::Path,
        Field::Parent => TextField::Parent,
        Field::Root => TextField::Root,
        Field::Volume => TextField::Volume,
        Field::Stream => TextField::Stream,
        _ => TextField::Name,
    };
    tests(field, term, context)
}

fn tests(field: TextField, term: &Term, context: &Context<'_>) -> Checked<Expr> {
    let test = |value| test(field, value, term.op, &term.modifiers, context);
    let list: Checked<Vec<Expr>> = term.values.as_slice().iter().map(test).collect();
    Ok(any_of(list?))
}

/// `ext:`: whole extensions whatever their case, unless a pattern or `case:` is asked for.
pub(super) fn extension(term: &Term, context: &Context<'_>) -> Checked<Expr> {
    let is_plain = |v: &Value| matches!(&v.text, Text::Plain(text) if !text.is_empty());
    let is_simple = matches!(term.op, Op::Has | Op::Eq | Op::Ne | Op::In)
        && Modifiers {
            dir: None,
            ..term.modifiers
        } == Modifiers::default()
        && term.values.as_slice().iter().all(is_plain);
    if !is_simple {
        // `ext:JP` with `case:` is the whole extension too, not a part of it.
        let op = if term.op == Op::Has { Op::Eq } else { term.op };
        return tests(TextField::Extension, &Term { op, ..term.clone() }, context);
    }
    let mut list = Vec::new();
    for (word, _) in words(term, &[';', ','])? {
        match group_extensions(&word, context) {
            Some(group) => list.extend(group.into_iter().map(str::to_owned)),
            None => list.push(word),
        }
    }
    Ok(Expr::Test(Test::Extension(Extensions::new(list))))
}

/// `under:`: directories, made absolute.
pub(super) fn under(term: &Term, context: &Context<'_>) -> Checked<Expr> {
    let directory = |value: &Value| match &value.text {
        Text::Plain(path) if !path.is_empty() => absolute(path, value, context),
        Text::Plain(_) => bad_value(value, "the directory is empty"),
        _ => bad_value(value, "a directory is needed, not a pattern"),
    };
    let test = |value| directory(value).map(|path| Expr::Test(Test::Under(path)));
    let list: Checked<Vec<Expr>> = term.values.as_slice().iter().map(test).collect();
    Ok(any_of(list?))
}

/// The path from the root, without `.`, `..` and trailing slashes.
fn absolute(path: &[u8], value: &Value, context: &Context<'_>) -> Checked<Vec<u8>> {
    let start = match (path.first(), &context.current_directory) {
        (Some(b'/'), _) => Vec::new(),
        (_, Some(here)) => here.clone(),
        (_, None) => return bad_value(value, "an absolute path is needed"),
    };
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in start
        .split(|&b| b == b'/')
        .chain(path.split(|&b| b == b'/'))
    {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    Ok([b"/", parts.join(&b'/').as_slice()].concat())
}

/// One text test.
fn test(
    field: TextField,
    value: &Value,
    op: Op,
    modifiers: &Modifiers,
    context: &Context<'_>,
) -> Checked<Expr> {
    let (how, text) = how(field, value, op, modifiers)?;
    let written = match &value.text {
        Text::Regex { ignore_case, .. } => *ignore_case,
        _ => None,
    };
    let ignore_case = written
        .or(modifiers.ignore_case)
        .unwrap_or(match context.case {
            Case::Sensitive => false,
            Case::Insensitive => true,
            Case::Smart => !has_uppercase(&text, how),
        });
    let pattern = match pattern(&text, how, modifiers.word, ignore_case) {
        Ok(pattern) => pattern,
        Err(error) => return bad_pattern(value, &text, &error),
    };
    Ok(Expr::Test(Test::Text(
        field,
        TextTest {
            how,
            text,
            ignore_case,
            pattern,
        },
    )))
}

/// How a value is meant, and its text for that.
fn how(field: TextField, value: &Value, op: Op, modifiers: &Modifiers) -> Checked<(How, Vec<u8>)> {
    let is_path = matches!(field, TextField::Path | TextField::Parent | TextField::Root);
    let (how, text) = match &value.text {
        Text::Regex { pattern, .. } => (How::Regex, pattern.clone().into_bytes()),
        Text::Wild(glob) => (How::Glob, glob.clone().into_bytes()),
        Text::Plain(text) => (plain_how(field, op, modifiers), text.clone()),
    };
    check_prefixes(how, op, modifiers, value.span)?;
    let text = match how {
        // A glob for a path that does not begin at the top may begin at any directory.
        How::Glob if is_path && !text.starts_with(b"/") && !text.starts_with(b"**") => {
            [b"**/", text.as_slice()].concat()
        }
        _ => text,
    };
    Ok((how, text))
}

fn plain_how(field: TextField, op: Op, modifiers: &Modifiers) -> How {
    match (modifiers.syntax, op) {
        (Some(TextSyntax::Regex), _) | (None, Op::Matches) => How::Regex,
        (Some(TextSyntax::Glob), _) => How::Glob,
        (Some(TextSyntax::Exact), _) | (None, Op::Eq | Op::Ne | Op::In) => How::Equals,
        (None, Op::Starts) => How::Starts,
        (None, Op::Ends) => How::Ends,
        (None, Op::Contains) if modifiers.word => How::Word,
        (None, Op::Contains) => How::Contains,
        (None, _) if modifiers.word => How::Word,
        (None, _) if field == TextField::Parent => How::Tail,
        (None, _) => How::Contains,
    }
}

/// Prefixes that contradict each other or the operator.
fn check_prefixes(how: How, op: Op, modifiers: &Modifiers, span: Span) -> Checked<()> {
    if modifiers.word && !matches!(how, How::Word | How::Regex) {
        let hint = "it goes with a text to be contained, or with regex:";
        return fail(Problem::BadModifier("word:"), span, hint);
    }
    let settled = matches!(op, Op::Contains | Op::Starts | Op::Ends)
        || (op == Op::Matches && modifiers.syntax != Some(TextSyntax::Regex));
    if modifiers.syntax.is_some() && settled {
        let prefix = modifier_word(&Modifiers {
            syntax: modifiers.syntax,
            ..Modifiers::default()
        });
        let hint = format!("'{}' already says how the text is read", op.word());
        return fail(Problem::BadModifier(prefix), span, hint);
    }
    Ok(())
}

fn has_uppercase(text: &[u8], how: How) -> bool {
    let syntax = match how {
        How::Regex => Syntax::Regex,
        How::Glob => Syntax::Glob,
        _ => Syntax::Fixed,
    };
    has_uppercase_literal(&String::from_utf8_lossy(text), syntax)
}

fn pattern(text: &[u8], how: How, word: bool, fold: bool) -> Result<Pattern, PatternError> {
    let case = if fold {
        Case::Insensitive
    } else {
        Case::Sensitive
    };
    let words = |regex: &str| format!(r"\b{{start-half}}(?:{regex})\b{{end-half}}");
    match how {
        How::Contains => Ok(Pattern::plain(text, Place::Anywhere, fold)),
        How::Equals => Ok(Pattern::plain(text, Place::Whole, fold)),
        How::Starts => Ok(Pattern::plain(text, Place::Start, fold)),
        How::Ends => Ok(Pattern::plain(text, Place::End, fold)),
        How::Word => Pattern::from_regex(&words(&escape_bytes(text)), fold),
        How::Tail => {
            let (place, text) = tail(text);
            Ok(Pattern::plain(&text, place, fold))
        }
        How::Glob => Pattern::compile(&String::from_utf8_lossy(text), Syntax::Glob, case),
        How::Regex => {
            let regex = String::from_utf8_lossy(text);
            // Read alone first, so that an error points into what was written.
            let pattern = Pattern::from_regex(&regex, fold)?;
            if word {
                Pattern::from_regex(&words(&regex), fold)
            } else {
                Ok(pattern)
            }
        }
    }
}

/// What an absolute path must be or end in to end in these components.
fn tail(text: &[u8]) -> (Place, Vec<u8>) {
    let trimmed = match text.iter().rposition(|&b| b != b'/') {
        Some(last) => &text[..=last],
        None => return (Place::Whole, b"/".to_vec()),
    };
    if trimmed.starts_with(b"/") {
        (Place::Whole, trimmed.to_vec())
    } else {
        (Place::End, [b"/", trimmed].concat())
    }
}

fn bad_pattern<T>(value: &Value, text: &[u8], error: &PatternError) -> Checked<T> {
    let span = error
        .place()
        .and_then(|at| span_within(value, text, at))
        .unwrap_or(value.span);
    let hint = match error {
        PatternError::TooLarge { .. } => "repeat less in it",
        _ => "to look for the text itself, quote it and leave regex:, glob: or ~ away",
    };
    fail(Problem::BadPattern(error.summary()), span, hint)
}

/// The place in the query of a place in a pattern, where the pattern stands there as it is.
fn span_within(value: &Value, text: &[u8], at: std::ops::Range<usize>) -> Option<Span> {
    let written = value.span.end - value.span.start;
    let (before, added) = match &value.text {
        Text::Regex { .. } => (1, 0),
        Text::Wild(glob) => (0, text.len() - glob.len()),
        Text::Plain(_) if written == text.len() => (0, 0),
        Text::Plain(_) if written == text.len() + 2 => (1, 0),
        Text::Plain(_) => return None,
    };
    let shift = |offset: usize| (value.span.start + before + offset).checked_sub(added);
    let span = Span::new(shift(at.start)?, shift(at.end)?);
    (span.start >= value.span.start && span.end <= value.span.end).then_some(span)
}
