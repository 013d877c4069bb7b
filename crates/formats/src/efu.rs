//! Everything's file lists (EFU), read line by line.
//!
//! An EFU file is CSV (RFC 4180): a header that names the columns, then a line for each entry.
//! `Filename` is a full path and must be there; `Size`, `Date Modified` and `Date Created` (counts of
//! 100 nanoseconds since 1601) and `Attributes` may be missing or empty. Columns come in any order,
//! and others are passed over.

use std::io::{self, BufRead};

use groma_base::Timestamp;
use thiserror::Error;

/// A record of more bytes than this is none: paths have at most 32767 characters.
const LONGEST_RECORD: usize = 1 << 20;
/// Seconds from 1601 to 1970.
const EPOCH: i64 = 11_644_473_600;
/// Ticks of 100 nanoseconds in a second.
const TICKS: u64 = 10_000_000;

/// Attribute of a directory.
pub const ATTRIBUTE_DIRECTORY: u32 = 0x10;
/// Attribute of what may not be written to.
pub const ATTRIBUTE_READ_ONLY: u32 = 0x1;

/// Why a file list cannot be read, or not a line of it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EfuError {
    /// Reading failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A line is not what it must be; those after it can still be read.
    #[error("line {line}: expected {expected}")]
    Line {
        /// The line that the record begins in, from 1.
        line: u64,
        /// What was expected there.
        expected: &'static str,
    },
}

/// One entry of a file list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EfuEntry {
    /// The path, as it is written; raw bytes.
    pub filename: Vec<u8>,
    /// Apparent size in bytes.
    pub size: Option<u64>,
    /// Last change of content.
    pub modified: Option<Timestamp>,
    /// Birth.
    pub created: Option<Timestamp>,
    /// Attributes as Windows has them.
    pub attributes: Option<u32>,
}

/// Reads entries one after the other.
pub struct EfuReader<R> {
    records: Records<R>,
    columns: Columns,
}

/// Where each column stands.
#[derive(Clone, Copy, Debug, Default)]
struct Columns {
    filename: usize,
    size: Option<usize>,
    modified: Option<usize>,
    created: Option<usize>,
    attributes: Option<usize>,
}

impl<R: BufRead> EfuReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// [`EfuError`]; of line 1 when there is no column `Filename`.
    pub fn new(reader: R) -> Result<EfuReader<R>, EfuError> {
        let mut records = Records::new(reader);
        let line = records.next()?.unwrap_or(1);
        let place = |wanted: &str| {
            let mut fields = records.fields.iter();
            fields.position(|field| field.eq_ignore_ascii_case(wanted.as_bytes()))
        };
        let filename = place("Filename").ok_or(EfuError::Line {
            line,
            expected: "a header with a column 'Filename'",
        })?;
        let columns = Columns {
            filename,
            size: place("Size"),
            modified: place("Date Modified"),
            created: place("Date Created"),
            attributes: place("Attributes"),
        };
        Ok(EfuReader { records, columns })
    }

    /// Reads the next entry into `entry`, and answers its line; `None` at the end.
    ///
    /// # Errors
    /// [`EfuError`]; after one about a line the next call goes on behind it.
    pub fn read(&mut self, entry: &mut EfuEntry) -> Result<Option<u64>, EfuError> {
        let line = loop {
            match self.records.next()? {
                None => return Ok(None),
                // Empty lines are passed over.
                Some(_) if matches!(&self.records.fields[..], [only] if only.is_empty()) => {}
                Some(line) => break line,
            }
        };
        self.fill(entry)
            .map_err(|expected| EfuError::Line { line, expected })?;
        Ok(Some(line))
    }

    fn fill(&self, entry: &mut EfuEntry) -> Result<(), &'static str> {
        let columns = &self.columns;
        let filename = self.records.fields.get(columns.filename);
        let filename = filename.filter(|name| !name.is_empty()).ok_or("a path")?;
        entry.filename.clone_from(filename);
        let number = |column: Option<usize>, expected| {
            let field = column.and_then(|column| self.records.fields.get(column));
            match field {
                Some(field) if !field.is_empty() => parse(field).map(Some).ok_or(expected),
                _ => Ok(None),
            }
        };
        // All ones stand for a size that is not known.
        entry.size = number(columns.size, "a size in bytes")?.filter(|&size| size != u64::MAX);
        entry.modified = number(columns.modified, "a count of 100 ns since 1601")?.and_then(time);
        entry.created = number(columns.created, "a count of 100 ns since 1601")?.and_then(time);
        let attributes = number(columns.attributes, "a number of attributes")?;
        entry.attributes = match attributes.map(u32::try_from) {
            Some(Err(_)) => return Err("attributes of 32 bits"),
            Some(Ok(attributes)) => Some(attributes),
            None => None,
        };
        Ok(())
    }
}

