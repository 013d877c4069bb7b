#![forbid(unsafe_code)]
//! How long groupings take inside one process, on a catalog with generated rows.
//!
//! `tally CATALOG [THREADS [ROUNDS [WORD]]]` asks each question a number of times and tells the
//! median, the 95th percentile and the number of buckets; one thread is timed by its time on the
//! processor; with a word, only questions that hold it. `docs/bench/corpus.md` tells how a catalog
//! is made.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it is a program that prints a table"
)]

use std::path::Path;
use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::Instant;

use groma_base::CancelToken;
use groma_base::time::Zoned;
use groma_engine::catalogs::{self, OpenRoot};
use groma_engine::stats::{Metric, Plan, Request, Run, plan, run};
use groma_query::bind::{Context, Target};

type Failure = Box<dyn std::error::Error>;

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

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match measure(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tally: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(words: &[String]) -> Result<(), Failure> {
    let dir = words
        .first()
        .ok_or("usage: tally CATALOG [THREADS [ROUNDS [WORD]]]")?;
    let number = |at: usize, otherwise| words.get(at).map_or(Ok(otherwise), |w| w.parse());
    let (threads, rounds) = (number(1, 2)?, number(2, 11)?.max(1));
    let roots = catalogs::open(Path::new(dir))?;
    let rows: u64 = roots.iter().map(|root| u64::from(root.view.len())).sum();
    println!("{rows} rows, {threads} threads, {rounds} rounds; ms");
    println!(
        "{:30} {:>9} {:>9} {:>9} {:>9}",
        "question", "budget", "p50", "p95", "buckets"
    );
    for &(what, query, by, metrics, budget) in QUESTIONS {
        if words
            .get(3)
            .is_some_and(|word| !what.contains(word.as_str()))
        {
            continue;
        }
        let plan = planned(query, by, metrics)?;
        let mut times = Vec::new();
        let mut buckets = 0;
        for _ in 0..=rounds {
            let begun = now(threads);
            buckets = ask(&plan, &roots, threads)?;
            times.push(now(threads) - begun);
        }
        // The first one brings pages into memory.
        times.remove(0);
        times.sort_by(f64::total_cmp);
        let (p50, p95) = (times[times.len() / 2], times[times.len() * 95 / 100]);
        let wanted = budget.map_or(String::new(), |budget| format!("{budget}"));
        let mark = if budget.is_some_and(|budget| p50 > budget) {
            " missed"
        } else {
            ""
        };
        println!("{what:30} {wanted:>9} {p50:>9.3} {p95:>9.3} {buckets:>9}{mark}");
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
    let report = run(plan, roots, &run_with)?;
    let sections = report.sections.iter();
    Ok(sections.map(|section| section.rows.len()).sum())
}

/// Milliseconds since some moment: with one thread, those in which this one has had a processor, so
/// that what else the machine does shows less.
fn now(threads: usize) -> f64 {
    let ran = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ran = ran.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    match ran.filter(|_| threads == 1) {
        Some(nanoseconds) => nanoseconds / 1e6,
        None => START.elapsed().as_secs_f64() * 1e3,
    }
}

static START: LazyLock<Instant> = LazyLock::new(Instant::now);
