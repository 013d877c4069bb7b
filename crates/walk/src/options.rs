//! What a walk is told.

use std::path::PathBuf;

use groma_base::CancelToken;
use groma_sys::Dir;

use crate::rules::Rules;

/// A directory to walk, opened.
#[derive(Debug)]
pub struct Root {
    /// What is put before the paths of its entries: empty, or ending in `/`.
    pub prefix: Vec<u8>,
    /// The directory itself.
    pub dir: Dir,
    /// Its absolute path; only asked for when ignore rules are in force.
    pub absolute: PathBuf,
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
