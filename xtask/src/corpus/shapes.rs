//! The odd shapes: one very large directory, and one very long path.

use std::env;
use std::fs::{self, File};
use std::path::Path;

use anyhow::{Context as _, Result};

use super::names;
use super::rng::Rng;

/// Makes `entries` empty files in one directory; no two names are alike.
pub(crate) fn flat(dir: &Path, entries: usize, seed: u64) -> Result<()> {
    for number in 0..entries {
        let stem = Rng::part(seed, number).next();
        let name = names::unique(number, &format!("-{:x}.txt", stem & 0xFFF));
        File::create(dir.join(&name)).with_context(|| format!("cannot make {name}"))?;
    }
    Ok(())
}

/// Makes `depth` directories, each in the one before, each with a name of 60 bytes, and a file in
/// each. Steps into every one, since the whole path is soon longer than a system call takes.
pub(crate) fn nested(dir: &Path, depth: usize) -> Result<()> {
    let start = env::current_dir()?;
    env::set_current_dir(dir)?;
    let made = (1..=depth).try_for_each(step);
    env::set_current_dir(start)?;
    made
}

fn step(number: usize) -> Result<()> {
    let name = format!("{number:05}-{}", "n".repeat(54));
    fs::create_dir(&name).with_context(|| format!("cannot make {name}"))?;
    env::set_current_dir(&name).with_context(|| format!("cannot enter {name}"))?;
    File::create("file.txt").with_context(|| format!("cannot make a file in {name}"))?;
    Ok(())
}
