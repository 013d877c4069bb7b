//! What a view tells of one entry.

use groma_base::{Metadata, Timestamp};

use super::View;
use crate::about::Volume;
use crate::error::Damage;
use crate::kinds::KindFlags;
use crate::layout::SectionId;
use crate::segment::DirTotals;

impl View {
    /// The directory that an entry lies in; `None` for the root.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn parent(&self, id: u32) -> Result<Option<u32>, Damage> {
        match self.is_sealed() {
            true => self.segment().parent(id),
            false => self.shown().parent(id),
        }
    }

    /// Appends the name of an entry as it is on the disk; of the root, nothing.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn append_name(&self, id: u32, out: &mut Vec<u8>) -> Result<(), Damage> {
        self.shown().append_name(id, out)
    }

    /// Kind and flags.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn kind(&self, id: u32) -> Result<KindFlags, Damage> {
        match self.overlay() {
            None => self.segment().kind(id),
            Some(overlay) => overlay.kind(self.shown(), id),
        }
    }

    /// Apparent size, bytes; 0 when it is not known.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn size(&self, id: u32) -> Result<u64, Damage> {
        match self.shown().delta_row(id)? {
            Some(row) => Ok(row.metadata.as_ref().map_or(0, |m| m.size)),
            None => self.segment().size(id),
        }
    }

    /// Allocated size, bytes; 0 when it is not known.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn allocated(&self, id: u32) -> Result<u64, Damage> {
        match self.shown().delta_row(id)? {
            Some(row) => Ok(row.metadata.as_ref().map_or(0, |m| m.allocated)),
            None => self.segment().allocated(id),
        }
    }

    /// Last change of content.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn modified(&self, id: u32) -> Result<Timestamp, Damage> {
        match self.shown().delta_row(id)? {
            Some(row) => Ok(row
                .metadata
                .as_ref()
                .map_or_else(Timestamp::default, |m| m.modified)),
            None => self.segment().modified(id),
        }
    }

    /// Everything a stat call told; `None` when it failed.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn metadata(&self, id: u32) -> Result<Option<Metadata>, Damage> {
        match self.shown().delta_row(id)? {
            Some(row) => Ok(row.metadata.as_deref().cloned()),
            None => self.segment().metadata(id),
        }
    }

    /// The file system that an entry lies on; `None` when a stat call failed.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry, or no such file system.
    pub fn volume(&self, id: u32) -> Result<Option<Volume>, Damage> {
        if self.kind(id)?.has(KindFlags::NO_METADATA) {
            return Ok(None);
        }
        let Some(row) = self.shown().delta_row(id)? else {
            let number = self.segment().cell(SectionId::Volume, id)?;
            return self.segment().volume(number as usize).map(Some);
        };
        let device = row.metadata.as_ref().map(|m| m.id.device);
        let mut known = self.volumes()?.into_iter();
        let known = known.find(|volume| Some(volume.device) == device);
        Ok(device.map(|device| {
            known.unwrap_or(Volume {
                device,
                ..Volume::default()
            })
        }))
    }

    /// Whether another entry of the view has the same name. The root has none.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn shares_name(&self, id: u32) -> Result<bool, Damage> {
        if self.place(id) == Some(0) {
            return Ok(false);
        }
        let (shown, segment) = (self.shown(), self.segment());
        let names = segment.names()?;
        let link = shown.link(id)?;
        if let Some(overlay) = self.overlay() {
            let name = shown.name(id)?;
            let own = u32::from(link.is_some());
            if overlay.names.get(&name).is_some_and(|&count| count > own) {
                return Ok(true);
            }
        }
        let name = match link {
            Some(link) => names.exact(&link.name)?,
            None => Some(segment.name(id)?),
        };
        let Some(name) = name else {
            return Ok(false);
        };
        for other in names.rows(name)? {
            let other = other?;
            // What was moved is counted under the name that it has now.
            if other != id && self.is_live(other) && shown.link(other)?.is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What lies below a directory; `None` for an entry that is none.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn totals(&self, id: u32) -> Result<Option<DirTotals>, Damage> {
        let changed = self.overlay().and_then(|overlay| overlay.dirs.get(&id));
        match changed {
            Some(sums) => self.changed_totals(id, sums).map(Some),
            // Directories of the delta are all among those that have changed.
            None if id >= self.segment().rows() => {
                self.kind(id)?;
                Ok(None)
            }
            None => self.segment().totals(id),
        }
    }

    /// All entries of an entry's node in the order of paths; empty when it is the only one.
    ///
    /// # Errors
    /// [`Damage`] when the tables of links do not fit together.
    pub fn linked(&self, id: u32) -> Result<Vec<u32>, Damage> {
        let changed = self.overlay().and_then(|overlay| overlay.nodes.linked(id));
        match changed {
            Some(entries) => Ok(entries.to_vec()),
            None if id >= self.segment().rows() => Ok(Vec::new()),
            None => self.segment().linked_rows(id),
        }
    }

    /// Appends the absolute path of an entry.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn append_path(&self, id: u32, out: &mut Vec<u8>) -> Result<(), Damage> {
        out.extend_from_slice(self.root());
        let way = self.way(id)?;
        if !way.is_empty() && !out.ends_with(b"/") {
            out.push(b'/');
        }
        if self.is_sealed() {
            return self.segment().append_path_below(id, out);
        }
        for (place, id) in way.into_iter().rev().enumerate() {
            if place > 0 {
                out.push(b'/');
            }
            self.append_name(id, out)?;
        }
        Ok(())
    }

    /// Distance from the root.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn depth(&self, id: u32) -> Result<u32, Damage> {
        if self.is_sealed() {
            return self.segment().depth(id);
        }
        // A way has no more entries than there are ids.
        Ok(u32::try_from(self.way(id)?.len()).unwrap_or(u32::MAX))
    }

    /// From an entry up to the one below the root.
    fn way(&self, id: u32) -> Result<Vec<u32>, Damage> {
        let (mut at, mut way) = (id, Vec::new());
        while let Some(parent) = self.parent(at)? {
            way.push(at);
            at = parent;
        }
        Ok(way)
    }
}
