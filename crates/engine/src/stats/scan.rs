//! The entries of one root, counted into a table by several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use groma_base::{CancelToken, Timestamp};
use groma_catalog::{Damage, KindFlags, View};
use groma_query::select::Selection;

use super::coder::Coder;
use super::error::ScanError;
use super::links::Counted;
use super::metric::Needs;
use super::sample::Candidate;
use super::table::{Codes, Facts, LEVELS, Table};

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
            ids: Vec::new(),
            entries: Vec::new(),
            codes: Vec::new(),
            lines: Vec::new(),
            numbers: Vec::new(),
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
    ids: Vec<u32>,
    entries: Vec<Facts>,
    codes: Vec<Codes>,
    lines: Vec<u32>,
    numbers: Vec<u64>,
    times: Vec<Timestamp>,
}

impl Worker<'_> {
    fn add(&mut self, part: Range<u32>) -> Result<(), Damage> {
        self.ids.clear();
        match self.scan.selection {
            None => self.ids.extend(part),
            Some(selection) => self.ids.extend(part.filter(|&id| selection.contains(id))),
        }
        if self.ids.is_empty() {
            return Ok(());
        }
        self.read_entries()?;
        self.find_lines()?;
        self.table.add(&self.lines, &self.entries);
        if self.scan.needs.disk {
            self.add_disk()?;
        }
        if self.scan.needs.times {
            self.add_times()?;
        }
        if self.scan.samples > 0 {
            self.offer_samples();
        }
        Ok(())
    }

    fn read_entries(&mut self) -> Result<(), Damage> {
        self.entries.clear();
        let view = self.scan.view;
        for &id in &self.ids {
            let flags = view.kind(id)?;
            let is_known = !flags.has(KindFlags::NO_METADATA);
            self.entries.push(Facts {
                is_counted: is_known && self.scan.counted.at(id, flags),
                is_known,
                size: view.size(id)?,
            });
        }
        Ok(())
    }

    fn find_lines(&mut self) -> Result<(), Damage> {
        self.codes.clear();
        self.codes.resize(self.ids.len(), [0; LEVELS]);
        for (level, coder) in self.scan.coders.iter().enumerate().take(LEVELS) {
            for (codes, &id) in self.codes.iter_mut().zip(&self.ids) {
                codes[level] = coder.code(id)?;
            }
        }
        self.lines.clear();
        for &codes in &self.codes {
            self.lines.push(self.table.line(codes));
        }
        Ok(())
    }

    fn add_disk(&mut self) -> Result<(), Damage> {
        self.numbers.clear();
        for &id in &self.ids {
            self.numbers.push(self.scan.view.allocated(id)?);
        }
        self.table
            .add_disk(&self.lines, &self.entries, &self.numbers);
        Ok(())
    }

    fn add_times(&mut self) -> Result<(), Damage> {
        self.times.clear();
        for &id in &self.ids {
            self.times.push(self.scan.view.modified(id)?);
        }
        self.table
            .add_times(&self.lines, &self.entries, &self.times);
        Ok(())
    }

    /// Each node is shown once: at the entry where it is counted.
    fn offer_samples(&mut self) {
        let rows = self.ids.iter().zip(&self.lines).zip(&self.entries);
        for ((&id, &line), entry) in rows.filter(|(_, entry)| entry.is_counted || !entry.is_known) {
            let place = self.scan.view.place(id).unwrap_or(id);
            let size = entry.size;
            self.table
                .samples()
                .offer(line, Candidate { size, place, id });
        }
    }
}
