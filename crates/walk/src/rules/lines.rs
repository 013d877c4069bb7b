//! The lines of a rule file, cut as git cuts them.

use super::glob::Malformed;
use super::pattern::{self, Dialect};
use super::set::PatternSet;

/// A line that holds a malformed pattern: its number from 1, and the reason.
pub(super) type BadLine = (usize, Malformed);

/// Compiles the bytes of a rule file. A malformed line matches nothing and is reported.
pub(super) fn compile(bytes: &[u8], dialect: Dialect) -> (PatternSet, Vec<BadLine>) {
    let (mut patterns, mut bad) = (Vec::new(), Vec::new());
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    for (index, line) in bytes.split(|&b| b == b'\n').enumerate() {
        let Some(line) = significant(line) else {
            continue;
        };
        match pattern::compile(line, dialect) {
            Ok(compiled) => patterns.extend(compiled),
            Err(reason) => bad.push((index + 1, reason)),
        }
    }
    (PatternSet::new(patterns), bad)
}

/// The part of a line that is a pattern; `None` for comments and blank lines.
fn significant(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    // git handles a line as a C string.
    let line = line.split(|&b| b == 0).next()?;
    if line.first() == Some(&b'#') {
        return None;
    }
    let line = trim_spaces(line);
    (!line.is_empty()).then_some(line)
}

/// Cuts trailing spaces; a space behind a backslash stays.
pub(super) fn trim_spaces(line: &[u8]) -> &[u8] {
    let (mut end, mut at) = (0, 0);
    while let Some(&byte) = line.get(at) {
        at += if byte == b'\\' { 2 } else { 1 };
        if byte != b' ' {
            end = at;
        }
    }
    &line[..end.min(line.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_as_git_cuts_them() {
        for (line, want) in [
            ("a", Some("a")),
            ("a\r", Some("a")),
            ("a  \r", Some("a")),
            ("a\\ ", Some("a\\ ")),
            ("a\\  ", Some("a\\ ")),
            ("a\\\\ ", Some("a\\\\")),
            ("a b ", Some("a b")),
            (" a", Some(" a")),
            ("a\t", Some("a\t")),
            ("a\\", Some("a\\")),
            ("a\0b", Some("a")),
            ("#a", None),
            ("\\#a", Some("\\#a")),
            ("", None),
            ("   ", None),
            ("\r", None),
        ] {
            assert_eq!(
                significant(line.as_bytes()),
                want.map(str::as_bytes),
                "{line:?}"
            );
        }
    }

    #[test]
    fn a_byte_order_mark_is_skipped_and_bad_lines_are_numbered() {
        let (set, bad) = compile(b"\xef\xbb\xbf#c\na\n[b\n\\", Dialect::Git);
        assert!(!set.is_empty());
        assert_eq!(
            bad.iter().map(|(line, _)| *line).collect::<Vec<_>>(),
            [3, 4]
        );
    }
}
