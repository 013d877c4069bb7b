//! `cargo xtask corpus`: trees made from a seed, the same for ever.
//!
//! `tree` is like what lies on a developer's disk, `flat` is one directory with very many entries,
//! `nested` is one very long path. Contents are holes: a tree of a million entries takes little disk.

mod fill;
mod names;
mod plan;
mod rng;
mod shapes;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use crate::args::Args;

/// The seed where none is given.
const SEED: u64 = 1;

/// `corpus tree|flat DIR --entries N [--seed S]`, `corpus nested DIR --depth N`.
pub(crate) fn command(words: &[String]) -> Result<()> {
    let mut args = Args::new(words);
    let entries: Option<usize> = args.option("--entries")?;
    let depth: Option<usize> = args.option("--depth")?;
    let seed = args.option("--seed")?.unwrap_or(SEED);
    let shape = args.word("a shape (tree, flat or nested)")?;
    let dir = PathBuf::from(args.word("a directory to make")?);
    args.finish()?;

    let start = Instant::now();
    match (shape.as_str(), entries, depth) {
        ("tree", Some(entries), None) => tree(&fresh(&dir)?, entries, seed)?,
        ("flat", Some(entries), None) => shapes::flat(&fresh(&dir)?, entries, seed)?,
        ("nested", None, Some(depth)) => shapes::nested(&fresh(&dir)?, depth)?,
        ("tree" | "flat", ..) => bail!("expected --entries N with `{shape}`, and no --depth"),
        ("nested", ..) => bail!("expected --depth N with `nested`, and no --entries"),
        _ => bail!("expected tree, flat or nested, found `{shape}`"),
    }
    eprintln!(
        "xtask: made {} in {:.1} s",
        dir.display(),
        start.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Makes a tree with exactly `entries` entries below `dir`.
pub(crate) fn tree(dir: &Path, entries: usize, seed: u64) -> Result<()> {
    fill::fill(dir, &plan::plan(entries, seed)?, seed)
}

/// Makes `dir`; a tree is never mixed with what was there before.
fn fresh(dir: &Path) -> Result<PathBuf> {
    if let Some(parent) = dir.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::create_dir(dir)
        .with_context(|| format!("expected to make {}, a new directory", dir.display()))?;
    fs::canonicalize(dir).with_context(|| format!("cannot find {}", dir.display()))
}
