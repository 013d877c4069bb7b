#![forbid(unsafe_code)]
//! How long questions take inside one process, on a catalog of generated rows: `GROMA_HOT_CATALOG=DIR
//! cargo bench -p groma-engine --bench hot [PART OF A NAME]`.
//!
//! `docs/bench/corpus.md` tells how a catalog is made; `bench/search --parts hot` makes one, runs this, and
//! writes the table. `GROMA_HOT_THREADS` is how many threads answer (2). Behind each name stands how many rows
//! or groups the answer has.

mod groupings;
mod queries;

use std::path::PathBuf;
use std::time::Duration;

use criterion::{BenchmarkGroup, BenchmarkId, Criterion, measurement::WallTime};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let catalog = std::env::var_os("GROMA_HOT_CATALOG").map(PathBuf::from);
    let catalog = catalog.ok_or("expected the directory of a catalog in GROMA_HOT_CATALOG")?;
    let threads = std::env::var("GROMA_HOT_THREADS").ok();
    let threads = threads.map_or(Ok(2), |number| number.parse())?;
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    queries::run(&catalog, threads, &mut criterion)?;
    groupings::run(&catalog, threads, &mut criterion)?;
    criterion.final_summary();
    Ok(())
}

/// Asks once, for how many there are and to bring pages into memory, and then as often as criterion likes.
fn measure(
    group: &mut BenchmarkGroup<'_, WallTime>,
    what: &str,
    ask: impl Fn() -> Result<usize, Failure>,
) -> Result<(), Failure> {
    let counted = ask()?;
    group.bench_function(BenchmarkId::new(what, counted), |bencher| {
        bencher.iter(|| ask().ok());
    });
    Ok(())
}
