//! Where hits go.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use groma_base::{CancelToken, Warning};

/// Takes what is written. Calls come from several threads; each brings whole hits.
pub trait Sink: Sync {
    /// Takes some hits, each ended by the renderer's terminator.
    ///
    /// # Errors
    /// What the receiver answers. The search ends then; a broken pipe ends it quietly.
    fn write(&self, hits: &[u8]) -> io::Result<()>;

    /// Takes word of a place that could not be read.
    fn warn(&self, warning: &Warning);

    /// Takes word of a root that could not be searched.
    fn root_failed(&self, warning: &Warning);
}

/// What all collectors of a run share.
pub(crate) struct Outlet<'a> {
    sink: &'a dyn Sink,
    cancel: CancelToken,
    limit: Option<u64>,
    hits: AtomicU64,
    incomplete: AtomicU64,
    failed_roots: AtomicU64,
    failed: AtomicBool,
    failure: Mutex<Option<io::Error>>,
}

/// How a run ended.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Number of hits that were told.
    pub hits: u64,
    /// Number of places that could not be read.
    pub incomplete: u64,
    /// Number of roots that could not be searched.
    pub failed_roots: u64,
    /// Why the receiver took no more, if it did not.
    pub failure: Option<io::Error>,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl<'a> Outlet<'a> {
    pub(crate) fn new(sink: &'a dyn Sink, cancel: CancelToken, limit: Option<u64>) -> Self {
        Outlet {
            sink,
            cancel,
            limit,
            hits: AtomicU64::new(0),
            incomplete: AtomicU64::new(0),
            failed_roots: AtomicU64::new(0),
            failed: AtomicBool::new(false),
            failure: Mutex::new(None),
        }
    }

    /// Whether hits are counted against a limit.
    pub(crate) fn is_limited(&self) -> bool {
        self.limit.is_some()
    }

    /// Whether one more hit is wanted. Ends the search with the last one.
    pub(crate) fn admit(&self) -> bool {
        let Some(limit) = self.limit else { return true };
        let before = self.hits.fetch_add(1, Ordering::Relaxed);
        if before + 1 >= limit {
            self.cancel.cancel();
        }
        before < limit
    }

    /// Whether the search is to end early.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Adds to the number of hits, where there is no limit that counts them.
    pub(crate) fn count(&self, hits: u64) {
        if self.limit.is_none() {
            self.hits.fetch_add(hits, Ordering::Relaxed);
        }
    }

    pub(crate) fn write(&self, hits: &[u8]) {
        if hits.is_empty() || self.failed.load(Ordering::Relaxed) {
            return;
        }
        if let Err(error) = self.sink.write(hits) {
            self.failed.store(true, Ordering::Relaxed);
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert(error);
            self.cancel.cancel();
        }
    }

    pub(crate) fn warn(&self, warning: &Warning) {
        if warning.incomplete {
            self.incomplete.fetch_add(1, Ordering::Relaxed);
        }
        self.sink.warn(warning);
    }

    pub(crate) fn root_failed(&self, warning: &Warning) {
        self.failed_roots.fetch_add(1, Ordering::Relaxed);
        self.sink.root_failed(warning);
    }

    pub(crate) fn into_outcome(self, notes: Vec<String>) -> Outcome {
        let hits = self.hits.into_inner();
        Outcome {
            hits: self.limit.map_or(hits, |limit| hits.min(limit)),
            incomplete: self.incomplete.into_inner(),
            failed_roots: self.failed_roots.into_inner(),
            failure: self
                .failure
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner),
            notes,
        }
    }
}
