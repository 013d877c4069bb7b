//! Writes rows, group after group.

use std::io::Write;

use parquet::file::writer::SerializedFileWriter;

use crate::cells::{Cells, add};
use crate::error::LakeError;
use crate::spec::{Cell, Field, Form, Spec, properties, schema};

/// Rows in a group, at most: what a reader takes at a time, and what waits in memory.
pub const ROWS_PER_GROUP: usize = 131_072;

/// Bytes of text in a group, at most; one row more may come on top.
const TEXT_PER_GROUP: usize = 64 << 20;

/// One file that is being written. Dropped before [`Writer::finish`] it is no whole file.
#[derive(Debug)]
pub struct Writer<W: Write + Send> {
    file: SerializedFileWriter<W>,
    slots: Vec<Slot>,
    cells: Vec<Cells>,
    /// Rows that wait.
    waiting: usize,
    written: u64,
}

/// A column, and where its fields end among all fields; of a column whose name was there before,
/// none.
#[derive(Debug)]
struct Slot {
    form: Form,
    end: usize,
}

impl<W: Write + Send> Writer<W> {
    /// Begins a file with these columns in this order; of several with one name, the first is
    /// written.
    ///
    /// # Errors
    /// [`LakeError::NoColumns`], [`LakeError::Io`].
    pub fn new(columns: &[Spec], out: W) -> Result<Writer<W>, LakeError> {
        if columns.is_empty() {
            return Err(LakeError::NoColumns);
        }
        let (mut slots, mut fields): (Vec<Slot>, Vec<Field>) = (Vec::new(), Vec::new());
        for (at, spec) in columns.iter().enumerate() {
            if columns[..at].iter().all(|other| other.name != spec.name) {
                fields.extend(spec.fields());
            }
            slots.push(Slot {
                form: spec.form,
                end: fields.len(),
            });
        }
        Ok(Writer {
            file: SerializedFileWriter::new(out, schema(&fields)?, properties(&fields))?,
            slots,
            cells: fields.iter().map(Cells::new).collect(),
            waiting: 0,
            written: 0,
        })
    }

    /// Adds a row: what stands in each of the columns, in their order. What is left out is absent.
    ///
    /// # Errors
    /// [`LakeError::Io`], [`LakeError::Format`].
    pub fn push<'c>(&mut self, row: impl IntoIterator<Item = Cell<'c>>) -> Result<(), LakeError> {
        let mut row = row.into_iter();
        let mut start = 0;
        for slot in &self.slots {
            let cell = row.next().unwrap_or(Cell::Absent);
            add(slot.form, cell, &mut self.cells[start..slot.end]);
            start = slot.end;
        }
        self.waiting += 1;
        let text: usize = self.cells.iter().map(Cells::text_bytes).sum();
        if self.waiting >= ROWS_PER_GROUP || text >= TEXT_PER_GROUP {
            self.write_group()?;
        }
        Ok(())
    }

    /// Ends the file and answers how many rows it has.
    ///
    /// # Errors
    /// [`LakeError::Io`], [`LakeError::Format`].
    pub fn finish(mut self) -> Result<u64, LakeError> {
        if self.waiting > 0 {
            self.write_group()?;
        }
        self.file.close()?;
        Ok(self.written)
    }

    fn write_group(&mut self) -> Result<(), LakeError> {
        let mut group = self.file.next_row_group()?;
        for cells in &mut self.cells {
            let column = group.next_column()?;
            let mut column =
                column.ok_or_else(|| LakeError::Format("a field more than columns".into()))?;
            cells.write(&mut column)?;
            column.close()?;
        }
        group.close()?;
        self.written += self.waiting as u64;
        self.waiting = 0;
        Ok(())
    }
}
