//! A root brought up to date.

use std::path::{Path, PathBuf};

use groma_base::{CancelToken, Timestamp};
use groma_catalog::{Delta, DeltaError, RootRecord};
use groma_sys::{MountTable, os_path};

use super::add::{AddRequest, Added, between};
use super::devices::Devices;
use super::findings::Findings;
use super::list::{Presence, presence};
use super::options::{ScanOptions, SourceKind};
use super::progress::{Phase, Progress};
use super::resolve::resolve;
use super::scan::{Known, changes};
use super::{Index, IndexError, Report};

/// How much of a root is looked at again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refreshing {
    /// Directories that are unchanged are not read, but all their entries are asked for metadata:
    /// the result is that of a new scan.
    #[default]
    Exact,
    /// Everything is read.
    Full,
    /// Files of unchanged directories are taken over unseen: what was written to a file without
    /// its directory being changed stays unnoticed.
    Quick,
}

/// What is to be brought up to date, and how.
pub struct RefreshRequest {
    /// How much is looked at.
    pub how: Refreshing,
    /// Most threads that read.
    pub threads: usize,
    /// What time it is.
    pub now: fn() -> Timestamp,
    /// Ends the run early; the catalog is as it was then.
    pub cancel: CancelToken,
}

impl Index {
    /// The roots that a refresh is about: all that can be read again, or the one that `given` names.
    ///
    /// # Errors
    /// [`IndexError::Unknown`], [`IndexError::Ambiguous`].
    pub fn refreshable(&self, given: Option<&Path>) -> Result<Vec<RootRecord>, IndexError> {
        let roots = self.writer.catalog().roots();
        let mut roots = match given {
            Some(given) => vec![resolve(roots, given)?.clone()],
            None => roots.to_vec(),
        };
        roots.sort_by(|a, b| groma_base::compare_paths(&a.path, &b.path));
        Ok(roots)
    }

    /// Reads a root again, with the options that the catalog remembers, and publishes the result.
    ///
    /// # Errors
    /// [`IndexError`]; the catalog is as it was. [`IndexError::Gone`] when the root is not there,
    /// [`IndexError::Listed`] when it came from a list.
    pub fn refresh(
        &mut self,
        root: &RootRecord,
        request: &RefreshRequest,
        progress: &Progress,
        report: &dyn Report,
    ) -> Result<Added, IndexError> {
        if SourceKind::of(&root.source) != Some(SourceKind::Walk) {
            return Err(IndexError::Listed(os_path(&root.path)));
        }
        let path = self.place_of(root)?;
        // Where what is stored is damaged, nothing is known.
        let delta = match request.how {
            Refreshing::Full => None,
            _ => self.writer.delta(&root.key).ok().flatten(),
        };
        let is_quick = request.how == Refreshing::Quick;
        let view = delta.as_ref().and_then(|delta| delta.view().ok());
        let old = view.map(|view| (view, is_quick));
        let request = AddRequest {
            root: path,
            options: ScanOptions::from_source(&root.source),
            threads: request.threads,
            now: request.now,
            cancel: request.cancel.clone(),
        };
        let is_here = request.root == os_path(&root.path);
        if let Some((known, delta)) = old.clone().zip(delta).filter(|_| is_here)
            && let Some(refreshed) =
                self.add_changes(root, &request, (known, delta), progress, report)?
        {
            return Ok(refreshed);
        }
        progress.restart();
        self.add_knowing(&request, old, progress, report)
    }

    /// Looks for changes and publishes them. `None` when a new segment is better, or the only way.
    fn add_changes(
        &mut self,
        root: &RootRecord,
        request: &AddRequest,
        (known, mut delta): (Known, Delta),
        progress: &Progress,
        report: &dyn Report,
    ) -> Result<Option<Added>, IndexError> {
        let begun = (request.now)();
        progress.set_phase(Phase::Reading);
        let is_quick = known.1;
        let conditions = request.conditions(progress, report);
        let Some(scanned) = changes(&request.root, &request.options, known, &conditions)? else {
            return Ok(None);
        };
        let ended = (request.now)();
        progress.set_phase(Phase::Writing);
        if note(&mut delta, scanned.found, &scanned.devices, (begun, ended)).is_err() {
            return Ok(None);
        }
        let source = request.options.to_source(SourceKind::Walk, is_quick);
        if is_quick {
            // At no moment does a catalog claim more than it knows.
            self.writer.set_source(&root.key, &source)?;
        }
        let view = self.writer.append(&root.key, &mut delta, scanned.unread)?;
        if view.is_fold_due() {
            self.writer.fold(&root.key, &request.cancel)?;
        }
        self.writer.set_source(&root.key, &source)?;
        Ok(Some(Added {
            record: self.record(&root.key).unwrap_or_default(),
            replaced: Some(root.clone()),
            read_in: between(begun, ended),
        }))
    }

    fn place_of(&self, root: &RootRecord) -> Result<PathBuf, IndexError> {
        let table = MountTable::read().unwrap_or_default();
        match presence(root, &table) {
            Presence::Here => Ok(os_path(&root.path)),
            Presence::At(path) => Ok(path),
            _ => Err(IndexError::Gone(os_path(&root.path))),
        }
    }
}

/// Makes the changes that a scan found.
fn note(
    delta: &mut Delta,
    found: Vec<Findings>,
    devices: &Devices,
    (begun, ended): (Timestamp, Timestamp),
) -> Result<(), DeltaError> {
    for device in devices.seen() {
        delta.add_volume(devices.volume(device))?;
    }
    Findings::apply(found, delta)?;
    delta.mark_scanned(begun, ended)
}
