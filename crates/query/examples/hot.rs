#![forbid(unsafe_code)]
//! How long queries take inside one process, on a catalog with generated rows.
//!
//! `hot CATALOG [THREADS [ROUNDS [WORD]]]` asks each question a number of times and tells the
//! median, the 95th percentile and the number of rows; one thread is timed by its time on the processor; with a word, only questions that hold it,
//! each explained. `docs/bench/corpus.md` tells how a catalog is made.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it is a program that prints a table"
)]

use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use groma_base::CancelToken;
use groma_base::time::Zoned;
use groma_catalog::{Catalog, View};
use groma_query::bind::{Context, Target, bind};
use groma_query::bound::Expr;
use groma_query::fields::Field;
use groma_query::select::{Run, select, select_explained};
use groma_query::sort::{SortKey, sum, top};
use groma_query::syntax::parse;

type Failure = Box<dyn std::error::Error>;

/// What is asked, the budget in milliseconds where there is one, and what is done with the rows.
const QUESTIONS: &[(&str, &str, Option<f64>, Then)] = &[
    ("exact", "name=index.js", Some(0.3), Then::First),
    (
        "exact, once",
        "name=src_parser_17.rs",
        Some(0.3),
        Then::First,
    ),
    (
        "prefix, many",
        "name starts parser_",
        Some(0.3),
        Then::First,
    ),
    (
        "prefix",
        "name starts parser_config",
        Some(0.3),
        Then::First,
    ),
    ("extension, common", "ext:js", Some(1.5), Then::First),
    ("extension, rare", "ext:toml", Some(1.5), Then::First),
    ("extensions", "ext:code", None, Then::First),
    (
        "substring, selective",
        "archive_backup_export",
        Some(12.0),
        Then::First,
    ),
    ("substring, many", "config", Some(40.0), Then::First),
    (
        "substring, case told apart",
        "Config",
        Some(40.0),
        Then::First,
    ),
    ("single letter", "e", Some(40.0), Then::First),
    ("suffix", "*_test.rs", Some(40.0), Then::First),
    (
        "regex with a literal",
        "name ~ 'parser.*\\d\\.js$'",
        Some(16.0),
        Then::First,
    ),
    (
        "regex with a literal, rare",
        "name ~ '^archive_.*export'",
        Some(16.0),
        Then::First,
    ),
    (
        "regex without",
        "name ~ '^[a-m]+[0-9]+\\.[a-z]{2,4}$'",
        Some(180.0),
        Then::First,
    ),
    ("glob", "*par?er*", Some(180.0), Then::First),
    (
        "path, two components",
        "src/parser",
        Some(40.0),
        Then::First,
    ),
    (
        "path, exact components",
        "path ends src/index.js",
        Some(40.0),
        Then::First,
    ),
    ("path, short", "path:a/b", Some(40.0), Then::First),
    (
        "path, one word",
        "path:node_modules",
        Some(40.0),
        Then::First,
    ),
    ("path, glob", "path:*/src/*.toml", None, Then::First),
    (
        "path, regex",
        "path ~ 'src/.*config.*\\.js$'",
        None,
        Then::First,
    ),
    ("parent", "parent:src", None, Then::First),
    (
        "size, sorted",
        "size>100mb",
        Some(12.0),
        Then::Sorted(Field::Size),
    ),
    (
        "size, many, sorted",
        "size>10k",
        Some(12.0),
        Then::Sorted(Field::Size),
    ),
    (
        "date, sorted",
        "modified>2025-06",
        Some(12.0),
        Then::Sorted(Field::Modified),
    ),
    (
        "date, few, sorted",
        "modified:2025-12-30..",
        Some(12.0),
        Then::Sorted(Field::Modified),
    ),
    (
        "everything, by size",
        "",
        Some(12.0),
        Then::Sorted(Field::Size),
    ),
    (
        "everything, by date",
        "",
        Some(12.0),
        Then::Sorted(Field::Modified),
    ),
    ("everything, by name", "", None, Then::Sorted(Field::Name)),
    (
        "everything, by allocated",
        "",
        None,
        Then::Sorted(Field::Allocated),
    ),
    ("type", "type:symlink", None, Then::First),
    ("type, most", "file:", None, Then::First),
    ("owner", "uid:1000", None, Then::First),
    ("permissions", "perm:/111", None, Then::First),
    ("changed", "changed>2025-06", None, Then::First),
    ("inode", "inode=12345", None, Then::First),
    ("depth", "depth=3", None, Then::First),
    ("name-length", "name-length>40", None, Then::First),
    ("path-length", "path-length>200", None, Then::First),
    ("tree-size", "tree-size>1gb", None, Then::First),
    ("items", "items>1000", None, Then::First),
    ("empty", "empty:", None, Then::First),
    ("dupe", "dupe:", None, Then::First),
    (
        "several",
        "ext:js size>100k modified>2025 parser",
        None,
        Then::First,
    ),
    (
        "several, few",
        "name=index.js size>100k path:src",
        None,
        Then::First,
    ),
    ("not", "!ext:js !hidden: size>1mb", None, Then::First),
];

