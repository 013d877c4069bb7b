//! A file that is being made: written, given the attributes of another, and brought to the disk.

use std::fs::File;
use std::io::{self, Write};

use groma_base::{Metadata, Timestamp};

use crate::dir::metadata_of;
use crate::open_file::OpenFile;

/// A new file, open to be written and read.
#[derive(Debug)]
pub struct NewFile(pub(crate) File);

impl NewFile {
    /// What a stat call tells of it now.
    ///
    /// # Errors
    /// What fstat(2) answers.
    pub fn metadata(&self) -> io::Result<Metadata> {
        metadata_of(&self.0)
    }

    /// Writes `bytes` behind what was written before.
    ///
    /// # Errors
    /// What write(2) answers.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    /// Makes it share all blocks of `source` (`FICLONE` of ioctl_ficlone(2)): nothing is copied.
    ///
    /// # Errors
    /// What the call answers: `EOPNOTSUPP`, `EINVAL` or `EXDEV` where the file system cannot, or lies elsewhere.
    #[cfg(target_os = "linux")]
    pub fn share_blocks(&self, source: &OpenFile) -> io::Result<()> {
        Ok(rustix::fs::ioctl_ficlone(&self.0, source.file())?)
    }

    /// Blocks are not shared here.
    ///
    /// # Errors
    /// Always `Unsupported`.
    #[cfg(not(target_os = "linux"))]
    pub fn share_blocks(&self, _source: &OpenFile) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Sets when it was last read and written (futimens(2)).
    ///
    /// # Errors
    /// What the platform answers.
    #[cfg(unix)]
    #[allow(
        clippy::unnecessary_cast,
        reason = "the fields' types differ by platform"
    )]
    pub fn set_times(&self, accessed: Timestamp, modified: Timestamp) -> io::Result<()> {
        let time = |at: Timestamp| rustix::fs::Timespec {
            tv_sec: at.seconds as _,
            tv_nsec: at.nanoseconds as _,
        };
        let times = rustix::fs::Timestamps {
            last_access: time(accessed),
            last_modification: time(modified),
        };
        Ok(rustix::fs::futimens(&self.0, &times)?)
    }

    /// Sets when it was last written; times before 1970 are left out.
    ///
    /// # Errors
    /// What the platform answers.
    #[cfg(not(unix))]
    pub fn set_times(&self, _accessed: Timestamp, modified: Timestamp) -> io::Result<()> {
        let Ok(seconds) = u64::try_from(modified.seconds) else {
            return Ok(());
        };
        let after = std::time::Duration::new(seconds, modified.nanoseconds);
        self.0
            .set_modified(std::time::SystemTime::UNIX_EPOCH + after)
    }

    /// Gives it the permissions of another file (fchmod(2)), and its owner where the process may
    /// (fchown(2)). Bits that lend a user's rights are not taken over.
    ///
    /// # Errors
    /// What fchmod(2) answers. That the owner stays another one is no failure.
    #[cfg(unix)]
    pub fn set_permissions(&self, of: &Metadata) -> io::Result<()> {
        use rustix::fs::{Gid, Mode, Uid};
        let own = self.metadata()?;
        if (own.uid, own.gid) != (of.uid, of.gid) {
            let (uid, gid) = (Uid::from_raw(of.uid), Gid::from_raw(of.gid));
            let _ = rustix::fs::fchown(&self.0, Some(uid), Some(gid));
        }
        Ok(rustix::fs::fchmod(
            &self.0,
            Mode::from_raw_mode((of.mode & 0o777) as _),
        )?)
    }

    /// Permissions are not taken over here.
    ///
    /// # Errors
    /// Never.
    #[cfg(not(unix))]
    pub fn set_permissions(&self, _of: &Metadata) -> io::Result<()> {
        Ok(())
    }

    /// Takes over the attributes of `source` that users set (`user.*`, xattr(7)). What cannot be
    /// read or kept is left out: few file systems keep them.
    #[cfg(target_os = "linux")]
    pub fn copy_user_xattrs(&self, source: &OpenFile) {
        use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
        let mut none: [u8; 0] = [];
        // Asked for their length only: hardly any file has some.
        let Ok(length @ 1..) = flistxattr(source.file(), &mut none[..]) else {
            return;
        };
        let mut list = vec![0u8; length];
        let Ok(length) = flistxattr(source.file(), &mut list[..]) else {
            return;
        };
        let mut value = vec![0u8; 64 * 1024];
        let names = list[..length].split(|&b| b == 0);
        for name in names.filter(|name| name.starts_with(b"user.")) {
            if let Ok(size) = fgetxattr(source.file(), name, &mut value[..]) {
                let _ = fsetxattr(&self.0, name, &value[..size], XattrFlags::empty());
            }
        }
    }

    /// Attributes are not taken over here.
    #[cfg(not(target_os = "linux"))]
    pub fn copy_user_xattrs(&self, _source: &OpenFile) {}

    /// Returns once it is on the disk (fsync(2)).
    ///
    /// # Errors
    /// What the platform answers; nothing is known then of what was written.
    pub fn sync(&self) -> io::Result<()> {
        self.0.sync_all()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    use crate::Dir;

    #[test]
    fn a_new_file_takes_after_another() {
        let temp = tempfile::tempdir().unwrap();
        let source = temp.path().join("s");
        std::fs::write(&source, "content").unwrap();
        std::fs::set_permissions(&source, PermissionsExt::from_mode(0o4640)).unwrap();
        let dir = Dir::open(temp.path()).unwrap();
        let open = dir.open_file(c"s").unwrap();
        let mut old = open.metadata().unwrap();
        (old.accessed.seconds, old.modified.seconds) = (-5, 1_000_000_000);
        old.modified.nanoseconds = 7;
        let mut new = dir.create_new(c"n").unwrap();
        assert!(dir.create_new(c"n").is_err());
        new.write(b"con").unwrap();
        new.write(b"tent").unwrap();
        new.set_permissions(&old).unwrap();
        new.copy_user_xattrs(&open);
        new.set_times(old.accessed, old.modified).unwrap();
        new.sync().unwrap();
        let found = std::fs::metadata(temp.path().join("n")).unwrap();
        assert_eq!(found.permissions().mode() & 0o7777, 0o640);
        assert_eq!(
            (found.atime(), found.mtime(), found.mtime_nsec()),
            (-5, 1_000_000_000, 7)
        );
        assert_eq!(new.metadata().unwrap().size, 7);
    }

    /// Where the file system shares blocks the copy is told to, elsewhere the call refuses.
    #[cfg(target_os = "linux")]
    #[test]
    fn shared_blocks_are_the_same_extents() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::write(temp.path().join("s"), vec![7; 200_000]).unwrap();
        std::fs::write(temp.path().join("t"), vec![7; 200_000]).unwrap();
        let dir = Dir::open(temp.path()).unwrap();
        let (source, other) = (dir.open_file(c"s").unwrap(), dir.open_file(c"t").unwrap());
        // What waits to be written has no extents yet.
        source.sync().unwrap();
        other.sync().unwrap();
        let new = dir.create_new(c"n").unwrap();
        let is_shared = new.share_blocks(&source).is_ok();
        let copy = dir.open_file(c"n").unwrap();
        if let Ok(same) = source.has_extents_of(&other) {
            assert!(!same);
            assert_eq!(source.has_extents_of(&copy).unwrap(), is_shared);
        }
    }
}
