//! Groupings: what `groma stats` counts.

use std::path::Path;

use criterion::Criterion;
use groma_base::CancelToken;
use groma_base::time::Zoned;
use groma_engine::catalogs::{self, OpenRoot};
use groma_engine::stats::{Metric, Plan, Request, Run, plan, run as answer};
use groma_query::bind::{Context, Target};

use super::{Failure, measure};

/// Metrics that need columns besides kinds and sizes.
const MORE: &str = "allocated,waste,min,max,oldest,newest";

/// What is asked: a query, the fields to group by, the metrics where they are not the usual ones.
const QUESTIONS: &[(&str, &str, &str, &str)] = &[
    ("total", "", "", ""),
    ("extension alone", "", "ext", ""),
    ("owner and year", "", "owner,year", ""),
    ("owner", "", "owner", ""),
    ("year", "", "year", ""),
    ("month", "", "month", ""),
    ("day", "", "day", ""),
    ("category", "", "category", ""),
    ("type", "", "type", ""),
    ("size, powers of ten", "", "size", ""),
    ("size, powers of two", "", "size:2", ""),
    ("size, one mebibyte each", "", "size:1MiB", ""),
    ("age", "", "age", ""),
    ("permissions", "", "perm", ""),
    ("directory, two levels", "", "dir:2", ""),
    ("depth", "", "depth", ""),
    ("extension and year", "", "ext,year", ""),
    ("year created", "", "created:year", ""),
    ("many of them, extension", "size>10k", "ext", ""),
    ("some of them, extension", "size>1mb", "ext", ""),
    ("many of them, owner and year", "size>10k", "owner,year", ""),
    ("total, more metrics", "", "", MORE),
    ("extension, more metrics", "", "ext", MORE),
    ("many, extension, more metrics", "size>10k", "ext", MORE),
];

/// Asks all of them of all roots.
pub(super) fn run(dir: &Path, threads: usize, criterion: &mut Criterion) -> Result<(), Failure> {
    let roots = catalogs::open(dir)?;
    let mut group = criterion.benchmark_group("groupings");
    for &(what, query, by, metrics) in QUESTIONS {
        let plan = planned(query, by, metrics)?;
        measure(&mut group, what, || ask(&plan, &roots, threads))?;
    }
    group.finish();
    Ok(())
}

fn planned(query: &str, by: &str, metrics: &str) -> Result<Plan, Failure> {
    let list = |text: &str| -> Vec<String> {
        let words = text.split(',').filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    let metrics = list(metrics);
    let metrics = metrics
        .iter()
        .map(|word| Metric::find(word).ok_or("no such metric"));
    let request = Request {
        query: vec![query.to_owned()],
        by: list(by),
        metrics: metrics.collect::<Result<_, _>>()?,
        ..Request::default()
    };
    let now: Zoned = "2026-01-01T00:00:00+00:00[UTC]".parse()?;
    let context = Context::new(now, Target::Catalog);
    Ok(plan(&request, &context)?)
}

fn ask(plan: &Plan, roots: &[OpenRoot], threads: usize) -> Result<usize, Failure> {
    let run_with = Run {
        threads,
        cancel: CancelToken::new(),
    };
    let report = answer(plan, roots, &run_with)?;
    let sections = report.sections.iter();
    Ok(sections.map(|section| section.rows.len()).sum())
}
