//! An open segment: header and section table are checked, everything else is read when asked for.
//!
//! Opening takes the same time whatever the number of rows. Every access is checked against the
//! bounds of its section, so that damaged bytes give a [`Damage`] and nothing worse; whether the
//! bytes are the ones that were written is what [`Segment::check`] is for.

mod children;
pub(crate) mod columns;
mod dirs;
mod extensions;
mod first;
mod header;
mod name_reader;
mod names;
mod newest;
mod nodes;
mod rows;
mod scan;
mod stretch;
mod weights;

use std::ops::Range;
use std::sync::OnceLock;

use groma_sys::Mapping;

pub use children::Children;
pub use dirs::DirTotals;
pub use extensions::Extensions;
pub use first::FirstRows;
pub use name_reader::NameReader;
pub use names::{Names, RowList};
pub use scan::NameCursor;
pub use stretch::{NumberOf, Stretch, TimeOf};
pub use weights::WeightOf;

use crate::about::{About, Owner, Volume};
use crate::bytes::{i64_at, u64_at};
use crate::error::{Damage, OpenError};
use crate::layout::{Encoding, SectionId};
use crate::packed::Packed;
use crate::snapshot::Expanding;

/// A segment, open for reading. It never changes.
#[derive(Debug)]
pub struct Segment {
    form: Form,
    rows: u32,
    names: u32,
    fold_version: u32,
    /// Names that are no UTF-8, once somebody has asked.
    not_text: OnceLock<Vec<u32>>,
    /// Rows that may share a node, once somebody has asked.
    nodes: OnceLock<Vec<u32>>,
}

/// Where the sections come from.
#[derive(Debug)]
enum Form {
    /// A file in which they lie as they are asked for.
    Whole(Bytes, Vec<Section>),
    /// A snapshot, whose sections are expanded when they are first asked for.
    Expanding(Box<Expanding>),
}

#[derive(Debug)]
enum Bytes {
    Mapped(Mapping),
    Held(Vec<u8>),
}

/// A section, its place in the file, and its checksum.
pub(crate) type Placed = (SectionId, Range<usize>, u32);

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
        let (rows, names, fold_version) = (header.rows, header.names, header.fold_version);
        let form = Form::Whole(bytes, header.sections);
        Ok(Segment::of_form(form, rows, names, fold_version))
    }

    /// The rows of a snapshot.
    pub(crate) fn from_snapshot(from: Expanding) -> Segment {
        let (rows, names, fold_version) = (from.rows(), from.names(), from.fold_version());
        Segment::of_form(Form::Expanding(Box::new(from)), rows, names, fold_version)
    }

    /// What a snapshot's sections are made from.
    pub(crate) fn expanding(&self) -> Option<&Expanding> {
        match &self.form {
            Form::Whole(..) => None,
            Form::Expanding(from) => Some(from),
        }
    }

    fn of_form(form: Form, rows: u32, names: u32, fold_version: u32) -> Segment {
        Segment {
            form,
            rows,
            names,
            fold_version,
            not_text: OnceLock::new(),
            nodes: OnceLock::new(),
        }
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

    /// How many distinct names there are.
    pub(crate) fn name_count(&self) -> u32 {
        self.names
    }

    /// Bytes of the file.
    pub(crate) fn length(&self) -> usize {
        match &self.form {
            Form::Whole(bytes, _) => bytes.all().len(),
            Form::Expanding(from) => from.length(),
        }
    }

    /// The bytes of a section; none where a snapshot's cannot be made. Its range was checked at
    /// opening.
    pub(crate) fn section(&self, id: SectionId) -> &[u8] {
        match &self.form {
            Form::Whole(bytes, sections) => {
                let section = sections.get(id.index());
                let range = section.map_or(0..0, |section| section.range.clone());
                bytes.all().get(range).unwrap_or_default()
            }
            Form::Expanding(from) => from.section(id).map_or(&[], |section| &section.bytes),
        }
    }

    /// The bytes of a section.
    ///
    /// # Errors
    /// [`Damage`] where a snapshot's cannot be made.
    pub(crate) fn sound(&self, id: SectionId) -> Result<&[u8], Damage> {
        match &self.form {
            Form::Expanding(from) => match from.section(id) {
                Ok(section) => Ok(&section.bytes),
                Err(damage) => Err(damage.clone()),
            },
            Form::Whole(..) => Ok(self.section(id)),
        }
    }

    /// The checksum of the header, which covers that of the section table and so all others. A
    /// snapshot has none that a log could belong to.
    pub(crate) fn header_checksum(&self) -> u32 {
        let at = crate::layout::HEADER_LEN - 4;
        match &self.form {
            Form::Whole(bytes, _) => crate::bytes::u32_at(bytes.all(), at).unwrap_or_default(),
            Form::Expanding(_) => 0,
        }
    }

    /// The file and the lines of its table; `None` of a snapshot, whose sums are checked when it is
    /// opened.
    fn whole(&self) -> Option<(&[u8], &[Section])> {
        match &self.form {
            Form::Whole(bytes, sections) => Some((bytes.all(), sections)),
            Form::Expanding(_) => None,
        }
    }

    /// Each section with its place in the file and its checksum, and the bytes of the file; `None`
    /// of a snapshot.
    pub(crate) fn placed_sections(&self) -> Option<(&[u8], Vec<Placed>)> {
        let (bytes, sections) = self.whole()?;
        let placed = SectionId::ALL.iter().zip(sections);
        let placed = placed.map(|(&id, section)| (id, section.range.clone(), section.checksum));
        Some((bytes, placed.collect()))
    }

    /// How many elements a section has.
    pub(crate) fn count(&self, id: SectionId) -> usize {
        match &self.form {
            Form::Whole(_, sections) => sections.get(id.index()).map_or(0, |s| s.count),
            Form::Expanding(from) => from.section(id).map_or(0, |section| section.count),
        }
    }

    pub(crate) fn packed(&self, id: SectionId) -> Result<Packed<'_>, Damage> {
        debug_assert_eq!(id.encoding(), Encoding::Packed);
        Packed::new(id, self.sound(id)?, self.count(id))
    }

    /// An error for an element that is not there.
    pub(crate) fn out_of_range(&self, id: SectionId, index: usize) -> Damage {
        if let Err(damage) = self.sound(id) {
            return damage;
        }
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
