//! Batches on their way from the workers of a scan to the one that collects them.

use crossbeam_channel::{Receiver, Sender, bounded};
use groma_base::{BatchEntry, DirId, EntryBatch};
use groma_catalog::{BuildError, Builder};

/// Entries of one batch.
const BATCH: usize = 1024;
/// Batches that may wait for each worker.
const WAITING: usize = 4;

/// What makes the ends of workers.
pub(crate) struct Pipe {
    full: Sender<EntryBatch>,
    empty: Receiver<EntryBatch>,
}

/// The end of one worker.
pub(crate) struct Feed {
    batch: EntryBatch,
    full: Sender<EntryBatch>,
    empty: Receiver<EntryBatch>,
    is_closed: bool,
}

/// The end of the one that collects.
pub(crate) struct Drain {
    full: Receiver<EntryBatch>,
    empty: Sender<EntryBatch>,
}

impl Pipe {
    /// A pipe with room for a number of batches that does not depend on how many there will be, and
    /// the end of the one that collects. It sees the end once all feeds and the pipe are gone.
    pub(crate) fn new(workers: usize) -> (Pipe, Drain) {
        let (full, from_full) = bounded(workers * WAITING);
        let (to_empty, empty) = bounded(workers * WAITING);
        let drain = Drain {
            full: from_full,
            empty: to_empty,
        };
        (Pipe { full, empty }, drain)
    }

    /// The end of a further worker.
    pub(crate) fn feed(&self) -> Feed {
        Feed {
            batch: EntryBatch::new(),
            full: self.full.clone(),
            empty: self.empty.clone(),
            is_closed: false,
        }
    }
}

impl Feed {
    /// Adds an entry. Answers whether a batch was handed on.
    #[inline]
    pub(crate) fn push(&mut self, entry: BatchEntry<'_>) -> bool {
        self.batch.push(entry);
        if self.batch.len() < BATCH {
            return false;
        }
        self.flush();
        true
    }

    pub(crate) fn mark_unread(&mut self, dir: DirId) {
        self.batch.mark_unread(dir);
    }

    /// Entries that have not been handed on.
    pub(crate) fn waiting(&self) -> usize {
        self.batch.len()
    }

    /// Hands on a whole batch.
    pub(crate) fn send(mut self, batch: EntryBatch) {
        self.batch = batch;
        self.flush();
    }

    /// Hands on what there is.
    pub(crate) fn flush(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        let next = self.empty.try_recv().unwrap_or_default();
        let batch = std::mem::replace(&mut self.batch, next);
        self.is_closed |= self.full.send(batch).is_err();
    }

    /// Whether nobody takes entries any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }
}

impl Drain {
    /// Collects everything. Feeds notice that an error has ended it.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub(crate) fn collect(self) -> Result<Builder, BuildError> {
        let mut builder = Builder::new();
        self.for_each(|batch| builder.push(batch))?;
        Ok(builder)
    }

    /// Hands over batch after batch, until all feeds are gone.
    ///
    /// # Errors
    /// The first one of `take`; feeds notice it.
    pub(crate) fn for_each(
        self,
        mut take: impl FnMut(&EntryBatch) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        for mut batch in &self.full {
            take(&batch)?;
            batch.clear();
            // Where no worker waits for one, it is dropped.
            let _ = self.empty.try_send(batch);
        }
        Ok(())
    }
}
