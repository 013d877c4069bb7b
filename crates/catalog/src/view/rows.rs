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
        self.segment().parent(id)
    }

    /// Appends the name of an entry as it is on the disk; of the root, nothing.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn append_name(&self, id: u32, out: &mut Vec<u8>) -> Result<(), Damage> {
        let segment = self.segment();
        segment.names()?.append(segment.name(id)?, out)
    }

    /// Kind and flags.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn kind(&self, id: u32) -> Result<KindFlags, Damage> {
        self.segment().kind(id)
    }

    /// Apparent size, bytes; 0 when it is not known.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn size(&self, id: u32) -> Result<u64, Damage> {
        self.segment().size(id)
    }

    /// Allocated size, bytes; 0 when it is not known.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn allocated(&self, id: u32) -> Result<u64, Damage> {
        self.segment().allocated(id)
    }

    /// Last change of content.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn modified(&self, id: u32) -> Result<Timestamp, Damage> {
        self.segment().modified(id)
    }

    /// Everything a stat call told; `None` when it failed.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn metadata(&self, id: u32) -> Result<Option<Metadata>, Damage> {
        self.segment().metadata(id)
    }

    /// The file system that an entry lies on; `None` when a stat call failed.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry, or no such file system.
    pub fn volume(&self, id: u32) -> Result<Option<Volume>, Damage> {
        if self.kind(id)?.has(KindFlags::NO_METADATA) {
            return Ok(None);
        }
        let number = self.segment().cell(SectionId::Volume, id)?;
        self.segment().volume(number as usize).map(Some)
    }

    /// Whether another entry of the view has the same name. The root has none.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn shares_name(&self, id: u32) -> Result<bool, Damage> {
        if id == 0 {
            return Ok(false);
        }
        let segment = self.segment();
        for other in segment.names()?.rows(segment.name(id)?)? {
            let other = other?;
            if other != id && self.place(other).is_some() {
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
        self.segment().totals(id)
    }

    /// All entries of an entry's node in the order of paths; empty when it is the only one.
    ///
    /// # Errors
    /// [`Damage`] when the tables of links do not fit together.
    pub fn linked(&self, id: u32) -> Result<Vec<u32>, Damage> {
        self.segment().linked_rows(id)
    }

    /// Appends the absolute path of an entry.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn append_path(&self, id: u32, out: &mut Vec<u8>) -> Result<(), Damage> {
        out.extend_from_slice(self.root());
        if id != 0 && !out.ends_with(b"/") {
            out.push(b'/');
        }
        self.segment().append_path_below(id, out)
    }

    /// Distance from the root.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn depth(&self, id: u32) -> Result<u32, Damage> {
        self.segment().depth(id)
    }
}
