//! Sums per bucket while entries are counted: columns of numbers, one line for each bucket.
//!
//! All that is added up is exact, and the order of adding does not matter: tables of several
//! threads come to the same whichever thread took which entries.

use groma_base::Timestamp;

use super::exceptions::{Exceptions, between};
use super::lines::{Codes, Lines};
use super::metric::{Needs, Sums};
use super::number::Number;
use super::sample::{Candidate, Samples};

/// Tables of no more lines than this have two cells for each.
const MOST_TWINS: usize = 1 << 16;

/// Entries in the upper bits, their bytes in the lower ones: one addition does both. Entries of a
/// root have numbers of 32 bits, so neither of them overflows.
type Cell = u128;
const SIZE_BITS: u32 = 96;
const ONE: Cell = 1 << SIZE_BITS;

/// One thread's sums.
#[derive(Debug)]
pub(super) struct Table {
    lines: Lines,
    cells: Vec<Cell>,
    /// Every second entry is added here, so that entries of one line wait less for each other.
    twins: Vec<Cell>,
    /// Entries whose sizes are not counted.
    uncounted: Vec<u32>,
    disk: Vec<Disk>,
    extremes: Vec<(u64, u64)>,
    times: Vec<(Timestamp, Timestamp)>,
    samples: Samples,
    needs: Needs,
}

#[derive(Clone, Copy, Debug, Default)]
struct Disk {
    allocated: u128,
    waste: u128,
}

impl Table {
    /// An empty table for codes that are mostly below `limits` on each level, where they are known.
    pub(super) fn new(limits: &[Option<u64>], needs: Needs, samples: usize) -> Table {
        let mut table = Table {
            lines: Lines::new(limits),
            cells: Vec::new(),
            twins: Vec::new(),
            uncounted: Vec::new(),
            disk: Vec::new(),
            extremes: Vec::new(),
            times: Vec::new(),
            samples: Samples::new(samples),
            needs,
        };
        table.grow();
        if table.cells.len() <= MOST_TWINS {
            table.twins.resize(table.cells.len(), 0);
        }
        table
    }

