//! Names and metadata of many entries that lie near each other: packed columns are decoded a block
//! at a time, and kept.

use groma_base::{FileId, Metadata, Timestamp};

use super::View;
use crate::bytes::{allocated_from, unbias};
use crate::error::Damage;
use crate::kinds::{KindFlags, type_bits};
use crate::layout::SectionId;
use crate::packed::{BLOCK, Packed};
use crate::segment::{NameReader, Segment};

/// Reads metadata.
#[derive(Clone, Debug)]
pub struct MetadataReader<'v> {
    view: &'v View,
    links: Held<'v>,
    inode: Held<'v>,
    mode: Held<'v>,
    owner: Held<'v>,
    volume: Held<'v>,
    allocated: Held<'v>,
    modified_nanos: Held<'v>,
    accessed: HeldTime<'v>,
    changed: HeldTime<'v>,
    created: HeldTime<'v>,
}

/// Reads names.
#[derive(Clone, Debug)]
pub struct EntryNames<'v> {
    view: &'v View,
    names: NameReader<'v>,
    numbers: Vec<u32>,
}

/// A packed column, and the block of it that was last read.
#[derive(Clone, Debug)]
struct Held<'v> {
    column: Packed<'v>,
    block: usize,
    values: [u64; BLOCK],
}

/// Seconds and nanoseconds.
#[derive(Clone, Debug)]
struct HeldTime<'v> {
    seconds: Held<'v>,
    nanoseconds: Held<'v>,
}

impl View {
    /// A reader of metadata.
    ///
    /// # Errors
    /// [`Damage`] when a column is too short.
    pub fn metadata_reader(&self) -> Result<MetadataReader<'_>, Damage> {
        use SectionId as Id;
        let segment = self.segment();
        let held = |id| Held::new(segment, id);
        let time = |seconds, nanoseconds| {
            Ok(HeldTime {
                seconds: held(seconds)?,
                nanoseconds: held(nanoseconds)?,
            })
        };
        Ok(MetadataReader {
            view: self,
            links: held(Id::Links)?,
            inode: held(Id::Inode)?,
            mode: held(Id::Mode)?,
            owner: held(Id::Owner)?,
            volume: held(Id::Volume)?,
            allocated: held(Id::Allocated)?,
            modified_nanos: held(Id::ModifiedNanos)?,
            accessed: time(Id::Accessed, Id::AccessedNanos)?,
            changed: time(Id::Changed, Id::ChangedNanos)?,
            created: time(Id::Created, Id::CreatedNanos)?,
        })
    }

    /// A reader of names.
    ///
    /// # Errors
    /// [`Damage`] in the dictionary of names.
    pub fn entry_names(&self) -> Result<EntryNames<'_>, Damage> {
        Ok(EntryNames {
            view: self,
            names: self.segment().name_reader()?,
            numbers: Vec::new(),
        })
    }
}

impl MetadataReader<'_> {
    /// As [`View::metadata`].
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry, or one of its columns is damaged.
    pub fn metadata(&mut self, id: u32) -> Result<Option<Metadata>, Damage> {
        if let Some(row) = self.view.shown().delta_row(id)? {
            return Ok(row.metadata.as_deref().cloned());
        }
        let segment = self.view.segment();
        let flags = segment.kind(id)?;
        if flags.has(KindFlags::NO_METADATA) {
            return Ok(None);
        }
        let owner = segment.owner(self.owner.get_u32(id)? as usize)?;
        let volume = segment.volume(self.volume.get_u32(id)? as usize)?;
        let size = segment.size(id)?;
        let created = match flags.has(KindFlags::HAS_CREATED) {
            true => Some(self.created.get(id)?),
            false => None,
        };
        Ok(Some(Metadata {
            kind: flags.kind(),
            id: FileId {
                device: volume.device,
                inode: self.inode.get(id)?,
            },
            mode: type_bits(flags.kind()) | self.mode.get_u32(id)?,
            links: self.links.get(id)?,
            uid: owner.uid,
            gid: owner.gid,
            size,
            allocated: allocated_from(size, self.allocated.get(id)?),
            special: (0, 0),
            accessed: self.accessed.get(id)?,
            modified: Timestamp {
                seconds: segment.modified_second(id)?,
                nanoseconds: self.modified_nanos.nanoseconds(id)?,
            },
            changed: self.changed.get(id)?,
            created,
        }))
    }
}

impl EntryNames<'_> {
    /// Appends the names of several entries, and to `ends` where in `out` each of them ends.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn append(
        &mut self,
        ids: &[u32],
        out: &mut Vec<u8>,
        ends: &mut Vec<usize>,
    ) -> Result<(), Damage> {
        let shown = self.view.shown();
        self.numbers.clear();
        for &id in ids {
            if self.view.is_sealed() || shown.link(id)?.is_none() {
                self.numbers.push(self.view.segment().name(id)?);
                continue;
            }
            self.names.append_all(&self.numbers, out, ends)?;
            self.numbers.clear();
            shown.append_name(id, out)?;
            ends.push(out.len());
        }
        self.names.append_all(&self.numbers, out, ends)
    }
}

impl<'v> Held<'v> {
    fn new(segment: &'v Segment, id: SectionId) -> Result<Held<'v>, Damage> {
        Ok(Held {
            column: segment.packed(id)?,
            block: usize::MAX,
            values: [0; BLOCK],
        })
    }

    #[inline]
    fn get(&mut self, row: u32) -> Result<u64, Damage> {
        let row = row as usize;
        if row / BLOCK != self.block {
            self.load(row)?;
        }
        Ok(self.values[row % BLOCK])
    }

    #[cold]
    fn load(&mut self, row: usize) -> Result<(), Damage> {
        if row >= self.column.len() {
            return self.column.get(row).map(drop);
        }
        self.block = usize::MAX;
        self.column.block(row / BLOCK, &mut self.values)?;
        self.block = row / BLOCK;
        Ok(())
    }

    fn get_u32(&mut self, row: u32) -> Result<u32, Damage> {
        match u32::try_from(self.get(row)?) {
            Ok(value) => Ok(value),
            Err(_) => self.column.get_u32(row as usize),
        }
    }

    fn nanoseconds(&mut self, row: u32) -> Result<u32, Damage> {
        let value = self.get_u32(row)?;
        match value < 1_000_000_000 {
            true => Ok(value),
            false => Err(self
                .column
                .wrong(row as usize, format!("{value} nanoseconds"))),
        }
    }
}

impl HeldTime<'_> {
    fn get(&mut self, row: u32) -> Result<Timestamp, Damage> {
        Ok(Timestamp {
            seconds: unbias(self.seconds.get(row)?),
            nanoseconds: self.nanoseconds.nanoseconds(row)?,
        })
    }
}
