//! One row: name, place in the tree, metadata.

use groma_base::{FileId, Metadata, Timestamp};

use super::Segment;
use crate::bytes::{allocated_from, i64_at, u16_at, u32_at, u64_at, unbias};
use crate::error::Damage;
use crate::kinds::{KindFlags, type_bits};
use crate::layout::SectionId;
use crate::view::Stamp;

/// A packed time column: seconds and nanoseconds.
type TimeColumn = (SectionId, SectionId);

impl Segment {
    /// The row of the directory that a row lies in; `None` for the root.
    ///
    /// # Errors
    /// [`Damage`] when there is no such row, or the directory is not before it.
    pub fn parent(&self, row: u32) -> Result<Option<u32>, Damage> {
        let parent = self.plain(SectionId::Parent, row, 4, u32_at)?;
        match row {
            0 => Ok(None),
            _ if parent < row => Ok(Some(parent)),
            _ => {
                let found = format!("row {row} lies in row {parent}");
                Err(Damage::section(
                    SectionId::Parent,
                    u64::from(row) * 4,
                    found,
                ))
            }
        }
    }

    /// The number of a row's name.
    ///
    /// # Errors
    /// [`Damage`] when there is no such row.
    pub fn name(&self, row: u32) -> Result<u32, Damage> {
        self.plain(SectionId::Name, row, 4, u32_at)
    }

    /// Kind and flags of a row.
    ///
    /// # Errors
    /// [`Damage`] when there is no such row, or they mean nothing.
    pub fn kind(&self, row: u32) -> Result<KindFlags, Damage> {
        let number = self.plain(SectionId::Kind, row, 2, u16_at)?;
        KindFlags::from_number(number).ok_or_else(|| {
            let found = format!("row {row} has kind and flags {number:#x}");
            Damage::section(SectionId::Kind, u64::from(row) * 2, found)
        })
    }

    /// Apparent size, bytes; 0 when it is not known.
    ///
    /// # Errors
    /// [`Damage`] when there is no such row.
    pub fn size(&self, row: u32) -> Result<u64, Damage> {
        self.plain(SectionId::Size, row, 8, u64_at)
    }

    /// Allocated size, bytes; 0 when it is not known.
    ///
    /// # Errors
    /// [`Damage`] when there is no such row, or its block leads nowhere.
    pub fn allocated(&self, row: u32) -> Result<u64, Damage> {
        let difference = self.packed(SectionId::Allocated)?.get(row as usize)?;
        Ok(allocated_from(self.size(row)?, difference))
    }

    /// Last change of content.
    ///
    /// # Errors
    /// [`Damage`] when there is no such row, or its block leads nowhere.
    pub fn modified(&self, row: u32) -> Result<Timestamp, Damage> {
        Ok(Timestamp {
            seconds: self.modified_second(row)?,
            nanoseconds: self.nanoseconds(SectionId::ModifiedNanos, row)?,
        })
    }

    /// The second of the last change of content.
    pub(crate) fn modified_second(&self, row: u32) -> Result<i64, Damage> {
        self.plain(SectionId::Modified, row, 8, i64_at)
    }

    /// Everything a stat call told; `None` when it failed. The device is the number of that time.
    ///
    /// # Errors
    /// [`Damage`] when there is no such row, or one of its columns is damaged.
    pub fn metadata(&self, row: u32) -> Result<Option<Metadata>, Damage> {
        use SectionId as Id;
        let flags = self.kind(row)?;
        if flags.has(KindFlags::NO_METADATA) {
            return Ok(None);
        }
        let owner = self.owner(self.cell(Id::Owner, row)? as usize)?;
        let volume = self.volume(self.cell(Id::Volume, row)? as usize)?;
        let created = (Id::Created, Id::CreatedNanos);
        let created = flags
            .has(KindFlags::HAS_CREATED)
            .then(|| self.time(created, row));
        Ok(Some(Metadata {
            kind: flags.kind(),
            id: FileId {
                device: volume.device,
                inode: self.packed(Id::Inode)?.get(row as usize)?,
            },
            mode: type_bits(flags.kind()) | self.cell(Id::Mode, row)?,
            links: self.packed(Id::Links)?.get(row as usize)?,
            uid: owner.uid,
            gid: owner.gid,
            size: self.size(row)?,
            allocated: self.allocated(row)?,
            special: (0, 0),
            accessed: self.time((Id::Accessed, Id::AccessedNanos), row)?,
            modified: self.modified(row)?,
            changed: self.time((Id::Changed, Id::ChangedNanos), row)?,
            created: created.transpose()?,
        }))
    }

