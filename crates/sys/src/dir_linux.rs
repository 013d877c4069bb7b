//! Directories on Linux: opened relative to their parent, read with getdents64.

use std::ffi::{CStr, OsString};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

use groma_base::{FileId, Kind, Metadata, Timestamp};
use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags, StatxAttributes, StatxFlags};

use crate::buffer::DirBuffer;
use crate::examined::Examined;
use crate::gone::ensure_same;
use crate::open_file::OpenFile;

/// An open directory.
#[derive(Debug)]
pub struct Dir {
    fd: OwnedFd,
}

const OPEN: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC)
    .union(OFlags::NOCTTY);

impl Dir {
    /// Opens a directory by path, following a link in its last component.
    ///
    /// # Errors
    /// What open(2) answers; `ENOTDIR` when the path leads to something else.
    pub fn open(path: &Path) -> io::Result<Dir> {
        Ok(Dir {
            fd: rustix::fs::open(path, OPEN, Mode::empty())?,
        })
    }

    /// Opens the child directory `name`; a link is refused unless `follow`.
    ///
    /// # Errors
    /// What openat(2) answers; `ELOOP` or `ENOTDIR` for a link that is not to be followed.
    #[inline]
    pub fn open_child(&self, name: &CStr, follow: bool) -> io::Result<Dir> {
        let flags = if follow {
            OPEN
        } else {
            OPEN | OFlags::NOFOLLOW
        };
        Ok(Dir {
            fd: rustix::fs::openat(&self.fd, name, flags, Mode::empty())?,
        })
    }

    /// Appends the next records to `buffer`. Returns `false` at the end of the directory.
    ///
    /// # Errors
    /// What getdents64(2) answers. Records read before stay valid.
    #[inline]
    pub fn read(&self, buffer: &mut DirBuffer) -> io::Result<bool> {
        let spare = buffer.spare();
        // SAFETY: `spare` is writable for its whole length, and the kernel writes no more than that.
        let count = unsafe {
            libc::syscall(
                libc::SYS_getdents64,
                self.fd.as_raw_fd(),
                spare.as_mut_ptr(),
                spare.len(),
            )
        };
        match usize::try_from(count) {
            Ok(0) => Ok(false),
            Ok(count) => {
                buffer.advance(count);
                Ok(true)
            }
            Err(_) => Err(io::Error::last_os_error()),
        }
    }

    /// Metadata of the child `name`. `birth` asks for the creation time too, at a slightly higher
    /// price.
    ///
    /// # Errors
    /// What fstatat(2) or statx(2) answers.
    #[inline]
    pub fn stat(&self, name: &CStr, follow: bool, birth: bool) -> io::Result<Metadata> {
        let flags = if follow {
            AtFlags::empty()
        } else {
            AtFlags::SYMLINK_NOFOLLOW
        };
        let flags = flags | AtFlags::NO_AUTOMOUNT;
        if birth {
            let answer = rustix::fs::statx(
                &self.fd,
                name,
                flags,
                StatxFlags::BASIC_STATS | StatxFlags::BTIME,
            );
            match answer {
                // Kernels before 4.11 and some sandboxes have no statx.
                Err(rustix::io::Errno::NOSYS) => {}
                answer => return Ok(from_statx(&answer?)),
            }
        }
        Ok(from_stat(&rustix::fs::statat(&self.fd, name, flags)?))
    }

    /// All that one call tells about the child `name`; a link is not followed.
    ///
    /// # Errors
    /// What statx(2) or fstatat(2) answers.
    #[inline]
    pub fn examine(&self, name: &CStr) -> io::Result<Examined> {
        let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT;
        let mask = StatxFlags::BASIC_STATS | StatxFlags::BTIME;
        let is_mount = StatxAttributes::MOUNT_ROOT;
        match rustix::fs::statx(&self.fd, name, flags, mask) {
            Err(rustix::io::Errno::NOSYS) => Ok(Examined {
                metadata: self.stat(name, false, false)?,
                is_mount: None,
            }),
            answer => answer.map_err(io::Error::from).map(|answer| Examined {
                metadata: from_statx(&answer),
                is_mount: answer
                    .stx_attributes_mask
                    .contains(is_mount)
                    .then(|| answer.stx_attributes.contains(is_mount)),
            }),
        }
    }

