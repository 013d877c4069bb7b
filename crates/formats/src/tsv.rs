//! Tab-separated values: one row a line, one tab between two fields, whatever is in a name.
//!
//! Tabs, line feeds, carriage returns and backslashes in a field are written `\t`, `\n`, `\r` and
//! `\\`; all other bytes as they are. What is absent is an empty field.

use crate::value::Value;

/// Appends the line of column names.
pub fn push_header(names: &[&str], out: &mut Vec<u8>) {
    push_row(names.iter().map(|name| Value::Bytes(name.as_bytes())), out);
}

/// Appends one row, line feed included.
pub fn push_row<'a>(values: impl IntoIterator<Item = Value<'a>>, out: &mut Vec<u8>) {
    for (index, value) in values.into_iter().enumerate() {
        if index > 0 {
            out.push(b'\t');
        }
        match value {
            Value::Bytes(bytes) => push_text(bytes, out),
            value => value.push_plain(out),
        }
    }
    out.push(b'\n');
}

fn push_text(bytes: &[u8], out: &mut Vec<u8>) {
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|&b| escape(b).is_some()) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(escape(rest[at]).unwrap_or_default());
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}

fn escape(byte: u8) -> Option<&'static [u8]> {
    match byte {
        b'\t' => Some(b"\\t"),
        b'\n' => Some(b"\\n"),
        b'\r' => Some(b"\\r"),
        b'\\' => Some(b"\\\\"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unescape(text: &[u8]) -> Vec<u8> {
        let (mut out, mut bytes) = (Vec::new(), text.iter());
        while let Some(&b) = bytes.next() {
            out.push(match b {
                b'\\' => match bytes.next() {
                    Some(b't') => b'\t',
                    Some(b'n') => b'\n',
                    Some(b'r') => b'\r',
                    other => *other.unwrap(),
                },
                b => b,
            });
        }
        out
    }

    #[test]
    fn names_cannot_break_a_row() {
        let mut out = Vec::new();
        push_header(&["path", "size"], &mut out);
        push_row([Value::Bytes(b"a\tb\nc\\\xff"), Value::Size(5)], &mut out);
        push_row([Value::Absent, Value::Absent], &mut out);
        assert_eq!(out, b"path\tsize\na\\tb\\nc\\\\\xff\t5\n\t\n");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_back(fields in proptest::collection::vec(
            proptest::collection::vec(prop_oneof![any::<u8>(), Just(b'\t'), Just(b'\\'), Just(b'\n')], 0..8), 1..4)) {
            let mut out = Vec::new();
            push_row(fields.iter().map(|field| Value::Bytes(field)), &mut out);
            let line = out.strip_suffix(b"\n").unwrap();
            prop_assert!(!line.contains(&b'\n'));
            let got: Vec<Vec<u8>> = line.split(|&b| b == b'\t').map(unescape).collect();
            prop_assert_eq!(got, fields);
        }
    }
}
