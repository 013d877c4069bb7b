//! A scan for a map: places in, a tree out. Nothing is written to the disk.

use groma_base::{CancelToken, Timestamp};
use groma_catalog::About;
use groma_sys::path_bytes;

use super::error::MapError;
use super::live::{End, Map};
use super::roots::{Failed, Roots};
use crate::index::scan::{Conditions, scan_from};
use crate::index::{Progress, Report, ScanOptions, SourceKind};

/// What is to be scanned, and how.
pub struct Scan {
    /// The places.
    pub roots: Roots,
    /// What is left out.
    pub options: ScanOptions,
    /// Most threads that read.
    pub threads: usize,
    /// What time it is.
    pub now: fn() -> Timestamp,
    /// Ends the scan early: what was found until then is the map.
    pub cancel: CancelToken,
}

/// How a scan ended.
#[derive(Debug)]
pub struct Ended {
    /// Whether it was not ended early.
    pub is_complete: bool,
    /// What was named but cannot be mapped.
    pub failed: Vec<Failed>,
    /// Places that could not be read.
    pub unread: u64,
}

impl Scan {
    /// Reads everything into a map.
    ///
    /// # Errors
    /// [`MapError`]; what cannot be read below a root is no error but is reported.
    pub fn run(
        mut self,
        map: &Map,
        progress: &Progress,
        report: &dyn Report,
    ) -> Result<Ended, MapError> {
        let start = self.roots.start()?;
        let conditions = Conditions {
            threads: self.threads,
            progress,
            report,
            cancel: &self.cancel,
            omit: None,
            keeps_partial: true,
        };
        let top = path_bytes(&start.top).into_owned();
        map.begin(&top);
        let begun = (self.now)();
        let scanned = scan_from(start, &self.options, None, &conditions, |drain| {
            drain.for_each(|batch| map.grow(|growing| growing.push(batch)))
        })?;
        map.grow(|growing| {
            growing.settle();
            Ok(())
        })?;
        let unread = scanned.unread;
        map.end(End {
            about: About {
                root: top,
                source: self.options.to_source(SourceKind::Walk, false),
                begun,
                ended: (self.now)(),
            },
            devices: scanned.devices,
            unread,
        });
        Ok(Ended {
            is_complete: !self.cancel.is_cancelled(),
            failed: self.roots.failed,
            unread,
        })
    }
}
