//! What a walk is told.

use std::io;
use std::path::PathBuf;

use groma_base::{CancelToken, FileId};
use groma_sys::Dir;

use crate::rules::Rules;

/// A directory to walk.
#[derive(Debug)]
pub struct Root {
    /// What is put before the paths of its entries: empty, or ending in `/`.
    pub prefix: Vec<u8>,
    /// The directory itself.
    pub dir: RootDir,
    /// Its absolute path; only asked for when ignore rules are in force.
    pub absolute: PathBuf,
    /// What [`crate::Place::tag`] is for it.
    pub tag: u64,
}

/// A root's directory.
#[derive(Debug)]
pub enum RootDir {
    /// It stays open.
    Open(Dir),
    /// There are too many to hold all open: it is opened when it is its turn.
    Closed(PathBuf, FileId),
}

impl Root {
    /// The directory, if it stays open.
    pub(crate) fn opened(&self) -> Option<&Dir> {
        match &self.dir {
            RootDir::Open(dir) => Some(dir),
            RootDir::Closed(..) => None,
        }
    }

    /// Opens a directory that does not stay open, and makes sure that it still is the same.
    pub(crate) fn open_again(&self) -> io::Result<Dir> {
        let RootDir::Closed(path, id) = &self.dir else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let dir = Dir::open(path)?;
        if dir.own_metadata(false)?.id != *id {
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                "the directory was replaced",
            ));
        }
        Ok(dir)
    }

    /// The device that it lies on.
    pub(crate) fn device(&self) -> io::Result<u64> {
        match &self.dir {
            RootDir::Open(dir) => Ok(dir.own_metadata(false)?.id.device),
            RootDir::Closed(_, id) => Ok(id.device),
        }
    }
}

/// How to walk.
pub struct WalkOptions {
    /// Most threads to use; at least 1. Small trees use fewer.
    pub threads: usize,
    /// Entries farther from the root than this are not looked at; the root's own have depth 1.
    pub max_depth: Option<u32>,
    /// Whether entries whose name begins with a dot are seen.
    pub hidden: bool,
    /// Whether symbolic links are followed.
    pub follow: bool,
    /// Whether directories of another file system than their root's are left closed.
    pub one_file_system: bool,
    /// Whether visitors are told each directory's identity, at the price of one fstat each.
    pub identities: bool,
    /// Whether each directory is entered only once, however many ways lead to it.
    pub unique: bool,
    /// What is left out.
    pub rules: Option<Rules>,
    /// Descriptors that the caller needs for itself meanwhile.
    pub reserved_descriptors: u64,
    /// Ends the walk early.
    pub cancel: CancelToken,
}

impl Default for WalkOptions {
    fn default() -> WalkOptions {
        WalkOptions {
            threads: 1,
            max_depth: None,
            hidden: true,
            follow: false,
            one_file_system: false,
            identities: false,
            unique: false,
            rules: None,
            reserved_descriptors: 0,
            cancel: CancelToken::new(),
        }
    }
}
