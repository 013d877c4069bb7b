//! A directory of ours: nobody else may look into it or change what lies in it.

use std::fs::{DirBuilder, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, Stat};

use crate::mapping::Mapping;
use crate::replace;

/// A directory that belongs to this user and is closed to everybody else. Its files are replaced
/// whole or not at all.
#[derive(Debug)]
pub struct PrivateDir {
    fd: OwnedFd,
    path: PathBuf,
}

/// Held by the one process that writes; ends when it is dropped, or with the process.
#[derive(Debug)]
pub struct DirLock(
    #[allow(dead_code, reason = "the lock lives as long as the descriptor")] OwnedFd,
);

impl PrivateDir {
    /// Opens the directory.
    ///
    /// # Errors
    /// What open(2) answers; `PermissionDenied` when it belongs to somebody else or is open to
    /// others.
    pub fn open(path: &Path) -> io::Result<PrivateDir> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = rustix::fs::open(path, flags, Mode::empty())?;
        let stat = rustix::fs::fstat(&fd)?;
        refuse_strangers(&stat, 0o077)?;
        Ok(PrivateDir {
            fd,
            path: path.to_owned(),
        })
    }

    /// Opens the directory; where there is none it is made, with those above it, closed to others.
    ///
    /// # Errors
    /// As [`PrivateDir::open`], or what mkdir(2) answers.
    pub fn create(path: &Path) -> io::Result<PrivateDir> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)?;
        PrivateDir::open(path)
    }

    /// Where it is, as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Maps a file of this directory.
    ///
    /// # Errors
    /// What openat(2) or mmap(2) answers; `PermissionDenied` when it belongs to somebody else or
    /// others may write to it; `InvalidData` when it is no regular file.
    pub fn map(&self, name: &str) -> io::Result<Mapping> {
        Mapping::new(&self.open_file(name)?)
    }

    /// Reads a file of this directory.
    ///
    /// # Errors
    /// As [`PrivateDir::map`]; `FileTooLarge` when it has more than `limit` bytes.
    pub fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        let file = self.open_file(name)?;
        file.take(limit.saturating_add(1))
            .read_to_end(&mut content)?;
        if content.len() as u64 > limit {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(content)
    }

    /// Reads the first bytes of a file of this directory: as many as `length`, be there more.
    ///
    /// # Errors
    /// As [`PrivateDir::map`]; `UnexpectedEof` when there are fewer.
    pub fn read_start(&self, name: &str, length: u64) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        let file = self.open_file(name)?;
        file.take(length).read_to_end(&mut content)?;
        if content.len() as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(content)
    }

    /// Writes `bytes` behind the first `length` bytes of a file and synchronises it; what stood
    /// there is cut off. With a `length` of 0 the file is made where there is none. A crash leaves
    /// the first bytes as they were, and behind them anything.
    ///
    /// Only for files that are read, never mapped.
    ///
    /// # Errors
    /// As [`PrivateDir::map`], or what a system call answers; `UnexpectedEof` when the file has
    /// fewer bytes.
    pub fn append(&self, name: &str, length: u64, bytes: &[u8]) -> io::Result<()> {
        let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let make = OFlags::CREATE | OFlags::TRUNC;
        let flags = if length == 0 { flags | make } else { flags };
        let mode = Mode::RUSR | Mode::WUSR;
        let mut file = File::from(rustix::fs::openat(&self.fd, name, flags, mode)?);
        let stat = rustix::fs::fstat(&file)?;
        refuse_strangers(&stat, 0o022)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(io::ErrorKind::InvalidData.into());
        }
        if u64::try_from(stat.st_size).unwrap_or(0) < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        file.write_all(bytes)?;
        file.sync_all()?;
        match length {
            0 => Ok(rustix::fs::fsync(&self.fd)?),
            _ => Ok(()),
        }
    }

    fn open_file(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let fd = rustix::fs::openat(&self.fd, name, flags, Mode::empty())?;
        let stat = rustix::fs::fstat(&fd)?;
        refuse_strangers(&stat, 0o022)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(File::from(fd))
    }

    /// Makes or replaces the file `name`: `write` fills a new file under a temporary name, which is
    /// synchronised, renamed, and the directory synchronised. Whoever looks meanwhile, or after a
    /// crash, sees the old file or the new one.
    ///
    /// # Errors
    /// What `write` answers, or a system call; `name` is as it was, unless the directory was the
    /// last that could not be synchronised.
    pub fn replace<T, E: From<io::Error>>(
        &self,
        name: &str,
        write: impl FnOnce(&mut File) -> Result<T, E>,
    ) -> Result<T, E> {
        let temporary = format!("{name}{}", PrivateDir::TEMPORARY);
        let _ = self.remove(&temporary);
        let publish = |file: &File| {
            file.sync_all()?;
            self.rename(&temporary, name)
        };
        let discard = || drop(self.remove(&temporary));
        replace::in_steps(|| self.create_file(&temporary), write, publish, discard)
    }

    /// What the names of files end in that are being written.
    pub const TEMPORARY: &'static str = ".tmp";

    fn create_file(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        Ok(rustix::fs::openat(&self.fd, name, flags, mode)?.into())
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        rustix::fs::renameat(&self.fd, from, &self.fd, to)?;
        Ok(rustix::fs::fsync(&self.fd)?)
    }

    /// Removes a file. Mappings of it stay valid.
    ///
    /// # Errors
    /// What unlinkat(2) answers.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.fd, name, AtFlags::empty())?)
    }

    /// The names of its files, as far as they are text; in no order.
    ///
    /// # Errors
    /// What getdents64(2) answers.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.fd)? {
            let entry = entry?;
            if let Ok(name) = entry.file_name().to_str()
                && name != "."
                && name != ".."
            {
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }

    /// Takes the lock of writers, a file of this directory; `None` when another process has it.
    ///
    /// # Errors
    /// What openat(2) or flock(2) answers.
    pub fn lock(&self, name: &str) -> io::Result<Option<DirLock>> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fd = rustix::fs::openat(&self.fd, name, flags, Mode::RUSR | Mode::WUSR)?;
        match rustix::fs::flock(&fd, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(DirLock(fd))),
            Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Fails for what belongs to another user, or gives others any of the permissions `refused`.
