//! JSON strings from bytes that may be no text.

use super::{is_hostile, push_hex};

/// Appends `bytes` as a JSON string, quotes included.
///
/// Each stretch that is no UTF-8 becomes one U+FFFD, as in `String::from_utf8_lossy`. Characters that are
/// hostile on a terminal are written as `\u....`: the value is the same, and whoever looks at
/// the raw JSON is as safe as with escaped names.
pub fn json_string(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    if is_plain(bytes) {
        out.extend_from_slice(bytes);
    } else {
        for chunk in bytes.utf8_chunks() {
            chunk.valid().chars().for_each(|c| push_char(c, out));
            if !chunk.invalid().is_empty() {
                push_char(char::REPLACEMENT_CHARACTER, out);
            }
        }
    }
    out.push(b'"');
}

/// Whether all bytes are printable ASCII that JSON takes as it is.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |plain, &b| {
        plain & matches!(b, b' '..=b'~') & (b != b'"') & (b != b'\\')
    })
}

fn push_char(c: char, out: &mut Vec<u8>) {
    match c {
        '"' => out.extend_from_slice(b"\\\""),
        '\\' => out.extend_from_slice(b"\\\\"),
        '\n' => out.extend_from_slice(b"\\n"),
        '\r' => out.extend_from_slice(b"\\r"),
        '\t' => out.extend_from_slice(b"\\t"),
        c if is_hostile(c) => push_unicode_escape(c, out),
        c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

/// Appends `\u202E`, or two of them where UTF-16 needs a pair.
fn push_unicode_escape(c: char, out: &mut Vec<u8>) {
    for &mut unit in c.encode_utf16(&mut [0; 2]) {
        out.extend_from_slice(b"\\u");
        push_hex(u32::from(unit), 4, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn json(bytes: &[u8]) -> String {
        let mut out = Vec::new();
        json_string(bytes, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn strings_are_escaped() {
        assert_eq!(json(b"plain name"), r#""plain name""#);
        assert_eq!(json(b"q\"b\\n\n\r\t"), r#""q\"b\\n\n\r\t""#);
        assert_eq!(
            json("\x1b\u{7f}\u{9b}\u{202e}é".as_bytes()),
            r#""\u001B\u007F\u009B\u202Eé""#
        );
        assert_eq!(json("\u{E0041}".as_bytes()), r#""\uDB40\uDC41""#);
        assert_eq!(json(b"bad\xff\xfe!"), "\"bad\u{FFFD}\u{FFFD}!\"");
    }

    proptest! {
        #[test]
        fn any_bytes_parse_to_their_lossy_text(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let parsed: String = serde_json::from_str(&json(&bytes)).unwrap();
            prop_assert_eq!(parsed, String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn any_text_survives(text in any::<String>()) {
            let parsed: String = serde_json::from_str(&json(text.as_bytes())).unwrap();
            prop_assert_eq!(parsed, text);
        }
    }
}
