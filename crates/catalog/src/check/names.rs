//! Checks the dictionary of names.

use groma_base::{CancelToken, FOLD_VERSION, fold_into};

use super::{CheckError, expect, look_at};
use crate::bytes::u32_at;
use crate::error::Damage;
use crate::layout::SectionId;
use crate::segment::{Names, Segment};

/// Names lie one behind the other, each ended by NUL, in order, each once; raw and folded forms
/// belong together.
pub(super) fn check(segment: &Segment, cancel: &CancelToken) -> Result<(), CheckError> {
    let names = segment.names()?;
    check_ends(segment, &names)?;
    check_odd_names(segment)?;
    let (mut before, mut raw, mut refolded) = (Vec::new(), Vec::new(), Vec::new());
    for name in 0..names.len() {
        look_at(name, cancel)?;
        let folded = names.folded(name)?;
        if names.arena().get(names.range(name)?.end) != Some(&0) || has_bad_byte(folded) {
            return Err(wrong(&names, name, "not one name ended by NUL").into());
        }
        raw.clear();
        names.append(name, &mut raw)?;
        if name > 0 && (names.folded(name - 1)?, &before) >= (folded, &raw) {
            return Err(wrong(&names, name, "not in order").into());
        }
        check_case(segment, &names, name, folded, &raw)?;
        if segment.fold_version() == FOLD_VERSION {
            refolded.clear();
            fold_into(&raw, &mut refolded);
            if refolded != folded {
                return Err(wrong(&names, name, "not the folded form of its raw name").into());
            }
        }
        std::mem::swap(&mut before, &mut raw);
    }
    Ok(())
}

fn has_bad_byte(name: &[u8]) -> bool {
    name.iter().any(|&b| b == 0 || b == b'/')
}

fn wrong(names: &Names<'_>, name: u32, what: &str) -> Damage {
    let at = names.range(name).map_or(0, |range| range.start as u64);
    Damage::section(SectionId::NameBytes, at, format!("name {name}: {what}"))
}

/// The first name begins at 0, the last one ends with the arena, and there is a bit for each byte.
/// That no name overlaps another follows from their ends: a start is the end before it.
fn check_ends(segment: &Segment, names: &Names<'_>) -> Result<(), Damage> {
    let starts = segment.packed(SectionId::NameStarts)?;
    let last = names.len() as usize;
    expect(SectionId::NameStarts, 0, starts.get(0)?, 0)?;
    let bytes = names.arena().len();
    expect(
        SectionId::NameStarts,
        last as u64,
        starts.get(last)?,
        bytes as u64,
    )?;
    let bits = segment.section(SectionId::NameCase).len();
    expect(SectionId::NameCase, 0, bits, bytes.div_ceil(8))
}

/// The numbers of names with a raw form of their own ascend, and their forms fill the section.
fn check_odd_names(segment: &Segment) -> Result<(), Damage> {
    let count = segment.count(SectionId::OddNames);
    let odd = segment.section(SectionId::OddNames);
    let bytes = segment.section(SectionId::OddBytes).len();
    let ends = segment.packed(SectionId::OddEnds)?;
    let mut before = None;
    for place in 0..count {
        ends.range(place, bytes)?;
        let name = u32_at(odd, place * 4);
        if name <= before || name >= Some(segment.names()?.len()) {
            let found = format!("name {name:?} after {before:?}");
            return Err(Damage::section(
                SectionId::OddNames,
                place as u64 * 4,
                found,
            ));
        }
        before = name;
    }
    let end = match count.checked_sub(1) {
        Some(last) => ends.get(last)?,
        None => 0,
    };
    expect(SectionId::OddBytes, 0, bytes as u64, end)
}

/// A bit is set only where it makes a difference, and a raw form stands apart only where bits do
/// not do: so that equal segments are equal bytes.
fn check_case(
    segment: &Segment,
    names: &Names<'_>,
    name: u32,
    folded: &[u8],
    raw: &[u8],
) -> Result<(), Damage> {
    let is_odd = names.odd(name)?.is_some();
    if is_odd && (crate::build::differs_in_ascii_case_only(raw, folded) || has_bad_byte(raw)) {
        return Err(wrong(names, name, "a raw form that needs none of its own"));
    }
    let case = segment.section(SectionId::NameCase);
    let range = names.range(name)?;
    for at in range.start..=range.end {
        let is_set = case.get(at / 8).is_some_and(|b| b >> (at % 8) & 1 == 1);
        let byte = folded.get(at - range.start);
        if is_set && (is_odd || !byte.is_some_and(u8::is_ascii_lowercase)) {
            let found = format!("name {name}: a bit where there is no letter");
            return Err(Damage::section(SectionId::NameCase, (at / 8) as u64, found));
        }
    }
    Ok(())
}