fn refuse_strangers(stat: &Stat, refused: u32) -> io::Result<()> {
    let denied = |why| Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    if stat.st_uid != rustix::process::geteuid().as_raw() {
        return denied("it belongs to another user");
    }
    if stat.st_mode & refused != 0 {
        return denied("others have access to it (chmod go-rwx helps)");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn fixture() -> (tempfile::TempDir, PrivateDir) {
        let temp = tempfile::tempdir().unwrap();
        let dir = PrivateDir::create(&temp.path().join("a/b")).unwrap();
        (temp, dir)
    }

    #[test]
    fn files_are_replaced_whole_or_not_at_all() {
        let (_temp, dir) = fixture();
        let write = |text: &'static str| move |file: &mut File| file.write_all(text.as_bytes());
        dir.replace("f", write("one")).unwrap();
        let old = dir.map("f").unwrap();
        dir.replace("f", write("two two")).unwrap();
        assert_eq!(
            (&old[..], &dir.map("f").unwrap()[..]),
            (&b"one"[..], &b"two two"[..])
        );
        let failed: io::Result<()> = dir.replace("f", |file| {
            file.write_all(b"half")?;
            Err(io::ErrorKind::Other.into())
        });
        assert!(failed.is_err());
        assert_eq!(dir.read("f", 7).unwrap(), b"two two");
        assert!(dir.read("f", 6).is_err());
        assert_eq!(dir.names().unwrap(), ["f"]);
    }

    #[test]
    fn a_file_grows_behind_its_first_bytes() {
        let (_temp, dir) = fixture();
        assert!(dir.append("f", 1, b"x").is_err());
        dir.append("f", 0, b"head").unwrap();
        dir.append("f", 4, b" torn tail").unwrap();
        dir.append("f", 4, b" one").unwrap();
        assert_eq!(dir.read("f", 99).unwrap(), b"head one");
        assert_eq!(dir.read_start("f", 4).unwrap(), b"head");
        assert!(dir.append("f", 9, b"x").is_err() && dir.read_start("f", 9).is_err());
        dir.append("f", 0, b"new").unwrap();
        assert_eq!(dir.read("f", 99).unwrap(), b"new");
        std::os::unix::fs::symlink("f", dir.path().join("l")).unwrap();
        assert!(dir.append("l", 3, b"x").is_err());
    }

    #[test]
    fn what_others_can_reach_is_refused() {
        let (temp, dir) = fixture();
        dir.replace("f", |file| file.write_all(b"x")).unwrap();
        let open_to_all = |path: &Path, mode| {
            std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
        };
        open_to_all(&temp.path().join("a/b/f"), 0o622);
        assert!(dir.map("f").is_err());
        open_to_all(&temp.path().join("a/b"), 0o750);
        assert!(PrivateDir::open(&temp.path().join("a/b")).is_err());
        std::os::unix::fs::symlink("/etc/passwd", temp.path().join("a/b/l")).unwrap();
        assert!(dir.map("l").is_err());
        assert!(dir.map("missing").is_err());
    }

    #[test]
    fn one_writer_at_a_time() {
        let (_temp, dir) = fixture();
        let lock = dir.lock("lock").unwrap();
        assert!(lock.is_some() && dir.lock("lock").unwrap().is_none());
        drop(lock);
        assert!(dir.lock("lock").unwrap().is_some());
    }
}
