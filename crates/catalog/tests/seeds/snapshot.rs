//! One run on any bytes as a snapshot, and how its sums are put right. Shared by the fuzz target, the
//! test that replays its seeds and the tests of damage.

#![allow(dead_code, reason = "each of its users takes a part")]

use std::ops::Range;

use groma_base::CancelToken;
use groma_catalog::{SectionId, Snapshot};
use sha2::{Digest, Sha256};

const HEADER: usize = 64;
const LINE: usize = 48;

/// Opens the bytes as they are, then with sums put right, so that changed bytes get behind them. What
/// verifies must answer every question.
pub(crate) fn replay(bytes: &[u8], ask: impl Fn(&Snapshot) -> bool) {
    let mut bytes = bytes.to_vec();
    for _ in 0..2 {
        if let Ok(snapshot) = Snapshot::from_bytes(bytes.clone()) {
            let has_answered = ask(&snapshot);
            if snapshot.verify(&CancelToken::new()).is_ok() {
                assert!(has_answered);
            }
        }
        sign(&mut bytes);
    }
}

/// The lines of the table: where the first begins, and how many there are.
fn table(bytes: &[u8]) -> Option<(usize, usize)> {
    let count = u32::from_le_bytes(bytes.get(44..48)?.try_into().ok()?);
    let length = usize::try_from(count).ok()?.checked_mul(LINE)?;
    let start = bytes.len().checked_sub(36)?.checked_sub(length)?;
    (start >= HEADER).then_some((start, length / LINE))
}

fn number(bytes: &[u8], at: usize) -> usize {
    let field = <[u8; 8]>::try_from(&bytes[at..at + 8]).unwrap();
    usize::try_from(u64::from_le_bytes(field)).unwrap_or(usize::MAX)
}

/// Puts right the checksums of the header, of all sections that lie in the file and of the table, and
/// the SHA-256.
pub(crate) fn sign(bytes: &mut [u8]) {
    let Some((start, count)) = table(bytes) else {
        return;
    };
    for line in (0..count).map(|place| start + place * LINE) {
        let (from, length) = (number(bytes, line + 16), number(bytes, line + 24));
        let section = bytes.get(from..from.saturating_add(length));
        let checksum = section.map_or(0, crc32c::crc32c);
        bytes[line + 8..line + 12].copy_from_slice(&checksum.to_le_bytes());
    }
    let end = start + count * LINE;
    let sum = crc32c::crc32c(&bytes[start..end]);
    bytes[end..end + 4].copy_from_slice(&sum.to_le_bytes());
    let header = crc32c::crc32c(&bytes[..60]);
    bytes[60..64].copy_from_slice(&header.to_le_bytes());
    let hash = Sha256::digest(&bytes[..end + 4]);
    bytes[end + 4..].copy_from_slice(&hash);
}

/// Says how many bytes a section expands to, and how many elements it has.
pub(crate) fn set_line(bytes: &mut [u8], id: SectionId, expanded: u64, count: u64) {
    let (start, lines) = table(bytes).unwrap();
    for line in (0..lines).map(|place| start + place * LINE) {
        if u32::from_le_bytes(bytes[line..line + 4].try_into().unwrap()) == id.number() {
            bytes[line + 32..line + 40].copy_from_slice(&expanded.to_le_bytes());
            bytes[line + 40..line + 48].copy_from_slice(&count.to_le_bytes());
        }
    }
}

/// Says of every column of rows that it has so many, and that they take no bytes.
pub(crate) fn claim_rows(bytes: &mut [u8], rows: u64) {
    let (start, lines) = table(bytes).unwrap();
    for line in (0..lines).map(|place| start + place * LINE) {
        let id = u32::from_le_bytes(bytes[line..line + 4].try_into().unwrap());
        if (3..=20).contains(&id) {
            bytes[line + 32..line + 40].copy_from_slice(&0u64.to_le_bytes());
            bytes[line + 40..line + 48].copy_from_slice(&rows.to_le_bytes());
        }
    }
}

/// Puts the places of sections right after the one at `range` has another length.
pub(crate) fn move_sections(bytes: &mut [u8], range: &Range<usize>, length: usize) {
    let (start, lines) = table(bytes).unwrap();
    let mut next = HEADER;
    for line in (0..lines).map(|place| start + place * LINE) {
        let (from, mut own) = (number(bytes, line + 16), number(bytes, line + 24));
        // An empty section begins where the one behind it does.
        if from == range.start && own == range.len() {
            own = length;
        }
        bytes[line + 16..line + 24].copy_from_slice(&(next as u64).to_le_bytes());
        bytes[line + 24..line + 32].copy_from_slice(&(own as u64).to_le_bytes());
        next += own;
    }
}
