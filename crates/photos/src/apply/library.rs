//! A library's directories: opened relative to their parents, component by component, never across a link.

use std::collections::HashMap;
use std::ffi::CString;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use groma_base::{FileId, Kind, basename, folded, parent};
use groma_sys::{Dir, c_name, make_path};

use super::options::Failure;

/// Directories that are kept open, at most.
const KEPT_OPEN: usize = 128;

/// What a library keeps to itself.
pub(crate) const OWN: &[u8] = b".groma";

/// The directories of the library, or of the second place.
#[derive(Debug)]
pub(crate) struct Library {
    root: Arc<Dir>,
    open: Mutex<HashMap<Vec<u8>, Arc<Dir>>>,
}

/// A path below a library, in two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) dir: Vec<u8>,
    pub(crate) name: CString,
}

impl Target {
    /// # Errors
    /// [`Failure::BadPath`] for a path that would lead out of the library, or to what it keeps to itself.
    pub(crate) fn new(path: &[u8]) -> Result<Target, Failure> {
        let mut parts: Vec<&[u8]> = path.split(|&b| b == b'/').collect();
        let is_bad = |part: &&[u8]| matches!(*part, b"" | b"." | b"..") || part.contains(&0);
        let is_own = parts.first().is_some_and(|first| &folded(first)[..] == OWN);
        if is_own || parts.iter().any(is_bad) {
            return Err(Failure::BadPath);
        }
        let name = parts.pop().and_then(c_name).ok_or(Failure::BadPath)?;
        Ok(Target {
            dir: parts.join(&b'/'),
            name,
        })
    }
}

impl Library {
    /// Opens a library; its own directory is made where there is none.
    pub(crate) fn create(path: &[u8]) -> io::Result<Library> {
        Ok(Library::new(make_path(path)?))
    }

    /// Opens a library that must be there.
    pub(crate) fn open(path: &[u8]) -> io::Result<Library> {
        Ok(Library::new(Dir::open_long(path)?))
    }

    fn new(root: Dir) -> Library {
        Library {
            root: Arc::new(root),
            open: Mutex::default(),
        }
    }

    pub(crate) fn root(&self) -> &Dir {
        &self.root
    }

    /// The directory of a path below the library; `NotFound` when there is none.
    pub(crate) fn dir(&self, path: &[u8]) -> io::Result<Arc<Dir>> {
        if path.is_empty() {
            return Ok(Arc::clone(&self.root));
        }
        if let Some(dir) = self.kept().get(path) {
            return Ok(Arc::clone(dir));
        }
        let (parent, name) = self.at(path)?;
        let dir = Arc::new(parent.open_child(&name, false)?);
        let mut kept = self.kept();
        if kept.len() >= KEPT_OPEN {
            kept.clear();
        }
        kept.insert(path.to_vec(), Arc::clone(&dir));
        Ok(dir)
    }

    /// The directory that a path lies in, and its name there.
    fn at(&self, path: &[u8]) -> io::Result<(Arc<Dir>, CString)> {
        let name = c_name(basename(path)).ok_or(io::ErrorKind::InvalidInput)?;
        Ok((self.dir(parent(path))?, name))
    }

    /// Which directories on the way to a path are not there yet, the outermost first.
    pub(crate) fn missing(&self, path: &[u8]) -> io::Result<Vec<Vec<u8>>> {
        let mut missing = Vec::new();
        let mut path = path;
        loop {
            match self.dir(path) {
                Ok(_) => break,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            missing.push(path.to_vec());
            path = parent(path);
        }
        missing.reverse();
        Ok(missing)
    }

    /// Makes a directory whose parent is there; that it is there already is no failure.
    pub(crate) fn make(&self, path: &[u8]) -> io::Result<()> {
        let (parent, name) = self.at(path)?;
        match parent.make_dir(&name) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => self.dir(path).map(|_| ()),
        }
    }

    /// A directory of the library's own, with those above it, which are made where they are missing.
    pub(crate) fn own_dir(&self, path: &[u8]) -> io::Result<Arc<Dir>> {
        for dir in self.missing(path)? {
            self.make(&dir)?;
            self.dir(parent(&dir))?.sync()?;
        }
        self.dir(path)
    }

    /// Removes a directory if it is empty, and says whether it was.
    pub(crate) fn remove_empty(&self, path: &[u8]) -> io::Result<bool> {
        self.kept().clear();
        let (parent, name) = match self.at(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            answer => answer?,
        };
        let id = match parent.stat(&name, false, false) {
            Ok(found) if found.kind == Kind::Dir => found.id,
            _ => return Ok(false),
        };
        let gone = parent.remove(&name, id, true);
        self.kept().clear();
        match gone {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(false),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Forgets open directories, which others may have replaced.
    pub(crate) fn forget(&self) {
        self.kept().clear();
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, HashMap<Vec<u8>, Arc<Dir>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The directory of an absolute path, open, and the name in it. Links on the way are followed, the last component never is.
pub(crate) fn open_parent(path: &[u8]) -> io::Result<(Dir, CString)> {
    let name = c_name(basename(path)).ok_or(io::ErrorKind::InvalidInput)?;
    Ok((Dir::open_long(parent(path))?, name))
}

/// The name of the temporary file of a row.
pub(crate) fn temporary_name(run: &str, row: u32) -> CString {
    c_name(format!(".groma-{run}-{row}.tmp").as_bytes()).unwrap_or_default()
}

/// Removes the temporary file of a row, if it is there and a file.
pub(crate) fn remove_temporary(dir: &Dir, name: &std::ffi::CStr) -> io::Result<()> {
    let found = match dir.stat(name, false, false) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        answer => answer?,
    };
    match found.kind {
        Kind::File | Kind::Symlink => remove_if_there(dir, name, found.id),
        _ => Ok(()),
    }
}

pub(crate) fn remove_if_there(dir: &Dir, name: &std::ffi::CStr, id: FileId) -> io::Result<()> {
    match dir.remove(name, id, false) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        answer => answer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_in_the_library() {
        for bad in [
            "", "/a", "a//b", "../a", "a/../b", "./a", "a/", ".groma/x", ".GROMA/x", "a\0b",
        ] {
            assert_eq!(
                Target::new(bad.as_bytes()),
                Err(Failure::BadPath),
                "{bad:?}"
            );
        }
        let target = Target::new(b"2023/06-June/a.jpg").unwrap();
        assert_eq!(
            (&target.dir[..], &*target.name),
            (&b"2023/06-June"[..], c"a.jpg")
        );
        assert_eq!(Target::new(b"a.jpg").unwrap().dir, b"");
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_crossed_and_only_empty_directories_go() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::create_dir(temp.path().join("out")).unwrap();
        let path = temp.path().join("lib");
        let library = Library::create(path.as_os_str().as_encoded_bytes()).unwrap();
        std::os::unix::fs::symlink("../out", path.join("link")).unwrap();
        assert!(library.missing(b"link/a").is_err() && library.own_dir(b"link/a").is_err());
        assert_eq!(
            library.missing(b"a/b").unwrap(),
            [b"a".to_vec(), b"a/b".to_vec()]
        );
        library.own_dir(b"a/b").unwrap();
        assert!(!library.remove_empty(b"a").unwrap() && library.remove_empty(b"a/b").unwrap());
        assert!(library.remove_empty(b"a").unwrap() && !library.remove_empty(b"a").unwrap());
    }
}
