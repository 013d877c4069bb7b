//! CSV as RFC 4180 has it, with line feeds as most tools write them.
//!
//! A field with a comma, a quote or a line break in it stands in quotes, and quotes in it are
//! doubled. Bytes are written as they are, be they text or not. What is absent is an empty field.

use crate::value::Value;

/// Appends the line of column names.
pub fn push_header(names: &[&str], out: &mut Vec<u8>) {
    for (index, name) in names.iter().enumerate() {
        push_separated(index, &Value::Bytes(name.as_bytes()), out);
    }
    out.push(b'\n');
}

/// Appends one row, line feed included.
pub fn push_row<'a>(values: impl IntoIterator<Item = Value<'a>>, out: &mut Vec<u8>) {
    let start = out.len();
    for (index, value) in values.into_iter().enumerate() {
        push_separated(index, &value, out);
    }
    // An empty line would be no row at all to many readers.
    if out.len() == start {
        out.extend_from_slice(b"\"\"");
    }
    out.push(b'\n');
}

#[inline]
fn push_separated(index: usize, value: &Value<'_>, out: &mut Vec<u8>) {
    if index > 0 {
        out.push(b',');
    }
    match value {
        Value::Bytes(bytes) => push_text(bytes, out),
        // Nothing else that we write has a comma, a quote or a line break in it.
        value => value.push_plain(out),
    }
}

fn push_text(bytes: &[u8], out: &mut Vec<u8>) {
    if is_plain(bytes) {
        out.extend_from_slice(bytes);
    } else {
        push_quoted(bytes, out);
    }
}

/// Appends bytes in quotes, those in it doubled.
pub(crate) fn push_quoted(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for (index, part) in bytes.split(|&b| b == b'"').enumerate() {
        if index > 0 {
            out.extend_from_slice(b"\"\"");
        }
        out.extend_from_slice(part);
    }
    out.push(b'"');
}

/// Whether bytes need no quotes. Without an early exit, and with answers as wide as the bytes, this
/// becomes vector code.
pub fn is_plain(bytes: &[u8]) -> bool {
    let special = |b: u8| u8::from((b == b',') | (b == b'"') | (b == b'\n') | (b == b'\r'));
    bytes.iter().fold(0, |any, &b| any | special(b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn row(values: &[Value<'_>]) -> String {
        let mut out = Vec::new();
        push_row(values.iter().copied(), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        for (name, want) in [
            ("plain name", "plain name"),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("back\rhome", "\"back\rhome\""),
            ("\"", "\"\"\"\""),
            ("=1+1", "=1+1"),
        ] {
            assert_eq!(
                row(&[Value::Bytes(name.as_bytes()), Value::Number(1)]),
                format!("{want},1\n")
            );
        }
        assert_eq!(row(&[Value::Absent, Value::Absent]), ",\n");
        assert_eq!(row(&[Value::Absent]), "\"\"\n");
        assert_eq!(row(&[Value::Bytes(b"")]), "\"\"\n");
    }

    /// A reader of its own: states and nothing else.
    fn read(text: &[u8]) -> Vec<Vec<Vec<u8>>> {
        let (mut rows, mut fields, mut field) = (Vec::new(), Vec::new(), Vec::new());
        let (mut quoted, mut at) = (false, 0);
        while at < text.len() {
            match (quoted, text[at]) {
                (true, b'"') if text.get(at + 1) == Some(&b'"') => {
                    field.push(b'"');
                    at += 1;
                }
                (true, b'"') => quoted = false,
                (true, b) => field.push(b),
                (false, b'"') => quoted = true,
                (false, b',') => fields.push(std::mem::take(&mut field)),
                (false, b'\n') => {
                    fields.push(std::mem::take(&mut field));
                    rows.push(std::mem::take(&mut fields));
                }
                (false, b) => field.push(b),
            }
            at += 1;
        }
        rows
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_back(rows in proptest::collection::vec(
            proptest::collection::vec(proptest::collection::vec(
                prop_oneof![any::<u8>(), Just(b'"'), Just(b','), Just(b'\n'), Just(b'\r')], 0..6), 3), 0..5)) {
            let mut out = Vec::new();
            for row in &rows {
                push_row(row.iter().map(|field| Value::Bytes(field)), &mut out);
            }
            prop_assert_eq!(read(&out), rows);
        }
    }
}
