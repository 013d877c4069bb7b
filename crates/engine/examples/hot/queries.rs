//! Queries: to the exact count and the first hundred rows, or sorted, with sums.

use std::path::Path;
use std::sync::Arc;
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

use super::Failure;
use super::timing::Timing;

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

/// Asks all of them of the first root.
pub(super) fn run(dir: &Path, timing: &Timing) -> Result<(), Failure> {
    let run = Run::new(timing.threads, CancelToken::new());
    let mut catalog = Catalog::open(dir)?;
    let root = catalog.roots().first().ok_or("the catalog has no root")?;
    let key = root.key.clone();
    let segment = catalog.segment(&key)?.ok_or("the root is gone")?;
    let view = View::sealed(Arc::new(segment))?;
    timing.head(view.len().into(), "rows");
    for &(what, text, budget, then) in QUESTIONS {
        if !timing.has(what) {
            continue;
        }
        let expr = bound(text)?;
        timing.line(what, budget, || ask(&expr, &view, &run, then))?;
        if timing.is_named() {
            explain(&expr, &view, &run)?;
        }
    }
    Ok(())
}

fn bound(text: &str) -> Result<Expr, Failure> {
    let now: Zoned = "2026-01-01T00:00:00+00:00[UTC]".parse()?;
    let query = parse(text).map_err(|errors| errors.to_string())?;
    let context = Context::new(now, Target::Catalog);
    Ok(bind(&query, &context).map_err(|errors| errors.to_string())?)
}

fn ask(expr: &Expr, view: &View, run: &Run, then: Then) -> Result<usize, Failure> {
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
    Ok(selection.count() as usize)
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
