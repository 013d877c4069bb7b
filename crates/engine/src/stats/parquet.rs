//! A report as Parquet: one row for each bucket.

use std::io::{self, Write};

use groma_lake::{Cell, Form, LakeError, Spec, Writer};

use super::flat::{Told, columns};
use super::metric::{Metric, Value};
use super::report::{Report, Row, SectionReport};

/// Writes all tables as one file.
///
/// # Errors
/// Those of `out`.
pub fn write_parquet(report: &Report, out: &mut (dyn Write + Send)) -> io::Result<()> {
    write(report, out).map_err(|error| match error {
        LakeError::Io(error) => error,
        other => io::Error::other(other),
    })
}

fn write(report: &Report, out: &mut (dyn Write + Send)) -> Result<(), LakeError> {
    let columns = columns(report);
    let spec = |(name, told): &(String, Told)| Spec {
        name: name.clone(),
        form: form(*told),
    };
    let specs: Vec<Spec> = columns.iter().map(spec).collect();
    let mut writer = Writer::new(&specs, out)?;
    for section in &report.sections {
        for row in &section.rows {
            let query = row.query();
            let query = query.as_ref().map(String::as_bytes);
            writer.push(columns.iter().map(|(_, told)| match told {
                Told::Query => bytes(query),
                told => cell(*told, section, row),
            }))?;
        }
    }
    writer.finish().map(drop)
}

fn form(told: Told) -> Form {
    match told {
        Told::Section | Told::Query => Form::Word,
        Told::Key(_) | Told::Sample(_) => Form::Text,
        Told::Metric(Metric::Oldest | Metric::Newest) => Form::Time,
        Told::Metric(_) | Told::Distinct(_) => Form::Long,
    }
}

fn cell<'a>(told: Told, section: &'a SectionReport, row: &'a Row) -> Cell<'a> {
    match told {
        Told::Section => bytes(Some(section.name.as_bytes())),
        Told::Key(at) => bytes(row.labels.get(at).and_then(Option::as_deref)),
        Told::Metric(metric) if section.metrics.contains(&metric) => value(row, metric),
        Told::Distinct(at) => row
            .distinct
            .get(at)
            .map_or(Cell::Absent, |&n| Cell::Number(n)),
        Told::Sample(at) => bytes(row.samples.get(at).map(|sample| &sample.path[..])),
        Told::Metric(_) | Told::Query => Cell::Absent,
    }
}

/// A sum that the column does not hold, beyond 63 bits, is absent.
fn value(row: &Row, metric: Metric) -> Cell<'static> {
    match row.sums.value(metric) {
        Some(Value::Count(count)) => Cell::Number(count),
        Some(Value::Bytes(bytes)) => u64::try_from(bytes).map_or(Cell::Absent, Cell::Number),
        Some(Value::Time(at)) => Cell::Time(at),
        None => Cell::Absent,
    }
}

fn bytes(bytes: Option<&[u8]>) -> Cell<'_> {
    bytes.map_or(Cell::Absent, Cell::Bytes)
}
