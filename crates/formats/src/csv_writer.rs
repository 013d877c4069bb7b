//! CSV cell by cell, for listings of millions of rows: the same bytes as [`crate::csv`].
//!
//! Each cell is followed by a comma, the last of a row becomes its line feed. What has a known
//! length is copied as that many bytes whatever it takes, and cut: no call, no loop.

use groma_base::Timestamp;

use crate::csv::{is_plain, push_quoted};
use crate::digits::{decimal, eight_digits, pair};
use crate::json::date_text;
use crate::value::Value;

/// Texts up to this length are copied as this many bytes.
const SHORT: usize = 32;
/// Days that are remembered.
const DAYS: usize = 512;
const DAY_SECONDS: i64 = 86_400;
/// `2024-11-30T`
const DATE: usize = 11;

/// Writes cells, and remembers days.
#[derive(Clone, Debug)]
pub struct CsvWriter {
    days: Vec<Day>,
}

/// A day since 1970, and its date.
#[derive(Clone, Copy, Debug)]
struct Day {
    number: i64,
    date: [u8; DATE],
}

/// Bytes to be copied: the beginning of what follows in the same buffer.
#[derive(Clone, Copy, Debug)]
pub struct Window<'a> {
    bytes: &'a [u8],
    len: usize,
}

impl<'a> Window<'a> {
    /// The first `len` bytes, or all there are.
    pub fn new(bytes: &'a [u8], len: usize) -> Window<'a> {
        let len = len.min(bytes.len());
        Window { bytes, len }
    }

    /// These bytes alone.
    pub fn bytes(&self) -> &'a [u8] {
        &self.bytes[..self.len]
    }

    #[inline]
    fn push(self, out: &mut Vec<u8>) {
        let before = out.len();
        match self.bytes.first_chunk::<SHORT>() {
            Some(chunk) if self.len <= SHORT => {
                out.extend_from_slice(chunk);
                out.truncate(before + self.len);
            }
            _ => out.extend_from_slice(self.bytes()),
        }
    }
}

impl Default for CsvWriter {
    fn default() -> CsvWriter {
        let none = Day {
            number: i64::MAX,
            date: [0; DATE],
        };
        CsvWriter {
            days: vec![none; DAYS],
        }
    }
}

impl CsvWriter {
    /// A text; `is_plain`: it is known to need no quotes.
    #[inline]
    pub fn text(&self, text: Window<'_>, is_plain: bool, out: &mut Vec<u8>) {
        match is_plain {
            true => text.push(out),
            false => push_checked(text.bytes(), out),
        }
        out.push(b',');
    }

    /// One text that two make; `is_plain`: it is known to need no quotes.
    #[inline]
    pub fn joined(&self, first: &[u8], rest: Window<'_>, is_plain: bool, out: &mut Vec<u8>) {
        if is_plain {
            out.extend_from_slice(first);
            rest.push(out);
        } else {
            push_checked(&[first, rest.bytes()].concat(), out);
        }
        out.push(b',');
    }

    /// A number.
    #[inline]
    pub fn number(&self, number: u64, out: &mut Vec<u8>) {
        let before = out.len();
        let (mut digits, len) = decimal(number);
        digits[len] = b',';
        out.extend_from_slice(&digits);
        out.truncate(before + len + 1);
    }

    /// Permission bits, four octal digits.
    #[inline]
    pub fn mode(&self, mode: u32, out: &mut Vec<u8>) {
        let digit = |shift: u32| b'0' + (mode >> shift & 7) as u8;
        out.extend_from_slice(&[digit(9), digit(6), digit(3), digit(0), b',']);
    }

    /// A word of ours.
    #[inline]
    pub fn word(&self, word: &str, out: &mut Vec<u8>) {
        out.extend_from_slice(word.as_bytes());
        out.push(b',');
    }

    /// What is absent.
    #[inline]
    pub fn absent(&self, out: &mut Vec<u8>) {
        out.push(b',');
    }

    /// A point in time.
    #[inline]
    pub fn time(&mut self, time: Timestamp, out: &mut Vec<u8>) {
        let day = time.seconds.div_euclid(DAY_SECONDS);
        let second = time.seconds.rem_euclid(DAY_SECONDS).unsigned_abs();
        let Some(date) = self.date(day) else {
            return self.value(&Value::Time(time), out);
        };
        let mut text = *b"0000-00-00T00:00:00.000000000Z,";
        text[..DATE].copy_from_slice(&date);
        text[11..13].copy_from_slice(&pair(second / 3600));
        text[14..16].copy_from_slice(&pair(second / 60 % 60));
        text[17..19].copy_from_slice(&pair(second % 60));
        let nanoseconds = u64::from(time.nanoseconds);
        if nanoseconds > 0 {
            text[20..28].copy_from_slice(&eight_digits(nanoseconds / 10));
            text[28] = b'0' + (nanoseconds % 10) as u8;
        }
        out.extend_from_slice(&text);
    }

