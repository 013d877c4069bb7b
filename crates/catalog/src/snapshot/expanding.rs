//! A snapshot's sections, expanded or worked out when they are first asked for.

use std::sync::OnceLock;

use super::coding;
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
            SectionId::NameStarts => derive::starts(self),
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
        let numbers = self.decoded(line)?;
        self.check(id, &numbers)?;
        let bytes = match id.encoding() {
            // A number of that many bytes was checked to fit.
            Encoding::Plain(2) => plain(&numbers, |n| (n as u16).to_le_bytes()),
            Encoding::Plain(4) => plain(&numbers, |n| (n as u32).to_le_bytes()),
            Encoding::Plain(_) | Encoding::Bytes => plain(&numbers, u64::to_le_bytes),
            Encoding::Packed => packed(&numbers),
        };
        Ok(Loose {
            bytes,
            count: numbers.len(),
        })
    }

    /// The numbers of a stored section.
    pub(super) fn numbers(&self, id: SectionId) -> Result<Vec<u64>, Damage> {
        let line = self.line(id)?;
        let numbers = self.decoded(line)?;
        self.check(id, &numbers)?;
        Ok(numbers)
    }

    fn line(&self, id: SectionId) -> Result<&Line, Damage> {
        let line = self.outline.lines.iter().find(|line| line.id == id);
        line.ok_or_else(|| Damage::section(id, 0, "a snapshot holds none"))
    }

    fn decoded(&self, line: &Line) -> Result<Vec<u64>, Damage> {
        let planes = self.decompressed(line)?;
        let numbers = coding::from_planes(&planes, line.count);
        let mut numbers = numbers.ok_or_else(|| {
            let found = format!("{} bytes for {} numbers", planes.len(), line.count);
            Damage::section(line.id, 0, found)
        })?;
        match line.coding {
            Coding::Bytes | Coding::Planes => {}
            Coding::Steps => coding::from_steps(&mut numbers),
            // It stands by itself, and so this ends.
            Coding::Against(other) => {
                let others = self.decoded(self.line(other)?)?;
                coding::from_differences(&mut numbers, &others);
            }
        }
        Ok(numbers)
    }

    /// Never more bytes than the table says, and never fewer.
    fn decompressed(&self, line: &Line) -> Result<Vec<u8>, Damage> {
        let wrong = |found: String| Damage::section(line.id, 0, found);
        let compressed = self.file.get(line.range.clone()).unwrap_or_default();
        let bytes = zstd::bulk::decompress(compressed, line.expanded);
        let bytes = bytes.map_err(|error| wrong(format!("it does not expand: {error}")))?;
        if bytes.len() != line.expanded {
            let found = format!("{} bytes in place of {}", bytes.len(), line.expanded);
            return Err(wrong(found));
        }
        Ok(bytes)
    }

    /// What others rely on without looking again.
    fn check(&self, id: SectionId, numbers: &[u64]) -> Result<(), Damage> {
        let limit = match id {
            SectionId::Name | SectionId::OddNames => u64::from(self.names()),
            SectionId::Kind => {
                let is_wrong = |&number: &u64| {
                    let number = u16::try_from(number).ok();
                    number.and_then(KindFlags::from_number).is_none()
                };
                return wrong_number(id, numbers, numbers.iter().position(|n| is_wrong(n)));
            }
            _ => return Ok(()),
        };
        wrong_number(id, numbers, numbers.iter().position(|&n| n >= limit))
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

fn wrong_number(id: SectionId, numbers: &[u64], at: Option<usize>) -> Result<(), Damage> {
    match at {
        None => Ok(()),
        Some(at) => {
            let found = format!("element {at} is {}", numbers.get(at).unwrap_or(&0));
            Err(Damage::section(id, 0, found))
        }
    }
}

fn plain<const N: usize>(numbers: &[u64], to_bytes: impl Fn(u64) -> [u8; N]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(numbers.len() * N);
    for &number in numbers {
        bytes.extend_from_slice(&to_bytes(number));
    }
    bytes
}

pub(super) fn packed(numbers: &[u64]) -> Vec<u8> {
    let (mut packer, mut bytes) = (Packer::default(), Vec::new());
    numbers
        .iter()
        .for_each(|&number| packer.push(number, &mut bytes));
    let directory = packer.finish(&mut bytes);
    bytes.extend_from_slice(&directory);
    bytes
}
