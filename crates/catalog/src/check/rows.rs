//! Checks each row by itself: what its columns may hold.

use groma_base::{CancelToken, extension};

use super::{CheckError, expect, look_at};
use crate::error::Damage;
use crate::kinds::KindFlags;
use crate::layout::{EXTENSION_OVERFLOW, SectionId};
use crate::segment::{Extensions, Segment};

/// Numbers lead to names, owners and file systems that are there; times are times.
pub(super) fn check(segment: &Segment, cancel: &CancelToken) -> Result<(), CheckError> {
    let extensions = segment.extensions()?;
    check_extensions(&extensions)?;
    for row in 0..segment.rows() {
        look_at(row, cancel)?;
        check_name(segment, row)?;
        check_extension(segment, &extensions, row)?;
        for id in [
            SectionId::ModifiedNanos,
            SectionId::AccessedNanos,
            SectionId::ChangedNanos,
            SectionId::CreatedNanos,
        ] {
            segment.nanoseconds(id, row)?;
        }
        expect(
            SectionId::Mode,
            row.into(),
            segment.cell(SectionId::Mode, row)? & !0o7777,
            0,
        )?;
        let metadata = segment.metadata(row)?;
        if metadata.is_none() {
            check_zeros(segment, row)?;
        }
    }
    Ok(())
}

/// The root has the empty name, and no other row has.
fn check_name(segment: &Segment, row: u32) -> Result<(), Damage> {
    let name = segment.name(row)?;
    let is_empty = segment.names()?.folded(name)?.is_empty();
    if is_empty != (row == 0) {
        let found = format!("row {row} has the name {name}");
        return Err(Damage::section(SectionId::Name, u64::from(row) * 4, found));
    }
    Ok(())
}

/// Extensions ascend; the first is the empty one.
fn check_extensions(extensions: &Extensions<'_>) -> Result<(), Damage> {
    let mut before: Option<&[u8]> = None;
    for number in 0..u32::try_from(extensions.len()).unwrap_or(u32::MAX) {
        let extension = extensions.get(number)?;
        let in_order = match before {
            None => extension.is_empty(),
            Some(before) => before < extension,
        };
        if !in_order {
            let found = format!("extension {number} is not in order");
            return Err(Damage::section(SectionId::ExtensionEnds, 0, found));
        }
        before = Some(extension);
    }
    Ok(())
}

/// A row's extension is that of its name, and takes 16 bits where it can.
fn check_extension(segment: &Segment, extensions: &Extensions<'_>, row: u32) -> Result<(), Damage> {
    let number = extensions.of_row(row)?;
    let found = extensions.get(number)?;
    let name = segment.names()?.folded(segment.name(row)?)?;
    let place = u64::from(row);
    expect(
        SectionId::Extension,
        place,
        found,
        extension(name).unwrap_or_default(),
    )?;
    let column = segment.section(SectionId::Extension);
    let short = crate::bytes::u16_at(column, row as usize * 2);
    let expected = u16::try_from(number).unwrap_or(EXTENSION_OVERFLOW);
    expect(SectionId::Extension, place, short, Some(expected))
}

/// What is not known is zero.
fn check_zeros(segment: &Segment, row: u32) -> Result<(), Damage> {
    let place = u64::from(row);
    expect(SectionId::Size, place, segment.size(row)?, 0)?;
    expect(SectionId::Allocated, place, segment.allocated(row)?, 0)?;
    for id in [
        SectionId::Inode,
        SectionId::Links,
        SectionId::Owner,
        SectionId::Volume,
    ] {
        expect(id, place, segment.packed(id)?.get(row as usize)?, 0)?;
    }
    let flags = segment.kind(row)?;
    expect(
        SectionId::Kind,
        place,
        flags.has(KindFlags::HAS_CREATED),
        false,
    )
}
