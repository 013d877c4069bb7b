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
    to_the_right: bool,
}

impl Cells {
    /// Puts what `write` appends into a column of the current row.
    pub(super) fn put(&mut self, column: Column, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.text.len();
        write(&mut self.text);
        let end = self.text.len();
        let width = match column {
            Column::Name => 0,
            _ => places(&self.text[start..end]),
        };
        let index = column as usize;
        self.current.cells[index] = Cell {
            start,
            end,
            width,
            to_the_right: false,
        };
        self.widths[index] = self.widths[index].max(width);
    }

    pub(super) fn put_number(&mut self, column: Column, number: u64) {
        self.put(column, |out| push_decimal(number, out));
    }

    /// Puts the name of an owner, or its number, which stands to the right as numbers do. A
    /// directory service can be as hostile as a file name.
    pub(super) fn put_owner(&mut self, column: Column, name: Option<&[u8]>, id: u32) {
        match name {
            Some(name) => self.put(column, |out| escape::terminal(name, out)),
            None => {
                self.put_number(column, u64::from(id));
                self.current.cells[column as usize].to_the_right = true;
            }
        }
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
        self.right(row, Column::Links, self.width(Column::Links), out);
        self.owner(row, Column::User, out);
        self.owner(row, Column::Group, out);
        self.size(row, out);
        self.right(row, Column::Time, self.width(Column::Time), out);
        let name = row.cells[Column::Name as usize];
        out.extend_from_slice(&self.text[name.start..name.end]);
        out.push(b'\n');
    }

    fn owner(&self, row: &Row, column: Column, out: &mut Vec<u8>) {
        if row.cells[column as usize].to_the_right {
            self.right(row, column, self.width(column), out);
        } else {
            self.left(row, column, out);
        }
    }

    /// Appends a size, or `major, minor` with the minor numbers below each other.
    fn size(&self, row: &Row, out: &mut Vec<u8>) {
        let minor_width = self.width(Column::Minor);
        let devices = match minor_width {
            0 => 0,
            _ => self.width(Column::Major) + 2 + minor_width,
        };
        let width = devices.max(self.width(Column::Size));
        if row.cells[Column::Minor as usize].width == 0 {
            return self.right(row, Column::Size, width, out);
        }
        self.right(row, Column::Major, width - 2 - minor_width, out);
        // The blank behind the major number makes room for the comma.
        out.pop();
        out.extend_from_slice(b", ");
        self.right(row, Column::Minor, minor_width, out);
    }

    /// The widest cell of a column so far.
    fn width(&self, column: Column) -> usize {
        self.widths[column as usize]
    }

    fn left(&self, row: &Row, column: Column, out: &mut Vec<u8>) {
        let cell = row.cells[column as usize];
        out.extend_from_slice(&self.text[cell.start..cell.end]);
        push_blanks(self.width(column) - cell.width + 1, out);
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
fn places(text: &[u8]) -> usize {
    text.iter().filter(|&&b| b & 0xC0 != 0x80).count()
}