/// A number, decimal or hexadecimal with `0x`.
fn parse(field: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(field).ok()?.trim();
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// A point in time; zero and all ones stand for one that is not known.
fn time(ticks: u64) -> Option<Timestamp> {
    let seconds = i64::try_from(ticks / TICKS).ok()? - EPOCH;
    let nanoseconds = u32::try_from(ticks % TICKS * 100).ok()?;
    (ticks != 0 && ticks != u64::MAX).then_some(Timestamp {
        seconds,
        nanoseconds,
    })
}

/// CSV records.
struct Records<R> {
    reader: R,
    /// Fields of the record at hand.
    fields: Vec<Vec<u8>>,
    /// Lines that have been read.
    lines: u64,
    raw: Vec<u8>,
}

impl<R: BufRead> Records<R> {
    fn new(reader: R) -> Records<R> {
        Records {
            reader,
            fields: Vec::new(),
            lines: 0,
            raw: Vec::new(),
        }
    }

    /// Reads the next record, and answers the line that it begins in.
    fn next(&mut self) -> Result<Option<u64>, EfuError> {
        self.raw.clear();
        let line = self.lines + 1;
        // A record goes on in the next line as long as a quote is open.
        let mut is_open = false;
        loop {
            let start = self.raw.len();
            if !self.read_line()? {
                break;
            }
            self.lines += 1;
            let quotes = self.raw[start..].iter().filter(|&&b| b == b'"').count();
            is_open ^= !quotes.is_multiple_of(2);
            if !is_open {
                break;
            }
        }
        if self.raw.is_empty() {
            return Ok(None);
        }
        self.split()
            .map_err(|expected| EfuError::Line { line, expected })?;
        Ok(Some(line))
    }

    /// Appends a line with its end. `false` at the end of the file.
    fn read_line(&mut self) -> Result<bool, EfuError> {
        let limit = LONGEST_RECORD.saturating_sub(self.raw.len()) as u64 + 1;
        let read = io::Read::take(&mut self.reader, limit).read_until(b'\n', &mut self.raw)?;
        if self.raw.len() > LONGEST_RECORD {
            return Err(EfuError::Line {
                line: self.lines + 1,
                expected: "a record of at most a mebibyte; a quote may have no end",
            });
        }
        Ok(read > 0)
    }

    fn split(&mut self) -> Result<(), &'static str> {
        let mut rest = &self.raw[..];
        if self.lines <= 1 {
            rest = rest.strip_prefix(b"\xef\xbb\xbf").unwrap_or(rest);
        }
        rest = rest.strip_suffix(b"\n").unwrap_or(rest);
        rest = rest.strip_suffix(b"\r").unwrap_or(rest);
        self.fields.clear();
        loop {
            let mut field = Vec::new();
            let after = match rest.strip_prefix(b"\"") {
                Some(quoted) => unquote(quoted, &mut field)?,
                None => {
                    let end = rest.iter().position(|&b| b == b',').unwrap_or(rest.len());
                    field.extend_from_slice(&rest[..end]);
                    &rest[end..]
                }
            };
            self.fields.push(field);
            match after.split_first() {
                None => return Ok(()),
                Some((b',', next)) => rest = next,
                Some(_) => return Err("a comma after the closing quote"),
            }
        }
    }
}

