//! A file that only grows at its end, and that one process at a time may hold.

use std::fs::{File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};

use crate::dir::metadata_of;
use crate::open_file::read_at;

/// A file that is read anywhere and written at its end.
#[derive(Debug)]
pub struct LogFile(pub(crate) File);

impl LogFile {
    /// Its length, bytes.
    ///
    /// # Errors
    /// What fstat(2) answers.
    pub fn size(&self) -> io::Result<u64> {
        Ok(metadata_of(&self.0)?.size)
    }

    /// Reads bytes from `offset` on into `buffer`. Returns how many; 0 at the end.
    ///
    /// # Errors
    /// What pread(2) answers.
    pub fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        read_at(&self.0, buffer, offset)
    }

    /// Writes `bytes` at its end.
    ///
    /// # Errors
    /// What write(2) answers; part of them may stand there then.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.seek(SeekFrom::End(0))?;
        self.0.write_all(bytes)
    }

    /// Cuts off all but the first `length` bytes (ftruncate(2)).
    ///
    /// # Errors
    /// What the platform answers.
    pub fn cut(&mut self, length: u64) -> io::Result<()> {
        self.0.set_len(length)
    }

    /// Returns once all of it is on the disk (fdatasync(2)).
    ///
    /// # Errors
    /// What the platform answers.
    pub fn sync(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    /// Takes the file for this process until it is dropped (flock(2)); `false` when another has it.
    ///
    /// # Errors
    /// What the platform answers.
    pub fn try_lock(&self) -> io::Result<bool> {
        match self.0.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Dir;

    #[test]
    fn it_grows_is_cut_and_has_one_holder() {
        let temp = tempfile::tempdir().unwrap();
        let dir = Dir::open(temp.path()).unwrap();
        let mut log = dir.open_log(c"log").unwrap();
        assert!(log.try_lock().unwrap() && !dir.open_log(c"log").unwrap().try_lock().unwrap());
        log.append(b"one").unwrap();
        log.append(b" torn").unwrap();
        log.cut(3).unwrap();
        log.append(b" two").unwrap();
        log.sync().unwrap();
        let mut buffer = [0; 9];
        assert_eq!(log.read_at(&mut buffer, 1).unwrap(), 6);
        assert_eq!((&buffer[..6], log.size().unwrap()), (&b"ne two"[..], 7));
        drop(log);
        let again = dir.open_log(c"log").unwrap();
        assert!(again.try_lock().unwrap() && again.size().unwrap() == 7);
    }
}
