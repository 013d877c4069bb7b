//! Examples of each bucket: its largest entries; of equal ones those of the smaller path.

use std::cmp::Reverse;
use std::collections::HashMap;

/// An entry that may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) size: u64,
    /// Its place in the order of paths.
    pub(super) place: u32,
    pub(super) id: u32,
}

impl Candidate {
    /// Better ones are smaller.
    fn rank(&self) -> (Reverse<u64>, u32) {
        (Reverse(self.size), self.place)
    }
}

/// The best entries of each line of a table.
#[derive(Debug)]
pub(super) struct Samples {
    most: usize,
    lines: HashMap<u32, Vec<Candidate>>,
}

impl Samples {
    pub(super) fn new(most: usize) -> Samples {
        Samples {
            most,
            lines: HashMap::new(),
        }
    }

    /// How many are kept of each line.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    pub(super) fn offer(&mut self, line: u32, candidate: Candidate) {
        if self.most == 0 {
            return;
        }
        let best = self.lines.entry(line).or_default();
        let at = best.partition_point(|other| other.rank() <= candidate.rank());
        if at < self.most {
            best.truncate(self.most - 1);
            best.insert(at, candidate);
        }
    }

    pub(super) fn take(&mut self, line: u32) -> Vec<Candidate> {
        self.lines.remove(&line).unwrap_or_default()
    }

    pub(super) fn move_from(&mut self, other: &mut Samples, from: u32, to: u32) {
        for candidate in other.take(from) {
            self.offer(to, candidate);
        }
    }
}
