//! The JSON that ncdu exports and imports: `[1, 2, {metadata}, [{directory}, entry, [...] ...]]`.
//!
//! Both directions stream, and neither recurses: trees may be of any size and any depth. Names are raw
//! bytes, as ncdu writes them, and so the files need not be UTF-8. What ncdu reads is kept apart from
//! what it means: an [`NcduItem`] has what stood in the file, nothing is made up.

mod item;
mod reader;
mod scanner;
mod writer;

use std::io;

use groma_base::{Excluded, Timestamp};
use thiserror::Error;

pub use reader::NcduReader;
pub use writer::NcduWriter;

/// The version of the form that is read (any minor one) and written.
pub const MAJOR: u64 = 1;
/// The minor version that is written.
pub const MINOR: u64 = 2;

/// Why a file is no export of ncdu.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NcduError {
    /// Reading failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Something else stands where something is expected.
    #[error("line {line}, byte {byte}: expected {expected}, found {found}")]
    Unexpected {
        /// The line, from 1.
        line: u64,
        /// The byte in the file, from 0.
        byte: u64,
        /// What was expected there.
        expected: &'static str,
        /// What was found.
        found: String,
    },
}

/// What an export says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NcduHeader {
    /// The minor version of the form.
    pub minor: u64,
    /// The program that wrote it; raw bytes.
    pub program: Vec<u8>,
    /// That program's version; raw bytes.
    pub version: Vec<u8>,
    /// When it was written, seconds since 1970.
    pub timestamp: Option<i64>,
}

/// One entry of an export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NcduItem {
    /// Its name, raw bytes; of the root, the path.
    pub name: Vec<u8>,
    /// Apparent size, bytes. Absent stands for 0.
    pub size: Option<u64>,
    /// Bytes on disk. Absent stands for 0.
    pub allocated: Option<u64>,
    /// Device number. Absent stands for that of the directory around it.
    pub device: Option<u64>,
    /// Inode number.
    pub inode: Option<u64>,
    /// Whether the node has more than one link.
    pub is_hard_link: bool,
    /// Number of links.
    pub links: Option<u64>,
    /// Whether it, or what lies in it, could not be read.
    pub has_read_error: bool,
    /// Why it was left out.
    pub excluded: Option<Excluded>,
    /// Whether it is neither a file nor a directory.
    pub is_special: bool,
    /// Owner.
    pub uid: Option<u32>,
    /// Group.
    pub gid: Option<u32>,
    /// Unix mode, type bits included where the writer knew them.
    pub mode: Option<u32>,
    /// Last change of content. ncdu writes whole seconds, and reads a fraction over.
    pub modified: Option<Timestamp>,
}

/// What [`NcduReader::read`] has met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NcduEvent {
    /// A directory, which is described; what follows lies in it, up to [`NcduEvent::Up`].
    Dir,
    /// An entry that nothing lies in, which is described.
    Entry,
    /// The directory at hand is done.
    Up,
    /// The whole export is done.
    End,
}

/// The words for reasons of leaving out, as they are written.
const EXCLUDED: [(&str, Excluded); 4] = [
    ("pattern", Excluded::Pattern),
    ("otherfs", Excluded::OtherFileSystem),
    ("kernfs", Excluded::Pseudo),
    ("frmlnk", Excluded::Firmlink),
];
/// The last of these as it stands in ncdu's documents.
const OTHER_WORDS: [(&str, Excluded); 2] = [
    ("otherdev", Excluded::OtherFileSystem),
    ("firmlink", Excluded::Firmlink),
];