    fn grow(&mut self) {
        let lines = self.lines.len();
        self.cells.resize(lines, 0);
        self.uncounted.resize(lines, 0);
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

    /// The lines of entries, whose codes are given level by level.
    pub(super) fn lines_of(&mut self, levels: &[Vec<u64>], entries: usize, out: &mut Vec<u32>) {
        self.lines.of_all(levels, entries, out);
        self.grow();
    }

    /// Whether there are lines of all these numbers.
    pub(super) fn has_all<L: Number>(&self, lines: &[L]) -> bool {
        L::all_below(lines, self.cells.len() as u64)
    }

    /// Adds entries, each to its line.
    pub(super) fn add<L: Number, S: Number>(
        &mut self,
        lines: &[L],
        sizes: &[S],
        exceptions: &Exceptions,
    ) {
        let has_twins = !self.twins.is_empty() && L::all_below(lines, self.twins.len() as u64);
        match has_twins {
            true => add_alternately(&mut self.cells, &mut self.twins, lines, sizes),
            false => add_in_turn(&mut self.cells, lines, sizes),
        }
        // Some are taken away again, which is quicker than to look at each before it is added. A
        // cell may have less than that, when its twin has more.
        for &at in exceptions.uncounted() {
            let line = lines[at as usize].number() as usize;
            let size = Cell::from(sizes[at as usize].number());
            self.cells[line] = self.cells[line].wrapping_sub(size);
            self.uncounted[line] += 1;
        }
        if self.needs.extremes {
            for run in between(exceptions.uncounted(), lines.len()) {
                widen(&mut self.extremes, &lines[run.clone()], &sizes[run]);
            }
        }
    }

    /// Adds bytes on disk.
    pub(super) fn add_disk(
        &mut self,
        lines: &[u32],
        sizes: &[u64],
        allocated: &[u64],
        exceptions: &Exceptions,
    ) {
        for run in between(exceptions.uncounted(), lines.len()) {
            let (lines, sizes) = (&lines[run.clone()], &sizes[run.clone()]);
            for ((&line, &size), &allocated) in lines.iter().zip(sizes).zip(&allocated[run]) {
                if let Some(disk) = self.disk.get_mut(line as usize) {
                    disk.allocated += u128::from(allocated);
                    disk.waste += u128::from(allocated.saturating_sub(size));
                }
            }
        }
    }

    /// Adds times of the last change of content.
    pub(super) fn add_times(
        &mut self,
        lines: &[u32],
        times: &[Timestamp],
        exceptions: &Exceptions,
    ) {
        for run in between(exceptions.unknown(), lines.len()) {
            for (&line, &at) in lines[run.clone()].iter().zip(&times[run]) {
                if let Some(ends) = self.times.get_mut(line as usize) {
                    *ends = (ends.0.min(at), ends.1.max(at));
                }
            }
        }
    }

    /// The examples, to be offered further ones.
    pub(super) fn samples(&mut self) -> &mut Samples {
        &mut self.samples
    }

    fn cell(&self, at: usize) -> Cell {
        let of = |cells: &[Cell]| cells.get(at).copied().unwrap_or(0);
        of(&self.cells).wrapping_add(of(&self.twins))
    }

    /// The lines that have entries.
    fn used(&self) -> Vec<u32> {
        let all = 0..self.cells.len() as u32;
        all.filter(|&line| self.cell(line as usize) > 0).collect()
    }

    fn sums(&self, line: u32) -> Sums {
        let at = line as usize;
        let cell = self.cell(at);
        let count = (cell >> SIZE_BITS) as u64;
        let uncounted = self.uncounted.get(at).copied().unwrap_or(0);
        let disk = self.disk.get(at).copied().unwrap_or_default();
        let ends = self.extremes.get(at).filter(|ends| ends.0 <= ends.1);
        let times = self.times.get(at).filter(|ends| ends.0 <= ends.1);
        Sums {
            count,
            nodes: count - u64::from(uncounted),
            size: cell & (ONE - 1),
            allocated: disk.allocated,
            waste: disk.waste,
            min: ends.map(|ends| ends.0),
            max: ends.map(|ends| ends.1),
            oldest: times.map(|ends| ends.0),
            newest: times.map(|ends| ends.1),
            reclaimable: 0,
        }
    }

    /// Adds a line of another table of the same root.
    fn add_line(&mut self, to: usize, other: &Table, from: usize) {
        self.cells[to] = self.cells[to].wrapping_add(other.cell(from));
        self.uncounted[to] += other.uncounted[from];
        if let (Some(disk), Some(more)) = (self.disk.get_mut(to), other.disk.get(from)) {
            disk.allocated += more.allocated;
            disk.waste += more.waste;
        }
        if let (Some(ends), Some(more)) = (self.extremes.get_mut(to), other.extremes.get(from)) {
            *ends = (ends.0.min(more.0), ends.1.max(more.1));
        }
        if let (Some(ends), Some(more)) = (self.times.get_mut(to), other.times.get(from)) {
            *ends = (ends.0.min(more.0), ends.1.max(more.1));
        }
    }

    /// Adds all of another table of the same root.
    pub(super) fn merge(&mut self, mut other: Table) {
        for from in other.used() {
            let to = self.lines.of(other.lines.codes(from));
            self.grow();
            self.add_line(to as usize, &other, from as usize);
            self.samples.move_from(&mut other.samples, from, to);
        }
    }

    /// All lines that have entries, with their codes, sums and examples; in no order.
    pub(super) fn into_lines(mut self) -> impl Iterator<Item = (Codes, Sums, Vec<Candidate>)> {
        let used = self.used().into_iter();
        used.map(move |line| {
            let samples = self.samples.take(line);
            (self.lines.codes(line), self.sums(line), samples)
        })
    }
}

#[inline]
fn add_one<L: Number, S: Number>(cells: &mut [Cell], line: L, size: S) {
    if let Some(cell) = cells.get_mut(line.number() as usize) {
        *cell = cell.wrapping_add(ONE + Cell::from(size.number()));
    }
}

fn add_in_turn<L: Number, S: Number>(cells: &mut [Cell], lines: &[L], sizes: &[S]) {
    for (&line, &size) in lines.iter().zip(sizes) {
        add_one(cells, line, size);
    }
}

fn add_alternately<L: Number, S: Number>(
    cells: &mut [Cell],
    twins: &mut [Cell],
    lines: &[L],
    sizes: &[S],
) {
    let (pairs, rest) = lines.as_chunks::<2>();
    let (pair_sizes, rest_sizes) = sizes.as_chunks::<2>();
    for (lines, sizes) in pairs.iter().zip(pair_sizes) {
        add_one(cells, lines[0], sizes[0]);
        add_one(twins, lines[1], sizes[1]);
    }
    add_in_turn(cells, rest, rest_sizes);
}

/// Adds to the smallest and the largest size of each line.
fn widen<L: Number, S: Number>(extremes: &mut [(u64, u64)], lines: &[L], sizes: &[S]) {
    for (&line, &size) in lines.iter().zip(sizes) {
        if let Some(ends) = extremes.get_mut(line.number() as usize) {
            let size = size.number();
            *ends = (ends.0.min(size), ends.1.max(size));
        }
    }
}
