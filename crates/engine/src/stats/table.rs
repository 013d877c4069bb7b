//! Sums per bucket while entries are counted: columns of numbers, one line for each bucket.
//!
//! All that is added up is exact, and the order of adding does not matter: tables of several
//! threads come to the same whichever thread took which entries.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use groma_base::Timestamp;

use super::metric::{Needs, Sums};
use super::sample::Samples;

/// Most levels: two to group by and one to count values of.
pub(super) const LEVELS: usize = 3;
/// The codes of an entry on all levels; 0 beyond the last.
pub(super) type Codes = [u64; LEVELS];

/// Tables of no more lines than this are not looked up but addressed.
const MOST_DENSE: u64 = 1 << 20;

/// One thread's sums.
#[derive(Debug)]
pub(super) struct Table {
    index: Index,
    cells: Vec<Cell>,
    disk: Vec<Disk>,
    extremes: Vec<(u64, u64)>,
    times: Vec<(Timestamp, Timestamp)>,
    samples: Samples,
    needs: Needs,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    count: u64,
    nodes: u64,
    size: u128,
}

#[derive(Clone, Copy, Debug, Default)]
struct Disk {
    allocated: u128,
    waste: u128,
}

#[derive(Debug)]
enum Index {
    /// A line for every combination of codes below these limits.
    Dense(Codes),
    /// Lines as they come.
    Hashed(HashMap<Codes, u32, BuildHasherDefault<Mix>>, Vec<Codes>),
}

/// One entry as it is added.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// Whether its sizes are counted, and known.
    pub(super) is_counted: bool,
    /// Whether metadata is known.
    pub(super) is_known: bool,
    pub(super) size: u64,
}

impl Table {
    /// An empty table for codes below `limits` on each level, where they are known.
    pub(super) fn new(limits: &[Option<u64>], needs: Needs, samples: usize) -> Table {
        let index = match dense(limits) {
            Some(radix) => Index::Dense(radix),
            None => Index::Hashed(HashMap::default(), Vec::new()),
        };
        let mut table = Table {
            index,
            cells: Vec::new(),
            disk: Vec::new(),
            extremes: Vec::new(),
            times: Vec::new(),
            samples: Samples::new(samples),
            needs,
        };
        if let Index::Dense(radix) = table.index {
            table.grow(usize::try_from(radix.iter().product::<u64>()).unwrap_or(0));
        }
        table
    }

    fn grow(&mut self, lines: usize) {
        self.cells.resize(lines, Cell::default());
        if self.needs.disk {
            self.disk.resize(lines, Disk::default());
        }
        if self.needs.extremes {
            self.extremes.resize(lines, (u64::MAX, 0));
        }
        if self.needs.times {
            self.times.resize(lines, (Timestamp::MAX, Timestamp::MIN));
        }
    }

    /// The line of a combination of codes.
    #[inline]
    pub(super) fn line(&mut self, codes: Codes) -> u32 {
        match &mut self.index {
            Index::Dense(radix) => {
                if codes.iter().zip(&*radix).all(|(code, limit)| code < limit) {
                    let line = (codes[0] * radix[1] + codes[1]) * radix[2] + codes[2];
                    return line as u32;
                }
                // Only a damaged catalog has more values than it said, or one that changed.
                self.rehash();
                self.line(codes)
            }
            Index::Hashed(lines, list) => {
                let next = list.len() as u32;
                let line = *lines.entry(codes).or_insert(next);
                if line == next {
                    list.push(codes);
                    self.grow(list_len(next));
                }
                line
            }
        }
    }

    /// The lines of entries, whose codes are given level by level.
    pub(super) fn lines_of(&mut self, levels: &[Vec<u64>], entries: usize, out: &mut Vec<u32>) {
        out.clear();
        if let Index::Dense(radix) = self.index
            && levels
                .iter()
                .zip(radix)
                .all(|(codes, limit)| all_below(codes, limit))
        {
            // Below the limits there are no more lines than 32 bits number.
            match levels {
                [] => out.resize(entries, 0),
                [only] => out.extend(only.iter().map(|&code| code as u32)),
                [outer, inner] => {
                    let pairs = outer.iter().zip(inner);
                    out.extend(pairs.map(|(&outer, &inner)| (outer * radix[1] + inner) as u32));
                }
                _ => self.lines_singly(levels, entries, out),
            }
            return;
        }
        self.lines_singly(levels, entries, out);
    }

    fn lines_singly(&mut self, levels: &[Vec<u64>], entries: usize, out: &mut Vec<u32>) {
        for at in 0..entries {
            let mut codes = [0; LEVELS];
            for (code, level) in codes.iter_mut().zip(levels) {
                *code = level.get(at).copied().unwrap_or(0);
            }
            out.push(self.line(codes));
        }
    }

    /// From addressed lines to looked-up ones.
    fn rehash(&mut self) {
        let all: Vec<(Codes, u32)> = self.lines().collect();
        let mut table = Table::new(&[None], self.needs, self.samples.most());
        for (codes, line) in all {
            let sums = self.sums(line);
            let to = table.line(codes);
            table.add_sums(to, &sums);
            table.samples.move_from(&mut self.samples, line, to);
        }
        *self = table;
    }

