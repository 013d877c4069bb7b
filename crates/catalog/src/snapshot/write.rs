//! Writes a segment as a snapshot: header, compressed sections, table, SHA-256, from front to back.

use std::io::{self, Write};

use groma_base::CancelToken;
use sha2::{Digest, Sha256};

use super::coding;
use super::layout::{
    Coding, HEADER_LEN, LINE_LEN, MAGIC, ONLY_MODIFIED, OTHER_TIMES, PARTIAL, SNAPSHOT_VERSION,
    STORED, SUM_LEN, TABLE_SUM_LEN, least_length, weight,
};
use super::{SnapshotError, SnapshotFacts, Times};
use crate::build::parallel::{Job, in_order};
use crate::error::Damage;
use crate::kinds::KindFlags;
use crate::layout::{Encoding, SectionId};
use crate::segment::Segment;

/// How hard zstd tries.
const LEVEL: i32 = 3;
/// Zeros that are written at a time.
const ZEROS: [u8; 4096] = [0; 4096];

/// What is to be known of a snapshot besides its entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Which times are kept.
    pub times: Times,
    /// Places that could not be read.
    pub unread: u64,
    /// Whether the scan was ended before it was done.
    pub is_partial: bool,
}

/// A section on its way to the file.
struct Compressed {
    id: SectionId,
    coding: Coding,
    bytes: Vec<u8>,
    /// Bytes before they were compressed.
    expanded: u64,
    count: u64,
}

/// Writes a segment as a snapshot, with `threads` threads. Nothing is synchronised with the disk.
///
/// # Errors
/// [`SnapshotError::Io`], [`SnapshotError::Damaged`] where the segment cannot be read,
/// [`SnapshotError::Cancelled`].
pub fn write_snapshot(
    segment: &Segment,
    kept: &Kept,
    threads: usize,
    out: impl Write,
    cancel: &CancelToken,
) -> Result<SnapshotFacts, SnapshotError> {
    let mut writer = Writer {
        out,
        hash: Sha256::new(),
        offset: 0,
        table: Vec::with_capacity(STORED.len() * LINE_LEN),
        bytes: 0,
    };
    writer.put(&header(segment, kept))?;
    let jobs: Vec<Job<'_, Result<Compressed, SnapshotError>>> = STORED
        .iter()
        .map(|&(id, coding)| -> Job<'_, _> {
            Box::new(move || compressed(segment, id, coding, kept.times, cancel))
        })
        .collect();
    in_order(threads, jobs, |section| writer.section(&section?))?;
    writer.pad(segment.rows())?;
    let (length, sha256) = writer.finish()?;
    Ok(SnapshotFacts {
        rows: segment.rows(),
        names: segment.names()?.len(),
        unread: kept.unread,
        is_partial: kept.is_partial,
        times: kept.times,
        fold_version: segment.fold_version(),
        length,
        sha256,
    })
}

