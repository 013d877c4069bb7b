//! All directories of a view, and what tells whether one is what it was.

use groma_base::{FileId, Timestamp};

use super::View;
use crate::error::Damage;
use crate::kinds::KindFlags;
use crate::layout::SectionId;

/// What changes when a directory does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Its node.
    pub id: FileId,
    /// Last change of content.
    pub modified: Timestamp,
    /// Last change of the node.
    pub changed: Timestamp,
}

/// Kinds that are looked at together.
const CHUNK: usize = 64;

impl View {
    /// The directories in the order of paths.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn directories(&self) -> Result<Vec<u32>, Damage> {
        let segment = self.segment();
        let dirs = segment.packed(SectionId::Dirs)?;
        let (mut found, mut rows) = (Vec::with_capacity(dirs.len()), Vec::new());
        for piece in self.pieces() {
            let ids = piece.ids.clone();
            if ids.start >= segment.rows() {
                for id in ids {
                    if self.kind(id)?.is_dir() {
                        found.push(id);
                    }
                }
                continue;
            }
            let first = dirs.lower_bound(0..dirs.len(), ids.start.into())?;
            let after = dirs.lower_bound(first..dirs.len(), ids.end.into())?;
            rows.clear();
            dirs.fill(first..after, &mut rows)?;
            for &row in &rows {
                let row = u32::try_from(row).ok().filter(|row| ids.contains(row));
                found.push(row.ok_or_else(|| dirs.wrong(first, "rows out of order".to_owned()))?);
            }
        }
        Ok(found)
    }

    /// The entries that a stat call failed for, in the order of paths.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn without_metadata(&self) -> Result<Vec<u32>, Damage> {
        let (kinds, mut found) = (self.segment().kind_numbers(), Vec::new());
        for piece in self.pieces() {
            let mut at = piece.ids.start;
            while at < piece.ids.end {
                let end = piece.ids.end.min(at.saturating_add(CHUNK as u32));
                let numbers = kinds.iter(at as usize..end as usize);
                // Entries of the delta are in no column.
                let is_stored = end <= self.segment().rows();
                let together = KindFlags::from_number(numbers.fold(0, |all, kind| all | kind));
                let may = together.is_none_or(|flags| flags.has(KindFlags::NO_METADATA));
                if may || !is_stored {
                    for id in at..end {
                        if self.kind(id)?.has(KindFlags::NO_METADATA) {
                            found.push(id);
                        }
                    }
                }
                at = end;
            }
        }
        Ok(found)
    }

    /// What changes when an entry does; `None` when a stat call had failed. The device is the
    /// number of that time.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn stamp(&self, id: u32) -> Result<Option<Stamp>, Damage> {
        match self.shown().delta_row(id)? {
            Some(row) => Ok(row.metadata.as_ref().map(|metadata| Stamp {
                id: metadata.id,
                modified: metadata.modified,
                changed: metadata.changed,
            })),
            None => self.segment().stamp(id),
        }
    }
}
