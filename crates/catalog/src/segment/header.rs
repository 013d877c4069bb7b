//! Reads header and section table, and makes sure that sections lie where they must.

use super::Section;
use crate::bytes::{u32_at, u64_at};
use crate::error::{Damage, OpenError, Place};
use crate::layout::{
    Count, Encoding, FORMAT_VERSION, HEADER_LEN, MAGIC, MAX_ROWS, ROWS_PER_BLOCK, SectionId,
    TABLE_LINE_LEN, align, data_start,
};
use crate::packed::{BLOCK, DIRECTORY_LINE};

/// What the first bytes tell.
pub(super) struct Header {
    pub(super) rows: u32,
    pub(super) names: u32,
    pub(super) fold_version: u32,
    pub(super) sections: Vec<Section>,
}

/// Reads them. Nothing behind the section table is touched.
pub(super) fn read(file: &[u8]) -> Result<Header, OpenError> {
    if !file.starts_with(&MAGIC) {
        return Err(OpenError::NotASegment);
    }
    let short = || Damage::new(Place::Header, file.len() as u64, "the file ends in it");
    let version = u32_at(file, 8).ok_or_else(short)?;
    if version != FORMAT_VERSION {
        return Err(OpenError::Version {
            found: version,
            expected: FORMAT_VERSION,
        });
    }
    let header = file.get(..HEADER_LEN).ok_or_else(short)?;
    let (checked, checksum) = header.split_at(HEADER_LEN - 4);
    if u32_at(checksum, 0) != Some(crc32c::crc32c(checked)) {
        return Err(Damage::new(Place::Header, 60, "its checksum is another").into());
    }
    let field = |at| u64_at(header, at).ok_or_else(short);
    expect_length(field(16)?, file)?;
    let rows = small(field(24)?, 24)?;
    let names = small(field(32)?, 32)?;
    if names > rows {
        let found = format!("{names} names for {rows} rows");
        return Err(Damage::new(Place::Header, 32, found).into());
    }
    let table = table(file, u32_at(header, 40).zip(u32_at(header, 44)))?;
    Ok(Header {
        rows,
        names,
        fold_version: u32_at(header, 12).ok_or_else(short)?,
        sections: sections(table, file, rows, names)?,
    })
}

fn expect_length(length: u64, file: &[u8]) -> Result<(), Damage> {
    let found = file.len() as u64;
    if found != length {
        let found = format!("the file has {found} bytes in place of {length}");
        return Err(Damage::new(Place::Gap, file.len() as u64, found));
    }
    Ok(())
}

fn small(number: u64, at: u64) -> Result<u32, Damage> {
    let number = u32::try_from(number).ok().filter(|&n| n <= MAX_ROWS);
    number.ok_or_else(|| Damage::new(Place::Header, at, format!("more than {MAX_ROWS}")))
}

/// The bytes of the section table. `numbers`: how many sections there are, and its checksum.
fn table(file: &[u8], numbers: Option<(u32, u32)>) -> Result<&[u8], Damage> {
    let expected = SectionId::ALL.len();
    let wrong = |found: String| Damage::new(Place::Table, HEADER_LEN as u64, found);
    let (count, checksum) = numbers.ok_or_else(|| wrong("nothing".to_owned()))?;
    if usize::try_from(count) != Ok(expected) {
        return Err(wrong(format!("{count} sections in place of {expected}")));
    }
    let end = HEADER_LEN + expected * TABLE_LINE_LEN;
    let table = file.get(HEADER_LEN..end);
    let table = table.ok_or_else(|| wrong("the file ends in it".to_owned()))?;
    if crc32c::crc32c(table) != checksum {
        return Err(wrong("its checksum is another".to_owned()));
    }
    Ok(table)
}

fn sections(table: &[u8], file: &[u8], rows: u32, names: u32) -> Result<Vec<Section>, Damage> {
    let mut sections: Vec<Section> = Vec::with_capacity(SectionId::ALL.len());
    let mut next = data_start();
    for (&id, line) in SectionId::ALL
        .iter()
        .zip(table.chunks_exact(TABLE_LINE_LEN))
    {
        let at = (HEADER_LEN + id.index() * TABLE_LINE_LEN) as u64;
        let wrong = |what: &str| Damage::new(Place::Table, at, format!("`{}`: {what}", id.word()));
        let section = read_line(line, id, next).ok_or_else(|| wrong("not where it must be"))?;
        if section.range.end > file.len() {
            return Err(wrong("it goes past the end of the file"));
        }
        next = align(section.range.end as u64);
        let expected = expected_count(id, &sections, rows, names);
        if expected.is_some_and(|expected| expected != section.count) {
            return Err(wrong("another number of elements"));
        }
        if !length_fits(id, &section) {
            return Err(wrong("its length does not fit its number of elements"));
        }
        sections.push(section);
    }
    if next != file.len() as u64 {
        let found = format!("the last section ends before {next}");
        return Err(Damage::new(Place::Gap, file.len() as u64, found));
    }
    Ok(sections)
}

/// One line of the table; `None` when it is another section's or does not begin at `offset`.
fn read_line(line: &[u8], id: SectionId, offset: u64) -> Option<Section> {
    let start = u64_at(line, 8)?;
    if u32_at(line, 0)? != id.number() || start != offset {
        return None;
    }
    let end = start.checked_add(u64_at(line, 16)?)?;
    // Far below the end of 64 bits, so that rounding up stays in them.
    let end = usize::try_from(end).ok().filter(|_| end < 1 << 62)?;
    Some(Section {
        range: usize::try_from(start).ok()?..end,
        count: usize::try_from(u64_at(line, 24)?).ok()?,
        checksum: u32_at(line, 4)?,
    })
}

/// How many elements a section must have; `None` where the table alone says so.
fn expected_count(id: SectionId, before: &[Section], rows: u32, names: u32) -> Option<usize> {
    let (rows, names) = (rows as usize, names as usize);
    match id.count_rule() {
        Count::Rows => Some(rows),
        Count::Blocks => Some(rows.div_ceil(ROWS_PER_BLOCK as usize)),
        Count::Names => Some(names),
        Count::NameEnds => Some(names + 1),
        Count::Same(other) => before.get(other.index()).map(|section| section.count),
        Count::Free => None,
    }
}

fn length_fits(id: SectionId, section: &Section) -> bool {
    let length = section.range.len();
    match id.encoding() {
        Encoding::Plain(width) => {
            let expected = (section.count as u64).checked_mul(width);
            expected == Some(length as u64)
        }
        Encoding::Packed => {
            let directory = section.count.div_ceil(BLOCK).checked_mul(DIRECTORY_LINE);
            directory.is_some_and(|directory| directory <= length)
        }
        Encoding::Bytes => section.count == length,
    }
}
