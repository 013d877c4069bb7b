//! The bytes of one file, from its source to a temporary file, and back from the disk.

use std::ffi::CStr;
use std::io;

use groma_base::{Metadata, Timestamp};
use groma_sys::{Dir, NewFile, OpenFile};

use super::library::remove_temporary;
use super::options::{Failure, Progress, Stop};
use crate::plan::{Hash, Row};

/// Bytes that are read at once.
const BLOCK: usize = 256 * 1024;

/// How a copy is to be made.
pub(crate) struct Copying<'a> {
    pub(crate) progress: &'a dyn Progress,
    pub(crate) stop: &'a Stop,
    /// Whether a copy must share its blocks, may, or must not.
    pub(crate) sharing: Sharing,
    /// Whether bytes that are shared are read too.
    pub(crate) verify: bool,
    /// Whether each file is synced on its own.
    pub(crate) sync: bool,
}

/// Whether a copy shares the blocks of its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sharing {
    Must,
    May,
    Never,
}

/// A temporary file that is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copied {
    pub(crate) inode: u64,
    pub(crate) size: u64,
    pub(crate) modified: Timestamp,
    pub(crate) hash: Option<Hash>,
    pub(crate) is_shared: bool,
}

/// Opens the source of a row, which must be what the plan was made for.
pub(crate) fn open_source(
    row: &Row,
    dir: &Dir,
    name: &CStr,
) -> Result<(OpenFile, Metadata), Failure> {
    let file = match dir.open_file(name) {
        Err(error) if groma_sys::is_gone(&error) => return Err(Failure::Gone),
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            return Err(Failure::SourceChanged);
        }
        answer => answer?,
    };
    let metadata = file.metadata()?;
    if !row.identity.is_of(&metadata) {
        return Err(Failure::SourceChanged);
    }
    Ok((file, metadata))
}

impl Copying<'_> {
    /// Copies an open source to a new temporary file, which is removed again when that fails.
    pub(crate) fn copy(
        &self,
        row: &Row,
        source: &OpenFile,
        dir: &Dir,
        name: &CStr,
    ) -> Result<Copied, Failure> {
        let new = match dir.create_new(name) {
            // Ours, from a run that was killed.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                remove_temporary(dir, name)?;
                dir.create_new(name)
            }
            answer => answer,
        };
        let answer = self.fill(row, source, new?);
        if answer.is_err() {
            // The first error tells more; what stays is swept by the next run.
            let _ = remove_temporary(dir, name);
        }
        answer
    }

    fn fill(&self, row: &Row, source: &OpenFile, mut new: NewFile) -> Result<Copied, Failure> {
        let before = source.metadata()?;
        let is_shared = self.share(source, &new)?;
        let hash = match is_shared {
            false => Some(self.pour(source, |block| new.write(block))?),
            true if self.verify || row.hash.is_some() => Some(self.pour(source, |_| Ok(()))?),
            true => None,
        };
        let after = source.metadata()?;
        let state = |m: &Metadata| (m.size, m.modified, m.changed);
        if state(&before) != state(&after) || !row.identity.is_of(&after) {
            return Err(Failure::ChangedMeanwhile);
        }
        if row.hash.is_some() && row.hash != hash {
            return Err(Failure::OtherHash);
        }
        new.copy_user_xattrs(source);
        new.set_permissions(&after)?;
        new.set_times(after.accessed, after.modified)?;
        if self.sync {
            new.sync()?;
        }
        let made = new.metadata()?;
        if made.size != after.size {
            return Err(Failure::ChangedMeanwhile);
        }
        Ok(Copied {
            inode: made.id.inode,
            size: made.size,
            modified: made.modified,
            hash,
            is_shared,
        })
    }

    fn share(&self, source: &OpenFile, new: &NewFile) -> Result<bool, Failure> {
        match self.sharing {
            Sharing::Never => Ok(false),
            Sharing::May => Ok(new.share_blocks(source).is_ok()),
            Sharing::Must => match new.share_blocks(source) {
                Ok(()) => Ok(true),
                Err(error) => Err(Failure::Unable(error.to_string())),
            },
        }
    }

    /// Passes all bytes of a file through the hasher and to `to`.
    fn pour(
        &self,
        file: &OpenFile,
        mut to: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<Hash, Failure> {
        hashed(file, self.stop, |block| {
            to(block)?;
            self.progress.copied(block.len() as u64);
            Ok(())
        })
    }
}

/// Passes all bytes of a file through the hasher and to `visit`, until it is told to stop.
fn hashed(
    file: &OpenFile,
    stop: &Stop,
    mut visit: impl FnMut(&[u8]) -> Result<(), Failure>,
) -> Result<Hash, Failure> {
    let mut hasher = blake3::Hasher::new();
    let size = usize::try_from(file.metadata()?.size).unwrap_or(BLOCK);
    // One byte more than a small file has, so that one read fills it and the next one shows its end.
    let mut block = vec![0; size.saturating_add(1).min(BLOCK)];
    let mut at = 0;
    loop {
        match file.read_at(&mut block, at)? {
            0 => return Ok(hasher.finalize().into()),
            count => {
                if stop.abort.is_cancelled() {
                    return Err(Failure::Stopped);
                }
                hasher.update(&block[..count]);
                visit(&block[..count])?;
                at += count as u64;
            }
        }
    }
}

/// The hash of all bytes of a file.
pub(crate) fn hash_of(file: &OpenFile, stop: &Stop) -> Result<Hash, Failure> {
    hashed(file, stop, |_| Ok(()))
}

/// Reads a synced file from the disk rather than from memory, and compares it with the hash of what was written.
/// A file in the very places of its source is not read: its source was.
pub(crate) fn read_back(
    file: &OpenFile,
    hash: &Hash,
    shares: Option<&OpenFile>,
    stop: &Stop,
) -> Result<(), Failure> {
    if shares.is_some_and(|source| file.has_extents_of(source).unwrap_or(false)) {
        return Ok(());
    }
    file.forget_cached();
    match hash_of(file, stop)? == *hash {
        true => Ok(()),
        false => Err(Failure::ReadBack),
    }
}
