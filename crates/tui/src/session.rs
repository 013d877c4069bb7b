//! A tree to look at, and the scan that makes it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use groma_base::{CancelToken, Warning};
use groma_engine::index::{Progress, Report};
use groma_engine::map::{Map, shown_name};

/// Warnings that are kept; more are counted.
const KEPT: usize = 10_000;

/// What could not be read, as it is met.
#[derive(Clone, Debug, Default)]
pub struct Warnings(Arc<Mutex<Met>>);

#[derive(Debug, Default)]
struct Met {
    lines: Vec<String>,
    count: u64,
}

impl Warnings {
    /// How many places could not be read.
    pub fn count(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).count
    }

    /// What was met, in lines for people; only the first ones where there are very many.
    pub fn lines(&self) -> Vec<String> {
        let met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        met.lines.clone()
    }
}

impl Report for Warnings {
    fn warn(&self, warning: &Warning) {
        let error = warning.error.to_string();
        let error = error.split(" (os error").next().unwrap_or_default();
        let path = shown_name(&warning.path);
        let mut met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        met.count += u64::from(warning.incomplete);
        if met.lines.len() < KEPT {
            met.lines
                .push(format!("cannot {} {path}: {error}", warning.action));
        }
    }
}

/// A map and how far it is.
#[derive(Clone, Debug, Default)]
pub struct Session {
    /// The tree.
    pub map: Map,
    /// How far the scan is.
    pub progress: Arc<Progress>,
    /// Ends the scan.
    pub cancel: CancelToken,
    /// What could not be read.
    pub warnings: Warnings,
    /// Why there is no map, once that is known.
    pub failed: Arc<Mutex<Option<String>>>,
    /// Whether the scan was ended early.
    pub is_partial: Arc<AtomicBool>,
    /// Whether this shows something saved: nothing on the disk may be touched.
    pub is_saved: bool,
}

impl Session {
    /// Whether the scan goes on.
    pub fn is_scanning(&self) -> bool {
        !self.map.is_whole() && self.failure().is_none()
    }

    /// Whether not everything is there.
    pub fn is_partial(&self) -> bool {
        self.is_partial.load(Ordering::Relaxed)
    }

    /// Why there is no map.
    pub fn failure(&self) -> Option<String> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.clone()
    }

    /// Notes why there is no map.
    pub fn fail(&self, why: String) {
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
    }

    /// Notes that the scan was ended early.
    pub fn set_partial(&self) {
        self.is_partial.store(true, Ordering::Relaxed);
    }
}
