//! Files and directories that are put into a directory, through `std::fs` alone.

use std::ffi::CStr;
use std::fs;
use std::io;

use crate::dir::Dir;
use crate::log_file::LogFile;
use crate::names::os_path;
use crate::new_file::NewFile;

impl Dir {
    /// Makes the file `name`, for its owner only where the platform has owners, open to be written.
    ///
    /// # Errors
    /// What the platform answers; `AlreadyExists` where anything has the name.
    pub fn create_new(&self, name: &CStr) -> io::Result<NewFile> {
        let mut options = fs::OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        Ok(NewFile(options.open(self.child(name))?))
    }

    /// Opens the file `name`, which is made where there is none, to be written at its end.
    ///
    /// # Errors
    /// What the platform answers; `InvalidInput` when it is no regular file.
    pub fn open_log(&self, name: &CStr) -> io::Result<LogFile> {
        let path = self.child(name);
        if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let mut options = fs::OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        Ok(LogFile(options.open(path)?))
    }

    /// Makes the child directory `name` with the permissions that the process gives by default.
    ///
    /// # Errors
    /// What the platform answers; `AlreadyExists` where anything has the name.
    pub fn make_dir(&self, name: &CStr) -> io::Result<()> {
        fs::create_dir(self.child(name))
    }

    /// Gives the node of the child `name` another name as well.
    ///
    /// # Errors
    /// What the platform answers; `AlreadyExists`, `CrossesDevices` for another file system.
    pub fn link_new(&self, name: &CStr, to: &Dir, new_name: &CStr) -> io::Result<()> {
        fs::hard_link(self.child(name), to.child(new_name))
    }

    /// Makes the symbolic link `name` that leads to `target`.
    ///
    /// # Errors
    /// What the platform answers; `AlreadyExists` where anything has the name.
    pub fn link_symbolically(&self, target: &CStr, name: &CStr) -> io::Result<()> {
        let target = os_path(target.to_bytes());
        #[cfg(unix)]
        return std::os::unix::fs::symlink(target, self.child(name));
        #[cfg(windows)]
        return std::os::windows::fs::symlink_file(target, self.child(name));
        #[cfg(not(any(unix, windows)))]
        return Err(io::Error::new(
            io::ErrorKind::Unsupported,
            format!("{target:?} {name:?}"),
        ));
    }

    /// As [`Dir::rename_new`]; a file gets its second name first where links are to be had, so that
    /// nothing can be replaced.
    ///
    /// # Errors
    /// As [`Dir::rename_new`].
    pub fn place_new(&self, name: &CStr, to: &Dir, new_name: &CStr) -> io::Result<()> {
        match self.link_new(name, to, new_name) {
            Ok(()) => fs::remove_file(self.child(name)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            Err(_) => self.rename_new(name, to, new_name),
        }
    }

    /// Returns once the names in it are on the disk, where the platform can tell.
    ///
    /// # Errors
    /// What the platform answers.
    pub fn sync(&self) -> io::Result<()> {
        #[cfg(unix)]
        fs::File::open(self.child(c"."))?.sync_all()?;
        Ok(())
    }

    /// Nothing here syncs a file system as a whole.
    ///
    /// # Errors
    /// Always `Unsupported`.
    pub fn sync_file_system(&self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Bytes that this process may still write to its file system.
    ///
    /// # Errors
    /// What the platform answers; `Unsupported` where it does not tell.
    pub fn free_bytes(&self) -> io::Result<u64> {
        #[cfg(unix)]
        {
            let answer = rustix::fs::statvfs(self.child(c"."))?;
            Ok(answer.f_bavail.saturating_mul(answer.f_frsize))
        }
        #[cfg(not(unix))]
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The directory that an absolute path leads to.
    ///
    /// # Errors
    /// What the platform answers.
    pub fn open_long(path: &[u8]) -> io::Result<Dir> {
        Dir::open(&os_path(path))
    }
}

/// Whether syncing a whole file system reports that writing failed: there is no such call here.
pub fn sync_tells_errors() -> bool {
    false
}

/// Makes an absolute path of directories, links followed; those that are there stay as they are.
///
/// # Errors
/// What the platform answers.
pub fn make_path(path: &[u8]) -> io::Result<Dir> {
    let path = os_path(path);
    fs::create_dir_all(&path)?;
    Dir::open(&path)
}
