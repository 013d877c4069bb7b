//! A snapshot's sections, expanded or worked out when they are first asked for.

use std::sync::OnceLock;

use super::coding::{self, Numbers, Relation};
use super::derive;
use super::layout::Coding;
use super::read::{Line, Outline};
use crate::error::Damage;
use crate::kinds::KindFlags;
use crate::layout::{Encoding, SectionId};
use crate::packed::Packer;

/// A section as a segment has it.
#[derive(Debug, Default)]
pub(crate) struct Loose {
    pub(crate) bytes: Vec<u8>,
    /// How many elements it has.
    pub(crate) count: usize,
}

/// What one step gives: a section, or several that are worked out together.
type Made = Result<Vec<Loose>, Damage>;

/// The bytes of a snapshot's file, and what has been asked for so far.
#[derive(Debug)]
pub(crate) struct Expanding {
    file: Vec<u8>,
    outline: Outline,
    made: Vec<OnceLock<Made>>,
}

impl Expanding {
    pub(super) fn new(file: Vec<u8>, outline: Outline) -> Expanding {
        Expanding {
            file,
            outline,
            made: SectionId::ALL.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    pub(crate) fn rows(&self) -> u32 {
        self.outline.facts.rows
    }

    pub(crate) fn names(&self) -> u32 {
        self.outline.facts.names
    }

    pub(crate) fn fold_version(&self) -> u32 {
        self.outline.facts.fold_version
    }

    pub(super) fn file(&self) -> &[u8] {
        &self.file
    }

    /// Bytes of the file.
    pub(crate) fn length(&self) -> usize {
        self.file.len()
    }

    /// The sections that the file holds: how many bytes each takes there and how many it expands to.
    pub(super) fn stored_lengths(&self) -> impl Iterator<Item = (SectionId, usize, usize)> {
        let lines = self.outline.lines.iter();
        lines.map(|line| (line.id, line.range.len(), line.expanded))
    }

    /// A section.
    ///
    /// # Errors
    /// The damage that was met when it was first asked for.
    pub(crate) fn section(&self, id: SectionId) -> Result<&Loose, &Damage> {
        let (first, place) = home(id);
        let cell = self.made.get(first.index());
        // There is a cell for each section, and a step gives all that it says.
        static NOTHING: Loose = Loose {
            bytes: Vec::new(),
            count: 0,
        };
        match cell.map(|cell| cell.get_or_init(|| self.make(first))) {
            Some(Ok(made)) => Ok(made.get(place).unwrap_or(&NOTHING)),
            Some(Err(damage)) => Err(damage),
            None => Ok(&NOTHING),
        }
    }

    fn make(&self, id: SectionId) -> Made {
        match id {
            SectionId::Parent => derive::tree(self),
            SectionId::NameBytes => self.names_and_starts(),
            SectionId::NameRows => derive::postings(self),
            SectionId::Extension => derive::extensions(self),
            SectionId::LinkRows => derive::links(self),
            SectionId::SizeBlocks | SectionId::ModifiedBlocks => derive::blocks(self, id),
            _ => Ok(vec![self.stored(id)?]),
        }
    }

    /// A stored section, in the form that a segment has it in.
    fn stored(&self, id: SectionId) -> Result<Loose, Damage> {
        let line = self.line(id)?;
        if line.coding == Coding::Bytes {
            return Ok(Loose {
                bytes: self.decompressed(line)?,
                count: line.count,
            });
        }
        let mut bytes = Vec::new();
        let mut packer = Packer::default();
        if let Encoding::Plain(width) = id.encoding() {
            let width = usize::try_from(width).unwrap_or(0);
            bytes.reserve_exact(width.saturating_mul(line.count));
        }
        self.blocks(line, |numbers| match id.encoding() {
            // That a number takes no more bytes was checked.
            Encoding::Plain(2) => plain(numbers, |n| (n as u16).to_le_bytes(), &mut bytes),
            Encoding::Plain(4) => plain(numbers, |n| (n as u32).to_le_bytes(), &mut bytes),
            Encoding::Plain(_) | Encoding::Bytes => plain(numbers, u64::to_le_bytes, &mut bytes),
            Encoding::Packed => packer.push_block(numbers, &mut bytes),
        })?;
        bytes.extend_from_slice(&packer.finish(&mut Vec::new()));
        Ok(Loose {
            bytes,
            count: line.count,
        })
    }

    /// The numbers of a stored section.
    pub(super) fn numbers(&self, id: SectionId) -> Result<Vec<u64>, Damage> {
        let line = self.line(id)?;
        let mut all = Vec::with_capacity(line.count);
        self.blocks(line, |numbers| all.extend_from_slice(numbers))?;
        Ok(all)
    }

    /// Decodes a section of numbers, block by block.
    fn blocks(&self, line: &Line, mut take: impl FnMut(&[u64])) -> Result<(), Damage> {
        let mut numbers = self.decoded(line)?;
        let mut block = [0; coding::BLOCK];
        loop {
            let length = numbers.next_block(&mut block);
            let numbers = block.get(..length).unwrap_or_default();
            if numbers.is_empty() {
                return Ok(());
            }
            self.check(line.id, numbers)?;
            take(numbers);
        }
    }

    /// Names, and where each begins.
    fn names_and_starts(&self) -> Made {
        let line = self.line(SectionId::NameBytes)?;
        let front = self.decompressed(line)?;
        let names = coding::from_front(front, self.names() as usize, line.count);
        let (bytes, starts) = names.ok_or_else(|| {
            let found = format!("not {} names in {} bytes", self.names(), line.count);
            Damage::section(SectionId::NameBytes, 0, found)
        })?;
        let names = Loose {
            bytes,
            count: line.count,
        };
        Ok(vec![names, Loose::packed(&starts)])
    }

    fn line(&self, id: SectionId) -> Result<&Line, Damage> {
        let line = self.outline.lines.iter().find(|line| line.id == id);
        line.ok_or_else(|| Damage::section(id, 0, "a snapshot holds none"))
    }

    fn decoded(&self, line: &Line) -> Result<Numbers, Damage> {
        let planes = self.decompressed(line)?;
        let relation = match line.coding {
            Coding::Steps => Relation::Before(0),
            // It stands by itself, and so this ends.
            Coding::Against(other) => Relation::Other(Box::new(self.decoded(self.line(other)?)?)),
            Coding::Bytes | Coding::Front | Coding::Planes => Relation::None,
        };
        let length = planes.len();
        Numbers::new(planes, line.count, relation).ok_or_else(|| {
            let found = format!("{length} bytes for {} numbers", line.count);
            Damage::section(line.id, 0, found)
        })
    }

    /// Never more bytes than the table says, and never fewer.
    fn decompressed(&self, line: &Line) -> Result<Vec<u8>, Damage> {
        let wrong = |found: String| Damage::section(line.id, 0, found);
        let compressed = self.file.get(line.range.clone()).unwrap_or_default();
        // Some have bytes put behind them; a little room for these saves moving all.
        let room = line.expanded.saturating_add(coding::ROOM);
        let bytes = zstd::bulk::decompress(compressed, room);
        let bytes = bytes.map_err(|error| wrong(format!("it does not expand: {error}")))?;
        if bytes.len() != line.expanded {
            let found = format!("{} bytes in place of {}", bytes.len(), line.expanded);
            return Err(wrong(found));
        }
        Ok(bytes)
    }

    /// What others rely on without looking again.
    fn check(&self, id: SectionId, numbers: &[u64]) -> Result<(), Damage> {
        let largest = || numbers.iter().copied().max().unwrap_or(0);
        let wrong = match id {
            SectionId::Name | SectionId::OddNames => largest() >= u64::from(self.names()),
            SectionId::Kind => {
                // If one of them means nothing, all their bits together do not.
                let all = numbers.iter().fold(0, |all, number| all | number);
                let all = u16::try_from(all).ok();
                all.and_then(KindFlags::from_number).is_none()
            }
            _ => false,
        };
        match wrong {
            true => Err(Damage::section(id, 0, "a number that means nothing")),
            false => Ok(()),
        }
    }

    /// The bytes of a section.
    pub(super) fn bytes(&self, id: SectionId) -> Result<&[u8], Damage> {
        match self.section(id) {
            Ok(section) => Ok(&section.bytes),
            Err(damage) => Err(damage.clone()),
        }
    }
}

/// The section that stands for the step which makes this one, and its place in what that gives.
fn home(id: SectionId) -> (SectionId, usize) {
    use SectionId as Id;
    let from = |first: SectionId, base: SectionId, place: usize| {
        (first, id.index() - base.index() + place)
    };
    match id {
        Id::Dirs | Id::DirEnd => from(Id::Parent, Id::Dirs, 1),
        Id::NameBytes | Id::NameStarts => from(Id::NameBytes, Id::NameBytes, 0),
        Id::NameRows | Id::SharedEnds | Id::SharedRows => from(Id::NameRows, Id::NameRows, 0),
        Id::ExtensionBytes
        | Id::ExtensionEnds
        | Id::OverflowRows
        | Id::OverflowExtensions
        | Id::ExtensionRowEnds
        | Id::ExtensionRows => from(Id::Extension, Id::ExtensionBytes, 1),
        Id::LinkRows | Id::LinkEnds | Id::LinkedRows | Id::LinkedNodes => {
            from(Id::LinkRows, Id::LinkRows, 0)
        }
        _ => (id, 0),
    }
}

fn plain<const N: usize>(numbers: &[u64], to_bytes: impl Fn(u64) -> [u8; N], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + numbers.len() * N, 0);
    let cells = out.get_mut(start..).unwrap_or_default();
    for (cell, &number) in cells.as_chunks_mut().0.iter_mut().zip(numbers) {
        *cell = to_bytes(number);
    }
}

impl Loose {
    /// Numbers as a packed section.
    pub(super) fn packed(numbers: &[u64]) -> Loose {
        let (mut packer, mut bytes) = (Packer::default(), Vec::new());
        for block in numbers.chunks(coding::BLOCK) {
            packer.push_block(block, &mut bytes);
        }
        let directory = packer.finish(&mut bytes);
        bytes.extend_from_slice(&directory);
        Loose {
            bytes,
            count: numbers.len(),
        }
    }
}
