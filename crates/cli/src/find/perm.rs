//! Permissions and numbers as `find` users write them.

use anyhow::{Result, anyhow, bail};
use groma_engine::find::{NumberFilter, PermissionFilter};

/// Reads `MODE`, `-MODE` or `/MODE`, octal or symbolic.
pub(super) fn parse(text: &str) -> Result<PermissionFilter> {
    if let Some(mode) = text.strip_prefix('-') {
        return Ok(PermissionFilter::All(mode_bits(mode)?));
    }
    if let Some(mode) = text.strip_prefix('/') {
        return Ok(PermissionFilter::Any(mode_bits(mode)?));
    }
    Ok(PermissionFilter::Exactly(mode_bits(text)?))
}

fn mode_bits(text: &str) -> Result<u32> {
    let wrong =
        || anyhow!("'{text}' is no mode: write octal digits (644) or clauses (u=rw,g+w,o+r)");
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return u32::from_str_radix(text, 8).ok().filter(|mode| *mode <= 0o7777).ok_or_else(wrong);
    }
    let mut mode = 0;
    for clause in text.split(',') {
        mode = apply_clause(mode, clause).ok_or_else(wrong)?;
    }
    Ok(mode)
}

/// One clause of a symbolic mode, `[ugoa]*[+-=][rwxst]*`, applied as chmod would.
fn apply_clause(mode: u32, clause: &str) -> Option<u32> {
    let at = clause.find(['+', '-', '='])?;
    let (who, rest) = clause.split_at(at);
    let (operator, what) = rest.split_at(1);
    let who = if who.is_empty() { "a" } else { who };
    let mut mask = 0;
    for c in who.chars() {
        mask |= match c {
            'u' => 0o4700,
            'g' => 0o2070,
            'o' => 0o1007,
            'a' => 0o7777,
            _ => return None,
        };
    }
    let mut bits = 0;
    for c in what.chars() {
        bits |= match c {
            'r' => 0o444,
            'w' => 0o222,
            'x' => 0o111,
            's' => 0o6000,
            't' => 0o1000,
            _ => return None,
        };
    }
    Some(match operator {
        "+" => mode | (bits & mask),
        "-" => mode & !(bits & mask),
        _ => (mode & !mask) | (bits & mask),
    })
}

/// Reads `N`, `+N` (or more) or `-N` (or less).
pub(super) fn number(text: &str) -> Result<NumberFilter> {
    let parse = |digits: &str| match digits.parse() {
        Ok(number) => Ok(number),
        Err(_) => bail!("'{text}' is no number: write 2, +2 (or more) or -2 (or less)"),
    };
    match text.as_bytes().first() {
        Some(b'+') => parse(&text[1..]).map(NumberFilter::AtLeast),
        Some(b'-') => parse(&text[1..]).map(NumberFilter::AtMost),
        _ => parse(text).map(NumberFilter::Exactly),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_modes_as_find_does() {
        for (text, want) in [
            ("644", PermissionFilter::Exactly(0o644)),
            ("-222", PermissionFilter::All(0o222)),
            ("/u+w,g+w", PermissionFilter::Any(0o220)),
            ("-u=rwx,go=rx", PermissionFilter::All(0o755)),
            ("a+r", PermissionFilter::Exactly(0o444)),
            ("/u+s", PermissionFilter::Any(0o4000)),
            ("+x", PermissionFilter::Exactly(0o111)),
            ("o+t", PermissionFilter::Exactly(0o1000)),
        ] {
            assert_eq!(parse(text).unwrap(), want, "{text}");
        }
        for text in ["", "9", "77777", "u", "z+r", "u+q", "-", "/"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn reads_numbers() {
        assert_eq!(number("2").unwrap(), NumberFilter::Exactly(2));
        assert_eq!(number("+2").unwrap(), NumberFilter::AtLeast(2));
        assert_eq!(number("-2").unwrap(), NumberFilter::AtMost(2));
        assert!(number("two").is_err() && number("").is_err() && number("+").is_err());
    }
}
