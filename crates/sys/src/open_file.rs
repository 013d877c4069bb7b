//! A regular file that is open to be read.

use std::fs::File;
use std::io;

use groma_base::{Kind, Metadata};

use crate::dir::metadata_of;

/// A regular file, open to be read.
#[derive(Debug)]
pub struct OpenFile(File);

impl OpenFile {
    pub(crate) fn new(file: File) -> io::Result<OpenFile> {
        if metadata_of(&file)?.kind != Kind::File {
            let message = "not a regular file";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        Ok(OpenFile(file))
    }

    /// What a stat call tells of it now.
    ///
    /// # Errors
    /// What fstat(2) answers.
    pub fn metadata(&self) -> io::Result<Metadata> {
        metadata_of(&self.0)
    }

    /// Bytes on the disk that are shared with other files, or with other places of this one
    /// (reflinks, snapshots, deduplication).
    ///
    /// # Errors
    /// What the system answers; `Unsupported` or the like where the file system does not tell.
    #[cfg(target_os = "linux")]
    pub fn shared_bytes(&self) -> io::Result<u64> {
        crate::extents::shared_bytes(&self.0)
    }

    /// Which bytes on the disk are shared with other files is not told here.
    ///
    /// # Errors
    /// Always `Unsupported`.
    #[cfg(not(target_os = "linux"))]
    pub fn shared_bytes(&self) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Reads bytes from `offset` on into `buffer`. Returns how many; 0 at the end.
    ///
    /// # Errors
    /// What pread(2) answers.
    pub fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        read_at(&self.0, buffer, offset)
    }

    /// Whether all of it lies in the same places of the disk as `other` does (`FS_IOC_FIEMAP`): such
    /// files have the same bytes. What is not written yet has no place, so both are synced before.
    ///
    /// # Errors
    /// What the system answers; `Unsupported` or the like where the file system does not tell.
    #[cfg(target_os = "linux")]
    pub fn has_extents_of(&self, other: &OpenFile) -> io::Result<bool> {
        crate::extents::are_same(&self.0, &other.0)
    }

    /// Where files lie is not told here.
    ///
    /// # Errors
    /// Always `Unsupported`.
    #[cfg(not(target_os = "linux"))]
    pub fn has_extents_of(&self, _other: &OpenFile) -> io::Result<bool> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Asks that what of it is in memory be forgotten (posix_fadvise(2), `POSIX_FADV_DONTNEED`), so that
    /// reading shows what is on the disk. Only synced bytes are; elsewhere than on Linux nothing happens.
    pub fn forget_cached(&self) {
        #[cfg(target_os = "linux")]
        let _ = rustix::fs::fadvise(&self.0, 0, None, rustix::fs::Advice::DontNeed);
    }

    /// Returns once it is on the disk (fsync(2)).
    ///
    /// # Errors
    /// What the platform answers.
    pub fn sync(&self) -> io::Result<()> {
        self.0.sync_all()
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn file(&self) -> &File {
        &self.0
    }
}

/// Reads bytes from `offset` on, again when a signal came between.
pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    loop {
        match read_once(file, buffer, offset) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            answer => return answer,
        }
    }
}

#[cfg(unix)]
fn read_once(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(not(unix))]
fn read_once(mut file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::io::{Read, Seek, SeekFrom};
    file.seek(SeekFrom::Start(offset))?;
    file.read(buffer)
}