    /// Apparent size of the child `name`, links not followed: [`Dir::stat`] for those who want to
    /// know no more, of very many.
    ///
    /// # Errors
    /// What fstatat(2) answers.
    #[inline]
    pub fn size(&self, name: &CStr) -> io::Result<u64> {
        let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT;
        Ok(rustix::fs::statat(&self.fd, name, flags)?.st_size as u64)
    }

    /// Metadata of the directory itself.
    ///
    /// # Errors
    /// What fstat(2) answers.
    pub fn own_metadata(&self, birth: bool) -> io::Result<Metadata> {
        if birth {
            let mask = StatxFlags::BASIC_STATS | StatxFlags::BTIME;
            if let Ok(answer) = rustix::fs::statx(&self.fd, c"", AtFlags::EMPTY_PATH, mask) {
                return Ok(from_statx(&answer));
            }
        }
        Ok(from_stat(&rustix::fs::fstat(&self.fd)?))
    }

    /// Where the link `name` leads, as it is written there.
    ///
    /// # Errors
    /// What readlinkat(2) answers.
    pub fn read_link(&self, name: &CStr) -> io::Result<Vec<u8>> {
        Ok(rustix::fs::readlinkat(&self.fd, name, Vec::new())?.into_bytes())
    }

    /// The content of the file `path` (relative to this directory, or absolute), at most `limit`
    /// bytes of it. Only a regular file is read, so that a pipe of that name holds nobody up.
    ///
    /// # Errors
    /// What openat(2) or read(2) answers; `InvalidInput` when it is no regular file.
    pub fn read_file(&self, path: &CStr, follow: bool, limit: u64) -> io::Result<Vec<u8>> {
        let mut flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        flags.set(OFlags::NOFOLLOW, !follow);
        let fd = rustix::fs::openat(&self.fd, path, flags, Mode::empty())?;
        let meta = from_stat(&rustix::fs::fstat(&fd)?);
        if meta.kind != Kind::File {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "not a regular file",
            ));
        }
        let mut content = Vec::new();
        std::fs::File::from(fd)
            .take(limit)
            .read_to_end(&mut content)?;
        Ok(content)
    }

    /// Opens the child `name` to be read, if it is a regular file; a link is not followed. Reading
    /// leaves no trace in its time of access where the system allows that.
    ///
    /// # Errors
    /// What openat(2) answers; `InvalidInput` when it is no regular file.
    pub fn open_file(&self, name: &CStr) -> io::Result<OpenFile> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let flags = flags | OFlags::NOFOLLOW;
        // Only the owner may ask for that.
        let quietly = rustix::fs::openat(&self.fd, name, flags | OFlags::NOATIME, Mode::empty());
        let fd = match quietly {
            Err(rustix::io::Errno::PERM) => {
                rustix::fs::openat(&self.fd, name, flags, Mode::empty())?
            }
            answer => answer?,
        };
        OpenFile::new(std::fs::File::from(fd))
    }

    /// Number of the mount that the directory lies on, as [`crate::MountTable`] has it; `None` where
    /// the system does not say.
    pub fn mount_id(&self) -> Option<u64> {
        let mask = StatxFlags::MNT_ID;
        let answer = rustix::fs::statx(&self.fd, c"", AtFlags::EMPTY_PATH, mask).ok()?;
        (answer.stx_mask & mask.bits() != 0).then_some(answer.stx_mnt_id)
    }

    /// Makes the child directory `name`, for its owner only.
    ///
    /// # Errors
    /// What mkdirat(2) answers; `AlreadyExists` where anything has the name.
    pub fn make_private_dir(&self, name: &CStr) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(&self.fd, name, Mode::RWXU)?)
    }

    /// Makes the file `name`, for its owner only, and writes its content.
    ///
    /// # Errors
    /// What openat(2) or write(2) answers; `AlreadyExists` where anything has the name. What cannot
    /// be written whole is removed again.
    pub fn create_file(&self, name: &CStr, content: &[u8]) -> io::Result<FileId> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let fd = rustix::fs::openat(&self.fd, name, flags, Mode::RUSR | Mode::WUSR)?;
        let mut file = std::fs::File::from(fd);
        let id = metadata_of(&file)?.id;
        if let Err(error) = file.write_all(content) {
            // The first error tells more.
            let _ = self.remove(name, id, false);
            return Err(error);
        }
        Ok(id)
    }

    /// Gives the child `name` another place and name on the same file system. Nothing is replaced.
    ///
    /// # Errors
    /// What renameat2(2) answers: `AlreadyExists` where anything has the new name, `CrossesDevices`
    /// for another file system or mount.
    pub fn rename_new(&self, name: &CStr, to: &Dir, new_name: &CStr) -> io::Result<()> {
        let flags = RenameFlags::NOREPLACE;
        Ok(rustix::fs::renameat_with(
            &self.fd, name, &to.fd, new_name, flags,
        )?)
    }

    /// Removes the child `name` if it still is the node `expected`; a directory only when empty.
    ///
    /// # Errors
    /// What unlinkat(2) answers; `NotFound` when another node has the name now.
    pub fn remove(&self, name: &CStr, expected: FileId, is_dir: bool) -> io::Result<()> {
        ensure_same(&self.stat(name, false, false)?, expected, is_dir)?;
        let flags = if is_dir {
            AtFlags::REMOVEDIR
        } else {
            AtFlags::empty()
        };
        Ok(rustix::fs::unlinkat(&self.fd, name, flags)?)
    }
}

