//! Makes on the disk what a plan says.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{OpenOptionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context as _, Result};

use super::names;
use super::plan::Dir;
use super::rng::Rng;

/// Directories that a thread takes at a time.
const BATCH: usize = 64;

/// One directory in this many has a rule file; the top has one always.
const DIRS_PER_RULE_FILE: usize = 40;

/// Makes all directories, then fills them with as many threads as there are cores.
pub(crate) fn fill(top: &Path, dirs: &[Dir], seed: u64) -> Result<()> {
    let paths = make_dirs(top, dirs)?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let work = || -> Result<()> {
        loop {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            if start >= dirs.len() {
                return Ok(());
            }
            for number in start..(start + BATCH).min(dirs.len()) {
                let path = &paths[number];
                let rng = Rng::part(seed, number);
                fill_dir(path, number, &dirs[number], rng)
                    .with_context(|| format!("cannot fill {}", path.display()))?;
            }
        }
    };
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        handles
            .into_iter()
            .try_for_each(|handle| match handle.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
    })
}

/// Makes the directories, parents first, and returns their paths.
fn make_dirs(top: &Path, dirs: &[Dir]) -> Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> = vec![top.to_owned()];
    for dir in &dirs[1..] {
        let path = paths[dir.parent].join(&dir.name);
        fs::create_dir(&path).with_context(|| format!("cannot make {}", path.display()))?;
        paths.push(path);
    }
    Ok(paths)
}

fn fill_dir(path: &Path, number: usize, dir: &Dir, mut rng: Rng) -> Result<()> {
    let mut taken: HashSet<String> = HashSet::with_capacity(dir.files);
    let mut last = String::from("nowhere");
    let has_rules = dir.files > 0 && (number == 0 || rng.below(DIRS_PER_RULE_FILE) == 0);
    if has_rules {
        fs::write(path.join(".gitignore"), names::rules(&mut rng))?;
    }
    for file in usize::from(has_rules)..dir.files {
        let number = dir.first_file + file;
        let mut name = names::file(&mut rng, number);
        if !taken.insert(name.clone()) || path.join(&name).is_dir() {
            name = names::unique(number, ".dat");
            taken.insert(name.clone());
        }
        make_entry(path, &name, &last, &mut rng).with_context(|| format!("cannot make {name}"))?;
        last = name;
    }
    Ok(())
}

/// A file, or now and then a link: to the file before it, to the directory, or to nothing.
fn make_entry(dir: &Path, name: &str, last: &str, rng: &mut Rng) -> Result<()> {
    let path = dir.join(name);
    if rng.percent(2) {
        let target = *rng.skewed(&[last, "gone", "."]);
        return Ok(symlink(target, path)?);
    }
    let mode = if rng.percent(4) { 0o755 } else { 0o644 };
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(path)?;
    match size(rng) {
        0 => {}
        size if size < 16 => file.write_all(&b"groma's corpus.\n"[..size])?,
        size => file.set_len(size as u64)?,
    }
    Ok(())
}

/// Sizes: a fifth empty, most some kilobytes, one in a hundred beyond a megabyte. All are holes.
fn size(rng: &mut Rng) -> usize {
    match rng.below(100) {
        0..=19 => 0,
        20..=24 => rng.below(16),
        25..=98 => {
            let magnitude = 8 + rng.halving(8);
            rng.below(1 << magnitude)
        }
        _ => (1 << 20) + rng.below(64 << 20),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree;
    use super::*;

    fn list(dir: &Path, found: &mut Vec<(PathBuf, u64)>) {
        for entry in fs::read_dir(dir).unwrap() {
            let entry = entry.unwrap();
            let metadata = entry.metadata().unwrap();
            let size = if metadata.is_dir() { 0 } else { metadata.len() };
            found.push((entry.path(), size));
            if metadata.is_dir() {
                list(&entry.path(), found);
            }
        }
    }

    #[test]
    fn a_seed_makes_the_same_tree_with_exactly_as_many_entries() {
        let scratch = std::env::temp_dir().join(format!("groma-corpus-{}", std::process::id()));
        let trees: Vec<Vec<_>> = ["a", "b"]
            .iter()
            .map(|name| {
                let top = scratch.join(name);
                fs::create_dir_all(&top).unwrap();
                tree(&top, 3000, 5).unwrap();
                let mut found = Vec::new();
                list(&top, &mut found);
                let inside = |path: PathBuf| path.strip_prefix(&top).unwrap().to_owned();
                let mut found: Vec<_> = found
                    .into_iter()
                    .map(|(path, size)| (inside(path), size))
                    .collect();
                found.sort();
                found
            })
            .collect();
        fs::remove_dir_all(&scratch).unwrap();
        assert_eq!(trees[0].len(), 3000);
        assert_eq!(trees[0], trees[1]);
        assert!(
            trees[0]
                .iter()
                .any(|(path, _)| path.ends_with(".gitignore"))
        );
    }
}