    /// Adds entries, each to its line.
    #[inline]
    pub(super) fn add(&mut self, lines: &[u32], entries: &[Facts]) {
        for (&line, entry) in lines.iter().zip(entries) {
            if let Some(cell) = self.cells.get_mut(line as usize) {
                cell.count += 1;
                cell.nodes += u64::from(entry.is_counted);
                cell.size += u128::from(if entry.is_counted { entry.size } else { 0 });
            }
        }
        if self.needs.extremes {
            for (&line, entry) in lines.iter().zip(entries) {
                if let Some(ends) = self
                    .extremes
                    .get_mut(line as usize)
                    .filter(|_| entry.is_counted)
                {
                    *ends = (ends.0.min(entry.size), ends.1.max(entry.size));
                }
            }
        }
    }

    /// Adds bytes on disk.
    pub(super) fn add_disk(&mut self, lines: &[u32], entries: &[Facts], allocated: &[u64]) {
        for ((&line, entry), &allocated) in lines.iter().zip(entries).zip(allocated) {
            if let Some(disk) = self
                .disk
                .get_mut(line as usize)
                .filter(|_| entry.is_counted)
            {
                disk.allocated += u128::from(allocated);
                disk.waste += u128::from(allocated.saturating_sub(entry.size));
            }
        }
    }

    /// Adds times of the last change of content.
    pub(super) fn add_times(&mut self, lines: &[u32], entries: &[Facts], times: &[Timestamp]) {
        for ((&line, entry), &at) in lines.iter().zip(entries).zip(times) {
            if let Some(ends) = self.times.get_mut(line as usize).filter(|_| entry.is_known) {
                *ends = (ends.0.min(at), ends.1.max(at));
            }
        }
    }

    /// The examples, to be offered further ones.
    pub(super) fn samples(&mut self) -> &mut Samples {
        &mut self.samples
    }

    /// The lines that have entries.
    fn lines(&self) -> impl Iterator<Item = (Codes, u32)> + '_ {
        let used = |line: &u32| {
            self.cells
                .get(*line as usize)
                .is_some_and(|cell| cell.count > 0)
        };
        let all = 0..self.cells.len() as u32;
        all.filter(used).map(|line| (self.codes(line), line))
    }

    fn codes(&self, line: u32) -> Codes {
        match &self.index {
            Index::Dense(radix) => {
                let line = u64::from(line);
                let (rest, last) = (line / radix[2], line % radix[2]);
                [rest / radix[1], rest % radix[1], last]
            }
            Index::Hashed(_, list) => list.get(line as usize).copied().unwrap_or_default(),
        }
    }

    fn sums(&self, line: u32) -> Sums {
        let at = line as usize;
        let cell = self.cells.get(at).copied().unwrap_or_default();
        let disk = self.disk.get(at).copied().unwrap_or_default();
        let ends = self.extremes.get(at).filter(|ends| ends.0 <= ends.1);
        let times = self.times.get(at).filter(|ends| ends.0 <= ends.1);
        Sums {
            count: cell.count,
            nodes: cell.nodes,
            size: cell.size,
            allocated: disk.allocated,
            waste: disk.waste,
            min: ends.map(|ends| ends.0),
            max: ends.map(|ends| ends.1),
            oldest: times.map(|ends| ends.0),
            newest: times.map(|ends| ends.1),
            reclaimable: 0,
        }
    }

    fn add_sums(&mut self, line: u32, sums: &Sums) {
        let at = line as usize;
        if let Some(cell) = self.cells.get_mut(at) {
            cell.count += sums.count;
            cell.nodes += sums.nodes;
            cell.size += sums.size;
        }
        if let Some(disk) = self.disk.get_mut(at) {
            disk.allocated += sums.allocated;
            disk.waste += sums.waste;
        }
        if let (Some(ends), Some(min), Some(max)) = (self.extremes.get_mut(at), sums.min, sums.max)
        {
            *ends = (ends.0.min(min), ends.1.max(max));
        }
        if let (Some(ends), Some(oldest), Some(newest)) =
            (self.times.get_mut(at), sums.oldest, sums.newest)
        {
            *ends = (ends.0.min(oldest), ends.1.max(newest));
        }
    }

    /// Adds all of another table.
    pub(super) fn merge(&mut self, mut other: Table) {
        let all: Vec<(Codes, u32)> = other.lines().collect();
        for (codes, line) in all {
            let sums = other.sums(line);
            let to = self.line(codes);
            self.add_sums(to, &sums);
            self.samples.move_from(&mut other.samples, line, to);
        }
    }

    /// All lines that have entries, with their codes, sums and examples; in no order.
    pub(super) fn into_lines(mut self) -> Vec<(Codes, Sums, Vec<super::sample::Candidate>)> {
        let all: Vec<(Codes, u32)> = self.lines().collect();
        all.into_iter()
            .map(|(codes, line)| (codes, self.sums(line), self.samples.take(line)))
            .collect()
    }
}

/// Whether all codes are below a limit. Without an early exit this is vector code.
fn all_below(codes: &[u64], limit: u64) -> bool {
    codes.iter().fold(true, |all, &code| all & (code < limit))
}

fn list_len(next: u32) -> usize {
    next as usize + 1
}

/// The limits of all levels, where a table with a line for each combination is no waste.
fn dense(limits: &[Option<u64>]) -> Option<Codes> {
    let mut radix = [1; LEVELS];
    for (to, limit) in radix.iter_mut().zip(limits) {
        *to = (*limit)?.max(1);
    }
    let lines = radix
        .iter()
        .try_fold(1_u64, |lines, &limit| lines.checked_mul(limit))?;
    (lines <= MOST_DENSE).then_some(radix)
}

/// A quick hash of numbers that nobody can choose to collide in numbers that matter: codes are
/// given by us.
#[derive(Clone, Copy, Debug, Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x2545_f491_4f6c_dd1d) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}
