//! The values of one column that wait to be written.

use groma_base::Timestamp;
use parquet::basic::Type as Physical;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type,
};
use parquet::file::writer::SerializedColumnWriter;

use crate::error::LakeError;
use crate::spec::{Cell, Field, Form};

/// Values of one field, by what they are.
#[derive(Debug)]
pub(crate) enum Cells {
    /// Text and bytes: one buffer and the ends of the values in it.
    Bytes(Vec<u8>, Values<usize>),
    Longs(Values<i64>),
    Ints(Values<i32>),
    Doubles(Values<f64>),
    Bools(Values<bool>),
}

/// Values, and for each row 1 where it has one and 0 where not.
#[derive(Debug)]
pub(crate) struct Values<T> {
    present: Vec<T>,
    levels: Vec<i16>,
}

impl<T> Default for Values<T> {
    fn default() -> Values<T> {
        Values {
            present: Vec::new(),
            levels: Vec::new(),
        }
    }
}

impl<T> Values<T> {
    fn push(&mut self, value: Option<T>) {
        self.levels.push(value.is_some().into());
        self.present.extend(value);
    }

    fn write<D: DataType<T = T>>(
        &mut self,
        out: &mut SerializedColumnWriter<'_>,
    ) -> Result<(), LakeError> {
        let writer = out.typed::<D>();
        writer.write_batch(&self.present, Some(&self.levels), None)?;
        self.clear();
        Ok(())
    }

    fn clear(&mut self) {
        self.present.clear();
        self.levels.clear();
    }
}

/// Adds what stands in a column to its fields.
pub(crate) fn add(form: Form, cell: Cell<'_>, fields: &mut [Cells]) {
    let Some((first, beside)) = fields.split_first_mut() else {
        return;
    };
    match (form, cell) {
        (Form::Text, Cell::Bytes(bytes)) => add_text(bytes, first, beside),
        (Form::Word, Cell::Bytes(bytes)) => {
            first.push_bytes(Some(String::from_utf8_lossy(bytes).as_bytes()));
        }
        (Form::Long, Cell::Number(number)) => first.push_long(i64::try_from(number).ok()),
        (Form::Unsigned, Cell::Number(number)) => first.push_long(Some(number.cast_signed())),
        (Form::Int, Cell::Number(number)) => {
            // Unsigned numbers keep their bits; the schema says that they are unsigned.
            first.push_int(u32::try_from(number).ok().map(u32::cast_signed));
        }
        (Form::Time, Cell::Time(time)) => add_time(time, first, beside),
        (Form::Ratio, Cell::Ratio(ratio)) => first.push_double(Some(ratio)),
        (Form::Is, Cell::Is(is)) => first.push_bool(Some(is)),
        _ => fields.iter_mut().for_each(Cells::push_absent),
    }
}

/// Text; its bytes go beside it only where they are no text.
fn add_text(bytes: &[u8], text: &mut Cells, beside: &mut [Cells]) {
    let is_text = std::str::from_utf8(bytes).is_ok();
    match is_text {
        true => text.push_bytes(Some(bytes)),
        false => text.push_bytes(Some(String::from_utf8_lossy(bytes).as_bytes())),
    }
    if let Some(raw) = beside.first_mut() {
        raw.push_bytes((!is_text).then_some(bytes));
    }
}

/// A time: microseconds, and beside them the nanoseconds that are left.
fn add_time(time: Timestamp, microseconds: &mut Cells, beside: &mut [Cells]) {
    let (whole, left) = in_microseconds(time).unzip();
    microseconds.push_long(whole);
    if let Some(nanos) = beside.first_mut() {
        nanos.push_int(left);
    }
}

/// `None` beyond the year 292 000 and as far before: no file has such a time but by mistake.
fn in_microseconds(time: Timestamp) -> Option<(i64, i32)> {
    let micros = time.seconds.checked_mul(1_000_000)?;
    let whole = micros.checked_add(i64::from(time.nanoseconds / 1000))?;
    let left = i32::try_from(time.nanoseconds % 1000).ok()?;
    Some((whole, left))
}

impl Cells {
    /// For the values of this field.
    pub(crate) fn new(field: &Field) -> Cells {
        match field.physical() {
            Physical::INT64 => Cells::Longs(Values::default()),
            Physical::INT32 => Cells::Ints(Values::default()),
            Physical::DOUBLE => Cells::Doubles(Values::default()),
            Physical::BOOLEAN => Cells::Bools(Values::default()),
            _ => Cells::Bytes(Vec::new(), Values::default()),
        }
    }

    fn push_bytes(&mut self, value: Option<&[u8]>) {
        if let Cells::Bytes(data, ends) = self {
            data.extend_from_slice(value.unwrap_or_default());
            ends.push(value.map(|_| data.len()));
        }
    }

    fn push_long(&mut self, value: Option<i64>) {
        if let Cells::Longs(values) = self {
            values.push(value);
        }
    }

    fn push_int(&mut self, value: Option<i32>) {
        if let Cells::Ints(values) = self {
            values.push(value);
        }
    }

    fn push_double(&mut self, value: Option<f64>) {
        if let Cells::Doubles(values) = self {
            values.push(value);
        }
    }

    fn push_bool(&mut self, value: Option<bool>) {
        if let Cells::Bools(values) = self {
            values.push(value);
        }
    }

    fn push_absent(&mut self) {
        match self {
            Cells::Bytes(_, ends) => ends.push(None),
            Cells::Longs(values) => values.push(None),
            Cells::Ints(values) => values.push(None),
            Cells::Doubles(values) => values.push(None),
            Cells::Bools(values) => values.push(None),
        }
    }

    /// Bytes of text that wait.
    pub(crate) fn text_bytes(&self) -> usize {
        match self {
            Cells::Bytes(data, _) => data.len(),
            _ => 0,
        }
    }

    /// Writes what waits.
    pub(crate) fn write(&mut self, out: &mut SerializedColumnWriter<'_>) -> Result<(), LakeError> {
        match self {
            Cells::Longs(values) => values.write::<Int64Type>(out),
            Cells::Ints(values) => values.write::<Int32Type>(out),
            Cells::Doubles(values) => values.write::<DoubleType>(out),
            Cells::Bools(values) => values.write::<BoolType>(out),
            Cells::Bytes(data, ends) => {
                let values = cut(std::mem::take(data), &ends.present);
                let writer = out.typed::<ByteArrayType>();
                writer.write_batch(&values, Some(&ends.levels), None)?;
                ends.clear();
                Ok(())
            }
        }
    }
}

/// The values in a buffer, which they share.
fn cut(data: Vec<u8>, ends: &[usize]) -> Vec<ByteArray> {
    let whole = ByteArray::from(data);
    let mut start = 0;
    let values = ends.iter().map(|&end| {
        let value = whole.slice(start, end - start);
        start = end;
        value
    });
    values.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact_and_reach_far() {
        let at = |seconds, nanoseconds| Timestamp {
            seconds,
            nanoseconds,
        };
        assert_eq!(in_microseconds(at(1, 5)), Some((1_000_000, 5)));
        assert_eq!(in_microseconds(at(-1, 999_999_999)), Some((-1, 999)));
        let year_1601 = at(-11_644_473_600, 100);
        assert_eq!(
            in_microseconds(year_1601),
            Some((-11_644_473_600_000_000, 100))
        );
        assert_eq!(in_microseconds(at(i64::MAX, 0)), None);
        assert_eq!(in_microseconds(at(i64::MIN, 999_999_999)), None);
    }
}
