//! The answer as CSV: one line for each bucket, names and paths byte for byte.

use groma_base::Timestamp;
use groma_engine::stats::{Report, Row, SectionReport, Told, Value, columns};
use groma_formats::{csv, value};

/// Appends all tables as one.
pub(super) fn push(report: &Report, out: &mut Vec<u8>) {
    let columns = columns(report);
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    csv::push_header(&names, out);
    for section in &report.sections {
        for row in &section.rows {
            let fields = columns.iter().map(|(_, told)| field(*told, section, row));
            let fields: Vec<Option<Vec<u8>>> = fields.collect();
            let values = fields.iter().map(|field| match field {
                Some(bytes) => value::Value::Bytes(bytes),
                None => value::Value::Absent,
            });
            csv::push_row(values, out);
        }
    }
}

fn field(told: Told, section: &SectionReport, row: &Row) -> Option<Vec<u8>> {
    match told {
        Told::Section => Some(section.name.clone().into_bytes()),
        Told::Key(at) => row.labels.get(at).cloned().flatten(),
        Told::Metric(metric) => {
            let is_told = section.metrics.contains(&metric);
            let told = row.sums.value(metric).filter(|_| is_told);
            told.map(|value| text(value).into_bytes())
        }
        Told::Distinct(at) => row.distinct.get(at).map(|n| n.to_string().into_bytes()),
        Told::Query => row.query().map(String::into_bytes),
        Told::Sample(at) => row.samples.get(at).map(|sample| sample.path.clone()),
    }
}

fn text(value: Value) -> String {
    match value {
        Value::Count(count) => count.to_string(),
        Value::Bytes(bytes) => bytes.to_string(),
        Value::Time(at) => time(at),
    }
}

/// RFC 3339, or `@` and seconds where that cannot say the year.
fn time(at: Timestamp) -> String {
    let mut out = Vec::new();
    value::Value::Time(at).push_plain(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}
