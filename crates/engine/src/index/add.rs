//! A root scanned and published.

use std::path::{Path, PathBuf};
use std::time::Duration;

use groma_base::{CancelToken, Timestamp};
use groma_catalog::{About, CatalogWriter, RootRecord};
use groma_sys::{MountTable, path_bytes};

use super::options::{ScanOptions, SourceKind};
use super::progress::{Phase, Progress};
use super::scan::{Conditions, Known, scan};
use super::{IndexError, Report, identity};

/// A catalog open for writing: by one process at a time.
#[derive(Debug)]
pub struct Index {
    pub(crate) writer: CatalogWriter,
}

/// What is to be added, and how.
pub struct AddRequest {
    /// The directory.
    pub root: PathBuf,
    /// What is left out, and what is asked for beyond the usual.
    pub options: ScanOptions,
    /// Most threads that read.
    pub threads: usize,
    /// What time it is.
    pub now: fn() -> Timestamp,
    /// Ends the run early; the catalog is as it was then.
    pub cancel: CancelToken,
}

/// What became of a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    /// What the catalog knows of it now.
    pub record: RootRecord,
    /// Whether the catalog had this root before, perhaps under another path.
    pub replaced: Option<RootRecord>,
    /// How long it took to read it.
    pub read_in: Duration,
}

impl AddRequest {
    pub(super) fn conditions<'a>(
        &'a self,
        progress: &'a Progress,
        report: &'a dyn Report,
    ) -> Conditions<'a> {
        Conditions {
            threads: self.threads,
            progress,
            report,
            cancel: &self.cancel,
            omit: None,
            keeps_partial: false,
        }
    }
}

impl Index {
    /// Opens the catalog in a directory, which is made where there is none.
    ///
    /// # Errors
    /// [`IndexError::Catalog`]; among others when another process is writing.
    pub fn open(path: &Path) -> Result<Index, IndexError> {
        let writer = CatalogWriter::open(path)?;
        Ok(Index { writer })
    }

    /// Scans a root and publishes what was found. A root that the catalog has is replaced.
    ///
    /// # Errors
    /// [`IndexError`]; the catalog is as it was.
    pub fn add(
        &mut self,
        request: &AddRequest,
        progress: &Progress,
        report: &dyn Report,
    ) -> Result<Added, IndexError> {
        self.add_knowing(request, None, progress, report)
    }

    /// The same with what was known before, and whether its files are taken over unseen.
    pub(crate) fn add_knowing(
        &mut self,
        request: &AddRequest,
        old: Option<Known>,
        progress: &Progress,
        report: &dyn Report,
    ) -> Result<Added, IndexError> {
        let is_quick = old.as_ref().is_some_and(|old| old.1);
        let failed = |error| IndexError::Root {
            path: request.root.clone(),
            error,
        };
        let path = std::fs::canonicalize(&request.root).map_err(failed)?;
        let key = identity::key(&path, &MountTable::read().unwrap_or_default()).map_err(failed)?;
        let begun = (request.now)();
        progress.set_phase(Phase::Reading);
        let conditions = request.conditions(progress, report);
        let scanned = scan(&path, &request.options, old, &conditions)?;
        let ended = (request.now)();
        progress.set_phase(Phase::Writing);
        let about = About {
            root: path_bytes(&path).into_owned(),
            source: request.options.to_source(SourceKind::Walk, is_quick),
            begun,
            ended,
        };
        let replaced = self.record(&key);
        self.writer.publish(
            &key,
            &about,
            scanned.unread,
            scanned.found,
            |device| scanned.devices.volume(device),
            &request.cancel,
        )?;
        Ok(Added {
            record: self.record(&key).unwrap_or_default(),
            replaced,
            read_in: between(begun, ended),
        })
    }

    pub(crate) fn record(&self, key: &[u8]) -> Option<RootRecord> {
        let roots = self.writer.catalog().roots();
        roots.iter().find(|root| root.key == key).cloned()
    }
}

/// From one time to a later one; nothing where the clock was set back.
pub(super) fn between(begin: Timestamp, end: Timestamp) -> Duration {
    let nanoseconds =
        |time: Timestamp| i128::from(time.seconds) * 1_000_000_000 + i128::from(time.nanoseconds);
    let passed = nanoseconds(end) - nanoseconds(begin);
    Duration::from_nanos(u64::try_from(passed).unwrap_or(0))
}
