//! Reads header and table of a snapshot, and makes sure of every sum before anything is expanded.

use std::ops::Range;

use sha2::{Digest, Sha256};

use super::layout::{
    ALLOWANCE, Coding, EXPANSION_RATIO, HEADER_LEN, LINE_LEN, MAGIC, ONLY_MODIFIED, PARTIAL,
    SNAPSHOT_VERSION, STORED, SUM_LEN, TABLE_SUM_LEN, weight,
};
use super::{SnapshotError, SnapshotFacts, Times};
use crate::bytes::{u32_at, u64_at};
use crate::error::{Damage, Place};
use crate::layout::{Count, Encoding, MAX_ROWS, SectionId};

/// What the first and the last bytes tell.
#[derive(Debug)]
pub(super) struct Outline {
    pub(super) facts: SnapshotFacts,
    pub(super) lines: Vec<Line>,
}

/// A line of the table.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) id: SectionId,
    pub(super) coding: Coding,
    pub(super) checksum: u32,
    pub(super) range: Range<usize>,
    /// Bytes that it has once it is decompressed.
    pub(super) expanded: usize,
    /// Elements that these stand for.
    pub(super) count: usize,
}

/// Reads header and table, and checks everything that can be checked without expanding, but for the
/// SHA-256.
pub(super) fn read(file: &[u8]) -> Result<Outline, SnapshotError> {
    let mut facts = header(file)?;
    let short = || Damage::new(Place::Gap, file.len() as u64, "the file ends too soon");
    let table_len = LINE_LEN * STORED.len() + TABLE_SUM_LEN;
    let (summed, sum) = parts(file).ok_or_else(short)?;
    let table_at = summed.len().checked_sub(table_len);
    let table_at = table_at.filter(|&at| at >= HEADER_LEN).ok_or_else(short)?;
    let lines = lines(summed, table_at, &facts)?;
    check_sections(summed, table_at, &lines)?;
    check_weight(&facts, &lines, file.len() as u64)?;
    facts.sha256.copy_from_slice(sum);
    Ok(Outline { facts, lines })
}

/// What the SHA-256 is over, and what it must be.
fn parts(file: &[u8]) -> Option<(&[u8], &[u8])> {
    file.split_at_checked(file.len().checked_sub(SUM_LEN)?)
}

/// Makes sure of the SHA-256.
pub(super) fn check_sum(file: &[u8]) -> Result<(), Damage> {
    match parts(file) {
        Some((summed, sum)) if Sha256::digest(summed)[..] == *sum => Ok(()),
        _ => {
            let at = file.len().saturating_sub(SUM_LEN) as u64;
            Err(Damage::new(Place::Gap, at, "its SHA-256 is another"))
        }
    }
}

fn header(file: &[u8]) -> Result<SnapshotFacts, SnapshotError> {
    if !file.starts_with(&MAGIC) {
        return Err(SnapshotError::NotASnapshot);
    }
    let wrong = |at: u64, found: String| Damage::new(Place::Header, at, found);
    let short = || wrong(file.len() as u64, "the file ends in it".to_owned());
    let version = u32_at(file, 8).ok_or_else(short)?;
    if version != SNAPSHOT_VERSION {
        return Err(SnapshotError::Version {
            found: version,
            expected: SNAPSHOT_VERSION,
        });
    }
    let header = file.get(..HEADER_LEN).ok_or_else(short)?;
    let (checked, checksum) = header.split_at(HEADER_LEN - 4);
    if u32_at(checksum, 0) != Some(crc32c::crc32c(checked)) {
        return Err(wrong(60, "its checksum is another".to_owned()).into());
    }
    let number = |at| u64_at(header, at).ok_or_else(short);
    let small = |at: usize| {
        let number = u32::try_from(number(at)?).ok().filter(|&n| n <= MAX_ROWS);
        number.ok_or_else(|| wrong(at as u64, format!("more than {MAX_ROWS}")))
    };
    let flags = u32_at(header, 40).ok_or_else(short)?;
    let sections = u32_at(header, 44).ok_or_else(short)?;
    if flags & !(PARTIAL | ONLY_MODIFIED) != 0 {
        return Err(wrong(40, format!("unknown flags {flags:#x}")).into());
    }
    if usize::try_from(sections) != Ok(STORED.len()) {
        let found = format!("{sections} sections in place of {}", STORED.len());
        return Err(wrong(44, found).into());
    }
    let (rows, names) = (small(16)?, small(24)?);
    if names > rows {
        return Err(wrong(24, format!("{names} names for {rows} rows")).into());
    }
    Ok(SnapshotFacts {
        rows,
        names,
        unread: number(32)?,
        is_partial: flags & PARTIAL != 0,
        times: match flags & ONLY_MODIFIED {
            0 => Times::All,
            _ => Times::Modified,
        },
        fold_version: u32_at(header, 12).ok_or_else(short)?,
        length: file.len() as u64,
        sha256: [0; SUM_LEN],
    })
}

