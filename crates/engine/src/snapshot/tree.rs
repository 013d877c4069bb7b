//! A tree of now in memory: read by a walk, sealed as a segment, stored nowhere.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use groma_base::{CancelToken, FileId, Timestamp};
use groma_catalog::{About, Builder, Damage, Segment, View, Volume};
use groma_sys::path_bytes;

use super::SnapError;
use crate::index::scan::{Conditions, scan};
use crate::index::{Phase, Progress, Report, ScanOptions, SourceKind};

/// What is to be read, and how.
pub struct LiveRequest {
    /// The directory.
    pub root: PathBuf,
    /// What is left out, and what is asked for beyond the usual.
    pub options: ScanOptions,
    /// Most threads that read.
    pub threads: usize,
    /// What time it is.
    pub now: fn() -> Timestamp,
    /// Ends it early.
    pub cancel: CancelToken,
    /// Whether what was found until then is a tree nevertheless, marked as partial.
    pub keeps_partial: bool,
    /// A file that is left out: the one that the result is written to.
    pub omit: Option<FileId>,
}

/// A tree in memory.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Its entries.
    pub segment: Arc<Segment>,
    /// Places that could not be read.
    pub unread: u64,
    /// Whether the scan was ended before it was done.
    pub is_partial: bool,
}

impl Tree {
    /// Its entries, to be asked like those of a catalog.
    ///
    /// # Errors
    /// [`Damage`] when it does not tell its root.
    pub fn view(&self) -> Result<View, Damage> {
        View::sealed(Arc::clone(&self.segment))
    }
}

/// Reads a tree.
///
/// # Errors
/// [`SnapError`].
pub fn live(
    request: &LiveRequest,
    progress: &Progress,
    report: &dyn Report,
) -> Result<Tree, SnapError> {
    let path = std::fs::canonicalize(&request.root);
    let path = path.map_err(|error| SnapError::io(&request.root, error))?;
    let begun = (request.now)();
    progress.set_phase(Phase::Reading);
    let conditions = Conditions {
        threads: request.threads,
        progress,
        report,
        cancel: &request.cancel,
        omit: request.omit,
        keeps_partial: request.keeps_partial,
    };
    let scanned = scan(&path, &request.options, None, &conditions)?;
    progress.set_phase(Phase::Writing);
    let about = About {
        root: path_bytes(&path).into_owned(),
        source: request.options.to_source(SourceKind::Walk, false),
        begun,
        ended: (request.now)(),
    };
    // What ended the scan does not end what is done with its part.
    let cancel = match scanned.is_partial {
        true => CancelToken::new(),
        false => request.cancel.clone(),
    };
    let volume = |device| scanned.devices.volume(device);
    let segment = sealed(&path, scanned.found, &about, volume, &cancel)?;
    Ok(Tree {
        segment: Arc::new(segment),
        unread: scanned.unread,
        is_partial: scanned.is_partial,
    })
}

/// A segment in memory.
pub(super) fn sealed(
    path: &Path,
    builder: Builder,
    about: &About,
    volume: impl FnMut(u64) -> Volume,
    cancel: &CancelToken,
) -> Result<Segment, SnapError> {
    let mut out = Cursor::new(Vec::new());
    let sealed = builder.seal(&mut out, about, volume, cancel);
    sealed.map_err(|error| SnapError::build(path, error))?;
    // What was just written can be opened.
    Segment::from_bytes(out.into_inner())
        .map_err(|error| SnapError::io(path, std::io::Error::other(error)))
}
