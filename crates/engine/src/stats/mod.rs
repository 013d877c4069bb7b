//! `stats`: numbers about what a catalog holds: groups, histograms, ranges, copies.
//!
//! [`plan()`] turns words into what is to be counted, [`run()`] counts. Every bucket carries the
//! query that lists its rows.

mod ages;
mod batch;
mod bits;
mod bulk;
mod classes;
mod coder;
mod codes;
mod content;
mod duplicates;
mod error;
mod exceptions;
mod field;
mod flags;
mod flat;
mod group;
mod key;
mod lines;
mod links;
mod metric;
mod nodes;
mod number;
mod order;
mod parquet;
mod plan;
mod preset;
mod ranges;
mod reading;
mod report;
mod sample;
mod scan;
mod sections;
mod table;
mod times;

pub use error::{PlanError, StatsError};
pub use field::GROUPINGS;
pub use flat::{Told, columns};
pub use metric::{Metric, Sums, Value};
pub use parquet::write_parquet;
pub use plan::{Likeness, Plan, Request, plan, preset_named};
pub use preset::{PRESETS, Preset, find as find_preset};
pub use reading::Reading;
pub use report::{Report, Row, Sample, SectionReport};
pub use sections::{Run, run};
