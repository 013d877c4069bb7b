//! An open segment: header and section table are checked, everything else is read when asked for.
//!
//! Opening takes the same time whatever the number of rows. Every access is checked against the
//! bounds of its section, so that damaged bytes give a [`Damage`] and nothing worse; whether the
//! bytes are the ones that were written is what [`Segment::check`] is for.

mod children;
pub(crate) mod columns;
mod dirs;
mod extensions;
mod header;
mod name_reader;
mod names;
mod newest;
mod nodes;
mod rows;
mod scan;
mod stretch;

use std::ops::Range;
use std::sync::OnceLock;

use groma_sys::Mapping;

pub use children::Children;
pub use dirs::DirTotals;
pub use extensions::Extensions;
pub use name_reader::NameReader;
pub use names::{Names, RowList};
pub use scan::NameCursor;
pub use stretch::{NumberOf, Stretch, TimeOf};

use crate::about::{About, Owner, Volume};
use crate::bytes::{i64_at, u64_at};
use crate::error::{Damage, OpenError};
use crate::layout::{Encoding, SectionId};
use crate::packed::Packed;

/// A segment, open for reading. It never changes.
#[derive(Debug)]
pub struct Segment {
    bytes: Bytes,
    sections: Vec<Section>,
    rows: u32,
    names: u32,
    fold_version: u32,
    /// Names that are no UTF-8, once somebody has asked.
    not_text: OnceLock<Vec<u32>>,
    /// Rows that may share a node, once somebody has asked.
    nodes: OnceLock<Vec<u32>>,
}

#[derive(Debug)]
enum Bytes {
    Mapped(Mapping),
    Held(Vec<u8>),
}

/// A line of the section table.
#[derive(Clone, Debug)]
struct Section {
    range: Range<usize>,
    count: usize,
    checksum: u32,
}

impl Segment {
    /// Opens a mapped file.
    ///
    /// # Errors
    /// [`OpenError::NotASegment`], [`OpenError::Version`], or what is wrong with header or table.
    pub fn from_mapping(mapping: Mapping) -> Result<Segment, OpenError> {
        Segment::open(Bytes::Mapped(mapping))
    }

    /// Opens bytes in memory: what came from elsewhere is read, not mapped.
    ///
    /// # Errors
    /// As [`Segment::from_mapping`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Segment, OpenError> {
        Segment::open(Bytes::Held(bytes))
    }

    fn open(bytes: Bytes) -> Result<Segment, OpenError> {
        let header = header::read(bytes.all())?;
        Ok(Segment {
            sections: header.sections,
            rows: header.rows,
            names: header.names,
            fold_version: header.fold_version,
            bytes,
            not_text: OnceLock::new(),
            nodes: OnceLock::new(),
        })
    }

    /// How many rows there are. Row 0 is the root, where there are any.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The version of Unicode's folding that names were folded and sorted by, in the form of
    /// [`groma_base::FOLD_VERSION`]. Where it is another one, look-ups may miss names with
    /// characters whose folding has changed, until the segment is built again.
    pub fn fold_version(&self) -> u32 {
        self.fold_version
    }

    /// Root, source and time of the scan.
    ///
    /// # Errors
    /// [`Damage`] where the section does not hold them.
    pub fn about(&self) -> Result<About, Damage> {
        About::from_bytes(self.section(SectionId::About))
    }

    /// The owners, by number.
    ///
    /// # Errors
    /// [`Damage`] when there are not as many.
    pub fn owner(&self, number: usize) -> Result<Owner, Damage> {
        let bytes = self.section(SectionId::Owners);
        Owner::at(bytes, number).ok_or_else(|| self.out_of_range(SectionId::Owners, number))
    }

    /// The file systems, by number.
    ///
    /// # Errors
    /// [`Damage`] when there are not as many.
    pub fn volume(&self, number: usize) -> Result<Volume, Damage> {
        let bytes = self.section(SectionId::Volumes);
        Volume::at(bytes, number).ok_or_else(|| self.out_of_range(SectionId::Volumes, number))
    }

    /// How many file systems there are.
    pub fn volume_count(&self) -> usize {
        self.count(SectionId::Volumes)
    }

    /// Smallest and largest size in a block of [`crate::ROWS_PER_BLOCK`] rows.
    ///
    /// # Errors
    /// [`Damage`] when there are not as many blocks.
    pub fn size_extremes(&self, block: usize) -> Result<(u64, u64), Damage> {
        let bytes = self.section(SectionId::SizeBlocks);
        let at = block.saturating_mul(16);
        u64_at(bytes, at)
            .zip(u64_at(bytes, at.saturating_add(8)))
            .ok_or_else(|| self.out_of_range(SectionId::SizeBlocks, block))
    }

    /// Earliest and latest change of content in a block of rows, whole seconds.
    ///
    /// # Errors
    /// [`Damage`] when there are not as many blocks.
    pub fn modified_extremes(&self, block: usize) -> Result<(i64, i64), Damage> {
        let bytes = self.section(SectionId::ModifiedBlocks);
        let at = block.saturating_mul(16);
        i64_at(bytes, at)
            .zip(i64_at(bytes, at.saturating_add(8)))
            .ok_or_else(|| self.out_of_range(SectionId::ModifiedBlocks, block))
    }

    /// The sections with the bytes that each takes in the file, padding not counted.
    pub fn section_lengths(&self) -> impl Iterator<Item = (SectionId, usize)> {
        let length = |id: SectionId| self.section(id).len();
        SectionId::ALL.iter().map(move |&id| (id, length(id)))
    }

    pub(crate) fn all(&self) -> &[u8] {
        self.bytes.all()
    }

    /// The bytes of a section. Its range was checked at opening.
    pub(crate) fn section(&self, id: SectionId) -> &[u8] {
        let range = self.range(id);
        self.bytes.all().get(range).unwrap_or_default()
    }

    pub(crate) fn range(&self, id: SectionId) -> Range<usize> {
        let section = self.sections.get(id.index());
        section.map_or(0..0, |section| section.range.clone())
    }

    /// The checksum of the header, which covers that of the section table and so all others.
    pub(crate) fn header_checksum(&self) -> u32 {
        let at = crate::layout::HEADER_LEN - 4;
        crate::bytes::u32_at(self.all(), at).unwrap_or_default()
    }

    pub(crate) fn checksum(&self, id: SectionId) -> Option<u32> {
        self.sections.get(id.index()).map(|s| s.checksum)
    }

    /// How many elements a section has.
    pub(crate) fn count(&self, id: SectionId) -> usize {
        self.sections.get(id.index()).map_or(0, |s| s.count)
    }

    pub(crate) fn packed(&self, id: SectionId) -> Result<Packed<'_>, Damage> {
        debug_assert_eq!(id.encoding(), Encoding::Packed);
        Packed::new(id, self.section(id), self.count(id))
    }

    /// An error for an element that is not there.
    pub(crate) fn out_of_range(&self, id: SectionId, index: usize) -> Damage {
        let found = format!("element {index} of {}", self.count(id));
        Damage::section(id, self.section(id).len() as u64, found)
    }
}

impl Bytes {
    fn all(&self) -> &[u8] {
        match self {
            Bytes::Mapped(mapping) => mapping,
            Bytes::Held(bytes) => bytes,
        }
    }
}
