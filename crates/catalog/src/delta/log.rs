//! The log of a delta: a header that names the segment it belongs to, then one record for each
//! change.
//!
//! A record's checksum goes on from that of the record before it, so that records which were
//! left out, repeated or put in another order are found.

use super::change::Change;
use super::error::LogError;
use crate::bytes::{u32_at, u64_at};

/// The first eight bytes of every log.
const MAGIC: [u8; 8] = *b"groma\x1aLG";
/// The version that this code writes and reads.
pub const LOG_VERSION: u32 = 1;
/// Bytes of the header.
pub(crate) const HEADER_LEN: usize = 40;
/// Bytes before the content of a record: its length and its checksum.
const FRAME_LEN: usize = 8;

/// Which segment a log belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SegmentStamp {
    /// The number in the segment's name.
    pub(crate) generation: u64,
    /// Bytes of the segment.
    pub(crate) length: u64,
    /// The checksum of the segment's header.
    pub(crate) checksum: u32,
}

/// The header of a log that belongs to this segment.
pub(crate) fn header(stamp: &SegmentStamp) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER_LEN);
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&LOG_VERSION.to_le_bytes());
    bytes.extend_from_slice(&stamp.checksum.to_le_bytes());
    bytes.extend_from_slice(&stamp.generation.to_le_bytes());
    bytes.extend_from_slice(&stamp.length.to_le_bytes());
    bytes.resize(HEADER_LEN - 4, 0);
    let checksum = crc32c::crc32c(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Appends one record. `checksum` is that of the record before, and becomes that of this one.
pub(crate) fn write_record(content: &[u8], checksum: &mut u32, out: &mut Vec<u8>) {
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
    *checksum = record_checksum(*checksum, length, content);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&checksum.to_le_bytes());
    out.extend_from_slice(content);
}

fn record_checksum(before: u32, length: u32, content: &[u8]) -> u32 {
    let checksum = crc32c::crc32c_append(before, &length.to_le_bytes());
    crc32c::crc32c_append(checksum, content)
}

/// The records of a log.
#[derive(Debug)]
pub(crate) struct Records<'b> {
    bytes: &'b [u8],
    at: usize,
    checksum: u32,
}

impl<'b> Records<'b> {
    /// Checks the header. `bytes`: the valid part of the log, all of it.
    pub(crate) fn new(bytes: &'b [u8], stamp: &SegmentStamp) -> Result<Records<'b>, LogError> {
        let header = bytes.get(..HEADER_LEN);
        let header = header.ok_or_else(|| LogError::new(bytes.len(), "it ends in its header"))?;
        if !header.starts_with(&MAGIC) {
            return Err(LogError::new(0, "its first bytes are not those of a log"));
        }
        let version = u32_at(header, 8).unwrap_or_default();
        if version != LOG_VERSION {
            let found = format!("version {version}; this program reads version {LOG_VERSION}");
            return Err(LogError::new(8, found));
        }
        let (checked, checksum) = header.split_at(HEADER_LEN - 4);
        let checksum = u32_at(checksum, 0).unwrap_or_default();
        if crc32c::crc32c(checked) != checksum {
            return Err(LogError::new(36, "the header's checksum is another"));
        }
        let found = SegmentStamp {
            checksum: u32_at(header, 12).unwrap_or_default(),
            generation: u64_at(header, 16).unwrap_or_default(),
            length: u64_at(header, 24).unwrap_or_default(),
        };
        if found != *stamp {
            let found = format!("it belongs to {found:?} in place of {stamp:?}");
            return Err(LogError::new(12, found));
        }
        Ok(Records {
            bytes,
            at: HEADER_LEN,
            checksum,
        })
    }

    /// The next change and where its record begins; `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<(usize, Change)>, LogError> {
        let start = self.at;
        if start == self.bytes.len() {
            return Ok(None);
        }
        let wrong = |found: &str| LogError::new(start, found);
        let frame = u32_at(self.bytes, start).zip(u32_at(self.bytes, start + 4));
        let (length, checksum) = frame.ok_or_else(|| wrong("the log ends in a record"))?;
        let content = self.bytes.get(start + FRAME_LEN..).unwrap_or_default();
        let content = usize::try_from(length).ok().and_then(|l| content.get(..l));
        let content = content.ok_or_else(|| wrong("the log ends in a record"))?;
        if record_checksum(self.checksum, length, content) != checksum {
            return Err(wrong("the record's checksum is another"));
        }
        let change = Change::read(content).ok_or_else(|| wrong("a record that says nothing"))?;
        self.checksum = checksum;
        self.at = start + FRAME_LEN + content.len();
        Ok(Some((start, change)))
    }

    /// The checksum of the last record that was read.
    pub(crate) fn checksum(&self) -> u32 {
        self.checksum
    }
}