/// What is done with the rows that were found.
#[derive(Clone, Copy)]
enum Then {
    /// They are counted, and the first hundred are looked up.
    First,
    /// The first hundred in the order of a field, largest first; count and sum.
    Sorted(Field),
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hot: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[String]) -> Result<(), Failure> {
    let dir = words
        .first()
        .ok_or("usage: hot CATALOG [THREADS [ROUNDS [WORD]]]")?;
    let number = |at: usize, otherwise| words.get(at).map_or(Ok(otherwise), |w| w.parse());
    let run = Run::new(number(1, 2)?, CancelToken::new());
    let rounds = number(2, 21)?.max(1);
    let mut catalog = Catalog::open(Path::new(dir))?;
    let root = catalog.roots().first().ok_or("the catalog has no root")?;
    let key = root.key.clone();
    let segment = catalog.segment(&key)?.ok_or("the root is gone")?;
    let view = View::sealed(Arc::new(segment))?;
    println!(
        "{} rows, {} threads, {rounds} rounds; ms",
        view.len(),
        run.threads
    );
    println!(
        "{:28} {:>9} {:>9} {:>9} {:>11}",
        "question", "budget", "p50", "p95", "rows"
    );
    for &(what, text, budget, then) in QUESTIONS {
        if words
            .get(3)
            .is_some_and(|word| !what.contains(word.as_str()))
        {
            continue;
        }
        let expr = bound(text)?;
        let mut times = Vec::new();
        let mut rows = 0;
        for _ in 0..=rounds {
            let begun = now(run.threads);
            rows = ask(&expr, &view, &run, then)?;
            times.push(now(run.threads) - begun);
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
        println!("{what:28} {wanted:>9} {p50:>9.3} {p95:>9.3} {rows:>11}{mark}");
        if words.len() > 3 {
            explain(&expr, &view, &run)?;
        }
    }
    Ok(())
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

fn bound(text: &str) -> Result<Expr, Failure> {
    let now: Zoned = "2026-01-01T00:00:00+00:00[UTC]".parse()?;
    let query = parse(text).map_err(|errors| errors.to_string())?;
    let context = Context::new(now, Target::Catalog);
    Ok(bind(&query, &context).map_err(|errors| errors.to_string())?)
}

fn ask(expr: &Expr, view: &View, run: &Run, then: Then) -> Result<u32, Failure> {
    let selection = select(expr, view, run)?;
    let first: Vec<u32> = match then {
        Then::First => selection.in_order(view).take(100).collect(),
        Then::Sorted(field) => {
            let key = SortKey {
                field,
                descending: true,
                natural: false,
            };
            std::hint::black_box(sum(view, &selection, run)?);
            top(view, &selection, &[key], Some(100), run)?
        }
    };
    std::hint::black_box(first);
    Ok(selection.count())
}

fn explain(expr: &Expr, view: &View, run: &Run) -> Result<(), Failure> {
    let begun = Instant::now();
    let clock = || -> Duration { begun.elapsed() };
    let (_, explain) = select_explained(expr, view, run, &clock)?;
    for step in explain.steps {
        println!(
            "    {}: prepared in {:.3} ms; {} rows looked at in {:.3} ms, {} kept",
            step.what,
            step.preparation.as_secs_f64() * 1e3,
            step.rows,
            step.time.as_secs_f64() * 1e3,
            step.kept
        );
    }
    Ok(())
}