/// Reads up to the closing quote, and answers what follows it.
fn unquote<'b>(quoted: &'b [u8], field: &mut Vec<u8>) -> Result<&'b [u8], &'static str> {
    let mut rest = quoted;
    loop {
        let end = rest
            .iter()
            .position(|&b| b == b'"')
            .ok_or("a closing quote")?;
        field.extend_from_slice(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix(b"\"") {
            Some(after) => {
                field.push(b'"');
                rest = after;
            }
            None => return Ok(rest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn read(text: &[u8]) -> (Vec<EfuEntry>, Vec<String>) {
        let (mut entries, mut errors) = (Vec::new(), Vec::new());
        let mut reader = match EfuReader::new(text) {
            Ok(reader) => reader,
            Err(error) => return (entries, vec![error.to_string()]),
        };
        let mut entry = EfuEntry::default();
        loop {
            match reader.read(&mut entry) {
                Ok(None) => return (entries, errors),
                Ok(Some(_)) => entries.push(entry.clone()),
                Err(error) => errors.push(error.to_string()),
            }
        }
    }

    #[test]
    fn reads_what_everything_writes() {
        let text = b"\xef\xbb\xbfFilename,Size,Date Modified,Date Created,Attributes\r\n\
            \"C:\\a, \"\"b\"\".txt\",123,116444736000000001,,32\r\n\
            C:\\dir,,0,18446744073709551615,0x10\r\n\r\n\
            \"C:\\new\nline\",18446744073709551615,,,\n";
        let (entries, errors) = read(text);
        assert!(errors.is_empty(), "{errors:?}");
        let times: Vec<_> = entries.iter().map(|e| (e.modified, e.created)).collect();
        let first = Timestamp {
            seconds: 0,
            nanoseconds: 100,
        };
        assert_eq!(times, [(Some(first), None), (None, None), (None, None)]);
        assert_eq!(entries[0].filename, b"C:\\a, \"b\".txt");
        assert_eq!(
            (entries[0].size, entries[0].attributes),
            (Some(123), Some(32))
        );
        assert_eq!((entries[1].size, entries[1].attributes), (None, Some(0x10)));
        assert_eq!(
            (&entries[2].filename[..], entries[2].size),
            (&b"C:\\new\nline"[..], None)
        );
    }

    #[test]
    fn columns_may_be_few_and_in_any_order() {
        let (entries, _) = read(b"Size,Other,Filename\n7,x,/a\n,,/b");
        let got: Vec<_> = entries.iter().map(|e| (&e.filename[..], e.size)).collect();
        assert_eq!(got, [(&b"/a"[..], Some(7)), (b"/b", None)]);
    }

    #[test]
    fn bad_lines_are_named_and_passed_over() {
        let (entries, errors) = read(b"Filename,Size\n/a,x\n/b,1\n\"/c\"d,1\n,5\n/e,-1\n/f\n");
        let names: Vec<_> = entries.iter().map(|e| &e.filename[..]).collect();
        assert_eq!(names, [b"/b", b"/f"]);
        assert_eq!(
            errors,
            [
                "line 2: expected a size in bytes",
                "line 4: expected a comma after the closing quote",
                "line 5: expected a path",
                "line 6: expected a size in bytes"
            ]
        );
        assert_eq!(
            read(b"a,b\n").1,
            ["line 1: expected a header with a column 'Filename'"]
        );
        assert_eq!(read(b"").1.len(), 1);
        let (_, errors) = read(b"Filename\n/a\n\"/b\n");
        assert_eq!(errors, ["line 3: expected a closing quote"]);
    }

    fn quoted(field: &[u8]) -> Vec<u8> {
        let mut out = vec![b'"'];
        for &byte in field {
            if byte == b'"' {
                out.push(b'"');
            }
            out.push(byte);
        }
        out.push(b'"');
        out
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(
            entries in vec((vec(1u8.., 1..30), any::<u32>(), 1u64..1 << 62, any::<u32>()), 0..20)
        ) {
            let mut text = b"Filename,Size,Date Modified,Date Created,Attributes\r\n".to_vec();
            for (name, size, ticks, attributes) in &entries {
                text.extend_from_slice(&quoted(name));
                text.extend_from_slice(format!(",{size},{ticks},,{attributes}\r\n").as_bytes());
            }
            let (got, errors) = read(&text);
            prop_assert!(errors.is_empty());
            prop_assert_eq!(got.len(), entries.len());
            for (got, (name, size, ticks, attributes)) in got.iter().zip(&entries) {
                prop_assert_eq!(&got.filename, name);
                prop_assert_eq!(got.size, Some(u64::from(*size)));
                prop_assert_eq!(got.attributes, Some(*attributes));
                let time = got.modified.unwrap();
                let back = (time.seconds + EPOCH) as u64 * TICKS + u64::from(time.nanoseconds) / 100;
                prop_assert_eq!(back, *ticks);
            }
        }

        #[test]
        fn any_bytes_end_without_a_panic(bytes in vec(any::<u8>(), 0..200)) {
            let text = [b"Filename,Size\n", &bytes[..]].concat();
            let _ = read(&text);
            let _ = read(&bytes);
        }
    }
}
