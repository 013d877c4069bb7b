//! Which directories a made tree has: deep first, with memory for one path only.

use super::rng::Rng;
use super::shares::{self, ENTRIES_PER_DIR};

/// What a stream of random numbers is for: each part of a tree has its own.
const WEIGHTS: u64 = 0x5745_4947_4854_5321;

/// One directory.
#[derive(Debug)]
pub(crate) struct Dir {
    /// Its number; the top has 0, and a parent a smaller one.
    pub(crate) number: u32,
    /// Distance from the top.
    pub(crate) depth: usize,
    /// Entries directly in it that are no directories.
    pub(crate) files: usize,
    /// The number of the first of these: every file of the tree has its own.
    pub(crate) first_file: usize,
}

/// The directories of a tree in the order in which a walk that goes deep first meets them.
///
/// Any directory may get the next one, so paths are about ln(n) deep and leaves many. Such a tree
/// can be made deep first: of what is still to be placed below a directory, each number from one to
/// all is as likely to lie in its next subdirectory as any other.
#[derive(Debug)]
pub(crate) struct Shape {
    rng: Rng,
    seed: u64,
    below_top: u32,
    files: usize,
    total_weight: f64,
    reached_weight: f64,
    given: usize,
    next: u32,
    /// For each directory on the way down: how many are still to be placed below it.
    open: Vec<u32>,
}

impl Shape {
    /// The shape of a tree of `rows` entries, its top included; at least 1.
    pub(crate) fn new(rows: u32, seed: u64) -> Shape {
        let below = rows.saturating_sub(1);
        let below_top = below.div_ceil(ENTRIES_PER_DIR as u32);
        let weights = (0..=below_top).map(|number| weight(seed, number));
        Shape {
            rng: Rng::new(seed),
            seed,
            below_top,
            files: (below - below_top) as usize,
            total_weight: weights.sum(),
            reached_weight: 0.0,
            given: 0,
            next: 0,
            open: Vec::new(),
        }
    }

    /// Its part of the files. Rounding the running sum, not each part, makes the parts add up.
    fn share(&mut self, number: u32) -> usize {
        self.reached_weight += weight(self.seed, number);
        let part = self.reached_weight / self.total_weight * self.files as f64;
        let until = match number == self.below_top {
            true => self.files,
            false => (part.round() as usize).min(self.files),
        };
        let files = until - self.given;
        self.given = until;
        files
    }

    fn place_next(&mut self) -> Option<()> {
        if self.next == 0 {
            self.open.push(self.below_top);
            return Some(());
        }
        while *self.open.last()? == 0 {
            self.open.pop();
        }
        let waiting = self.open.last_mut()?;
        let taken = 1 + self.rng.below(*waiting as usize) as u32;
        *waiting -= taken;
        self.open.push(taken - 1);
        Some(())
    }
}

impl Iterator for Shape {
    type Item = Dir;

    fn next(&mut self) -> Option<Dir> {
        self.place_next()?;
        let number = self.next;
        self.next += 1;
        let first_file = self.given;
        Some(Dir {
            number,
            depth: self.open.len() - 1,
            files: self.share(number),
            first_file,
        })
    }
}

fn weight(seed: u64, number: u32) -> f64 {
    shares::weight(&mut Rng::part(seed ^ WEIGHTS, number as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_exactly_as_many_entries_as_asked_for() {
        for rows in [1, 2, 3, 12, 13, 1000, 50_000] {
            let dirs: Vec<Dir> = Shape::new(rows, 3).collect();
            let files: usize = dirs.iter().map(|dir| dir.files).sum();
            assert_eq!(dirs.len() + files, rows as usize);
        }
    }

    #[test]
    fn each_directory_lies_in_one_that_came_before() {
        let dirs: Vec<Dir> = Shape::new(500_000, 3).collect();
        let mut files = 0;
        for (before, dir) in dirs.iter().zip(&dirs[1..]) {
            assert!((1..=before.depth + 1).contains(&dir.depth));
            files += before.files;
            assert_eq!(dir.first_file, files);
        }
        let deepest = dirs.iter().map(|dir| dir.depth).max();
        assert!((20..50).contains(&deepest.unwrap()), "{deepest:?}");
        let sum: usize = dirs.iter().map(|dir| dir.depth).sum();
        assert!((8..14).contains(&(sum / dirs.len())), "{sum}");
        assert!(dirs.iter().any(|dir| dir.files > 2000));
    }
}