/// The lines of the table, which ends where `file` does.
fn lines(file: &[u8], table_at: usize, facts: &SnapshotFacts) -> Result<Vec<Line>, Damage> {
    let table = file.get(table_at..).unwrap_or_default();
    let wrong = |at: usize, found: String| Damage::new(Place::Table, at as u64, found);
    let (lines, checksum) = table
        .split_at_checked(LINE_LEN * STORED.len())
        .unwrap_or_default();
    if u32_at(checksum, 0) != Some(crc32c::crc32c(lines)) {
        return Err(wrong(table_at, "its checksum is another".to_owned()));
    }
    let mut read: Vec<Line> = Vec::with_capacity(STORED.len());
    let mut next = HEADER_LEN;
    for (place, (line, &(id, _))) in lines.chunks_exact(LINE_LEN).zip(STORED).enumerate() {
        let at = table_at + place * LINE_LEN;
        let wrong = |what: &str| wrong(at, format!("`{}`: {what}", id.word()));
        let line = line_of(line, id).ok_or_else(|| wrong("a line that means nothing"))?;
        if line.range.start != next || line.range.end > table_at {
            return Err(wrong("not where it must be"));
        }
        next = line.range.end;
        let most = most_elements(id, &read, facts);
        if most.is_some_and(|(least, most)| line.count < least || line.count > most) {
            return Err(wrong("another number of elements"));
        }
        read.push(line);
    }
    for line in &read {
        check_coding(line, &read).map_err(|what| {
            let found = format!("`{}`: {what}", line.id.word());
            wrong(table_at, found)
        })?;
    }
    Ok(read)
}

fn line_of(line: &[u8], id: SectionId) -> Option<Line> {
    let number = |at| u64_at(line, at).and_then(|n| usize::try_from(n).ok());
    let start = number(16)?;
    let end = start.checked_add(number(24)?)?;
    let coding = Coding::of(*line.get(4)?, *line.get(5)?)?;
    let is_ours = u32_at(line, 0)? == id.number() && line.get(6..8)? == [0; 2];
    (is_ours && u32_at(line, 12)? == 0).then_some(Line {
        id,
        coding,
        checksum: u32_at(line, 8)?,
        range: start..end,
        expanded: number(32)?,
        count: number(40)?,
    })
}

/// How many elements a section has at least and at most; `None` for bytes, whose weight counts.
fn most_elements(id: SectionId, before: &[Line], facts: &SnapshotFacts) -> Option<(usize, usize)> {
    let (rows, names) = (facts.rows as usize, facts.names as usize);
    let counted = |id: SectionId| {
        let line = before.iter().find(|line| line.id == id);
        line.map_or(0, |line| line.count)
    };
    match id {
        SectionId::DirChildren => Some((0, rows)),
        SectionId::DirSize
        | SectionId::DirAllocated
        | SectionId::DirNewest
        | SectionId::DirNewestNanos => {
            let dirs = counted(SectionId::DirChildren);
            Some((dirs, dirs))
        }
        SectionId::OddNames => Some((0, names)),
        _ => match id.count_rule() {
            Count::Rows => Some((rows, rows)),
            Count::Same(other) => Some((counted(other), counted(other))),
            _ => None,
        },
    }
}

/// Numbers are planes of numbers, and are told against a column that stands by itself.
fn check_coding(line: &Line, lines: &[Line]) -> Result<(), &'static str> {
    if let Coding::Against(other) = line.coding {
        let other = lines.iter().find(|line| line.id == other);
        let stands = other.filter(|other| matches!(other.coding, Coding::Planes | Coding::Steps));
        if stands.is_none_or(|other| other.count != line.count) {
            return Err("told against a column that does not stand by itself");
        }
    }
    let fits = match line.coding {
        Coding::Front => line.id == SectionId::NameBytes,
        Coding::Bytes => super::is_bytes(line.id) && bytes_fit(line),
        // Eight bytes a number at most.
        _ => !super::is_bytes(line.id) && line.expanded <= line.count.saturating_mul(8),
    };
    fits.then_some(())
        .ok_or("its coding or its length does not fit its elements")
}

/// Whether a section of bytes has as many as its elements take. Names have a form of their own.
fn bytes_fit(line: &Line) -> bool {
    match line.id.encoding() {
        _ if line.id == SectionId::NameBytes => false,
        Encoding::Plain(width) => {
            (line.count as u64).checked_mul(width) == Some(line.expanded as u64)
        }
        _ => line.expanded == line.count,
    }
}

/// The checksum of each section, and zeros between the last one and the table.
fn check_sections(file: &[u8], table_at: usize, lines: &[Line]) -> Result<(), Damage> {
    let mut end = HEADER_LEN;
    for line in lines {
        let bytes = file.get(line.range.clone()).unwrap_or_default();
        if crc32c::crc32c(bytes) != line.checksum {
            return Err(Damage::section(line.id, 0, "its checksum is another"));
        }
        end = line.range.end;
    }
    let gap = file.get(end..table_at).unwrap_or_default();
    match gap.iter().position(|&byte| byte != 0) {
        Some(at) => Err(Damage::new(Place::Gap, (end + at) as u64, "not zero")),
        None => Ok(()),
    }
}

/// What a file asks for is bounded by what it is.
fn check_weight(facts: &SnapshotFacts, lines: &[Line], length: u64) -> Result<(), SnapshotError> {
    let bytes = lines.iter().filter(|line| super::is_bytes(line.id));
    let bytes = bytes.map(|line| line.expanded.max(line.count) as u64);
    let bytes = bytes.fold(0, u64::saturating_add);
    let asked = weight(facts.rows.into(), bytes);
    let allowed = ALLOWANCE.saturating_add(length.saturating_mul(EXPANSION_RATIO));
    if asked > allowed {
        return Err(SnapshotError::TooLarge { asked, allowed });
    }
    Ok(())
}
