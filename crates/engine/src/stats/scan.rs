//! The entries of one root, counted into a table by several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use groma_base::{CancelToken, Timestamp};
use groma_catalog::{Damage, KindFlags, View};
use groma_query::select::Selection;

use super::batch::{Batch, parts};
use super::coder::Coder;
use super::codes::{Known, Room};
use super::error::ScanError;
use super::exceptions::{Exceptions, between};
use super::links::Counted;
use super::metric::Needs;
use super::sample::Candidate;
use super::table::Table;
use crate::threads::on_threads;

/// What is to be counted in one root.
pub(super) struct Scan<'a> {
    pub(super) view: &'a View,
    /// `None`: every entry.
    pub(super) selection: Option<&'a Selection>,
    pub(super) counted: &'a Counted,
    pub(super) coders: &'a [Coder<'a>],
    pub(super) needs: Needs,
    pub(super) samples: usize,
}

impl Scan<'_> {
    /// Counts.
    pub(super) fn run(&self, threads: usize, cancel: &CancelToken) -> Result<Table, ScanError> {
        let parts = parts(self.view);
        let threads = threads.clamp(1, parts.len().max(1));
        let next = AtomicUsize::new(0);
        let count = || self.count(&parts, &next, cancel);
        let mut tables = on_threads(threads, count).into_iter();
        let mut sum = tables.next().unwrap_or(Err(ScanError::Cancelled))?;
        for table in tables {
            sum.merge(table?);
        }
        Ok(sum)
    }

    /// What one thread does: parts of the view, until none is left.
    fn count(
        &self,
        parts: &[Range<u32>],
        next: &AtomicUsize,
        cancel: &CancelToken,
    ) -> Result<Table, ScanError> {
        let limits: Vec<Option<u64>> = self.coders.iter().map(Coder::limit).collect();
        let mut worker = Worker {
            scan: self,
            table: Table::new(&limits, self.needs, self.samples),
            batch: Batch::new(self.view),
            kinds: Vec::new(),
            sizes: Vec::new(),
            exceptions: Exceptions::default(),
            codes: vec![Vec::new(); self.coders.len()],
            lines: Vec::new(),
            room: Room::default(),
            numbers: Vec::new(),
            halves: Vec::new(),
            seconds: Vec::new(),
            times: Vec::new(),
        };
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            if cancel.is_cancelled() {
                return Err(ScanError::Cancelled);
            }
            worker.add(part.clone())?;
        }
        Ok(worker.table)
    }
}

/// One thread's table, and room for one part.
struct Worker<'a> {
    scan: &'a Scan<'a>,
    table: Table,
    batch: Batch<'a>,
    kinds: Vec<KindFlags>,
    sizes: Vec<u64>,
    exceptions: Exceptions,
    /// For each level.
    codes: Vec<Vec<u64>>,
    lines: Vec<u32>,
    room: Room,
    numbers: Vec<u64>,
    halves: Vec<u16>,
    seconds: Vec<i64>,
    times: Vec<Timestamp>,
}

impl Worker<'_> {
    fn add(&mut self, part: Range<u32>) -> Result<(), Damage> {
        self.batch.take(part, self.scan.selection);
        if self.batch.ids.is_empty() {
            return Ok(());
        }
        self.batch.kinds(&mut self.halves, &mut self.kinds)?;
        let (ids, kinds) = (&self.batch.ids, &self.kinds);
        self.exceptions.find(self.scan.counted, ids, kinds);
        if self.add_columns()? {
            return Ok(());
        }
        self.batch.sizes(&mut self.sizes)?;
        self.find_lines()?;
        self.table.add(&self.lines, &self.sizes, &self.exceptions);
        self.add_more()
    }

    /// Adds a batch without a copy of its columns, where one of them tells the lines and no more
    /// than sizes is wanted; `false`, and nothing, elsewhere.
    fn add_columns(&mut self) -> Result<bool, Damage> {
        let [coder] = self.scan.coders else {
            return Ok(false);
        };
        let needs = self.scan.needs;
        if needs.disk || needs.times || self.scan.samples > 0 {
            return Ok(false);
        }
        let (lines, sizes) = (coder.line_cells(&self.batch)?, self.batch.size_cells());
        match lines.zip(sizes) {
            Some((lines, sizes)) if self.table.has_all(lines) => {
                self.table.add(lines, sizes, &self.exceptions);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn find_lines(&mut self) -> Result<(), Damage> {
        let known = Known {
            kinds: &self.kinds,
            sizes: &self.sizes,
            unknown: self.exceptions.unknown(),
        };
        for (coder, codes) in self.scan.coders.iter().zip(&mut self.codes) {
            coder.codes(&mut self.batch, &known, &mut self.room, codes)?;
        }
        self.table
            .lines_of(&self.codes, self.batch.ids.len(), &mut self.lines);
        Ok(())
    }

    /// Adds what needs further columns.
    fn add_more(&mut self) -> Result<(), Damage> {
        if self.scan.needs.disk {
            self.batch.allocated(&self.sizes, &mut self.numbers)?;
            let (lines, sizes) = (&self.lines, &self.sizes);
            self.table
                .add_disk(lines, sizes, &self.numbers, &self.exceptions);
        }
        if self.scan.needs.times {
            let (seconds, numbers) = (&mut self.seconds, &mut self.numbers);
            self.batch.modified(seconds, numbers, &mut self.times)?;
            self.table
                .add_times(&self.lines, &self.times, &self.exceptions);
        }
        if self.scan.samples > 0 {
            self.offer_samples();
        }
        Ok(())
    }

    /// Each node is shown once: at the entry where it is counted.
    fn offer_samples(&mut self) {
        let counted = between(self.exceptions.uncounted(), self.lines.len()).flatten();
        let unknown = self.exceptions.unknown().iter().map(|&at| at as usize);
        for at in counted.chain(unknown) {
            let (id, line, size) = (self.batch.ids[at], self.lines[at], self.sizes[at]);
            if self.table.samples().may_take(line, size) {
                let place = self.scan.view.place(id).unwrap_or(id);
                self.table
                    .samples()
                    .offer(line, Candidate { size, place, id });
            }
        }
    }
}
