//! Queries: to the exact count and the first hundred rows, or sorted, with sums.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use criterion::Criterion;
use groma_base::CancelToken;
use groma_base::time::Zoned;
use groma_catalog::{Catalog, View};
use groma_query::bind::{Context, Target, bind};
use groma_query::bound::Expr;
use groma_query::fields::Field;
use groma_query::select::{Run, first_explained, select};
use groma_query::sort::{SortKey, sum, top};
use groma_query::syntax::parse;

use super::{Failure, measure};

/// What is asked, and what is done with the rows.
const QUESTIONS: &[(&str, &str, Then)] = &[
    ("exact", "name=index.js", Then::First),
    ("exact, once", "name=src_parser_17.rs", Then::First),
    ("prefix, many", "name starts parser_", Then::First),
    ("prefix", "name starts parser_config", Then::First),
    ("extension, common", "ext:js", Then::First),
    ("extension, rare", "ext:toml", Then::First),
    ("extensions", "ext:code", Then::First),
    ("substring, selective", "archive_backup_export", Then::First),
    ("substring, many", "config", Then::First),
    ("substring, case told apart", "Config", Then::First),
    ("single letter", "e", Then::First),
    ("suffix", "*_test.rs", Then::First),
    (
        "regex with a literal",
        "name ~ 'parser.*\\d\\.js$'",
        Then::First,
    ),
    (
        "regex with a literal, rare",
        "name ~ '^archive_.*export'",
        Then::First,
    ),
    (
        "regex without",
        "name ~ '^[a-m]+[0-9]+\\.[a-z]{2,4}$'",
        Then::First,
    ),
    ("glob", "*par?er*", Then::First),
    ("path, two components", "src/parser", Then::First),
    (
        "path, exact components",
        "path ends src/index.js",
        Then::First,
    ),
    ("path, short", "path:a/b", Then::First),
    ("path, one word", "path:node_modules", Then::First),
    ("path, glob", "path:*/src/*.toml", Then::First),
    ("path, regex", "path ~ 'src/.*config.*\\.js$'", Then::First),
    ("parent", "parent:src", Then::First),
    ("size, sorted", "size>100mb", Then::Sorted(Field::Size)),
    ("size, many, sorted", "size>10k", Then::Sorted(Field::Size)),
    (
        "date, sorted",
        "modified>2025-06",
        Then::Sorted(Field::Modified),
    ),
    (
        "date, few, sorted",
        "modified:2025-12-30..",
        Then::Sorted(Field::Modified),
    ),
    ("everything, by size", "", Then::Sorted(Field::Size)),
    ("everything, by date", "", Then::Sorted(Field::Modified)),
    ("everything, by name", "", Then::Sorted(Field::Name)),
    (
        "everything, by allocated",
        "",
        Then::Sorted(Field::Allocated),
    ),
    ("type", "type:symlink", Then::First),
    ("type, most", "file:", Then::First),
    ("owner", "uid:1000", Then::First),
    ("permissions", "perm:/111", Then::First),
    ("changed", "changed>2025-06", Then::First),
    ("inode", "inode=12345", Then::First),
    ("depth", "depth=3", Then::First),
    ("name-length", "name-length>40", Then::First),
    ("path-length", "path-length>200", Then::First),
    ("tree-size", "tree-size>1gb", Then::First),
    ("items", "items>1000", Then::First),
    ("empty", "empty:", Then::First),
    ("dupe", "dupe:", Then::First),
    (
        "several",
        "ext:js size>100k modified>2025 parser",
        Then::First,
    ),
    (
        "several, few",
        "name=index.js size>100k path:src",
        Then::First,
    ),
    ("not", "!ext:js !hidden: size>1mb", Then::First),
];

/// What is done with the rows that were found.
#[derive(Clone, Copy)]
enum Then {
    /// They are counted, and the first hundred are looked up.
    First,
    /// The first hundred in the order of a field, largest first; count and sum.
    Sorted(Field),
}

/// The rows of a first page.
const PAGE: usize = 100;

/// Asks all of them of the first root.
pub(super) fn run(dir: &Path, threads: usize, criterion: &mut Criterion) -> Result<(), Failure> {
    let run = Run::new(threads, CancelToken::new());
    let mut catalog = Catalog::open(dir)?;
    let root = catalog.roots().first().ok_or("the catalog has no root")?;
    let key = root.key.clone();
    let segment = catalog.segment(&key)?.ok_or("the root is gone")?;
    let view = View::sealed(Arc::new(segment))?;
    let mut group = criterion.benchmark_group("queries");
    for &(what, text, then) in QUESTIONS {
        let expr = bound(text)?;
        measure(&mut group, what, || ask(&expr, &view, &run, then))?;
    }
    group.finish();
    Ok(())
}

fn bound(text: &str) -> Result<Expr, Failure> {
    let now: Zoned = "2026-01-01T00:00:00+00:00[UTC]".parse()?;
    let query = parse(text).map_err(|errors| errors.to_string())?;
    let context = Context::new(now, Target::Catalog);
    Ok(bind(&query, &context).map_err(|errors| errors.to_string())?)
}

fn ask(expr: &Expr, view: &View, run: &Run, then: Then) -> Result<usize, Failure> {
    match then {
        Then::First => {
            let clock = || Duration::ZERO;
            let (first, _) = first_explained(expr, view, run, PAGE as u64, &clock)?;
            let page = first.selection.in_order(view).take(PAGE);
            std::hint::black_box(page.collect::<Vec<u32>>());
            Ok(first.count as usize)
        }
        Then::Sorted(field) => {
            let selection = select(expr, view, run)?;
            let key = SortKey {
                field,
                descending: true,
                natural: false,
            };
            std::hint::black_box(sum(view, &selection, run)?);
            std::hint::black_box(top(view, &selection, &[key], Some(PAGE), run)?);
            Ok(selection.count() as usize)
        }
    }
}
