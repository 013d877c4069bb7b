//! Rows as Parquet: each column of a listing with the form that its values have there.

use std::io::Write;

use groma_base::fold_into;
use groma_formats::value::Value;
use groma_lake::{Cell, Form, LakeError, Spec, Writer};
use groma_query::fields::Field;

use super::SearchError;
use super::column::{Row, column_name, wants};
use super::cutter::Source;
use super::render::{Shared, Worker};
use super::wants::Wants;

/// Rows that are read at a time.
const ROWS: usize = 4096;

/// Writes all rows of a source as one file. Answers how many there were.
pub(crate) fn tell(
    columns: &[Field],
    shared: &Shared<'_, '_>,
    source: &mut impl Source,
    out: &mut (dyn Write + Send),
) -> Result<u64, SearchError> {
    let specs: Vec<Spec> = columns.iter().map(|field| spec(*field)).collect();
    let mut writer = Writer::new(&specs, out)?;
    let all = columns.iter().map(|field| wants(*field));
    let mut worker = Worker::new(shared, all.fold(Wants::NONE, Wants::and));
    let (mut rows, mut texts) = (Vec::new(), Texts::default());
    loop {
        rows.clear();
        source.fill(ROWS, &mut rows);
        if rows.is_empty() {
            return Ok(writer.finish()?);
        }
        let mut failed = None;
        worker.show(&rows, |row| {
            texts.fill(columns, row);
            let cells = columns.iter().map(|field| texts.cell(*field, row));
            if failed.is_none() {
                failed = writer.push(cells).err();
            }
        })?;
        if let Some(error) = failed {
            return Err(error.into());
        }
    }
}

impl From<LakeError> for SearchError {
    fn from(error: LakeError) -> SearchError {
        match error {
            LakeError::Io(error) => SearchError::Io(error),
            LakeError::Cancelled => SearchError::Cancelled,
            other => SearchError::Io(std::io::Error::other(other)),
        }
    }
}

fn spec(field: Field) -> Spec {
    let name = match field {
        Field::Ext => "extension",
        field => column_name(field),
    };
    Spec {
        name: name.to_owned(),
        form: form(field),
    }
}

fn form(field: Field) -> Form {
    match field {
        Field::Path | Field::Name | Field::Stem | Field::Parent => Form::Text,
        Field::Ext
        | Field::Type
        | Field::Category
        | Field::Owner
        | Field::Group
        | Field::Is
        | Field::Root
        | Field::Volume => Form::Word,
        Field::Modified | Field::Created | Field::Accessed | Field::Changed => Form::Time,
        Field::Inode => Form::Unsigned,
        Field::Uid | Field::Gid | Field::Perm | Field::Depth => Form::Int,
        Field::Bulkiness => Form::Ratio,
        Field::Dupe | Field::Empty | Field::Broken | Field::Hidden | Field::Executable => Form::Is,
        _ => Form::Long,
    }
}

/// Texts of a row that stand nowhere else.
#[derive(Debug, Default)]
struct Texts {
    flags: Vec<u8>,
    extension: Vec<u8>,
}

impl Texts {
    fn fill(&mut self, columns: &[Field], row: Row<'_>) {
        self.flags.clear();
        self.extension.clear();
        if columns.contains(&Field::Is) {
            row.value(Field::Is).push_plain(&mut self.flags);
        }
        if columns.contains(&Field::Ext)
            && let Value::Bytes(extension) = row.value(Field::Ext)
        {
            fold_into(extension, &mut self.extension);
        }
    }

    fn cell<'a>(&'a self, field: Field, row: Row<'a>) -> Cell<'a> {
        match (field, row.value(field)) {
            (Field::Is, _) => Cell::Bytes(&self.flags),
            (Field::Ext, _) => Cell::Bytes(&self.extension),
            (_, Value::Bytes(bytes)) => Cell::Bytes(bytes),
            (_, Value::Word(word)) => Cell::Bytes(word.as_bytes()),
            (_, Value::Number(number) | Value::Size(number)) => Cell::Number(number),
            (_, Value::Mode(mode)) => Cell::Number(u64::from(mode & 0o7777)),
            (_, Value::Time(time)) => Cell::Time(time),
            (_, Value::Ratio(ratio)) => Cell::Ratio(ratio),
            (_, Value::Is(is)) => Cell::Is(is),
            _ => Cell::Absent,
        }
    }
}
