//! How far a long run is, for whoever wants to look.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// What a run is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Entries are read.
    Reading,
    /// The catalog is written.
    Writing,
    /// Stored bytes are verified.
    Checking,
}

/// Counts that a run keeps up to date, and that another thread may read at any time.
#[derive(Debug, Default)]
pub struct Progress {
    entries: AtomicU64,
    phase: AtomicU8,
    place: Mutex<Vec<u8>>,
}

impl Progress {
    /// Nothing done yet.
    pub fn new() -> Progress {
        Progress::default()
    }

    /// Entries so far.
    pub fn entries(&self) -> u64 {
        self.entries.load(Ordering::Relaxed)
    }

    /// What the run is at.
    pub fn phase(&self) -> Phase {
        match self.phase.load(Ordering::Relaxed) {
            0 => Phase::Reading,
            1 => Phase::Writing,
            _ => Phase::Checking,
        }
    }

    /// The path of a directory that was at hand a moment ago; raw bytes.
    pub fn place(&self) -> Vec<u8> {
        let place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
        place.clone()
    }

    pub(crate) fn add(&self, entries: u64) {
        self.entries.fetch_add(entries, Ordering::Relaxed);
    }

    /// Begins to count anew.
    pub(crate) fn restart(&self) {
        self.entries.store(0, Ordering::Relaxed);
    }

    pub(crate) fn set_phase(&self, phase: Phase) {
        let number = match phase {
            Phase::Reading => 0,
            Phase::Writing => 1,
            Phase::Checking => 2,
        };
        self.phase.store(number, Ordering::Relaxed);
    }

    /// Notes where the run is, unless somebody looks at this moment.
    pub(crate) fn set_place(&self, path: &[u8]) {
        if let Ok(mut place) = self.place.try_lock() {
            place.clear();
            place.extend_from_slice(path);
        }
    }
}