    /// What changes when an entry does; `None` when a stat call had failed.
    pub(crate) fn stamp(&self, row: u32) -> Result<Option<Stamp>, Damage> {
        use SectionId as Id;
        if self.kind(row)?.has(KindFlags::NO_METADATA) {
            return Ok(None);
        }
        let volume = self.volume(self.cell(Id::Volume, row)? as usize)?;
        Ok(Some(Stamp {
            id: FileId {
                device: volume.device,
                inode: self.packed(Id::Inode)?.get(row as usize)?,
            },
            modified: self.modified(row)?,
            changed: self.time((Id::Changed, Id::ChangedNanos), row)?,
        }))
    }

    /// Appends the path from the root of the scan: components with `/` between them, nothing for
    /// the root itself.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn append_path_below(&self, row: u32, out: &mut Vec<u8>) -> Result<(), Damage> {
        let names = self.names()?;
        for (place, row) in self.way(row)?.into_iter().enumerate() {
            if place > 0 {
                out.push(b'/');
            }
            names.append(self.name(row)?, out)?;
        }
        Ok(())
    }

    /// The absolute path of a row.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn path(&self, row: u32) -> Result<Vec<u8>, Damage> {
        let mut path = self.about()?.root;
        if row != 0 && !path.ends_with(b"/") {
            path.push(b'/');
        }
        self.append_path_below(row, &mut path)?;
        Ok(path)
    }

    /// Distance from the root.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn depth(&self, row: u32) -> Result<u32, Damage> {
        let (mut at, mut depth) = (row, 0);
        while let Some(parent) = self.parent(at)? {
            at = parent;
            depth += 1;
        }
        Ok(depth)
    }

    /// The rows from below the root down to `row`. Parents are always smaller rows, so this ends.
    fn way(&self, row: u32) -> Result<Vec<u32>, Damage> {
        let (mut at, mut way) = (row, Vec::new());
        while let Some(parent) = self.parent(at)? {
            way.push(at);
            at = parent;
        }
        way.reverse();
        Ok(way)
    }

    /// An element of a plain column.
    fn plain<T>(
        &self,
        id: SectionId,
        row: u32,
        width: usize,
        read: impl Fn(&[u8], usize) -> Option<T>,
    ) -> Result<T, Damage> {
        let at = (row as usize).checked_mul(width);
        at.and_then(|at| read(self.section(id), at))
            .ok_or_else(|| self.out_of_range(id, row as usize))
    }

    /// An element of a packed column that has at most 32 bits.
    pub(crate) fn cell(&self, id: SectionId, row: u32) -> Result<u32, Damage> {
        self.packed(id)?.get_u32(row as usize)
    }

    fn time(&self, (seconds, nanoseconds): TimeColumn, row: u32) -> Result<Timestamp, Damage> {
        Ok(Timestamp {
            seconds: unbias(self.packed(seconds)?.get(row as usize)?),
            nanoseconds: self.nanoseconds(nanoseconds, row)?,
        })
    }

    pub(crate) fn nanoseconds(&self, id: SectionId, row: u32) -> Result<u32, Damage> {
        let column = self.packed(id)?;
        let value = column.get_u32(row as usize)?;
        if value >= 1_000_000_000 {
            return Err(column.wrong(row as usize, format!("{value} nanoseconds")));
        }
        Ok(value)
    }
}
