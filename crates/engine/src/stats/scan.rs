//! The entries of one root, counted into a table by several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use groma_base::{CancelToken, Timestamp};
use groma_catalog::{Damage, KindFlags, View};
use groma_query::select::Selection;

use super::batch::Batch;
use super::coder::Coder;
use super::codes::{Known, Room};
use super::error::ScanError;
use super::links::Counted;
use super::metric::Needs;
use super::sample::Candidate;
use super::table::{Facts, Table};

/// Entries that are looked at together.
const BATCH: u32 = 4096;

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
        let mut tables = thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(count)).collect();
            let mut tables = vec![count()];
            tables.extend(others.into_iter().map(|thread| match thread.join() {
                Ok(table) => table,
                Err(panic) => std::panic::resume_unwind(panic),
            }));
            tables.into_iter()
        });
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
            entries: Vec::new(),
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

/// The ids of a view, some at a time.
fn parts(view: &View) -> Vec<Range<u32>> {
    let mut parts = Vec::new();
    for piece in view.pieces() {
        let mut start = piece.ids.start;
        while start < piece.ids.end {
            let end = piece.ids.end.min(start.saturating_add(BATCH));
            parts.push(start..end);
            start = end;
        }
    }
    parts
}

/// One thread's table, and room for one part.
struct Worker<'a> {
    scan: &'a Scan<'a>,
    table: Table,
    batch: Batch<'a>,
    kinds: Vec<KindFlags>,
    sizes: Vec<u64>,
    entries: Vec<Facts>,
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
        match self.scan.selection {
            None => self.batch.set(part.clone(), part),
            Some(selection) => self.batch.set(part.clone(), selection.ids_in(part)),
        }
        if self.batch.ids.is_empty() {
            return Ok(());
        }
        self.read_entries()?;
        self.find_lines()?;
        self.table.add(&self.lines, &self.entries);
        if self.scan.needs.disk {
            self.batch.allocated(&self.sizes, &mut self.numbers)?;
            self.table
                .add_disk(&self.lines, &self.entries, &self.numbers);
        }
        if self.scan.needs.times {
            let (seconds, numbers) = (&mut self.seconds, &mut self.numbers);
            self.batch.modified(seconds, numbers, &mut self.times)?;
            self.table
                .add_times(&self.lines, &self.entries, &self.times);
        }
        if self.scan.samples > 0 {
            self.offer_samples();
        }
        Ok(())
    }

    fn read_entries(&mut self) -> Result<(), Damage> {
        self.batch.kinds(&mut self.halves, &mut self.kinds)?;
        self.batch.sizes(&mut self.sizes)?;
        self.entries.clear();
        let counted = self.scan.counted;
        let rows = self.batch.ids.iter().zip(&self.kinds).zip(&self.sizes);
        self.entries.extend(rows.map(|((&id, &flags), &size)| {
            let is_known = !flags.has(KindFlags::NO_METADATA);
            Facts {
                is_counted: is_known && counted.at(id, flags),
                is_known,
                size,
            }
        }));
        Ok(())
    }

    fn find_lines(&mut self) -> Result<(), Damage> {
        let known = Known {
            kinds: &self.kinds,
            sizes: &self.sizes,
        };
        for (coder, codes) in self.scan.coders.iter().zip(&mut self.codes) {
            coder.codes(&mut self.batch, &known, &mut self.room, codes)?;
        }
        self.table
            .lines_of(&self.codes, self.batch.ids.len(), &mut self.lines);
        Ok(())
    }

    /// Each node is shown once: at the entry where it is counted.
    fn offer_samples(&mut self) {
        let rows = self.batch.ids.iter().zip(&self.lines).zip(&self.entries);
        for ((&id, &line), entry) in rows.filter(|(_, entry)| entry.is_counted || !entry.is_known) {
            let size = entry.size;
            if self.table.samples().may_take(line, size) {
                let place = self.scan.view.place(id).unwrap_or(id);
                self.table
                    .samples()
                    .offer(line, Candidate { size, place, id });
            }
        }
    }
}
