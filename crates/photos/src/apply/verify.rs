//! Reads files of a library again and compares them with what is known of them.

use groma_base::Timestamp;

use super::copying::hash_of;
use super::library::{Library, Target};
use super::options::{Failure, Stop};
use crate::plan::Hash;

/// A file of a library, and what it was when it was last read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its path in the library.
    pub path: Vec<u8>,
    /// Apparent size, bytes.
    pub size: u64,
    /// When it was last written.
    pub modified: Timestamp,
    /// The hash of its bytes.
    pub hash: Hash,
}

/// What is not as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// There is no such file.
    Missing,
    /// It was written to since.
    Changed,
    /// Its size and its time are the same, and its bytes are others: nobody wrote them.
    Rotten,
    /// It cannot be read.
    Unreadable(String),
}

/// The sums of a verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Files that are as they were.
    pub sound: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Files that are not.
    pub findings: u64,
    /// Whether it was told to stop before its end.
    pub stopped: bool,
}

/// Reads every known file of the library at `path` from the disk, and tells what is not as it was.
///
/// # Errors
/// When the library itself cannot be opened.
pub fn verify(
    path: &[u8],
    known: impl Iterator<Item = Known>,
    stop: &Stop,
    mut found: impl FnMut(&Known, Finding),
) -> std::io::Result<Verified> {
    let library = Library::open(path)?;
    let mut sums = Verified::default();
    for known in known {
        if stop.is_wanted() {
            sums.stopped = true;
            break;
        }
        match check(&library, &known, stop) {
            Ok(None) => {
                sums.sound += 1;
                sums.bytes += known.size;
            }
            Err(Failure::Stopped) => sums.stopped = true,
            Ok(Some(finding)) => {
                sums.findings += 1;
                found(&known, finding);
            }
            Err(failure) => {
                sums.findings += 1;
                found(&known, Finding::Unreadable(failure.to_string()));
            }
        }
    }
    Ok(sums)
}

fn check(library: &Library, known: &Known, stop: &Stop) -> Result<Option<Finding>, Failure> {
    let target = Target::new(&known.path)?;
    let opened = library
        .dir(&target.dir)
        .and_then(|dir| dir.open_file(&target.name));
    let file = match opened {
        Err(error) if groma_sys::is_gone(&error) => return Ok(Some(Finding::Missing)),
        answer => answer?,
    };
    let before = file.metadata()?;
    if (before.size, before.modified) != (known.size, known.modified) {
        return Ok(Some(Finding::Changed));
    }
    file.forget_cached();
    if hash_of(&file, stop)? == known.hash {
        return Ok(None);
    }
    let after = file.metadata()?;
    Ok(Some(match after.modified == known.modified {
        true => Finding::Rotten,
        false => Finding::Changed,
    }))
}
