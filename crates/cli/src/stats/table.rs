//! The answer as tables for people, with bars.

use groma_base::time::TimeZone;
use groma_engine::map::{bar, share};
use groma_engine::stats::{Metric, Report, Row, SectionReport, Sums};
use groma_formats::escape;

use super::human;

/// Places of the longest bar.
const BAR: u128 = 24;
/// What stands for entries without the field.
const NONE: &str = "(none)";

/// Appends all tables.
pub(crate) fn push(report: &Report, zone: &TimeZone, out: &mut Vec<u8>) {
    let many = report.sections.len() > 1;
    for (at, section) in report.sections.iter().enumerate() {
        if at > 0 {
            out.push(b'\n');
        }
        if many {
            out.extend_from_slice(section.name.as_bytes());
            out.push(b'\n');
        }
        push_section(section, zone, out);
    }
}

/// A cell, and whether it stands to the right.
type Cell = (String, bool);

fn push_section(section: &SectionReport, zone: &TimeZone, out: &mut Vec<u8>) {
    let leading = leading(&section.metrics);
    let has_shares = !section.keys.is_empty() && leading.is_some();
    let longest = section.rows.iter();
    let longest = longest
        .filter_map(|row| human::amount(&row.sums, leading?))
        .max()
        .unwrap_or(0);
    let mut lines = vec![header(section, has_shares)];
    for row in &section.rows {
        let mut cells = labels(section, &row.labels);
        cells.extend(numbers(section, &row.sums, Some(row), zone));
        if let Some(metric) = leading.filter(|_| has_shares) {
            let part = human::amount(&row.sums, metric).unwrap_or(0);
            let whole = human::amount(&section.total, metric).unwrap_or(0);
            cells.push((share(part, whole), true));
            cells.push((bar(part, longest, BAR), false));
        }
        lines.push(cells);
    }
    if let Some((count, sums)) = &section.rest {
        lines.push(last_line(section, &format!("({count} more)"), sums, zone));
    }
    if section.keys.len() + section.rows.len() > 1 {
        lines.push(last_line(section, "total", &section.total, zone));
    }
    let samples = section
        .rows
        .iter()
        .map(|row| &row.samples[..])
        .collect::<Vec<_>>();
    push_lines(&lines, &samples, out);
}

/// The metric that shares are of: the size, or the first that shares can be made of.
fn leading(metrics: &[Metric]) -> Option<Metric> {
    let parts = |metric: &&Metric| {
        matches!(
            metric,
            Metric::Count
                | Metric::Size
                | Metric::Allocated
                | Metric::Waste
                | Metric::Nodes
                | Metric::Reclaimable
        )
    };
    let first = |wanted: Metric| metrics.iter().find(|&&metric| metric == wanted);
    let leading = first(Metric::Reclaimable).or(first(Metric::Size));
    leading.or(metrics.iter().find(parts)).copied()
}

fn header(section: &SectionReport, has_shares: bool) -> Vec<Cell> {
    let keys = section.keys.iter().map(|key| (key.clone(), false));
    let metrics = section.metrics.iter();
    let metrics = metrics.map(|metric| (metric.word().to_owned(), true));
    let distinct = section.distinct.iter();
    let distinct = distinct.map(|field| (format!("distinct {field}"), true));
    let shares = [("share".to_owned(), true), (String::new(), false)];
    keys.chain(metrics)
        .chain(distinct)
        .chain(shares.into_iter().filter(|_| has_shares))
        .collect()
}

fn labels(section: &SectionReport, labels: &[Option<Vec<u8>>]) -> Vec<Cell> {
    let label = |at: usize| match labels.get(at) {
        Some(Some(bytes)) => {
            let mut text = Vec::new();
            escape::terminal(bytes, &mut text);
            String::from_utf8_lossy(&text).into_owned()
        }
        _ => NONE.to_owned(),
    };
    (0..section.keys.len())
        .map(|at| (label(at), false))
        .collect()
}

fn numbers(section: &SectionReport, sums: &Sums, row: Option<&Row>, zone: &TimeZone) -> Vec<Cell> {
    let values = section.metrics.iter();
    let values = values.map(|&metric| (human::value(sums, metric, zone), true));
    let distinct = (0..section.distinct.len()).map(|at| {
        let count = row.and_then(|row| row.distinct.get(at));
        (count.map(u64::to_string).unwrap_or_default(), true)
    });
    values.chain(distinct).collect()
}

fn last_line(section: &SectionReport, name: &str, sums: &Sums, zone: &TimeZone) -> Vec<Cell> {
    let keys = section.keys.len();
    let mut cells: Vec<Cell> = (0..keys).map(|_| (String::new(), false)).collect();
    if let Some(first) = cells.first_mut() {
        name.clone_into(&mut first.0);
    }
    cells.extend(numbers(section, sums, None, zone));
    cells
}

/// Appends lines of cells, aligned; below each row its examples.
fn push_lines(lines: &[Vec<Cell>], samples: &[&[groma_engine::stats::Sample]], out: &mut Vec<u8>) {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.0.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for (at, line) in lines.iter().enumerate() {
        let mut text = String::new();
        for (column, (cell, to_the_right)) in line.iter().enumerate() {
            let padding = " ".repeat(widths[column].saturating_sub(cell.chars().count()));
            if column > 0 {
                text.push_str("  ");
            }
            match to_the_right {
                true => text.extend([padding.as_str(), cell]),
                false => text.extend([cell, padding.as_str()]),
            }
        }
        out.extend_from_slice(text.trim_end().as_bytes());
        out.push(b'\n');
        let shown = at.checked_sub(1).and_then(|row| samples.get(row));
        for sample in shown.into_iter().copied().flatten() {
            out.extend_from_slice(
                format!("    {:>6}  ", human::size(sample.size.into())).as_bytes(),
            );
            escape::terminal(&sample.path, out);
            out.push(b'\n');
        }
    }
}
