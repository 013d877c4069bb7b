//! From the path of an entry to its name in an open directory, following no link on the way.

use std::ffi::CString;
use std::io;
use std::path::Path;

use groma_sys::{Dir, c_name, path_bytes};

/// The open directory that everything of a map lies below.
pub(super) struct Top {
    dir: Dir,
    /// Its path, without a slash at its end.
    path: Vec<u8>,
    /// Its device.
    pub(super) device: u64,
}

/// A name in an open directory.
pub(super) struct Place {
    pub(super) dir: Dir,
    pub(super) name: CString,
}

impl Top {
    pub(super) fn new(dir: Dir, path: &Path, device: u64) -> Top {
        let path = path_bytes(path);
        let path = path.strip_suffix(b"/").unwrap_or(&path).to_vec();
        Top { dir, path, device }
    }

    /// Opens the directory that an entry lies in, one component at a time.
    ///
    /// # Errors
    /// What opening one of them answers; `InvalidInput` for a path that does not lie below.
    pub(super) fn place(&self, path: &[u8]) -> io::Result<Place> {
        let below = path.strip_prefix(&self.path[..]);
        let below = below.and_then(|below| below.strip_prefix(b"/"));
        let below = below.ok_or(io::ErrorKind::InvalidInput)?;
        let mut names = below.split(|&b| b == b'/').map(checked);
        let mut name = names.next().ok_or(io::ErrorKind::InvalidInput)??;
        let mut dir = self.dir.open_child(c".", false)?;
        for next in names {
            dir = dir.open_child(&name, false)?;
            name = next?;
        }
        Ok(Place { dir, name })
    }
}

/// A component that is the name of an entry.
fn checked(name: &[u8]) -> io::Result<CString> {
    let is_name = !matches!(name, b"" | b"." | b"..");
    let name = c_name(name).filter(|_| is_name);
    name.ok_or_else(|| io::ErrorKind::InvalidInput.into())
}
