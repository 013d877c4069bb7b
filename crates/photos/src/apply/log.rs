//! An append-only file of checksummed records. A torn tail, which a crash leaves, is cut; damage before the end is an error.

use std::io;

use groma_sys::LogFile;
use thiserror::Error;

/// What is wrong with a log.
#[derive(Debug, Error)]
pub enum LogError {
    /// A call of the system failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A record is damaged that others follow.
    #[error("the record at byte {0} is damaged")]
    Damaged(u64),
    /// It is no log of ours, or of another version.
    #[error("it does not begin as a journal of this version does")]
    Foreign,
}

const MAGIC: &[u8; 8] = b"gromaJ1\n";
/// Length (4) and checksum (8) of a record stand before its bytes.
const FRAME: u64 = 12;
/// No record is longer.
const LONGEST: u32 = 1 << 20;

/// A log that is written at its end.
#[derive(Debug)]
pub(crate) struct Log {
    file: LogFile,
    end: u64,
    pending: Vec<u8>,
}

impl Log {
    /// Opens a log, hands out its records with their places, and cuts a torn tail.
    pub(crate) fn open<E: From<LogError>>(
        mut file: LogFile,
        mut visit: impl FnMut(u64, &[u8]) -> Result<(), E>,
    ) -> Result<Log, E> {
        let size = file.size().map_err(LogError::Io)?;
        let mut at = MAGIC.len() as u64;
        if size < at {
            file.cut(0).map_err(LogError::Io)?;
            file.append(MAGIC).map_err(LogError::Io)?;
        } else {
            let mut magic = [0; MAGIC.len()];
            read_exact(&file, &mut magic, 0).map_err(LogError::Io)?;
            if &magic != MAGIC {
                return Err(LogError::Foreign.into());
            }
            while let Some(record) = read(&file, at, size).map_err(LogError::Io)? {
                visit(at, &record)?;
                at += FRAME + record.len() as u64;
            }
            if at < size {
                ensure_torn(&file, at, size)?;
                file.cut(at).map_err(LogError::Io)?;
            }
        }
        Ok(Log {
            file,
            end: at,
            pending: Vec::new(),
        })
    }

    /// Adds a record, which is not in the file before the next [`Log::flush`]. Returns its place.
    pub(crate) fn push(&mut self, record: &[u8]) -> u64 {
        let at = self.end + self.pending.len() as u64;
        self.pending.extend_from_slice(&frame(at, record));
        at
    }

    /// Writes the records that were added, and returns once they are on the disk.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        if !self.pending.is_empty() {
            self.file.append(&self.pending)?;
            self.end += self.pending.len() as u64;
            self.pending.clear();
        }
        self.file.sync()
    }

    /// The record at a place that was told before.
    pub(crate) fn record(&self, at: u64) -> Result<Vec<u8>, LogError> {
        if let Some(behind) = at.checked_sub(self.end) {
            let from = usize::try_from(behind + FRAME).unwrap_or(usize::MAX);
            let length = usize::try_from(behind)
                .ok()
                .and_then(|at| self.pending.get(at..at + 4))
                .map_or(0, length_of);
            let record = self.pending.get(from..from.saturating_add(length));
            return record.map(<[u8]>::to_vec).ok_or(LogError::Damaged(at));
        }
        read(&self.file, at, self.end)?.ok_or(LogError::Damaged(at))
    }
}

/// Whether this record is the last one of a log: told from its last bytes, without reading the others.
pub(crate) fn ends_with(file: &LogFile, record: &[u8]) -> io::Result<bool> {
    let length = FRAME + record.len() as u64;
    let size = file.size()?;
    match size.checked_sub(length) {
        Some(at) => Ok(read(file, at, size)?.is_some_and(|found| found == record)),
        None => Ok(false),
    }
}

fn length_of(bytes: &[u8]) -> usize {
    let mut length = [0; 4];
    length.copy_from_slice(&bytes[..4]);
    u32::from_le_bytes(length) as usize
}

