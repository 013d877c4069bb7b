//! All tables of a report as one, as files of rows and columns have it.

use super::metric::Metric;
use super::report::Report;

/// What stands in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// The name of the row's table.
    Section,
    /// What the row stands for, on this level.
    Key(usize),
    /// A number; nothing in rows of tables that do not tell it.
    Metric(Metric),
    /// How many values the field has.
    Distinct(usize),
    /// The query that lists the row's entries.
    Query,
    /// The path of an example.
    Sample(usize),
}

/// The columns with their names. Where there are several tables, each row begins with its table's
/// name, and the keys of all share their columns.
pub fn columns(report: &Report) -> Vec<(String, Told)> {
    let sections = &report.sections;
    let mut columns = Vec::new();
    match &sections[..] {
        [only] => {
            let keys = only.keys.iter().enumerate();
            columns.extend(keys.map(|(at, name)| (name.clone(), Told::Key(at))));
        }
        _ => {
            columns.push(("section".to_owned(), Told::Section));
            let keys = sections.iter().map(|section| section.keys.len()).max();
            columns.extend((0..keys.unwrap_or(0)).map(|at| (key_name(at), Told::Key(at))));
        }
    }
    for &metric in sections.iter().flat_map(|section| &section.metrics) {
        let column = (metric.word().to_owned(), Told::Metric(metric));
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    let distinct = sections.first().map(|section| &section.distinct);
    for (at, field) in distinct.into_iter().flatten().enumerate() {
        columns.push((format!("distinct_{field}"), Told::Distinct(at)));
    }
    columns.push(("query".to_owned(), Told::Query));
    let rows = sections.iter().flat_map(|section| &section.rows);
    let samples = rows.map(|row| row.samples.len()).max().unwrap_or(0);
    columns.extend((0..samples).map(|at| (format!("sample_{}", at + 1), Told::Sample(at))));
    columns
}

fn key_name(at: usize) -> String {
    match at {
        0 => "key".to_owned(),
        at => format!("key_{}", at + 1),
    }
}
