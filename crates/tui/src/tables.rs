//! Answers of the engine as lines of a list.

use groma_engine::map::Weigh;
use groma_engine::stats::{Metric, Report, Row, Sums, Value};

use crate::list::TableLine;
use crate::text::name;

/// The lines of a report.
pub(crate) fn lines(report: &Report, weigh: Weigh) -> Vec<TableLine> {
    let sections = report.sections.iter();
    let mut lines: Vec<TableLine> = sections
        .flat_map(|section| section.rows.iter().map(|row| line(row, weigh)))
        .collect();
    if let Some(reading) = &report.reading
        && !reading.unreadable.is_empty()
    {
        lines.push(TableLine {
            label: format!("({} files could not be read)", reading.unreadable.len()),
            weight: 0,
            entries: reading.unreadable.len() as u64,
            query: None,
        });
    }
    lines
}

fn line(row: &Row, weigh: Weigh) -> TableLine {
    let labels = row.labels.iter().map(|label| match label {
        Some(bytes) => name(bytes),
        None => "(none)".to_owned(),
    });
    let samples = row.samples.iter().map(|sample| name(&sample.path));
    let label = match row.samples.is_empty() {
        true => labels.collect::<Vec<_>>().join("  "),
        false => samples.collect::<Vec<_>>().join("   "),
    };
    TableLine {
        label,
        weight: weight(&row.sums, weigh),
        entries: number(&row.sums, Metric::Count),
        query: row.query(),
    }
}

fn weight(sums: &Sums, weigh: Weigh) -> u64 {
    match weigh {
        Weigh::Allocated => number(sums, Metric::Allocated),
        Weigh::Apparent => number(sums, Metric::Size),
        Weigh::Count => number(sums, Metric::Count),
    }
}

fn number(sums: &Sums, metric: Metric) -> u64 {
    match sums.value(metric) {
        Some(Value::Count(count)) => count,
        Some(Value::Bytes(bytes)) => u64::try_from(bytes).unwrap_or(u64::MAX),
        _ => 0,
    }
}
