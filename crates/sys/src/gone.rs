//! Which errors mean that an entry is no longer what it was.

use std::io;

use groma_base::{FileId, Kind, Metadata};

/// Whether the entry vanished, or something else has its name now: what was found a moment ago as
/// a directory is none any more, or a link stands there, which is not followed. A network file
/// system says "stale".
pub fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory) || is_link_or_stale(error)
}

#[cfg(unix)]
fn is_link_or_stale(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ELOOP | libc::ESTALE))
}

#[cfg(not(unix))]
fn is_link_or_stale(_error: &io::Error) -> bool {
    false
}

/// Whether a name still stands for the node that is to be removed.
///
/// # Errors
/// `NotFound` when another node has the name now, or one of the other kind.
pub(crate) fn ensure_same(found: &Metadata, expected: FileId, is_dir: bool) -> io::Result<()> {
    if found.id == expected && (found.kind == Kind::Dir) == is_dir {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::NotFound,
        "another file has this name now",
    ))
}
