//! A scan for a map: places in, a view out, nothing written to the disk.

use std::io::Cursor;
use std::sync::Arc;

use groma_base::{CancelToken, Timestamp};
use groma_catalog::{About, Builder, RootRecord, Segment, View};
use groma_sys::path_bytes;

use super::error::MapError;
use super::roots::{Failed, Roots};
use crate::catalogs::OpenRoot;
use crate::index::feed::Drain;
use crate::index::scan::{Conditions, Scanned, scan_from};
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
    /// Ends the scan early: what was found until then is the map, which says that it is incomplete.
    pub cancel: CancelToken,
}

/// What a map shows.
#[derive(Debug)]
pub struct Mapped {
    /// All entries, as a root that can be asked like one of a catalog.
    pub root: OpenRoot,
    /// Whether the scan came to its end.
    pub is_complete: bool,
    /// What was named but cannot be mapped.
    pub failed: Vec<Failed>,
}

impl Scan {
    /// Reads everything.
    ///
    /// # Errors
    /// [`MapError`]; what cannot be read below a root is no error but is reported.
    pub fn run(mut self, progress: &Progress, report: &dyn Report) -> Result<Mapped, MapError> {
        let start = self.roots.start()?;
        let conditions = Conditions {
            threads: self.threads,
            progress,
            report,
            cancel: &self.cancel,
        };
        let top = path_bytes(&start.top).into_owned();
        let begun = (self.now)();
        let scanned = scan_from(start, &self.options, None, &conditions, Drain::collect)?;
        let about = About {
            root: top,
            source: self.options.to_source(SourceKind::Walk, false),
            begun,
            ended: (self.now)(),
        };
        let is_complete = !self.cancel.is_cancelled();
        let root = seal(scanned, about)?;
        Ok(Mapped {
            root,
            is_complete,
            failed: self.roots.failed,
        })
    }
}

/// Makes a view of what was found.
fn seal(scanned: Scanned<Builder>, about: About) -> Result<OpenRoot, MapError> {
    let mut bytes = Cursor::new(Vec::new());
    let devices = scanned.devices;
    // Once nothing more is read, what there is is kept.
    let cancel = CancelToken::new();
    let sealed =
        scanned
            .found
            .seal(&mut bytes, &about, |device| devices.volume(device), &cancel)?;
    let segment = Segment::from_bytes(bytes.into_inner())?;
    let record = RootRecord {
        key: about.root.clone(),
        path: about.root,
        source: about.source,
        length: sealed.length,
        rows: sealed.rows,
        entries: sealed.rows,
        unread: scanned.unread,
        ended: about.ended,
        ..RootRecord::default()
    };
    Ok(OpenRoot {
        record,
        view: View::sealed(Arc::new(segment))?,
    })
}
