//! A snapshot or an export of ncdu, told by its first bytes, opened to be asked.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use groma_base::CancelToken;
use groma_catalog::{About, RootRecord, Snapshot, SnapshotFacts, View};

use super::import::{Packing, packing, read_ncdu};
use super::{SnapError, save};
use crate::catalogs::OpenRoot;

/// First bytes that tell what a file is.
pub(super) const START: usize = 8;

/// A tree that was opened.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The file or directory that it came from.
    pub path: PathBuf,
    /// Its entries.
    pub view: View,
    /// Root, source, time.
    pub about: About,
    /// What a snapshot says about itself; `None` of anything else.
    pub facts: Option<SnapshotFacts>,
    /// Places that could not be read.
    pub unread: u64,
    /// Whether the scan was ended before it was done.
    pub is_partial: bool,
}

/// Opens a snapshot. Every byte of the file is made sure of; sections are expanded when they are first
/// asked for.
///
/// # Errors
/// [`SnapError`].
pub fn open(path: &Path) -> Result<Snapshot, SnapError> {
    let bytes = read(path).map_err(|error| SnapError::io(path, error))?;
    Snapshot::from_bytes(bytes).map_err(|error| SnapError::snapshot(path, error))
}

/// Opens a snapshot and verifies everything in it.
///
/// # Errors
/// [`SnapError`].
pub fn verify(path: &Path, cancel: &CancelToken) -> Result<Snapshot, SnapError> {
    let snapshot = open(path)?;
    let verified = snapshot.verify(cancel);
    verified.map_err(|error| SnapError::snapshot(path, error))?;
    Ok(snapshot)
}

/// Opens a snapshot, or an export of ncdu, which may be packed. Of a snapshot, `is_whole`: everything
/// is expanded, so that whole columns can be read.
///
/// # Errors
/// [`SnapError`].
pub fn load(path: &Path, is_whole: bool, cancel: &CancelToken) -> Result<Loaded, SnapError> {
    let damaged = |damage| SnapError::damaged(path, damage);
    if kind(path).map_err(|error| SnapError::io(path, error))? == FileKind::Ncdu {
        let tree = read_ncdu(path, cancel)?;
        let view = tree.view().map_err(damaged)?;
        return Ok(Loaded {
            path: path.to_owned(),
            about: view.about().map_err(damaged)?,
            view,
            facts: None,
            unread: tree.unread,
            is_partial: false,
        });
    }
    let failed = |error| SnapError::snapshot(path, error);
    let bytes = read(path).map_err(|error| SnapError::io(path, error))?;
    let snapshot = Snapshot::prepared(bytes).map_err(failed)?;
    if is_whole {
        snapshot.expand(cancel).map_err(failed)?;
    }
    let view = snapshot.view().map_err(damaged)?;
    let facts = snapshot.facts().clone();
    Ok(Loaded {
        path: path.to_owned(),
        about: view.about().map_err(damaged)?,
        view,
        unread: facts.unread,
        is_partial: facts.is_partial,
        facts: Some(facts),
    })
}

/// Whether a file says that it is a snapshot.
pub fn is_one(path: &Path) -> bool {
    let mut start = [0; START];
    let read = regular(path).and_then(|mut file| save::fill(&mut file, &mut start));
    read.is_ok_and(|length| Snapshot::is_one(start.get(..length).unwrap_or_default()))
}

/// What a file says that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    /// An export of ncdu, packed or not.
    Ncdu,
    /// A snapshot, or nothing that is known.
    Other,
}

fn kind(path: &Path) -> io::Result<FileKind> {
    let mut start = [0; START];
    let length = save::fill(&mut regular(path)?, &mut start)?;
    let start = start.get(..length).unwrap_or_default();
    let is_json = start.trim_ascii_start().first() == Some(&b'[');
    Ok(match is_json || packing(start) != Packing::None {
        true => FileKind::Ncdu,
        false => FileKind::Other,
    })
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = regular(path)?;
    let length = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    let mut bytes = Vec::new();
    let room = bytes.try_reserve_exact(length);
    room.map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What is no regular file might have no end.
pub(super) fn regular(path: &Path) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        ));
    }
    File::open(path)
}

impl Loaded {
    /// A root that was read.
    ///
    /// # Errors
    /// [`SnapError`] when it does not tell its root.
    pub fn of_root(root: &OpenRoot, is_partial: bool) -> Result<Loaded, SnapError> {
        let path = groma_sys::os_path(&root.record.path);
        let about = root.view.about();
        Ok(Loaded {
            about: about.map_err(|damage| SnapError::damaged(&path, damage))?,
            path,
            view: root.view.clone(),
            facts: None,
            unread: root.record.unread,
            is_partial,
        })
    }

    /// The same as a root that can be asked.
    pub fn into_root(self) -> OpenRoot {
        OpenRoot {
            record: RootRecord {
                path: self.about.root.clone(),
                source: self.about.source.clone(),
                rows: self.view.len(),
                entries: self.view.len(),
                unread: self.unread,
                ended: self.about.ended,
                ..RootRecord::default()
            },
            view: self.view,
        }
    }

    /// A tree of now.
    ///
    /// # Errors
    /// [`SnapError`] when it does not tell its root.
    pub fn of_tree(path: &Path, tree: &super::Tree) -> Result<Loaded, SnapError> {
        let damaged = |damage| SnapError::damaged(path, damage);
        let view = View::sealed(Arc::clone(&tree.segment)).map_err(damaged)?;
        Ok(Loaded {
            path: path.to_owned(),
            about: view.about().map_err(damaged)?,
            view,
            facts: None,
            unread: tree.unread,
            is_partial: tree.is_partial,
        })
    }
}
