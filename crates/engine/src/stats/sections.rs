//! From a plan to its tables.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use groma_base::CancelToken;
use groma_catalog::Damage;
use groma_query::syntax::Node;

use super::duplicates;
use super::error::StatsError;
use super::field::{Grouping, Level};
use super::group::{Bucket, Buckets, Data, Keys, Selected};
use super::key::Key;
use super::metric::{Needs, Sums};
use super::nodes;
use super::order::{self, Line};
use super::plan::{Plan, Section, Shape, What};
use super::reading::Reading;
use super::report::{Grouped, Report, Row, RowQuery, Sample, SectionReport};
use super::sample::Candidate;
use crate::catalogs::OpenRoot;

/// How an answer is worked out.
#[derive(Clone, Debug)]
pub struct Run {
    /// Most threads.
    pub threads: usize,
    /// Ends it early.
    pub cancel: CancelToken,
}

/// Counts.
///
/// # Errors
/// [`StatsError`].
pub fn run(plan: &Plan, roots: &[OpenRoot], run: &Run) -> Result<Report, StatsError> {
    let mut counting = Counting {
        data: Data {
            roots,
            threads: run.threads,
            cancel: run.cancel.clone(),
        },
        selected: Vec::new(),
        read_budget: plan.read_budget,
        reading: None,
    };
    let mut sections = Vec::new();
    for section in &plan.sections {
        sections.push(counting.section(section)?);
    }
    Ok(Report {
        sections,
        reading: counting.reading,
    })
}

struct Counting<'a> {
    data: Data<'a>,
    /// Selections of sections so far, by their queries: several tables of a preset share one.
    selected: Vec<(String, Selected)>,
    read_budget: Option<u64>,
    reading: Option<Reading>,
}

