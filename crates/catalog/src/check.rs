//! Checks a segment: that its bytes are the ones that were written, and that they make sense.
//!
//! Checksums find damage; the invariants find what a faulty or hostile writer would have put under
//! right checksums. What can be worked out from other columns is worked out and compared.

mod dirs;
mod lists;
mod names;
mod rows;

use groma_base::CancelToken;
use thiserror::Error;

use crate::error::{Damage, Place};
use crate::layout::{SectionId, data_start};
use crate::segment::Segment;

/// Rows or names between two looks at whether somebody wants to stop.
const ITEMS_PER_LOOK: u32 = 65_536;

/// Why a check did not end well.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The first damage that was found.
    #[error(transparent)]
    Damaged(#[from] Damage),
    /// The caller asked to stop.
    #[error("interrupted")]
    Cancelled,
}

impl Segment {
    /// Verifies every checksum and every invariant of the format. Reads all bytes.
    ///
    /// # Errors
    /// The first [`Damage`], in the order: checksums, names, rows, directories, lists, links,
    /// blocks; or [`CheckError::Cancelled`].
    pub fn check(&self, cancel: &CancelToken) -> Result<(), CheckError> {
        self.check_checksums(cancel)?;
        self.about()?;
        names::check(self, cancel)?;
        rows::check(self, cancel)?;
        dirs::check(self, cancel)?;
        lists::check(self, cancel)?;
        Ok(())
    }

    fn check_checksums(&self, cancel: &CancelToken) -> Result<(), CheckError> {
        let Some((file, sections)) = self.placed_sections() else {
            return Ok(());
        };
        let mut end = table_end();
        for (id, range, checksum) in sections {
            look(cancel)?;
            check_gap(file, end, range.start)?;
            end = range.end;
            if checksum != crc32c::crc32c(self.section(id)) {
                return Err(Damage::section(id, 0, "its checksum is another").into());
            }
        }
        Ok(check_gap(file, end, file.len())?)
    }
}

/// Between sections there are zeros.
fn check_gap(file: &[u8], start: usize, end: usize) -> Result<(), Damage> {
    let gap = file.get(start..end).unwrap_or_default();
    match gap.iter().position(|&byte| byte != 0) {
        Some(at) => Err(Damage::new(Place::Gap, (start + at) as u64, "not zero")),
        None => Ok(()),
    }
}

fn table_end() -> usize {
    use crate::layout::{HEADER_LEN, TABLE_LINE_LEN};
    let end = HEADER_LEN + TABLE_LINE_LEN * SectionId::ALL.len();
    debug_assert!(end as u64 <= data_start());
    end
}

fn look(cancel: &CancelToken) -> Result<(), CheckError> {
    if cancel.is_cancelled() {
        return Err(CheckError::Cancelled);
    }
    Ok(())
}

/// A look every now and then.
fn look_at(item: u32, cancel: &CancelToken) -> Result<(), CheckError> {
    if item.is_multiple_of(ITEMS_PER_LOOK) {
        look(cancel)?;
    }
    Ok(())
}

/// Fails unless `found` is `expected`; `place` tells which element of the section it is.
fn expect<T: PartialEq + std::fmt::Debug>(
    id: SectionId,
    place: u64,
    found: T,
    expected: T,
) -> Result<(), Damage> {
    if found == expected {
        return Ok(());
    }
    let offset = match id.encoding() {
        crate::layout::Encoding::Plain(width) => place * width,
        _ => 0,
    };
    let found = format!("element {place} is {found:?} in place of {expected:?}");
    Err(Damage::section(id, offset, found))
}
