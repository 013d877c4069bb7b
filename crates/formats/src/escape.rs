//! Hostile names made harmless.
//!
//! A file name may hold anything but `/` and NUL: escape sequences that drive a terminal, line
//! breaks that forge output, marks that reverse the order of text, characters that cannot be
//! seen. On a terminal all of these are shown as visible escapes. [`json_string`] and
//! [`file_url`] do the same for JSON and for URLs.

mod json;
mod url;

pub use json::json_string;
pub use url::{file_url, percent};

/// Characters beyond the control characters that are invisible or change how their neighbours
/// are shown, as inclusive ranges in ascending order.
///
/// Variation selectors and private-use characters are not among them: emoji and icon fonts need
/// them, and they deceive nobody about the order or the presence of text.
pub(crate) const INVISIBLE: [(u32, u32); 14] = [
    (0x00AD, 0x00AD),   // soft hyphen
    (0x061C, 0x061C),   // Arabic letter mark, a bidi control
    (0x115F, 0x1160),   // Hangul fillers
    (0x17B4, 0x17B5),   // Khmer inherent vowels
    (0x180E, 0x180E),   // Mongolian vowel separator
    (0x200B, 0x200F),   // zero-width characters, left-to-right and right-to-left marks
    (0x2028, 0x202E),   // line and paragraph separators, bidi embeddings and overrides
    (0x2060, 0x206F),   // word joiner, bidi isolates, deprecated format characters
    (0x3164, 0x3164),   // Hangul filler
    (0xFEFF, 0xFEFF),   // byte order mark
    (0xFFA0, 0xFFA0),   // half-width Hangul filler
    (0xFFF0, 0xFFFB),   // interlinear annotations and their unassigned neighbours
    (0x1D173, 0x1D17A), // musical format characters
    (0xE0000, 0xE007F), // language tags
];

/// Appends `bytes` as a terminal may show them: what is hostile or no UTF-8 becomes `\x1B` (a
/// byte or a character up to U+00FF) or `\u{202E}`; everything else, tabs included, stays.
///
/// Backslashes stay as they are, so the result reads well but cannot always be turned back. It
/// is printable UTF-8, and escaping it again changes nothing.
pub fn terminal(bytes: &[u8], out: &mut Vec<u8>) {
    if is_plain(bytes) {
        out.extend_from_slice(bytes);
        return;
    }
    for chunk in bytes.utf8_chunks() {
        push_text(chunk.valid(), out);
        for &byte in chunk.invalid() {
            push_code(u32::from(byte), out);
        }
    }
}

/// Whether [`terminal`] would change `bytes`.
pub fn needs_escape(bytes: &[u8]) -> bool {
    !is_plain(bytes)
        && bytes
            .utf8_chunks()
            .any(|chunk| !chunk.invalid().is_empty() || chunk.valid().chars().any(is_hostile))
}

/// Whether all bytes are printable ASCII or tabs: by far the most common case. Written without an
/// early exit so that it becomes vector code.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |plain, &b| {
        plain & (matches!(b, b' '..=b'~') | (b == b'\t'))
    })
}

/// Whether a terminal must not get to see this character.
fn is_hostile(c: char) -> bool {
    if c.is_control() {
        return c != '\t';
    }
    let code = u32::from(c);
    code >= INVISIBLE[0].0
        && INVISIBLE
            .iter()
            .any(|&(low, high)| (low..=high).contains(&code))
}

fn push_text(text: &str, out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some((at, c)) = rest.char_indices().find(|&(_, c)| is_hostile(c)) {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        push_code(u32::from(c), out);
        rest = &rest[at + c.len_utf8()..];
    }
    out.extend_from_slice(rest.as_bytes());
}