impl Counting<'_> {
    fn section(&mut self, section: &Section) -> Result<SectionReport, StatsError> {
        let selected = self.select(section)?;
        match &section.what {
            What::Total => self.total(section, &selected),
            What::Groups { levels, fill } => self.groups(section, &selected, levels, *fill),
            What::Largest => self.largest(section, &selected),
            What::Queries(list) => {
                let mut rows = Vec::new();
                for (name, node, expr) in list {
                    let selected = self.data.select(expr)?;
                    let bucket = self.everything(&selected, &section.shape)?;
                    let label = vec![Some(name.clone().into_bytes())];
                    rows.push(self.row(label, bucket, written(node.clone()))?);
                }
                let mut report = self.total(section, &selected)?;
                report.keys = vec!["what".to_owned()];
                report.rows = rows;
                Ok(report)
            }
            What::Duplicates(likeness) => {
                let budget = self.read_budget;
                let found = duplicates::find(&self.data, &selected, section, *likeness, budget)?;
                if found.reading.is_some() {
                    self.reading = found.reading;
                }
                Ok(found.report)
            }
        }
    }

    fn select(&mut self, section: &Section) -> Result<Selected, StatsError> {
        let text = nodes::query(section.node.clone()).text;
        if let Some((_, selected)) = self.selected.iter().find(|row| row.0 == text) {
            return Ok(Arc::clone(selected));
        }
        let selected = self.data.select(&section.expr)?;
        self.selected.push((text, Arc::clone(&selected)));
        Ok(selected)
    }

    /// All selected entries as one bucket.
    fn everything(&self, selected: &Selected, shape: &Shape) -> Result<Bucket, StatsError> {
        let needs = Needs::of(&shape.metrics);
        let buckets = self.data.group(selected, &[], needs, shape.samples)?;
        Ok(first(buckets))
    }

    fn row(
        &self,
        labels: Vec<Option<Vec<u8>>>,
        bucket: Bucket,
        query: RowQuery,
    ) -> Result<Row, StatsError> {
        Ok(Row {
            labels,
            sums: bucket.sums,
            distinct: Vec::new(),
            query,
            samples: samples(&self.data, &bucket.best)?,
        })
    }

    fn total(&self, section: &Section, selected: &Selected) -> Result<SectionReport, StatsError> {
        let bucket = self.everything(selected, &section.shape)?;
        let total = bucket.sums.clone();
        let query = written(section.node.clone());
        let mut row = self.row(Vec::new(), bucket, query)?;
        row.distinct = self.distinct(&section.shape, selected, &[])?.of(&[]);
        let mut report = report(section, total);
        report.rows = vec![row];
        Ok(report)
    }

    /// The largest entries, each as a row of its own.
    fn largest(&self, section: &Section, selected: &Selected) -> Result<SectionReport, StatsError> {
        let top = match section.shape.top {
            0 => usize::MAX - 1,
            top => top,
        };
        let needs = Needs::of(&section.shape.metrics);
        let buckets = self.data.group(selected, &[], needs, top)?;
        let bucket = first(buckets);
        let mut report = report(section, bucket.sums.clone());
        report.keys = vec!["path".to_owned()];
        for (root, candidate) in bucket.best {
            report.rows.push(self.entry(section, root, candidate)?);
        }
        Ok(report)
    }

    /// One entry as a row.
    fn entry(
        &self,
        section: &Section,
        root: usize,
        candidate: Candidate,
    ) -> Result<Row, StatsError> {
        let view = &self.data.roots[root].view;
        let read = || -> Result<(Vec<u8>, Sums), Damage> {
            let mut path = Vec::new();
            view.append_path(candidate.id, &mut path)?;
            let metadata = view.metadata(candidate.id)?;
            let (size, allocated) = (candidate.size, view.allocated(candidate.id)?);
            let modified = metadata.map(|metadata| metadata.modified);
            let sums = Sums {
                count: 1,
                nodes: 1,
                size: size.into(),
                allocated: allocated.into(),
                waste: allocated.saturating_sub(size).into(),
                min: Some(size),
                max: Some(size),
                oldest: modified,
                newest: modified,
                reclaimable: 0,
            };
            Ok((path, sums))
        };
        let (path, sums) = read().map_err(|damage| StatsError::at(view.root(), damage.into()))?;
        let node = nodes::exactly(groma_query::fields::Field::Path, &path);
        let query = written(nodes::all([section.node.clone(), node]));
        let bucket = Bucket {
            sums,
            best: Vec::new(),
        };
        self.row(vec![Some(path)], bucket, query)
    }

    fn groups(
        &self,
        section: &Section,
        selected: &Selected,
        levels: &[Level],
        fill: bool,
    ) -> Result<SectionReport, StatsError> {
        let shape = &section.shape;
        let groupings: Vec<&Grouping> = levels.iter().map(|level| &level.grouping).collect();
        let needs = Needs::of(&shape.metrics);
        let buckets = self
            .data
            .group(selected, &groupings, needs, shape.samples)?;
        let mut total = Sums::default();
        buckets
            .iter()
            .for_each(|(_, bucket)| total.add(&bucket.sums));
        let ranges = ranges_of(levels);
        let mut lines = lines(buckets, levels, shape);
        if fill {
            order::fill(&mut lines, ranges, |key| levels[0].grouping.is_real(key));
        }
        order::sort(&mut lines, &order::sorts_of(shape, levels, fill));
        let rest = order::cut(&mut lines, shape.top);
        let distinct = self.distinct(shape, selected, levels)?;
        let mut report = report(section, total);
        report.keys = levels.iter().map(|level| level.title.clone()).collect();
        report.rest = rest;
        let of = Arc::new(Grouped {
            node: section.node.clone(),
            levels: levels.to_vec(),
        });
        for (keys, bucket) in lines {
            let counts = distinct.of(&keys);
            let mut row = self.bucket_row(&of, keys, bucket)?;
            row.distinct = counts;
            report.rows.push(row);
        }
        Ok(report)
    }

    fn bucket_row(&self, of: &Arc<Grouped>, keys: Keys, bucket: Bucket) -> Result<Row, StatsError> {
        let label = |(level, key): (&Level, &Option<Key>)| {
            let key = key.as_ref()?;
            Some(level.grouping.label(key))
        };
        let labels = of.levels.iter().zip(&keys).map(label).collect();
        self.row(labels, bucket, RowQuery::Bucket(Arc::clone(of), keys))
    }

    /// How many values fields have in each bucket.
    fn distinct(
        &self,
        shape: &Shape,
        selected: &Selected,
        levels: &[Level],
    ) -> Result<Distinct, StatsError> {
        let mut distinct = Distinct::default();
        for field in &shape.distinct {
            let groupings = levels.iter().chain([field]);
            let groupings: Vec<&Grouping> = groupings.map(|level| &level.grouping).collect();
            let buckets = self.data.group(selected, &groupings, Needs::default(), 0)?;
            let mut values: HashMap<Keys, HashSet<Key>> = HashMap::new();
            let levels: Vec<&Level> = levels.iter().chain([field]).collect();
            for (keys, _) in buckets {
                for keys in expanded(&keys, &levels) {
                    if let Some((Some(value), outer)) = keys.split_last() {
                        values
                            .entry(outer.into())
                            .or_default()
                            .insert(value.clone());
                    }
                }
            }
            let counts = values
                .into_iter()
                .map(|(keys, set)| (keys, set.len() as u64));
            distinct.0.push(counts.collect());
        }
        Ok(distinct)
    }
}

