//! Files and directories that are put into a directory, on Linux: relative to it, never over what is there.

use std::ffi::CStr;
use std::io;

use rustix::fs::{AtFlags, Mode, OFlags};

use crate::dir::Dir;
use crate::log_file::LogFile;
use crate::new_file::NewFile;

impl Dir {
    /// Makes the file `name`, for its owner only, open to be written (openat(2)).
    ///
    /// # Errors
    /// What openat(2) answers; `AlreadyExists` where anything has the name.
    pub fn create_new(&self, name: &CStr) -> io::Result<NewFile> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let fd = rustix::fs::openat(self, name, flags, Mode::RUSR | Mode::WUSR)?;
        Ok(NewFile(fd.into()))
    }

    /// Opens the file `name`, which is made where there is none, to be written at its end.
    ///
    /// # Errors
    /// What openat(2) answers.
    pub fn open_log(&self, name: &CStr) -> io::Result<LogFile> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let flags = flags | OFlags::NONBLOCK | OFlags::NOCTTY;
        let fd = rustix::fs::openat(self, name, flags, Mode::RUSR | Mode::WUSR)?;
        Ok(LogFile(fd.into()))
    }

    /// Makes the child directory `name` with the permissions that the process gives by default.
    ///
    /// # Errors
    /// What mkdirat(2) answers; `AlreadyExists` where anything has the name.
    pub fn make_dir(&self, name: &CStr) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(self, name, Mode::from_raw_mode(0o777))?)
    }

    /// Gives the node of the child `name` another name as well (linkat(2)); links are not followed.
    ///
    /// # Errors
    /// What linkat(2) answers: `AlreadyExists`, `CrossesDevices` for another file system or mount.
    pub fn link_new(&self, name: &CStr, to: &Dir, new_name: &CStr) -> io::Result<()> {
        Ok(rustix::fs::linkat(
            self,
            name,
            to,
            new_name,
            AtFlags::empty(),
        )?)
    }

    /// Makes the symbolic link `name` that leads to `target` (symlinkat(2)).
    ///
    /// # Errors
    /// What symlinkat(2) answers; `AlreadyExists` where anything has the name.
    pub fn link_symbolically(&self, target: &CStr, name: &CStr) -> io::Result<()> {
        Ok(rustix::fs::symlinkat(target, self, name)?)
    }

    /// As [`Dir::rename_new`], also where the file system cannot rename without replacing: a file gets
    /// its second name first, and loses the old one then.
    ///
    /// # Errors
    /// As [`Dir::rename_new`] and [`Dir::link_new`].
    pub fn place_new(&self, name: &CStr, to: &Dir, new_name: &CStr) -> io::Result<()> {
        match self.rename_new(name, to, new_name) {
            Err(error) if error.raw_os_error().is_some_and(is_unknown) => {
                self.link_new(name, to, new_name)?;
                Ok(rustix::fs::unlinkat(self, name, AtFlags::empty())?)
            }
            answer => answer,
        }
    }

    /// Returns once the names in it are on the disk (fsync(2)).
    ///
    /// # Errors
    /// What fsync(2) answers.
    pub fn sync(&self) -> io::Result<()> {
        Ok(rustix::fs::fsync(self)?)
    }

    /// Returns once all that was written to its file system is on the disk (syncfs(2)).
    ///
    /// # Errors
    /// What syncfs(2) answers; see [`sync_tells_errors`].
    pub fn sync_file_system(&self) -> io::Result<()> {
        Ok(rustix::fs::syncfs(self)?)
    }

    /// Bytes that this process may still write to its file system (fstatvfs(3)).
    ///
    /// # Errors
    /// What fstatvfs(3) answers.
    pub fn free_bytes(&self) -> io::Result<u64> {
        let answer = rustix::fs::fstatvfs(self)?;
        Ok(answer.f_bavail.saturating_mul(answer.f_frsize))
    }

    /// The directory that an absolute path leads to, opened component by component, so that a path may be of any length.
    ///
    /// # Errors
    /// What openat(2) answers.
    pub fn open_long(path: &[u8]) -> io::Result<Dir> {
        let short = path.len() < 4000;
        if short {
            return Dir::open(&crate::os_path(path));
        }
        let parts = path.split(|&b| b == b'/').filter(|part| !part.is_empty());
        let mut dir = Dir::open(std::path::Path::new("/"))?;
        for part in parts {
            let name = crate::c_name(part).ok_or(io::ErrorKind::InvalidInput)?;
            dir = dir.open_child(&name, true)?;
        }
        Ok(dir)
    }
}

fn is_unknown(code: i32) -> bool {
    [libc::EINVAL, libc::ENOSYS, libc::EOPNOTSUPP].contains(&code)
}

/// Whether syncing a whole file system reports that writing failed: since Linux 5.8 (syncfs(2)).
/// Elsewhere each file has to be synced on its own.
pub fn sync_tells_errors() -> bool {
    let name = rustix::system::uname();
    tells_errors(&name.release().to_string_lossy())
}

fn tells_errors(release: &str) -> bool {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit());
    let mut next = || numbers.next().and_then(|n| n.parse::<u32>().ok());
    let (major, minor) = (next().unwrap_or(0), next().unwrap_or(0));
    (major, minor) >= (5, 8)
}

/// Makes an absolute path of directories, links followed; those that are there stay as they are.
///
/// # Errors
/// What mkdirat(2) or openat(2) answers.
pub fn make_path(path: &[u8]) -> io::Result<Dir> {
    match Dir::open_long(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        answer => return answer,
    }
    let mut dir = Dir::open(std::path::Path::new("/"))?;
    for part in path.split(|&b| b == b'/').filter(|part| !part.is_empty()) {
        let name = crate::c_name(part).ok_or(io::ErrorKind::InvalidInput)?;
        match rustix::fs::mkdirat(&dir, &*name, Mode::from_raw_mode(0o777)) {
            Ok(()) | Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        dir = dir.open_child(&name, true)?;
    }
    Ok(dir)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_read() {
        for (release, tells) in [
            ("5.8.0-1-amd64", true),
            ("5.7.19", false),
            ("6.1", true),
            ("4.19", false),
            ("x", false),
        ] {
            assert_eq!(tells_errors(release), tells, "{release}");
        }
    }
}
