//! Rows as CSV, many at a time: what a column needs is decided once, not for each cell.

use groma_formats::csv::is_plain;
use groma_formats::csv_writer::{CsvWriter, Window};
use groma_query::fields::Field;

use super::block::Block;
use super::column::Row;
use super::path::PathBuilder;

/// Writes rows as CSV.
#[derive(Debug)]
pub(crate) struct CsvRows {
    columns: Vec<Column>,
    writer: CsvWriter,
    /// Whether all names of the block need no quotes.
    is_plain: bool,
    /// The directory at hand, and whether its path needs no quotes.
    dir: Option<(u32, bool)>,
}

/// What is written often, and everything else.
#[derive(Clone, Copy, Debug)]
enum Column {
    Path,
    Name,
    Kind,
    Mode,
    Number(Number),
    Time(Time),
    Other(Field),
}

#[derive(Clone, Copy, Debug)]
enum Number {
    Size,
    Allocated,
    Links,
    Inode,
}

#[derive(Clone, Copy, Debug)]
enum Time {
    Modified,
    Accessed,
    Changed,
}

impl CsvRows {
    /// For these columns.
    pub(crate) fn new(columns: &[Field]) -> CsvRows {
        CsvRows {
            columns: columns.iter().copied().map(column).collect(),
            writer: CsvWriter::default(),
            is_plain: false,
            dir: None,
        }
    }

    /// Whether one of the columns needs the whole path in one piece.
    pub(crate) fn needs_whole_path(&self) -> bool {
        let whole = [Field::Parent, Field::PathLength];
        let is_whole =
            |column: &Column| matches!(column, Column::Other(field) if whole.contains(field));
        self.columns.iter().any(is_whole)
    }

    /// Begins a block.
    pub(crate) fn begin(&mut self, block: &Block) {
        self.is_plain = is_plain(block.all_names());
        self.dir = None;
    }

    /// Appends a row.
    #[inline]
    pub(crate) fn push(&mut self, row: Row<'_>, path: &PathBuilder, out: &mut Vec<u8>) {
        let (block, at, start) = (row.block, row.at, out.len());
        let is_known = block.is_known(at);
        for place in 0..self.columns.len() {
            match self.columns[place] {
                Column::Path => self.push_path(row, path, out),
                Column::Name => {
                    let name = block.name_window(at);
                    self.writer.text(name, self.is_plain, out);
                }
                Column::Kind => self.writer.word(block.kinds[at].kind().word(), out),
                _ if !is_known && !matches!(self.columns[place], Column::Other(_)) => {
                    self.writer.absent(out);
                }
                Column::Mode => self.writer.mode(block.modes[at] as u32, out),
                Column::Number(number) => {
                    let column = match number {
                        Number::Size => &block.sizes,
                        Number::Allocated => &block.allocated,
                        Number::Links => &block.links,
                        Number::Inode => &block.inodes,
                    };
                    self.writer.number(column[at], out);
                }
                Column::Time(time) => {
                    let column = match time {
                        Time::Modified => &block.modified,
                        Time::Accessed => &block.accessed,
                        Time::Changed => &block.changed,
                    };
                    self.writer.time(column[at], out);
                }
                Column::Other(Field::Created) => match block.created(at) {
                    Some(time) => self.writer.time(time, out),
                    None => self.writer.absent(out),
                },
                Column::Other(field) => self.writer.value(&row.value(field), out),
            }
        }
        self.writer.end_row(start, out);
    }

    #[inline]
    fn push_path(&mut self, row: Row<'_>, path: &PathBuilder, out: &mut Vec<u8>) {
        let parent = row.block.parents[row.at];
        let is_dir_plain = match self.dir {
            Some((dir, is_plain)) if dir == parent => is_plain,
            _ => {
                let is_plain = is_plain(path.dir());
                self.dir = Some((parent, is_plain));
                is_plain
            }
        };
        // The root lies in no directory that is told.
        let name = match row.block.ids[row.at] == parent {
            true => Window::new(&[], 0),
            false => row.block.name_window(row.at),
        };
        let is_plain = is_dir_plain && self.is_plain;
        self.writer.joined(path.dir(), name, is_plain, out);
    }
}

fn column(field: Field) -> Column {
    match field {
        Field::Path => Column::Path,
        Field::Name => Column::Name,
        Field::Type => Column::Kind,
        Field::Perm => Column::Mode,
        Field::Size => Column::Number(Number::Size),
        Field::Allocated => Column::Number(Number::Allocated),
        Field::Links => Column::Number(Number::Links),
        Field::Inode => Column::Number(Number::Inode),
        Field::Modified => Column::Time(Time::Modified),
        Field::Accessed => Column::Time(Time::Accessed),
        Field::Changed => Column::Time(Time::Changed),
        field => Column::Other(field),
    }
}
