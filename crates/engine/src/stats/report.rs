//! What was counted, ready to be shown.

use std::sync::Arc;

use groma_base::Timestamp;
use groma_query::syntax::Node;

use super::field::Level;
use super::group::Keys;
use super::metric::{Metric, Sums};
use super::nodes;
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
    pub(super) query: RowQuery,
    /// Examples: the largest, and of equal ones those with the smallest paths.
    pub samples: Vec<Sample>,
}

impl Row {
    /// The query that lists its rows; `None` where it would be too long for one.
    pub fn query(&self) -> Option<String> {
        match &self.query {
            RowQuery::Text(text) => text.clone(),
            RowQuery::Bucket(of, keys) => Some(of.query(keys)),
        }
    }
}

/// The query of a row. There may be many rows, and not every form shows it: that of a bucket is put
/// together when it is asked for.
#[derive(Clone, Debug)]
pub(super) enum RowQuery {
    Text(Option<String>),
    Bucket(Arc<Grouped>, Keys),
}

/// What all buckets of a table have in common.
#[derive(Debug)]
pub(super) struct Grouped {
    pub(super) node: Node,
    pub(super) levels: Vec<Level>,
}

impl Grouped {
    fn query(&self, keys: &Keys) -> String {
        let parts = self.levels.iter().zip(keys);
        let parts = parts.map(|(level, key)| match key {
            Some(key) => level.grouping.node(key),
            None => level.grouping.missing_node(),
        });
        nodes::query(nodes::all([self.node.clone()].into_iter().chain(parts))).text
    }
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
