//! `cargo xtask corpus`: trees and catalogs made from a seed, the same for ever.
//!
//! `tree` is like what lies on a developer's disk, `flat` is one directory with very many entries,
//! `nested` is one very long path. Contents are holes: a tree of a million entries takes little disk.
//! `card` is a camera's card, with real pictures and movies.
//! `catalog` is what a scan of such a tree would be stored as, without the tree.

mod card;
mod fill;
mod names;
mod plan;
mod rng;
mod shapes;
mod shares;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use crate::args::Args;
use crate::{repo, shell};

/// The seed where none is given.
const SEED: u64 = 1;

/// Bytes of a shot where none are given.
const SHOT_BYTES: usize = 16 * 1024;

/// The root that a catalog pretends to have scanned where none is given.
const ROOT: &str = "/corpus";

/// What is made, and how it is distributed.
const HELP: &str = include_str!("../../../docs/bench/corpus.md");

/// `corpus tree|flat DIR --entries N [--seed S]`, `corpus nested DIR --depth N`,
/// `corpus catalog DIR --rows N [--seed S] [--root PATH]`, `corpus card DIR --shots N [--bytes B] [--seed S]`.
pub(crate) fn command(words: &[String]) -> Result<()> {
    let mut args = Args::new(words);
    if args.flag("--help") {
        print!("{HELP}");
        return Ok(());
    }
    let rows: Option<u32> = args.option("--rows")?;
    let root: Option<String> = args.option("--root")?;
    let entries: Option<usize> = args.option("--entries")?;
    let depth: Option<usize> = args.option("--depth")?;
    let shots: Option<usize> = args.option("--shots")?;
    let bytes: Option<usize> = args.option("--bytes")?;
    let seed = args.option("--seed")?.unwrap_or(SEED);
    let shape = args.word("a shape (tree, flat, nested, catalog or card)")?;
    let dir = PathBuf::from(args.word("a directory to make")?);
    args.finish()?;

    let start = Instant::now();
    if shape == "catalog" {
        let (Some(rows), None, None) = (rows, entries, depth) else {
            bail!("expected --rows N with `catalog`, and no --entries or --depth");
        };
        catalog(&dir, rows, seed, root.as_deref().unwrap_or(ROOT))?;
        told(&dir, start);
        return Ok(());
    }
    if shape == "card" {
        let (Some(shots), None, None) = (shots, entries, depth) else {
            bail!("expected --shots N with `card`, and no --entries or --depth");
        };
        card::card(&fresh(&dir)?, shots, bytes.unwrap_or(SHOT_BYTES), seed)?;
        told(&dir, start);
        return Ok(());
    }
    if shots.is_some() || bytes.is_some() {
        bail!("expected --shots and --bytes with `card` only, found one with `{shape}`");
    }
    if rows.is_some() || root.is_some() {
        bail!("expected --rows and --root with `catalog` only, found one with `{shape}`");
    }
    match (shape.as_str(), entries, depth) {
        ("tree", Some(entries), None) => tree(&fresh(&dir)?, entries, seed)?,
        ("flat", Some(entries), None) => shapes::flat(&fresh(&dir)?, entries, seed)?,
        ("nested", None, Some(depth)) => shapes::nested(&fresh(&dir)?, depth)?,
        ("tree" | "flat", ..) => bail!("expected --entries N with `{shape}`, and no --depth"),
        ("nested", ..) => bail!("expected --depth N with `nested`, and no --entries"),
        _ => bail!("expected tree, flat, nested, catalog or card, found `{shape}`"),
    }
    told(&dir, start);
    Ok(())
}

fn told(dir: &Path, start: Instant) {
    eprintln!(
        "xtask: made {} in {:.1} s",
        dir.display(),
        start.elapsed().as_secs_f64()
    );
}

/// Makes a catalog, or adds a root to one, through the writer of the product: as a program of its
/// own, since chores must build when nothing else does.
fn catalog(dir: &Path, rows: u32, seed: u64, root: &str) -> Result<()> {
    let dir = std::path::absolute(dir)?;
    let mut command = shell::cargo();
    command.args(["run", "--quiet", "--locked", "--profile", "quick"]);
    command.args(["--package", "groma-catalog", "--example", "corpus", "--"]);
    command.args([rows.to_string(), seed.to_string(), root.to_owned()]);
    shell::run(command.arg(dir).current_dir(repo::root()?))
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
