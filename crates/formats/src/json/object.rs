//! A row as a JSON object of chosen columns.

use super::{key, push_exact, push_number, push_time};
use crate::digits::push_octal;
use crate::escape::json_string;
use crate::value::{Value, push_ratio};

/// Appends one object without a line feed: each value under its column's name. What is absent is
/// null; bytes that are no UTF-8 are replaced by U+FFFD and follow exactly, in Base64, under the
/// name with `_b64` behind it; a time that RFC 3339 cannot say is null and follows under the name
/// with `_seconds` behind it.
pub fn push_object<'a>(
    names: &[&str],
    values: impl IntoIterator<Item = Value<'a>>,
    out: &mut Vec<u8>,
) {
    let start = out.len();
    for (name, value) in names.iter().zip(values) {
        push_member(name.as_bytes(), &value, out);
    }
    match out.get_mut(start) {
        // Each member has a comma before it; the first one opens the object instead.
        Some(comma) => *comma = b'{',
        None => out.push(b'{'),
    }
    out.push(b'}');
}

fn push_member(name: &[u8], value: &Value<'_>, out: &mut Vec<u8>) {
    match value {
        Value::Time(time) => push_time(name, Some(*time), out),
        Value::Number(number) | Value::Size(number) => push_number(name, Some(*number), out),
        Value::Absent => push_number(name, None, out),
        Value::Bytes(bytes) => {
            key(name, out);
            push_exact(name, bytes, out);
        }
        Value::Word(word) => {
            key(name, out);
            json_string(word.as_bytes(), out);
        }
        Value::Words(words) => {
            key(name, out);
            push_list(words, out);
        }
        Value::Ratio(ratio) => {
            key(name, out);
            push_ratio(*ratio, out);
        }
        Value::Mode(mode) => {
            key(name, out);
            out.push(b'"');
            push_octal(u64::from(mode & 0o7777), 4, out);
            out.push(b'"');
        }
        Value::Is(is) => {
            key(name, out);
            out.extend_from_slice(if *is { b"true" } else { b"false" });
        }
    }
}

fn push_list(words: &[&'static str], out: &mut Vec<u8>) {
    out.push(b'[');
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        json_string(word.as_bytes(), out);
    }
    out.push(b']');
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_base::Timestamp;
    use serde_json::json;

    fn object(names: &[&str], values: &[Value<'_>]) -> serde_json::Value {
        let mut out = b"x".to_vec();
        push_object(names, values.iter().copied(), &mut out);
        serde_json::from_slice(&out[1..]).unwrap()
    }

    #[test]
    fn objects_are_read_back() {
        let names = [
            "path",
            "kind",
            "is",
            "size",
            "none",
            "bulkiness",
            "modified",
            "created",
            "mode",
            "empty",
        ];
        let values = [
            Value::Bytes(b"a\"\n\xff"),
            Value::Word("file"),
            Value::Words(&["hidden", "empty"]),
            Value::Size(u64::MAX),
            Value::Absent,
            Value::Ratio(0.5),
            Value::Time(Timestamp::from_seconds(-1)),
            Value::Time(Timestamp::from_seconds(i64::MIN)),
            Value::Mode(0o4755),
            Value::Is(true),
        ];
        let want = json!({
            "path": "a\"\n\u{fffd}", "path_b64": "YSIK/w==", "kind": "file",
            "is": ["hidden", "empty"], "size": u64::MAX, "none": null, "bulkiness": 0.5,
            "modified": "1969-12-31T23:59:59.000000000Z",
            "created": null, "created_seconds": i64::MIN, "mode": "4755", "empty": true,
        });
        assert_eq!(object(&names, &values), want);
        assert_eq!(object(&[], &[]), json!({}));
    }
}
