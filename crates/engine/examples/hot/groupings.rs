//! Groupings: what `groma stats` counts.

use std::path::Path;

use groma_base::CancelToken;
use groma_base::time::Zoned;
use groma_engine::catalogs::{self, OpenRoot};
use groma_engine::stats::{Metric, Plan, Request, Run, plan, run as answer};
use groma_query::bind::{Context, Target};

use super::Failure;
use super::timing::Timing;

/// Metrics that need columns besides kinds and sizes.
const MORE: &str = "allocated,waste,min,max,oldest,newest";

/// What is asked: a query, the fields to group by, the metrics where they are not the usual ones,
/// and the budget in milliseconds where there is one.
const QUESTIONS: &[(&str, &str, &str, &str, Option<f64>)] = &[
    ("total", "", "", "", None),
    ("extension alone", "", "ext", "", Some(12.0)),
    ("owner and year", "", "owner,year", "", Some(60.0)),
    ("owner", "", "owner", "", None),
    ("year", "", "year", "", None),
    ("month", "", "month", "", None),
    ("day", "", "day", "", None),
    ("category", "", "category", "", None),
    ("type", "", "type", "", None),
    ("size, powers of ten", "", "size", "", None),
    ("size, powers of two", "", "size:2", "", None),
    ("size, one mebibyte each", "", "size:1MiB", "", None),
    ("age", "", "age", "", None),
    ("permissions", "", "perm", "", None),
    ("directory, two levels", "", "dir:2", "", None),
    ("depth", "", "depth", "", None),
    ("extension and year", "", "ext,year", "", None),
    ("year created", "", "created:year", "", None),
    ("many of them, extension", "size>10k", "ext", "", None),
    ("some of them, extension", "size>1mb", "ext", "", None),
    (
        "many of them, owner and year",
        "size>10k",
        "owner,year",
        "",
        None,
    ),
    ("total, more metrics", "", "", MORE, None),
    ("extension, more metrics", "", "ext", MORE, None),
    (
        "many, extension, more metrics",
        "size>10k",
        "ext",
        MORE,
        None,
    ),
];

/// Asks all of them of all roots.
pub(super) fn run(dir: &Path, timing: &Timing) -> Result<(), Failure> {
    let roots = catalogs::open(dir)?;
    let rows = roots.iter().map(|root| u64::from(root.view.len())).sum();
    timing.head(rows, "groups");
    for &(what, query, by, metrics, budget) in QUESTIONS {
        if timing.has(what) {
            let plan = planned(query, by, metrics)?;
            timing.line(what, budget, || ask(&plan, &roots, timing.threads))?;
        }
    }
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
