//! The answer as CSV: one line for each bucket, names and paths byte for byte.

use groma_base::Timestamp;
use groma_engine::stats::{Report, Row, SectionReport, Value};
use groma_formats::{csv, value};

/// Appends all tables as one: where there are several, each line begins with its table's name, and
/// the keys of all share their columns.
pub(super) fn push(report: &Report, out: &mut Vec<u8>) {
    let layout = Layout::of(report);
    let names: Vec<&str> = layout.names.iter().map(String::as_str).collect();
    csv::push_header(&names, out);
    for section in &report.sections {
        for row in &section.rows {
            layout.push_row(section, row, out);
        }
    }
}

/// The columns.
struct Layout {
    names: Vec<String>,
    has_section: bool,
    keys: usize,
    metrics: Vec<groma_engine::stats::Metric>,
    samples: usize,
}

impl Layout {
    fn of(report: &Report) -> Layout {
        let sections = &report.sections;
        let has_section = sections.len() > 1;
        let keys = sections
            .iter()
            .map(|section| section.keys.len())
            .max()
            .unwrap_or(0);
        let mut metrics = Vec::new();
        for metric in sections.iter().flat_map(|section| &section.metrics) {
            if !metrics.contains(metric) {
                metrics.push(*metric);
            }
        }
        let rows = sections.iter().flat_map(|section| &section.rows);
        let samples = rows.map(|row| row.samples.len()).max().unwrap_or(0);
        let mut names: Vec<String> = Vec::new();
        names.extend(has_section.then(|| "section".to_owned()));
        match sections.first().filter(|_| !has_section) {
            Some(only) => names.extend(only.keys.iter().cloned()),
            None => names.extend((0..keys).map(|at| match at {
                0 => "key".to_owned(),
                at => format!("key_{}", at + 1),
            })),
        }
        names.extend(metrics.iter().map(|metric| metric.word().to_owned()));
        let distinct = sections.first().map(|section| &section.distinct);
        names.extend(
            distinct
                .into_iter()
                .flatten()
                .map(|field| format!("distinct_{field}")),
        );
        names.push("query".to_owned());
        names.extend((1..=samples).map(|at| format!("sample_{at}")));
        Layout {
            names,
            has_section,
            keys,
            metrics,
            samples,
        }
    }

    fn push_row(&self, section: &SectionReport, row: &Row, out: &mut Vec<u8>) {
        let mut fields: Vec<Option<Vec<u8>>> = Vec::new();
        fields.extend(
            self.has_section
                .then(|| Some(section.name.clone().into_bytes())),
        );
        fields.extend((0..self.keys).map(|at| row.labels.get(at).cloned().flatten()));
        fields.extend(self.metrics.iter().map(|metric| {
            let is_told = section.metrics.contains(metric);
            let told = row.sums.value(*metric).filter(|_| is_told);
            told.map(|value| text(value).into_bytes())
        }));
        let distinct = row.distinct.iter();
        fields.extend(distinct.map(|count| Some(count.to_string().into_bytes())));
        fields.push(row.query().map(String::into_bytes));
        fields.extend((0..self.samples).map(|at| row.samples.get(at).map(|s| s.path.clone())));
        let values = fields.iter().map(|field| match field {
            Some(bytes) => value::Value::Bytes(bytes),
            None => value::Value::Absent,
        });
        csv::push_row(values, out);
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
