//! An error for people: message, the query's line, a mark under the place, a hint.

use std::fmt;

use super::error::QueryError;

/// Characters of the query shown on each side of a place.
const CONTEXT: usize = 40;

/// Characters that are marked at most.
const MAX_MARK: usize = 40;

pub(super) fn error(f: &mut fmt::Formatter<'_>, text: &str, error: &QueryError) -> fmt::Result {
    let start = floor(text, error.span.start);
    let end = floor(text, error.span.end).max(start);
    let before = shown(
        text[..start]
            .chars()
            .rev()
            .take(CONTEXT)
            .collect::<Vec<_>>()
            .into_iter()
            .rev(),
    );
    let marked = shown(text[start..end].chars().take(MAX_MARK));
    let after_start = start
        + text[start..end]
            .chars()
            .take(MAX_MARK)
            .map(char::len_utf8)
            .sum::<usize>();
    let after = shown(text[after_start..].chars().take(CONTEXT));

    writeln!(f, "{}", shown(error.problem.to_string().chars()))?;
    writeln!(f, "  {before}{marked}{after}")?;
    let (indent, width) = (before.chars().count(), marked.chars().count());
    write!(
        f,
        "  {:indent$}^{:~<rest$}",
        "",
        "",
        rest = width.saturating_sub(1)
    )?;
    if let Some(hint) = &error.hint {
        write!(f, "\n  {}", shown(hint.chars()))?;
    }
    Ok(())
}

/// The nearest start of a character at or before a byte.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

/// Text that is harmless on a terminal.
fn shown(chars: impl Iterator<Item = char>) -> String {
    chars.fold(String::new(), |mut line, c| {
        if c.is_control() || is_format(c) {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
        line
    })
}

/// Characters that reorder or hide what stands beside them.
fn is_format(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}