fn frame(at: u64, record: &[u8]) -> Vec<u8> {
    let mut frame = (record.len() as u32).to_le_bytes().to_vec();
    frame.extend_from_slice(&checksum(at, record));
    frame.extend_from_slice(record);
    frame
}

/// Depends on the place, so that bytes of another record are never taken for one.
fn checksum(at: u64, record: &[u8]) -> [u8; 8] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&at.to_le_bytes()).update(record);
    let mut sum = [0; 8];
    sum.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    sum
}

/// The record at a place; `None` when no whole and sound one stands there.
fn read(file: &LogFile, at: u64, size: u64) -> io::Result<Option<Vec<u8>>> {
    let left = size.saturating_sub(at);
    if left < FRAME {
        return Ok(None);
    }
    let mut head = [0; FRAME as usize];
    read_exact(file, &mut head, at)?;
    let length = length_of(&head);
    if length > LONGEST as usize || length as u64 > left - FRAME {
        return Ok(None);
    }
    let mut record = vec![0; length];
    read_exact(file, &mut record, at + FRAME)?;
    Ok((checksum(at, &record) == head[4..]).then_some(record))
}

/// Whether no sound record follows a damaged one: then nobody was told that it had been written.
fn ensure_torn(file: &LogFile, at: u64, size: u64) -> Result<(), LogError> {
    let mut head = [0; 4];
    if size - at < FRAME {
        return Ok(());
    }
    read_exact(file, &mut head, at)?;
    let next = at + FRAME + length_of(&head) as u64;
    match read(file, next, size)? {
        Some(_) => Err(LogError::Damaged(at)),
        None => Ok(()),
    }
}

fn read_exact(file: &LogFile, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match file.read_at(buffer, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => {
                buffer = &mut buffer[count..];
                at += count as u64;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use groma_sys::Dir;

    use super::*;

    fn records(dir: &Dir) -> Result<Vec<Vec<u8>>, LogError> {
        let mut all = Vec::new();
        Log::open(dir.open_log(c"log").unwrap(), |_, record| {
            all.push(record.to_vec());
            Ok::<(), LogError>(())
        })?;
        Ok(all)
    }

    #[test]
    fn wherever_a_log_is_cut_whole_records_stay() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("log");
        let dir = Dir::open(temp.path()).unwrap();
        let mut log =
            Log::open(dir.open_log(c"log").unwrap(), |_, _| Ok::<(), LogError>(())).unwrap();
        let written: Vec<Vec<u8>> = (0..20u8).map(|n| vec![n; usize::from(n) * 3]).collect();
        let mut places = Vec::new();
        for record in &written {
            places.push(log.push(record));
            assert_eq!(&log.record(places[places.len() - 1]).unwrap(), record);
        }
        log.flush().unwrap();
        assert_eq!(log.record(places[7]).unwrap(), written[7]);
        drop(log);
        let file = dir.open_log(c"log").unwrap();
        assert!(
            ends_with(&file, &written[19]).unwrap() && !ends_with(&file, &written[18]).unwrap()
        );
        let bytes = std::fs::read(&path).unwrap();
        for cut in 0..bytes.len() {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            let whole = places
                .iter()
                .skip(1)
                .filter(|&&at| at <= cut as u64)
                .count();
            assert_eq!(records(&dir).unwrap(), written[..whole], "{cut}");
            assert_eq!(records(&dir).unwrap(), written[..whole], "{cut} again");
        }
        let last = places[19] as usize;
        for flipped in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[flipped] ^= 0x10;
            std::fs::write(&path, &bytes).unwrap();
            match records(&dir) {
                Ok(found) => assert!(written.starts_with(&found), "{flipped}"),
                Err(LogError::Damaged(at)) => assert!((at as usize) <= flipped && flipped < last),
                Err(LogError::Foreign) => assert!(flipped < 8),
                Err(error) => panic!("{error}"),
            }
        }
    }
}
