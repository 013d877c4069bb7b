//! The numbers that are told of a bucket.

use groma_base::Timestamp;

/// What is told of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the table below says what each is")]
pub enum Metric {
    Count,
    Size,
    Allocated,
    Waste,
    Average,
    Min,
    Max,
    Oldest,
    Newest,
    Nodes,
    Reclaimable,
}

impl Metric {
    /// Every one: its name, and what it is.
    pub const ALL: [(Metric, &'static str, &'static str); 11] = [
        (Metric::Count, "count", "entries"),
        (
            Metric::Size,
            "size",
            "bytes that readers see, of each node once",
        ),
        (
            Metric::Allocated,
            "allocated",
            "bytes on disk, of each node once",
        ),
        (
            Metric::Waste,
            "waste",
            "bytes on disk beyond the size, of nodes that take more than that",
        ),
        (
            Metric::Average,
            "avg",
            "size of a node on average, whole bytes",
        ),
        (Metric::Min, "min", "smallest size of a node"),
        (Metric::Max, "max", "largest size of a node"),
        (
            Metric::Oldest,
            "oldest",
            "earliest last change of content of an entry",
        ),
        (
            Metric::Newest,
            "newest",
            "latest last change of content of an entry",
        ),
        (
            Metric::Nodes,
            "nodes",
            "nodes whose sizes are counted: entries, but hard links once",
        ),
        (
            Metric::Reclaimable,
            "reclaimable",
            "of duplicates: bytes of all copies but one",
        ),
    ];

    /// Its name.
    pub fn word(self) -> &'static str {
        let row = Metric::ALL.iter().find(|row| row.0 == self);
        row.map_or("count", |row| row.1)
    }

    /// The metric with this name.
    pub fn find(word: &str) -> Option<Metric> {
        let row = Metric::ALL.iter().find(|row| row.1 == word);
        row.map(|row| row.0)
    }
}

/// Which columns metrics need besides kinds and sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    pub(super) disk: bool,
    pub(super) extremes: bool,
    pub(super) times: bool,
}

impl Needs {
    pub(super) fn of(metrics: &[Metric]) -> Needs {
        let any = |wanted: &[Metric]| metrics.iter().any(|metric| wanted.contains(metric));
        Needs {
            disk: any(&[Metric::Allocated, Metric::Waste]),
            extremes: any(&[Metric::Min, Metric::Max]),
            times: any(&[Metric::Oldest, Metric::Newest]),
        }
    }
}

/// Sums over entries. A node with several entries has its sizes counted at one of them, the
/// smallest path of those that match; entries and times are counted at each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Entries.
    pub count: u64,
    /// Nodes whose sizes are counted here.
    pub nodes: u64,
    /// Bytes.
    pub size: u128,
    /// Bytes on disk.
    pub allocated: u128,
    /// Bytes on disk beyond the size.
    pub waste: u128,
    /// Smallest size.
    pub min: Option<u64>,
    /// Largest size.
    pub max: Option<u64>,
    /// Earliest change of content.
    pub oldest: Option<Timestamp>,
    /// Latest change of content.
    pub newest: Option<Timestamp>,
    /// Bytes of all copies but one of each file, where copies are looked for.
    pub reclaimable: u128,
}

/// The value of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// A number of entries.
    Count(u64),
    /// Bytes.
    Bytes(u128),
    /// A point in time.
    Time(Timestamp),
}

impl Sums {
    /// The value of a metric; `None` where no entry tells it.
    pub fn value(&self, metric: Metric) -> Option<Value> {
        let bytes = |bytes: u64| Value::Bytes(bytes.into());
        match metric {
            Metric::Count => Some(Value::Count(self.count)),
            Metric::Size => Some(Value::Bytes(self.size)),
            Metric::Allocated => Some(Value::Bytes(self.allocated)),
            Metric::Waste => Some(Value::Bytes(self.waste)),
            Metric::Average => {
                let average = self.size.checked_div(self.nodes.into());
                average.map(Value::Bytes)
            }
            Metric::Min => self.min.map(bytes),
            Metric::Max => self.max.map(bytes),
            Metric::Oldest => self.oldest.map(Value::Time),
            Metric::Newest => self.newest.map(Value::Time),
            Metric::Nodes => Some(Value::Count(self.nodes)),
            Metric::Reclaimable => Some(Value::Bytes(self.reclaimable)),
        }
    }

    /// Adds another's sums.
    pub fn add(&mut self, other: &Sums) {
        self.count += other.count;
        self.nodes += other.nodes;
        self.size += other.size;
        self.allocated += other.allocated;
        self.waste += other.waste;
        self.min = least(self.min, other.min);
        self.max = self.max.max(other.max);
        self.oldest = least(self.oldest, other.oldest);
        self.newest = self.newest.max(other.newest);
        self.reclaimable += other.reclaimable;
    }
}

/// The smaller one of those that are known.
fn least<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
