//! One line of a plan: a file, and what is to become of it.

use crate::{Dated, Identity};

/// A BLAKE3 hash of all bytes of a file.
pub type Hash = [u8; 32];

/// What holds for a whole plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// What was asked to be imported: absolute paths, raw bytes.
    pub sources: Vec<Vec<u8>>,
    /// The library: an absolute path, raw bytes.
    pub library: Vec<u8>,
    /// A second place that gets a copy of everything: an absolute path.
    pub second: Option<Vec<u8>>,
    /// How files get there.
    pub mode: Mode,
}

/// How files get into a library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// As copies; sources stay.
    #[default]
    Copy,
    /// Sources are gone once what replaces them is durable and verified.
    Move,
    /// As another name of the same node.
    Hardlink,
    /// As a copy that shares its blocks.
    Reflink,
    /// As a symbolic link to the source.
    Symlink,
}

/// A file of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its place in the plan: rows are in the order of their sources' paths.
    pub number: u32,
    /// Its absolute path, raw bytes.
    pub source: Vec<u8>,
    /// What it was when the plan was made.
    pub identity: Identity,
    /// Files of one unit are placed together or not at all: a picture and its companions.
    /// The number of the row that leads it.
    pub unit: u32,
    /// What it is in its unit.
    pub role: Role,
    /// What is to become of it.
    pub action: Action,
    /// When it was taken, and how that is known.
    pub dated: Option<Dated>,
    /// The hash of its bytes, where planning had to read all of them.
    pub hash: Option<Hash>,
}

/// What a file is in its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The picture or video that the unit is named after.
    Lead,
    /// The RAW or the JPEG of the same shot.
    Sibling,
    /// The movie of a Live Photo.
    LiveMovie,
    /// Another picture of the burst.
    Burst,
    /// Settings, edits, sound, thumbnails, and JSON of Takeout: what only means something beside its lead.
    Sidecar,
}

/// What is to become of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// It gets a name in the library.
    Place {
        /// The path in the library, `/` between components, raw bytes.
        to: Vec<u8>,
        /// What has this name now and is to be kept aside; `None`: the name must be free.
        replaces: Option<Identity>,
    },
    /// Its bytes are there already, or come from another source.
    Duplicate {
        /// The other one: a path in the library, or an absolute path of a source.
        of: Vec<u8>,
        /// Whether `of` is in the library.
        in_library: bool,
    },
    /// It is left where it is.
    Skip(Skip),
    /// Nothing can be done with it: why.
    Fail(String),
}

/// Why a file is left where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Skip {
    /// Its name in the library is taken, and conflicts are to be skipped.
    Taken,
    /// It is in the library already under just this name.
    Already,
    /// It has no date, and such files are to be skipped.
    Undated,
    /// A filter leaves it out.
    Filtered,
    /// It is another name of a source: that one's absolute path.
    SameFile(Vec<u8>),
    /// It is a symbolic link, and links are not followed.
    Link,
    /// It is no photo or video, whatever its name says.
    NotMedia,
}