/// Appends `\x1B` or `\u{202E}`: two digits up to 0xFF, at least four above.
fn push_code(code: u32, out: &mut Vec<u8>) {
    if code <= 0xFF {
        out.extend_from_slice(b"\\x");
        push_hex(code, 2, out);
    } else {
        out.extend_from_slice(b"\\u{");
        push_hex(code, if code > 0xFFFF { 5 } else { 4 }, out);
        out.push(b'}');
    }
}

/// Appends the last `digits` hexadecimal digits of `value`, in upper case.
fn push_hex(value: u32, digits: u32, out: &mut Vec<u8>) {
    for place in (0..digits).rev() {
        let digit = (value >> (4 * place)) & 0xF;
        out.push(b"0123456789ABCDEF"[digit as usize]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn escaped(bytes: impl AsRef<[u8]>) -> String {
        let mut out = Vec::new();
        terminal(bytes.as_ref(), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn harmless_names_stay_as_they_are() {
        for name in [
            "",
            "hello world.txt",
            "a\tb",
            "back\\slash",
            "résumé.pdf",
            "文档",
            "🦀.rs",
            "\u{FFFD}",
            "heart\u{2764}\u{FE0F}",
            "icon\u{E000}",
            "cjk\u{6F22}\u{E0101}",
        ] {
            assert_eq!(escaped(name), name);
            assert!(!needs_escape(name.as_bytes()), "{name:?}");
        }
    }

    #[test]
    fn hostile_characters_become_visible() {
        for (name, want) in [
            ("a\x1b]52;c;cHduZWQ=\x1b\\b", r"a\x1B]52;c;cHduZWQ=\x1B\b"),
            ("A\rFAKE\n", r"A\x0DFAKE\x0A"),
            ("\0\x07\x7f", r"\x00\x07\x7F"),
            ("\u{9b}31m\u{85}", r"\x9B31m\x85"),
            ("a\u{202E}gnp\u{202D}", r"a\u{202E}gnp\u{202D}"),
            ("\u{2066}\u{2069}\u{061C}", r"\u{2066}\u{2069}\u{061C}"),
            ("\u{FEFF}a\u{200B}b\u{AD}", r"\u{FEFF}a\u{200B}b\xAD"),
            ("x\u{2028}y\u{3164}", r"x\u{2028}y\u{3164}"),
            ("\u{E0041}\u{1D173}", r"\u{E0041}\u{1D173}"),
        ] {
            assert_eq!(escaped(name), want);
            assert!(needs_escape(name.as_bytes()), "{name:?}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_become_visible() {
        assert_eq!(escaped(b"bad\xff.txt"), r"bad\xFF.txt");
        assert_eq!(escaped(b"\xe4\xb8"), r"\xE4\xB8");
        assert_eq!(escaped(b"\x9b\xc3\xa9\xed\xa0\x80"), r"\x9Bé\xED\xA0\x80");
    }

    #[test]
    fn the_table_is_in_order() {
        assert!(INVISIBLE.iter().all(|&(low, high)| low <= high));
        assert!(INVISIBLE.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }

    fn any_name() -> impl Strategy<Value = Vec<u8>> {
        let pieces = prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..8),
            any::<char>().prop_map(|c| c.to_string().into_bytes()),
            (0x2000u32..0x2070)
                .prop_filter_map("character", char::from_u32)
                .prop_map(|c| c.to_string().into_bytes()),
            "[ -~]{0,20}".prop_map(String::into_bytes),
        ];
        proptest::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn nothing_hostile_gets_through(name in any_name()) {
            let shown = escaped(&name);
            prop_assert!(shown.bytes().all(|b| b == b'\t' || (b >= b' ' && b != 0x7f)));
            prop_assert!(!shown.chars().any(is_hostile));
            prop_assert!(!needs_escape(shown.as_bytes()));
            prop_assert_eq!(escaped(&shown), shown);
        }

        #[test]
        fn needs_escape_tells_whether_anything_changes(name in any_name()) {
            prop_assert_eq!(needs_escape(&name), escaped(&name).as_bytes() != &name[..]);
        }
    }
}
