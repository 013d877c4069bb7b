//! A segment as its delta changes it: from an entry to its parent, its name and its entries.

use std::sync::Arc;

use super::state::{Changed, Link, Name, Row, State};
use crate::error::Damage;
use crate::kinds::KindFlags;
use crate::layout::SectionId;
use crate::segment::Segment;

/// A segment and what has changed since. Ids below the number of rows are rows of the segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown<'a> {
    pub(crate) segment: &'a Segment,
    pub(crate) state: &'a State,
}

impl<'a> Shown<'a> {
    /// The entry of the delta with this id; `None` for a row of the segment.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub(crate) fn delta_row(&self, id: u32) -> Result<Option<&'a Row>, Damage> {
        let Some(number) = id.checked_sub(self.segment.rows()) else {
            return Ok(None);
        };
        let row = self.state.rows.get(number as usize);
        let missing = || self.segment.out_of_range(SectionId::Kind, id as usize);
        row.map(Some).ok_or_else(missing)
    }

    /// The root; `None` when there are no entries at all.
    pub(crate) fn top(&self) -> Option<u32> {
        let first_row = (self.segment.rows() > 0).then_some(0);
        self.state.top.or(first_row)
    }

    /// The entry that stands for a row now.
    pub(crate) fn current(&self, id: u32) -> u32 {
        self.state.replaced.get(&id).copied().unwrap_or(id)
    }

    /// The row of the segment whose entries are those of a directory, but for what has changed.
    pub(crate) fn base(&self, id: u32) -> Result<Option<u32>, Damage> {
        Ok(match self.delta_row(id)? {
            Some(row) => row.base,
            None => Some(id),
        })
    }

    /// What a directory's changes are filed under, whichever entry stands for it.
    pub(crate) fn key(&self, id: u32) -> Result<u32, Damage> {
        Ok(self.base(id)?.unwrap_or(id))
    }

    /// What a directory lost and gained.
    pub(crate) fn changed(&self, id: u32) -> Result<Option<&'a Changed>, Damage> {
        Ok(self.state.dirs.get(&self.key(id)?))
    }

    /// Where an entry was put or moved; `None` for a row that is where the segment has it.
    pub(crate) fn link(&self, id: u32) -> Result<Option<&'a Link>, Damage> {
        Ok(match self.delta_row(id)? {
            Some(row) => Some(&row.link),
            None => self.state.moved.get(&id),
        })
    }

    /// The directory that an entry lies in; `None` for the root.
    pub(crate) fn parent(&self, id: u32) -> Result<Option<u32>, Damage> {
        let parent = match self.link(id)? {
            Some(link) => link.parent,
            None => self.segment.parent(id)?,
        };
        Ok(parent.map(|parent| self.current(parent)))
    }

    /// Appends the name of an entry; of the root, nothing.
    pub(crate) fn append_name(&self, id: u32, out: &mut Vec<u8>) -> Result<(), Damage> {
        match self.link(id)? {
            Some(link) => out.extend_from_slice(&link.name),
            None => {
                let names = self.segment.names()?;
                names.append(self.segment.name(id)?, out)?;
            }
        }
        Ok(())
    }

    /// The name of an entry.
    pub(crate) fn name(&self, id: u32) -> Result<Arc<[u8]>, Damage> {
        if let Some(link) = self.link(id)? {
            return Ok(Arc::clone(&link.name));
        }
        let mut name = Vec::new();
        self.append_name(id, &mut name)?;
        Ok(name.into())
    }

    /// Kind and flags, those about the node's other entries as the segment has them.
    pub(crate) fn kind(&self, id: u32) -> Result<KindFlags, Damage> {
        if let Some(row) = self.delta_row(id)? {
            return Ok(row.kind);
        }
        let kind = self.segment.kind(id)?;
        Ok(match self.state.unread.get(&id) {
            Some(&unread) => kind.set(KindFlags::UNREAD, unread),
            None => kind,
        })
    }

    /// The entry of this name in a directory.
    pub(crate) fn child(&self, dir: u32, name: &[u8]) -> Result<Option<u32>, Damage> {
        let changed = self.changed(dir)?;
        if let Some(changed) = changed
            && let Some(added) = changed.added.get(&Name::new(name))
        {
            return Ok(Some(added.id));
        }
        let found = match self.base(dir)? {
            Some(base) if self.kind(dir)?.is_dir() => self.segment.child(base, name)?,
            _ => None,
        };
        let is_gone = |row: &u32| changed.is_some_and(|changed| changed.lost(*row));
        Ok(found.filter(|row| !is_gone(row)))
    }

    /// Whether an entry is there: neither it nor a directory above it was removed.
    pub(crate) fn is_shown(&self, id: u32) -> Result<bool, Damage> {
        let rows = self.segment.rows() as usize + self.state.rows.len();
        if id as usize >= rows {
            return Ok(false);
        }
        let mut at = id;
        loop {
            let parent = match self.link(at)? {
                Some(link) if !link.is_attached => return Ok(false),
                Some(link) => link.parent,
                None => self.segment.parent(at)?,
            };
            let Some(parent) = parent else {
                return Ok(Some(at) == self.top());
            };
            let dir = self.current(parent);
            let is_in_place = self.link(at)?.is_none();
            if is_in_place && self.changed(dir)?.is_some_and(|changed| changed.lost(at)) {
                return Ok(false);
            }
            at = dir;
        }
    }
}
