//! Tables for people: a line of names, then rows, aligned.
//!
//! Numbers stand to the right, all else to the left; nothing is padded at the end of a line. Rows
//! are written in chunks: columns of a later chunk are never narrower than those of an earlier
//! one. Names are escaped: no name can break a row or drive a terminal.

use groma_base::Timestamp;
use groma_base::size::human_size;
use jiff::tz::TimeZone;

use crate::escape;
use crate::long;
use crate::value::Value;

/// Two columns are at least this far apart.
const GAP: usize = 2;

/// How values are shown.
#[derive(Clone, Debug)]
pub enum Shown {
    /// Exactly: bytes, and times in RFC 3339.
    Exact,
    /// For people: sizes rounded, times on the clocks of this zone as seen from this moment.
    Human(Timestamp, TimeZone),
}

/// Rows that wait to be written aligned.
#[derive(Clone, Debug)]
pub struct Table {
    shown: Shown,
    widths: Vec<usize>,
    text: Vec<u8>,
    cells: Vec<Cell>,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    /// Where its text ends; it begins where the one before ends.
    end: usize,
    /// Places it takes on a terminal.
    width: usize,
    to_the_right: bool,
}

impl Table {
    /// A table whose first line are these names.
    pub fn new(names: &[&str], shown: Shown) -> Table {
        let mut table = Table {
            shown,
            widths: vec![0; names.len()],
            text: Vec::new(),
            cells: Vec::new(),
        };
        table.push_row(names.iter().map(|name| Value::Bytes(name.as_bytes())));
        table
    }

    /// Adds a row of as many values as there are names.
    pub fn push_row<'a>(&mut self, values: impl IntoIterator<Item = Value<'a>>) {
        for (column, value) in values.into_iter().take(self.widths.len()).enumerate() {
            let start = self.text.len();
            self.push_value(&value);
            let width = places(&self.text[start..]);
            self.widths[column] = self.widths[column].max(width);
            self.cells.push(Cell {
                end: self.text.len(),
                width,
                to_the_right: value.is_number(),
            });
        }
    }

    /// Bytes of the rows that wait.
    pub fn held(&self) -> usize {
        self.text.len()
    }

    /// Appends all rows and forgets them; their widths stay the least for rows to come.
    pub fn render(&mut self, out: &mut Vec<u8>) {
        let columns = self.widths.len().max(1);
        let mut start = 0;
        for row in self.cells.chunks(columns) {
            for (column, cell) in row.iter().enumerate() {
                let is_last = column + 1 == columns;
                let padding = self.widths[column].saturating_sub(cell.width);
                if cell.to_the_right {
                    push_blanks(padding, out);
                }
                out.extend_from_slice(&self.text[start..cell.end]);
                start = cell.end;
                if !is_last {
                    push_blanks(GAP + if cell.to_the_right { 0 } else { padding }, out);
                }
            }
            out.push(b'\n');
        }
        self.text.clear();
        self.cells.clear();
    }

    fn push_value(&mut self, value: &Value<'_>) {
        let out = &mut self.text;
        match (value, &self.shown) {
            (Value::Bytes(bytes), _) => escape::terminal(bytes, out),
            (Value::Absent, _) => out.push(b'-'),
            (Value::Size(bytes), Shown::Human(..)) => {
                out.extend_from_slice(human_size(*bytes).as_bytes());
            }
            (Value::Time(time), Shown::Human(now, zone)) => long::push_time(*time, *now, zone, out),
            (Value::Ratio(ratio), Shown::Human(..)) => {
                out.extend_from_slice(format!("{ratio:.2}").as_bytes());
            }
            _ => value.push_plain(out),
        }
    }
}

fn push_blanks(count: usize, out: &mut Vec<u8>) {
    out.resize(out.len() + count, b' ');
}

/// Places that text takes: its number of characters.
fn places(text: &[u8]) -> usize {
    text.iter().filter(|&&b| b & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(table: &mut Table) -> String {
        let mut out = Vec::new();
        table.render(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn rows_are_aligned_and_names_harmless() {
        let now = Timestamp::from_seconds(1_732_992_245);
        let mut table = Table::new(
            &["kind", "size", "modified", "path"],
            Shown::Human(now, TimeZone::UTC),
        );
        table.push_row([
            Value::Word("file"),
            Value::Size(1171),
            Value::Time(now),
            Value::Bytes("/é\n\x1b".as_bytes()),
        ]);
        table.push_row([
            Value::Word("dir"),
            Value::Absent,
            Value::Time(Timestamp::default()),
            Value::Bytes(b"/\xff"),
        ]);
        let want = "\
kind  size  modified      path
file  1.2K  Nov 30 18:44  /é\\x0A\\x1B
dir   -     Jan  1  1970  /\\xFF
";
        assert_eq!(rendered(&mut table), want);
        table.push_row([
            Value::Word("file"),
            Value::Size(7),
            Value::Time(now),
            Value::Bytes(b"/"),
        ]);
        assert_eq!(rendered(&mut table), "file     7  Nov 30 18:44  /\n");
        assert_eq!((rendered(&mut table), table.held()), (String::new(), 0));
    }

    #[test]
    fn exact_tables_hide_nothing() {
        let mut table = Table::new(&["size", "bulkiness"], Shown::Exact);
        table.push_row([Value::Size(123_456), Value::Ratio(1.0625)]);
        assert_eq!(
            rendered(&mut table),
            "size    bulkiness\n123456     1.0625\n"
        );
    }
}
