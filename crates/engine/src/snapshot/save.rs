//! A tree saved: read, written under a temporary name, renamed.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use groma_base::{CancelToken, FileId};
use groma_catalog::{Kept, Snapshot, SnapshotError, SnapshotFacts, Times};
use groma_sys::Dir;

use super::tree::{LiveRequest, Tree, live};
use super::{SnapError, list, load};
use crate::index::{Phase, Progress, Report};

/// Bytes that are written at a time.
const BUFFER: usize = 1 << 18;

/// What is to be saved, and where.
pub struct SaveRequest {
    /// The tree, and how it is read. What it omits is found out here.
    pub live: LiveRequest,
    /// The file. One that is there is replaced if it is a snapshot.
    pub output: PathBuf,
    /// Which times are kept.
    pub times: Times,
}

/// What was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// What the snapshot says about itself.
    pub facts: SnapshotFacts,
    /// The root's path; raw bytes.
    pub root: Vec<u8>,
}

/// Reads a tree and saves it. The file that is written is no part of it: it is made after the tree
/// was read, and one that is replaced is left out.
///
/// # Errors
/// [`SnapError`]; the file is as it was.
pub fn save(
    mut request: SaveRequest,
    progress: &Progress,
    report: &dyn Report,
) -> Result<Saved, SnapError> {
    make_sure(&request.output)?;
    request.live.omit = node(&request.output);
    let tree = live(&request.live, progress, report)?;
    let cancel = match tree.is_partial {
        true => CancelToken::new(),
        false => request.live.cancel.clone(),
    };
    progress.set_phase(Phase::Writing);
    write(
        &tree,
        &request.output,
        request.times,
        request.live.threads,
        &cancel,
    )
}

/// Saves a tree that is in memory. The file is on the disk when this returns.
///
/// # Errors
/// [`SnapError`]; the file is as it was.
pub fn write(
    tree: &Tree,
    output: &Path,
    times: Times,
    threads: usize,
    cancel: &CancelToken,
) -> Result<Saved, SnapError> {
    make_sure(output)?;
    let kept = Kept {
        times,
        unread: tree.unread,
        is_partial: tree.is_partial,
    };
    let about = tree.segment.about();
    let about = about.map_err(|damage| SnapError::damaged(output, damage))?;
    let facts = groma_sys::replace_file(output, |file| -> Result<_, SnapshotError> {
        let mut out = BufWriter::with_capacity(BUFFER, &mut *file);
        let segment = &tree.segment;
        let facts = groma_catalog::write_snapshot(segment, &kept, threads, &mut out, cancel)?;
        out.flush()?;
        drop(out);
        // A terminal or a pipe has nothing to be synchronised.
        if file.metadata()?.is_file() {
            file.sync_all()?;
        }
        Ok(facts)
    });
    Ok(Saved {
        facts: facts.map_err(|error| SnapError::snapshot(output, error))?,
        root: about.root,
    })
}

/// Nothing but a snapshot is replaced by one.
fn make_sure(output: &Path) -> Result<(), SnapError> {
    match std::fs::metadata(output) {
        Ok(found) if found.is_file() && found.len() > 0 => {}
        _ => return Ok(()),
    }
    let mut start = [0; load::START];
    let read = File::open(output).and_then(|mut file| fill(&mut file, &mut start));
    let read = read.map_err(|error| SnapError::io(output, error))?;
    match Snapshot::is_one(start.get(..read).unwrap_or_default()) {
        true => Ok(()),
        false => Err(SnapError::Occupied(output.to_owned())),
    }
}

/// The node of a regular file; `None` where there is none.
fn node(path: &Path) -> Option<FileId> {
    let path = std::fs::canonicalize(path).ok()?;
    let parent = Dir::open(path.parent()?).ok()?;
    let name = list::name_of(&path)?;
    let metadata = parent.stat(&name, false, false).ok()?;
    (metadata.kind == groma_base::Kind::File).then_some(metadata.id)
}

/// Reads as many bytes as there are, and answers how many.
pub(super) fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match reader.read(rest) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