fn header(segment: &Segment, kept: &Kept) -> Vec<u8> {
    let mut flags = 0;
    if kept.is_partial {
        flags |= PARTIAL;
    }
    if kept.times == Times::Modified {
        flags |= ONLY_MODIFIED;
    }
    let mut bytes = Vec::with_capacity(HEADER_LEN);
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&SNAPSHOT_VERSION.to_le_bytes());
    bytes.extend_from_slice(&segment.fold_version().to_le_bytes());
    bytes.extend_from_slice(&u64::from(segment.rows()).to_le_bytes());
    bytes.extend_from_slice(&u64::from(segment.name_count()).to_le_bytes());
    bytes.extend_from_slice(&kept.unread.to_le_bytes());
    bytes.extend_from_slice(&flags.to_le_bytes());
    // There are a few dozen.
    bytes.extend_from_slice(&(STORED.len() as u32).to_le_bytes());
    bytes.resize(HEADER_LEN - 4, 0);
    let checksum = crc32c::crc32c(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// A section as it stands in the file.
fn compressed(
    segment: &Segment,
    id: SectionId,
    coding: Coding,
    times: Times,
    cancel: &CancelToken,
) -> Result<Compressed, SnapshotError> {
    if cancel.is_cancelled() {
        return Err(SnapshotError::Cancelled);
    }
    let (bytes, count) = match coding {
        Coding::Bytes => {
            let bytes = segment.sound(id)?.to_vec();
            (bytes, segment.count(id))
        }
        Coding::Front => {
            let bytes = coding::to_front(segment.sound(id)?);
            (bytes, segment.count(id))
        }
        _ => {
            let mut numbers = numbers(segment, id, times)?;
            match coding {
                Coding::Bytes | Coding::Front | Coding::Planes => {}
                Coding::Steps => coding::to_steps(&mut numbers),
                Coding::Against(other) => {
                    let others = self::numbers(segment, other, times)?;
                    coding::to_differences(&mut numbers, &others);
                }
            }
            (coding::to_planes(&numbers), numbers.len())
        }
    };
    Ok(Compressed {
        id,
        coding,
        bytes: zstd::bulk::compress(&bytes, LEVEL)?,
        expanded: bytes.len() as u64,
        count: count as u64,
    })
}

/// The numbers of a section that are kept.
fn numbers(segment: &Segment, id: SectionId, times: Times) -> Result<Vec<u64>, Damage> {
    let bytes = segment.sound(id)?;
    let count = segment.count(id);
    if times == Times::Modified && OTHER_TIMES.contains(&id) {
        // Zero as a packed section would have it, which is no zero for seconds.
        let zero = match id {
            SectionId::Accessed | SectionId::Changed | SectionId::Created => crate::bytes::bias(0),
            _ => 0,
        };
        return Ok(vec![zero; count]);
    }
    let mut numbers = Vec::with_capacity(count);
    match id.encoding() {
        Encoding::Plain(2) => {
            let cells = bytes.as_chunks::<2>().0.iter();
            numbers.extend(cells.map(|cell| u64::from(u16::from_le_bytes(*cell))));
        }
        Encoding::Plain(4) => {
            let cells = bytes.as_chunks::<4>().0.iter();
            numbers.extend(cells.map(|cell| u64::from(u32::from_le_bytes(*cell))));
        }
        Encoding::Packed => segment.packed(id)?.fill(0..count, &mut numbers)?,
        Encoding::Plain(_) | Encoding::Bytes => {
            let cells = bytes.as_chunks::<8>().0.iter();
            numbers.extend(cells.map(|cell| u64::from_le_bytes(*cell)));
        }
    }
    if id == SectionId::Kind && times == Times::Modified {
        let created = u64::from(KindFlags::HAS_CREATED.number());
        numbers.iter_mut().for_each(|kind| *kind &= !created);
    }
    Ok(numbers)
}

/// Everything that is written passes through here, and is hashed.
struct Writer<W> {
    out: W,
    hash: Sha256,
    offset: u64,
    table: Vec<u8>,
    /// Bytes of the sections of bytes, before they were compressed.
    bytes: u64,
}

impl<W: Write> Writer<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.offset += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn section(&mut self, section: &Compressed) -> Result<(), SnapshotError> {
        if super::is_bytes(section.id) {
            let bytes = section.expanded.max(section.count);
            self.bytes = self.bytes.saturating_add(bytes);
        }
        let table = &mut self.table;
        table.extend_from_slice(&section.id.number().to_le_bytes());
        table.extend_from_slice(&[section.coding.number(), section.coding.other(), 0, 0]);
        table.extend_from_slice(&crc32c::crc32c(&section.bytes).to_le_bytes());
        table.extend_from_slice(&[0; 4]);
        let length = section.bytes.len() as u64;
        for number in [self.offset, length, section.expanded, section.count] {
            table.extend_from_slice(&number.to_le_bytes());
        }
        Ok(self.put(&section.bytes)?)
    }

    /// Zeros, where a file of entries that are all alike would be too short for what it expands to.
    fn pad(&mut self, rows: u32) -> io::Result<()> {
        let end = (LINE_LEN * STORED.len() + TABLE_SUM_LEN + SUM_LEN) as u64;
        let least = least_length(weight(rows.into(), self.bytes));
        let mut missing = least.saturating_sub(self.offset + end);
        while missing > 0 {
            let some = usize::try_from(missing).unwrap_or(ZEROS.len());
            let some = some.min(ZEROS.len());
            missing -= some as u64;
            self.put(&ZEROS[..some])?;
        }
        Ok(())
    }

    /// Writes table and sum. Answers the file's length and the sum.
    fn finish(mut self) -> io::Result<(u64, [u8; SUM_LEN])> {
        let table = std::mem::take(&mut self.table);
        self.put(&table)?;
        self.put(&crc32c::crc32c(&table).to_le_bytes())?;
        let mut sum = [0; SUM_LEN];
        sum.copy_from_slice(&self.hash.finalize());
        self.out.write_all(&sum)?;
        self.out.flush()?;
        Ok((self.offset + SUM_LEN as u64, sum))
    }
}