    /// The date of a day; `None` where its year has not four digits.
    #[inline]
    fn date(&mut self, number: i64) -> Option<[u8; DATE]> {
        let place = number.rem_euclid(DAYS as i64) as usize;
        let known = &mut self.days[place];
        if known.number != number {
            known.date = date_of(number)?;
            known.number = number;
        }
        Some(known.date)
    }

    /// Any value.
    pub fn value(&self, value: &Value<'_>, out: &mut Vec<u8>) {
        match value {
            Value::Bytes(bytes) => push_checked(bytes, out),
            // Nothing else that we write has a comma, a quote or a line break in it.
            value => value.push_plain(out),
        }
        out.push(b',');
    }

    /// Ends the row that began at `start`.
    #[inline]
    pub fn end_row(&self, start: usize, out: &mut Vec<u8>) {
        // An empty line would be no row at all to many readers.
        if out.len() <= start + 1 {
            out.truncate(start);
            out.extend_from_slice(b"\"\",");
        }
        if let Some(last) = out.last_mut() {
            *last = b'\n';
        }
    }
}

fn push_checked(bytes: &[u8], out: &mut Vec<u8>) {
    match is_plain(bytes) {
        true => out.extend_from_slice(bytes),
        false => push_quoted(bytes, out),
    }
}

#[cold]
fn date_of(day: i64) -> Option<[u8; DATE]> {
    let mut date = [0; DATE];
    date_text(day.checked_mul(DAY_SECONDS)?, &mut date).then_some(date)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv::push_row;
    use proptest::prelude::*;

    #[test]
    fn a_row_without_cells_or_text_is_no_empty_line() {
        let (writer, mut out) = (CsvWriter::default(), Vec::new());
        writer.end_row(0, &mut out);
        let start = out.len();
        writer.absent(&mut out);
        writer.end_row(start, &mut out);
        let start = out.len();
        writer.absent(&mut out);
        writer.absent(&mut out);
        writer.end_row(start, &mut out);
        assert_eq!(out, b"\"\"\n\"\"\n,\n");
    }

    fn text() -> impl Strategy<Value = Vec<u8>> {
        let byte = prop_oneof![8 => any::<u8>(), 1 => Just(b'"'), 1 => Just(b',')];
        proptest::collection::vec(byte, 0..50)
    }

    proptest! {
        #[test]
        fn rows_are_those_of_the_other_writer(
            (dir, name, behind) in (text(), text(), text()),
            (number, shift, mode) in (any::<u64>(), 0u32..64, 0u32..0o20000),
            seconds in prop_oneof![any::<i64>(), -100_000_000_000i64..400_000_000_000, -86_401i64..86_401],
            nanoseconds in prop_oneof![Just(0), 0u32..1_000_000_000],
        ) {
            let (time, number) = (Timestamp { seconds, nanoseconds }, number >> shift);
            let path = [&dir[..], &name].concat();
            let mut wanted = Vec::new();
            let values = [
                Value::Bytes(&path), Value::Bytes(&name), Value::Number(number), Value::Absent,
                Value::Time(time), Value::Word("dir"), Value::Mode(mode), Value::Time(time), Value::Is(true),
            ];
            push_row(values, &mut wanted);
            let (mut writer, mut out) = (CsvWriter::default(), Vec::new());
            let buffer = [&name[..], &behind].concat();
            let window = Window::new(&buffer, name.len());
            writer.joined(&dir, window, is_plain(&path), &mut out);
            writer.text(window, is_plain(&name), &mut out);
            writer.number(number, &mut out);
            writer.absent(&mut out);
            writer.time(time, &mut out);
            writer.word("dir", &mut out);
            writer.mode(mode, &mut out);
            writer.time(time, &mut out);
            writer.value(&Value::Is(true), &mut out);
            writer.end_row(0, &mut out);
            prop_assert_eq!(String::from_utf8_lossy(&out), String::from_utf8_lossy(&wanted));
        }
    }
}
