//! Examples of each bucket: its largest entries; of equal ones those of the smaller path.

use std::cmp::Reverse;

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
    lines: Vec<Vec<Candidate>>,
}

impl Samples {
    pub(super) fn new(most: usize) -> Samples {
        Samples {
            most,
            lines: Vec::new(),
        }
    }

    /// Whether an entry of this size may be among the best of a line: most are not.
    #[inline]
    pub(super) fn may_take(&self, line: u32, size: u64) -> bool {
        match self
            .lines
            .get(line as usize)
            .and_then(|best| best.get(self.most - 1))
        {
            Some(worst) => size >= worst.size,
            None => true,
        }
    }

    pub(super) fn offer(&mut self, line: u32, candidate: Candidate) {
        if self.most == 0 {
            return;
        }
        let line = line as usize;
        if self.lines.len() <= line {
            self.lines.resize_with(line + 1, Vec::new);
        }
        let best = &mut self.lines[line];
        let at = best.partition_point(|other| other.rank() <= candidate.rank());
        if at < self.most {
            best.truncate(self.most - 1);
            best.insert(at, candidate);
        }
    }

    pub(super) fn take(&mut self, line: u32) -> Vec<Candidate> {
        let best = self.lines.get_mut(line as usize);
        best.map(std::mem::take).unwrap_or_default()
    }

    pub(super) fn move_from(&mut self, other: &mut Samples, from: u32, to: u32) {
        for candidate in other.take(from) {
            self.offer(to, candidate);
        }
    }
}