impl AsFd for Dir {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// Metadata of an open file.
pub(crate) fn metadata_of(file: &std::fs::File) -> io::Result<Metadata> {
    Ok(from_stat(&rustix::fs::fstat(file)?))
}

/// A path through which the process itself can reach `name` in `dir`, for the few calls that have
/// no variant relative to a directory.
pub(crate) fn proc_path(dir: &Dir, name: &CStr) -> OsString {
    let mut path = format!("/proc/self/fd/{}/", dir.fd.as_raw_fd()).into_bytes();
    path.extend_from_slice(name.to_bytes());
    OsString::from_vec(path)
}

#[allow(clippy::useless_conversion, clippy::unnecessary_cast)] // The fields' types differ by platform.
fn from_stat(stat: &rustix::fs::Stat) -> Metadata {
    let mode = stat.st_mode as u32;
    let time = |seconds, nanoseconds| Timestamp {
        seconds,
        nanoseconds,
    };
    Metadata {
        kind: Kind::from_mode(mode),
        id: FileId {
            device: stat.st_dev.into(),
            inode: stat.st_ino.into(),
        },
        mode,
        links: stat.st_nlink.into(),
        uid: stat.st_uid,
        gid: stat.st_gid,
        size: stat.st_size as u64,
        allocated: stat.st_blocks as u64 * 512,
        special: (
            rustix::fs::major(stat.st_rdev),
            rustix::fs::minor(stat.st_rdev),
        ),
        accessed: time(stat.st_atime.into(), stat.st_atime_nsec as u32),
        modified: time(stat.st_mtime.into(), stat.st_mtime_nsec as u32),
        changed: time(stat.st_ctime.into(), stat.st_ctime_nsec as u32),
        created: None,
    }
}

fn from_statx(stat: &rustix::fs::Statx) -> Metadata {
    let mode = u32::from(stat.stx_mode);
    let time = |t: rustix::fs::StatxTimestamp| Timestamp {
        seconds: t.tv_sec,
        nanoseconds: t.tv_nsec,
    };
    let has_birth = stat.stx_mask & StatxFlags::BTIME.bits() != 0;
    Metadata {
        kind: Kind::from_mode(mode),
        id: FileId {
            device: rustix::fs::makedev(stat.stx_dev_major, stat.stx_dev_minor),
            inode: stat.stx_ino,
        },
        mode,
        links: stat.stx_nlink.into(),
        uid: stat.stx_uid,
        gid: stat.stx_gid,
        size: stat.stx_size,
        allocated: stat.stx_blocks * 512,
        special: (stat.stx_rdev_major, stat.stx_rdev_minor),
        accessed: time(stat.stx_atime),
        modified: time(stat.stx_mtime),
        changed: time(stat.stx_ctime),
        created: has_birth.then(|| time(stat.stx_btime)),
    }
}
