//! What a column is, what stands in it, and how it is written.

use std::sync::Arc;

use groma_base::Timestamp;
use parquet::basic::{
    Compression, Encoding, LogicalType, Repetition, TimeUnit, TimestampType, Type as Physical,
};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::schema::types::{ColumnPath, Type, TypePtr};

/// A column of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Its name.
    pub name: String,
    /// What its values are.
    pub form: Form,
}

/// What the values of a column are. Any of them may be absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Names and paths. They are text; beside it, `NAME_raw` has their bytes where they are no
    /// UTF-8, and nothing elsewhere.
    Text,
    /// Text of which there are few sorts.
    Word,
    /// Numbers of 63 bits: sizes, counts. A larger one is absent.
    Long,
    /// Numbers of 64 bits.
    Unsigned,
    /// Numbers of 32 bits of which there are few. A larger one is absent.
    Int,
    /// Points in time: microseconds, in UTC. Beside them, `NAME_nanos` has the nanoseconds that
    /// are left, 0 to 999. One beyond the year 292 000 is absent.
    Time,
    /// Ratios.
    Ratio,
    /// Yes or no.
    Is,
}

/// What stands in one column of one row. A value that is not of the column's form is absent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// Nothing.
    Absent,
    /// Of [`Form::Text`] and [`Form::Word`].
    Bytes(&'a [u8]),
    /// Of [`Form::Long`], [`Form::Unsigned`] and [`Form::Int`].
    Number(u64),
    /// Of [`Form::Time`].
    Time(Timestamp),
    /// Of [`Form::Ratio`].
    Ratio(f64),
    /// Of [`Form::Is`].
    Is(bool),
}

/// One field of the file: what a column is, or what stands beside it.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    name: String,
    physical: Physical,
    logical: Option<LogicalType>,
    /// What fits the values best; a dictionary where there is none.
    encoding: Option<Encoding>,
}

impl Spec {
    /// The fields of the column.
    pub(crate) fn fields(&self) -> Vec<Field> {
        let field = |suffix, physical, logical, encoding| Field {
            name: format!("{}{suffix}", self.name),
            physical,
            logical,
            encoding,
        };
        let integer = |bits, is_signed| Some(LogicalType::integer(bits, is_signed));
        let (front, packed) = (
            Some(Encoding::DELTA_BYTE_ARRAY),
            Some(Encoding::DELTA_BINARY_PACKED),
        );
        let text = Some(LogicalType::String);
        match self.form {
            Form::Text => vec![
                field("", Physical::BYTE_ARRAY, text, front),
                field("_raw", Physical::BYTE_ARRAY, None, front),
            ],
            Form::Word => vec![field("", Physical::BYTE_ARRAY, text, None)],
            Form::Long => vec![field("", Physical::INT64, None, packed)],
            Form::Unsigned => vec![field("", Physical::INT64, integer(64, false), packed)],
            Form::Int => vec![field("", Physical::INT32, integer(32, false), None)],
            Form::Time => vec![
                field("", Physical::INT64, Some(microseconds()), packed),
                field("_nanos", Physical::INT32, integer(16, true), packed),
            ],
            Form::Ratio => vec![field("", Physical::DOUBLE, None, None)],
            Form::Is => vec![field("", Physical::BOOLEAN, None, None)],
        }
    }
}

fn microseconds() -> LogicalType {
    LogicalType::Timestamp(TimestampType {
        is_adjusted_to_u_t_c: true,
        unit: TimeUnit::MICROS,
    })
}

impl Field {
    pub(crate) fn physical(&self) -> Physical {
        self.physical
    }

    fn to_type(&self) -> Result<TypePtr, ParquetError> {
        let builder = Type::primitive_type_builder(&self.name, self.physical);
        let builder = builder.with_repetition(Repetition::OPTIONAL);
        let builder = builder.with_logical_type(self.logical.clone());
        builder.build().map(Arc::new)
    }
}

/// The schema of a file with these fields.
pub(crate) fn schema(fields: &[Field]) -> Result<TypePtr, ParquetError> {
    let types: Result<Vec<TypePtr>, ParquetError> = fields.iter().map(Field::to_type).collect();
    let schema = Type::group_type_builder("entries").with_fields(types?);
    schema.build().map(Arc::new)
}

/// How a file with these fields is written.
pub(crate) fn properties(fields: &[Field]) -> WriterPropertiesPtr {
    let mut builder = WriterProperties::builder()
        .set_compression(Compression::ZSTD(Default::default()))
        .set_created_by(concat!("groma ", env!("CARGO_PKG_VERSION")).to_owned());
    for field in fields {
        if let Some(encoding) = field.encoding {
            // A name is one component, whatever dots there are in it.
            let path = ColumnPath::new(vec![field.name.clone()]);
            builder = builder
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, encoding);
        }
    }
    Arc::new(builder.build())
}
