//! Cells of a table that is written when all of its widths are known.

use crate::digits::push_decimal;
use crate::escape;

/// Columns from left to right. A device has a major and a minor number in place of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Mode,
    Links,
    User,
    Group,
    Size,
    Major,
    Minor,
    Time,
    Name,
}

const COLUMNS: usize = Column::Name as usize + 1;

/// Rows of cells in one buffer, and the width of each column so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    text: Vec<u8>,
    rows: Vec<Row>,
    current: Row,
    widths: [usize; COLUMNS],
}

#[derive(Clone, Copy, Debug, Default)]
struct Row {
    cells: [Cell; COLUMNS],
}

/// A stretch of the buffer. A width of 0 is a cell that was never put.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    start: usize,
    end: usize,
    width: usize,
}

impl Cells {
    /// Puts what `write` appends into a column of the current row.
    pub(super) fn put(&mut self, column: Column, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.text.len();
        write(&mut self.text);
        let end = self.text.len();
        let width = match column {
            Column::Name => 0,
            _ => width(&self.text[start..end]),
        };
        let index = column as usize;
        self.current.cells[index] = Cell { start, end, width };
        self.widths[index] = self.widths[index].max(width);
    }

    pub(super) fn put_number(&mut self, column: Column, number: u64) {
        self.put(column, |out| push_decimal(number, out));
    }

    /// Puts the name of an owner, or its number. A directory service can be as hostile as a file
    /// name.
    pub(super) fn put_owner(&mut self, column: Column, name: Option<&[u8]>, id: u32) {
        self.put(column, |out| match name {
            Some(name) => escape::terminal(name, out),
            None => push_decimal(u64::from(id), out),
        });
    }

    pub(super) fn finish_row(&mut self) {
        self.rows.push(std::mem::take(&mut self.current));
    }

    pub(super) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Appends all rows and drops them; widths stay.
    pub(super) fn render(&mut self, out: &mut Vec<u8>) {
        let lines = self.rows.len() * self.widths.iter().map(|width| width + 1).sum::<usize>();
        out.reserve(self.text.len() + lines);
        for row in &self.rows {
            self.render_row(row, out);
        }
        self.text.clear();
        self.rows.clear();
    }

    fn render_row(&self, row: &Row, out: &mut Vec<u8>) {
        self.left(row, Column::Mode, out);
        self.right(row, Column::Links, self.widths[Column::Links as usize], out);
        self.left(row, Column::User, out);
        self.left(row, Column::Group, out);
        self.size(row, out);
        self.right(row, Column::Time, self.widths[Column::Time as usize], out);
        let name = row.cells[Column::Name as usize];
        out.extend_from_slice(&self.text[name.start..name.end]);
        out.push(b'\n');
    }

    /// Appends a size, or `major, minor` with the minor numbers below each other.
    fn size(&self, row: &Row, out: &mut Vec<u8>) {
        let minor_width = self.widths[Column::Minor as usize];
        let devices = match minor_width {
            0 => 0,
            _ => self.widths[Column::Major as usize] + 2 + minor_width,
        };
        let width = devices.max(self.widths[Column::Size as usize]);
        if row.cells[Column::Minor as usize].width == 0 {
            return self.right(row, Column::Size, width, out);
        }
        self.right(row, Column::Major, width - 2 - minor_width, out);
        // The blank behind the major number makes room for the comma.
        out.pop();
        out.extend_from_slice(b", ");
        self.right(row, Column::Minor, minor_width, out);
    }

    fn left(&self, row: &Row, column: Column, out: &mut Vec<u8>) {
        let cell = row.cells[column as usize];
        out.extend_from_slice(&self.text[cell.start..cell.end]);
        push_blanks(self.widths[column as usize] - cell.width + 1, out);
    }

    fn right(&self, row: &Row, column: Column, width: usize, out: &mut Vec<u8>) {
        let cell = row.cells[column as usize];
        push_blanks(width - cell.width, out);
        out.extend_from_slice(&self.text[cell.start..cell.end]);
        out.push(b' ');
    }
}

fn push_blanks(count: usize, out: &mut Vec<u8>) {
    out.resize(out.len() + count, b' ');
}

/// Places that text takes: its number of characters.
fn width(text: &[u8]) -> usize {
    text.iter().filter(|&&b| b & 0xC0 != 0x80).count()
}
