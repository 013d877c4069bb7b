//! Checks the lists of rows by name and by extension: each row once, under what it has.

use groma_base::CancelToken;

use super::{CheckError, expect, look_at};
use crate::bytes::u32_at;
use crate::error::Damage;
use crate::layout::{EXTENSION_OVERFLOW, SHARED_NAME, SectionId};
use crate::segment::{RowList, Segment};

/// Every row stands in the list of its name and in that of its extension, and nowhere else.
pub(super) fn check(segment: &Segment, cancel: &CancelToken) -> Result<(), CheckError> {
    check_names(segment, cancel)?;
    check_extensions(segment, cancel)?;
    check_overflow(segment)?;
    Ok(())
}

fn check_names(segment: &Segment, cancel: &CancelToken) -> Result<(), CheckError> {
    let names = segment.names()?;
    let postings = segment.section(SectionId::NameRows);
    let (mut listed, mut lists) = (0usize, 0);
    for name in 0..names.len() {
        look_at(name, cancel)?;
        let rows = names.rows(name)?;
        let posting = u32_at(postings, name as usize * 4).unwrap_or_default();
        if posting & SHARED_NAME != 0 {
            let place = u64::from(name);
            expect(SectionId::NameRows, place, posting & !SHARED_NAME, lists)?;
            lists += 1;
            if rows.len() < 2 {
                let found = format!("name {name} has a list of {}", rows.len());
                return Err(Damage::section(SectionId::SharedEnds, 0, found).into());
            }
        }
        listed += rows.len();
        check_list(SectionId::NameRows, name, rows, |row| segment.name(row))?;
    }
    let found = segment.count(SectionId::SharedEnds);
    expect(SectionId::SharedEnds, 0, found, lists as usize)?;
    check_total(SectionId::NameRows, listed, segment)?;
    let ends = segment.packed(SectionId::SharedEnds)?;
    let end = match ends.len().checked_sub(1) {
        Some(last) => ends.get(last)?,
        None => 0,
    };
    let found = segment.count(SectionId::SharedRows) as u64;
    Ok(expect(SectionId::SharedRows, 0, found, end)?)
}

fn check_extensions(segment: &Segment, cancel: &CancelToken) -> Result<(), CheckError> {
    let extensions = segment.extensions()?;
    let mut listed = 0;
    for extension in 0..u32::try_from(extensions.len()).unwrap_or(u32::MAX) {
        look_at(extension, cancel)?;
        let rows = extensions.rows(extension)?;
        listed += rows.len();
        let of_row = |row| extensions.of_row(row);
        check_list(SectionId::ExtensionRows, extension, rows, of_row)?;
    }
    Ok(check_total(SectionId::ExtensionRows, listed, segment)?)
}

/// Rows ascend and have the value that they are listed under: so none is listed twice.
fn check_list(
    id: SectionId,
    value: u32,
    rows: RowList<'_>,
    of_row: impl Fn(u32) -> Result<u32, Damage>,
) -> Result<(), Damage> {
    let mut before = None;
    for row in rows {
        let row = row?;
        if Some(row) <= before {
            let found = format!("list {value}: row {row} after {before:?}");
            return Err(Damage::section(id, 0, found));
        }
        before = Some(row);
        if of_row(row)? != value {
            let found = format!("list {value} holds row {row}, which has another");
            return Err(Damage::section(id, 0, found));
        }
    }
    Ok(())
}

fn check_total(id: SectionId, listed: usize, segment: &Segment) -> Result<(), Damage> {
    let rows = segment.rows() as usize;
    if listed == rows {
        return Ok(());
    }
    let found = format!("{listed} rows listed in place of {rows}");
    Err(Damage::section(id, 0, found))
}

/// Rows with a large number of an extension ascend and are just those that say so.
fn check_overflow(segment: &Segment) -> Result<(), Damage> {
    let (column, _) = segment.section(SectionId::Extension).as_chunks::<2>();
    let marked = (0u32..)
        .zip(column)
        .filter(|(_, bytes)| u16::from_le_bytes(**bytes) == EXTENSION_OVERFLOW);
    let mut count = 0;
    for (place, (row, _)) in marked.enumerate() {
        let stored = u32_at(segment.section(SectionId::OverflowRows), place * 4);
        expect(SectionId::OverflowRows, place as u64, stored, Some(row))?;
        count += 1;
    }
    let found = segment.count(SectionId::OverflowRows);
    expect(SectionId::OverflowRows, 0, found, count)
}
