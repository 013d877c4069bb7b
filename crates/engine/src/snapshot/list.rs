//! The snapshots in a directory.

use std::ffi::CString;
use std::fs::File;
use std::path::{Path, PathBuf};

use groma_base::{CancelToken, FileId};
use groma_catalog::{About, Snapshot, SnapshotFacts};
use groma_sys::{Dir, c_name, path_bytes};

use super::{SnapError, load, save};

/// A file in a directory that says that it is a snapshot.
#[derive(Debug)]
pub struct Listed {
    /// Its path: the directory's, and its name.
    pub path: PathBuf,
    /// What it says about itself and about its tree, or what is wrong with it.
    pub told: Result<(SnapshotFacts, About), SnapError>,
    /// The node of the file.
    pub(super) id: FileId,
}

/// Opens all snapshots that lie directly in a directory, by root, then by time; damaged ones are last.
/// `is_thorough`: everything in them is verified.
///
/// # Errors
/// [`SnapError::Io`] when the directory cannot be read, [`SnapError::Cancelled`].
pub fn list(dir: &Path, is_thorough: bool, cancel: &CancelToken) -> Result<Vec<Listed>, SnapError> {
    let failed = |error| SnapError::io(dir, error);
    let open = Dir::open(dir).map_err(failed)?;
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if cancel.is_cancelled() {
            return Err(SnapError::Cancelled);
        }
        let Some(name) = name_of(&entry.path()) else {
            continue;
        };
        // What is no regular file, or is gone, or may not be read, says nothing.
        let metadata = open.stat(&name, false, false).ok();
        let metadata = metadata.filter(|m| m.kind == groma_base::Kind::File);
        let Some(metadata) = metadata.filter(|_| says_so(&entry.path())) else {
            continue;
        };
        found.push(Listed {
            told: tell(&entry.path(), is_thorough, cancel),
            path: entry.path(),
            id: metadata.id,
        });
    }
    found.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| a.path.cmp(&b.path)));
    Ok(found)
}

/// The last component of a path, for a call relative to an open directory.
pub(super) fn name_of(path: &Path) -> Option<CString> {
    c_name(&path_bytes(Path::new(path.file_name()?)))
}

fn says_so(path: &Path) -> bool {
    let mut start = [0; load::START];
    let read = File::open(path).and_then(|mut file| save::fill(&mut file, &mut start));
    read.is_ok_and(|read| Snapshot::is_one(start.get(..read).unwrap_or_default()))
}

fn tell(
    path: &Path,
    is_thorough: bool,
    cancel: &CancelToken,
) -> Result<(SnapshotFacts, About), SnapError> {
    let snapshot = match is_thorough {
        true => load::verify(path, cancel)?,
        false => load::open(path)?,
    };
    let about = snapshot.segment().about();
    let about = about.map_err(|damage| SnapError::damaged(path, damage))?;
    Ok((snapshot.facts().clone(), about))
}

/// Damaged ones have nothing to be sorted by but their names.
fn key(listed: &Listed) -> (bool, &[u8], i64, u32) {
    match &listed.told {
        Ok((_, about)) => (
            false,
            &about.root,
            about.ended.seconds,
            about.ended.nanoseconds,
        ),
        Err(_) => (true, b"", 0, 0),
    }
}
