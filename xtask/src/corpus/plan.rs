//! Which directories a tree has, and how many files each of them holds.

use anyhow::{Result, bail};

use super::names;
use super::rng::Rng;
use super::shares::{self, ENTRIES_PER_DIR};

/// One directory of the plan.
pub(crate) struct Dir {
    /// Index of the directory it lies in; the first directory, the top, is its own parent.
    pub(crate) parent: usize,
    /// Its name; empty for the top.
    pub(crate) name: String,
    /// Files, links and rule files directly in it.
    pub(crate) files: usize,
    /// Number of the first of its files: every file of the tree has its own.
    pub(crate) first_file: usize,
}

/// Plans a tree of `entries` entries, its top not counted.
pub(crate) fn plan(entries: usize, seed: u64) -> Result<Vec<Dir>> {
    if entries < 2 {
        bail!("expected at least 2 entries for a tree, found {entries}");
    }
    let mut rng = Rng::new(seed);
    let below_top = entries.div_ceil(ENTRIES_PER_DIR);
    let mut dirs = vec![Dir {
        parent: 0,
        name: String::new(),
        files: 0,
        first_file: 0,
    }];
    for number in 1..=below_top {
        // Any directory may get the next one: paths are then about ln(n) deep, and leaves many.
        let parent = rng.below(dirs.len());
        let name = names::directory(&mut rng, number);
        dirs.push(Dir {
            parent,
            name,
            files: 0,
            first_file: 0,
        });
    }
    share_out(&mut dirs, entries - below_top, &mut rng);
    make_names_distinct(&mut dirs);
    Ok(dirs)
}

/// Gives each directory its part of `files`.
fn share_out(dirs: &mut [Dir], files: usize, rng: &mut Rng) {
    let weights: Vec<f64> = dirs.iter().map(|_| shares::weight(rng)).collect();
    let total: f64 = weights.iter().sum();
    let mut given = 0;
    let mut reached = 0.0;
    for (dir, weight) in dirs.iter_mut().zip(weights) {
        // Rounding the running sum, not each part, makes the parts add up.
        reached += weight;
        let until = ((reached / total) * files as f64).round() as usize;
        dir.files = until.min(files) - given;
        dir.first_file = given;
        given += dir.files;
    }
    if let Some(last) = dirs.last_mut() {
        last.files += files - given;
    }
}

/// Two directories of one name cannot lie in the same place: the later one gets its number.
fn make_names_distinct(dirs: &mut [Dir]) {
    let mut taken = std::collections::HashSet::new();
    for (number, dir) in dirs.iter_mut().enumerate() {
        if !taken.insert((dir.parent, dir.name.clone())) {
            dir.name = format!("{}.{number}", dir.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_exactly_as_many_entries_as_asked_for() {
        for entries in [2, 3, 11, 12, 1000, 50_000] {
            let dirs = plan(entries, 9).unwrap();
            let files: usize = dirs.iter().map(|dir| dir.files).sum();
            assert_eq!(dirs.len() - 1 + files, entries);
        }
        assert!(plan(1, 9).is_err());
    }

    #[test]
    fn a_seed_gives_one_tree() {
        let names = |seed| {
            plan(5000, seed)
                .unwrap()
                .into_iter()
                .map(|dir| dir.name)
                .collect()
        };
        let first: Vec<String> = names(3);
        assert_eq!(first, names(3));
        assert_ne!(first, names(4));
    }

    #[test]
    fn parents_come_first_and_paths_are_deep() {
        let dirs = plan(50_000, 9).unwrap();
        let mut depths = vec![0; dirs.len()];
        for (number, dir) in dirs.iter().enumerate().skip(1) {
            assert!(dir.parent < number);
            depths[number] = depths[dir.parent] + 1;
        }
        let deepest = depths.iter().max().copied().unwrap_or_default();
        assert!((12..40).contains(&deepest), "{deepest} levels");
    }
}
