//! What was counted, ready to be shown.

use groma_base::Timestamp;

use super::metric::{Metric, Sums};
use super::reading::Reading;

/// The answer: one or several tables.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The tables.
    pub sections: Vec<SectionReport>,
    /// What happened while files were read, where any were to be.
    pub reading: Option<Reading>,
}

/// One table.
#[derive(Clone, Debug)]
pub struct SectionReport {
    /// Its name.
    pub name: String,
    /// The names of the columns that tell buckets apart; none for one line about everything.
    pub keys: Vec<String>,
    /// What is told of each bucket.
    pub metrics: Vec<Metric>,
    /// The names of fields whose distinct values are counted.
    pub distinct: Vec<String>,
    /// Sums over all that was asked about, whether it has a bucket or not.
    pub total: Sums,
    /// The query behind the table.
    pub query: String,
    /// The buckets.
    pub rows: Vec<Row>,
    /// How many buckets are not shown, because there was a limit, and their sums.
    pub rest: Option<(usize, Sums)>,
}

/// One bucket.
#[derive(Clone, Debug)]
pub struct Row {
    /// What it stands for, raw bytes, one for each key column; `None`: entries that have no such
    /// thing.
    pub labels: Vec<Option<Vec<u8>>>,
    /// Its sums.
    pub sums: Sums,
    /// How many distinct values there are of each field that was asked for.
    pub distinct: Vec<u64>,
    /// The query that lists its rows; `None` where it would be too long for one.
    pub query: Option<String>,
    /// Examples: the largest, and of equal ones those with the smallest paths.
    pub samples: Vec<Sample>,
}

/// An entry that is shown as an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Absolute path, raw bytes.
    pub path: Vec<u8>,
    /// Bytes.
    pub size: u64,
    /// Last change of content.
    pub modified: Timestamp,
}
