//! One value of a row, before it takes the form of a table, of CSV, of JSON.

use groma_base::Timestamp;

use crate::digits::{push_decimal, push_octal, push_signed};
use crate::json::rfc3339;

/// What stands in one column of one row.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value<'a> {
    /// Not known, or nothing that this entry has.
    Absent,
    /// A name or a path: bytes that may be no text.
    Bytes(&'a [u8]),
    /// A word of ours, of letters and hyphens.
    Word(&'static str),
    /// Several of these.
    Words(&'a [&'static str]),
    /// A number of things.
    Number(u64),
    /// A number of bytes; people see it rounded.
    Size(u64),
    /// A ratio.
    Ratio(f64),
    /// A point in time.
    Time(Timestamp),
    /// Permission bits.
    Mode(u32),
    /// Yes or no.
    Is(bool),
}

impl Value<'_> {
    /// Appends the value as plain text, exact, names byte for byte: times in RFC 3339 in UTC with
    /// nanoseconds, `@` and seconds where that cannot say the year; modes as four octal digits;
    /// several words with `;` between them; nothing for what is absent.
    pub fn push_plain(&self, out: &mut Vec<u8>) {
        match *self {
            Value::Absent => {}
            Value::Bytes(bytes) => out.extend_from_slice(bytes),
            Value::Word(word) => out.extend_from_slice(word.as_bytes()),
            Value::Words(words) => {
                for (index, word) in words.iter().enumerate() {
                    if index > 0 {
                        out.push(b';');
                    }
                    out.extend_from_slice(word.as_bytes());
                }
            }
            Value::Number(number) | Value::Size(number) => push_decimal(number, out),
            Value::Ratio(ratio) => push_ratio(ratio, out),
            Value::Time(time) => push_time(time, out),
            Value::Mode(mode) => push_octal(u64::from(mode & 0o7777), 4, out),
            Value::Is(true) => out.extend_from_slice(b"yes"),
            Value::Is(false) => out.extend_from_slice(b"no"),
        }
    }

    /// Whether people expect it at the right end of its column.
    pub(crate) fn is_number(&self) -> bool {
        matches!(
            self,
            Value::Number(_) | Value::Size(_) | Value::Ratio(_) | Value::Mode(_)
        )
    }
}

/// Appends the shortest digits that read back as this ratio.
pub(crate) fn push_ratio(ratio: f64, out: &mut Vec<u8>) {
    use std::io::Write;
    // Writing to a vector cannot fail.
    let _ = write!(out, "{ratio}");
}

fn push_time(time: Timestamp, out: &mut Vec<u8>) {
    if !rfc3339(time, out) {
        out.push(b'@');
        push_signed(time.seconds, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(value: Value<'_>) -> String {
        let mut out = Vec::new();
        value.push_plain(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn plain_text_of_each_kind() {
        let late = Timestamp::from_seconds(i64::MAX);
        for (value, want) in [
            (Value::Absent, ""),
            (Value::Bytes(b"a,b"), "a,b"),
            (Value::Word("dir"), "dir"),
            (Value::Words(&["hidden", "empty"]), "hidden;empty"),
            (Value::Words(&[]), ""),
            (Value::Number(7), "7"),
            (Value::Size(1 << 40), "1099511627776"),
            (Value::Ratio(1.5), "1.5"),
            (
                Value::Time(Timestamp::default()),
                "1970-01-01T00:00:00.000000000Z",
            ),
            (Value::Time(late), "@9223372036854775807"),
            (Value::Mode(0o100_644), "0644"),
            (Value::Is(true), "yes"),
            (Value::Is(false), "no"),
        ] {
            assert_eq!(plain(value), want);
        }
    }
}
