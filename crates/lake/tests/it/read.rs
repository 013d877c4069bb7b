//! A Parquet file in memory, read back field by field.

use std::collections::BTreeMap;

use bytes::Bytes;
use groma_base::CancelToken;
use groma_catalog::View;
use groma_lake::{Column, write};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::file::reader::{FileReader, SerializedFileReader};

/// A value; numbers as the 64 bits that they have or would have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Nothing,
    Number(i64),
    Bytes(Vec<u8>),
}

/// The values of each field, in the order of rows.
pub(crate) type Table = BTreeMap<String, Vec<Value>>;

/// Writes these entries and reads the file.
pub(crate) fn written(view: &View, ids: &[u32], columns: &[Column]) -> Table {
    let mut out = Vec::new();
    let rows = write(
        view,
        ids.iter().copied(),
        columns,
        &mut out,
        &CancelToken::new(),
    );
    assert_eq!(rows.unwrap(), ids.len() as u64);
    read(out)
}

/// Reads a file.
pub(crate) fn read(file: Vec<u8>) -> Table {
    let reader = SerializedFileReader::new(Bytes::from(file)).unwrap();
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let mut table = Table::new();
    for field in schema.columns() {
        table.insert(field.name().to_owned(), Vec::new());
    }
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).unwrap();
        let rows = usize::try_from(group.metadata().num_rows()).unwrap();
        for (at, field) in schema.columns().iter().enumerate() {
            let values = match group.get_column_reader(at).unwrap() {
                ColumnReader::ByteArrayColumnReader(reader) => {
                    values(reader, rows, |v| Value::Bytes(v.data().to_vec()))
                }
                ColumnReader::Int32ColumnReader(reader) => {
                    values(reader, rows, |v| Value::Number(v.cast_unsigned().into()))
                }
                ColumnReader::Int64ColumnReader(reader) => {
                    values(reader, rows, |v| Value::Number(*v))
                }
                ColumnReader::DoubleColumnReader(reader) => {
                    values(reader, rows, |v| Value::Number(v.to_bits().cast_signed()))
                }
                ColumnReader::BoolColumnReader(reader) => {
                    values(reader, rows, |v| Value::Number((*v).into()))
                }
                _ => panic!("{} has a type that none should have", field.name()),
            };
            table.get_mut(field.name()).unwrap().extend(values);
        }
    }
    table
}

fn values<D: DataType>(
    mut reader: ColumnReaderImpl<D>,
    rows: usize,
    value: impl Fn(&D::T) -> Value,
) -> Vec<Value> {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    let (read, ..) = reader
        .read_records(rows, Some(&mut levels), None, &mut values)
        .unwrap();
    assert_eq!(read, rows);
    let mut present = values.iter();
    let mut next = |level: &i16| match level {
        0 => Value::Nothing,
        _ => value(present.next().unwrap()),
    };
    levels.iter().map(&mut next).collect()
}