/// For each field the number of its values, by bucket.
#[derive(Default)]
struct Distinct(Vec<HashMap<Keys, u64>>);

impl Distinct {
    fn of(&self, keys: &[Option<Key>]) -> Vec<u64> {
        let counts = self.0.iter();
        counts
            .map(|counts| counts.get(keys).copied().unwrap_or(0))
            .collect()
    }
}

/// A table without rows.
pub(super) fn report(section: &Section, total: Sums) -> SectionReport {
    SectionReport {
        name: section.name.clone(),
        keys: Vec::new(),
        metrics: section.shape.metrics.clone(),
        distinct: section
            .shape
            .distinct
            .iter()
            .map(|level| level.title.clone())
            .collect(),
        total,
        query: nodes::query(section.node.clone()).text,
        rows: Vec::new(),
        rest: None,
    }
}

fn first(buckets: Buckets) -> Bucket {
    let first = buckets.into_iter().next();
    first.map(|(_, bucket)| bucket).unwrap_or_default()
}

fn written(node: Node) -> RowQuery {
    RowQuery::Text(Some(nodes::query(node).text))
}

fn ranges_of(levels: &[Level]) -> Option<usize> {
    match &levels.first()?.grouping {
        Grouping::Ranges(ranges) => Some(ranges.len()),
        _ => None,
    }
}

/// Buckets to be shown: pieces of ranges put together, what has no key left out unless asked for.
fn lines(buckets: Buckets, levels: &[Level], shape: &Shape) -> Vec<Line> {
    let is_shown = |keys: &Keys| shape.missing || keys.iter().all(Option::is_some);
    let shown = buckets.into_iter().filter(|(keys, _)| is_shown(keys));
    let has_parts = |level: &Level| level.grouping.parts(&Key::Number(0)).is_some();
    if !levels.iter().any(has_parts) {
        return shown.collect();
    }
    let levels: Vec<&Level> = levels.iter().collect();
    let mut lines: HashMap<Keys, Bucket> = HashMap::new();
    for (keys, bucket) in shown {
        for keys in expanded(&keys, &levels) {
            lines.entry(keys).or_default().add(&bucket);
        }
    }
    lines
        .values_mut()
        .for_each(|bucket| bucket.keep_best(shape.samples));
    lines.into_iter().collect()
}

/// The buckets that one with these keys is part of: all combinations of the parts of its keys.
fn expanded(keys: &[Option<Key>], levels: &[&Level]) -> Vec<Keys> {
    let mut all: Vec<Vec<Option<Key>>> = vec![Vec::new()];
    for (key, level) in keys.iter().zip(levels) {
        let parts = match key.as_ref().and_then(|key| level.grouping.parts(key)) {
            Some(numbers) => numbers.into_iter().map(|n| Some(Key::Number(n))).collect(),
            None => vec![key.clone()],
        };
        let longer = |keys: Vec<Option<Key>>| {
            let with = |part: &Option<Key>| keys.iter().chain([part]).cloned().collect();
            parts.iter().map(with).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all.into_iter().map(Keys::from).collect()
}

/// Examples as they are shown.
pub(super) fn samples(
    data: &Data<'_>,
    best: &[(usize, Candidate)],
) -> Result<Vec<Sample>, StatsError> {
    let sample = |(root, candidate): &(usize, Candidate)| {
        let view = &data.roots[*root].view;
        let mut path = Vec::new();
        let read = view
            .append_path(candidate.id, &mut path)
            .and_then(|()| view.modified(candidate.id));
        match read {
            Ok(modified) => Ok(Sample {
                path,
                size: candidate.size,
                modified,
            }),
            Err(damage) => Err(StatsError::at(view.root(), damage.into())),
        }
    };
    best.iter().map(sample).collect()
}
