//! The dictionary of names: distinct names in order, each with its rows.

use std::cmp::Ordering;
use std::ops::Range;

use groma_base::folded;

use super::Segment;
use crate::bytes::u32_at;
use crate::error::Damage;
use crate::layout::{SHARED_NAME, SectionId};
use crate::packed::Packed;

/// The distinct names of a segment. A name's number is its place in the order by (folded, raw).
#[derive(Clone, Copy, Debug)]
pub struct Names<'s> {
    pub(super) segment: &'s Segment,
    bytes: &'s [u8],
    pub(super) starts: Packed<'s>,
}

impl Segment {
    /// The dictionary of names.
    ///
    /// # Errors
    /// [`Damage`] when its sections are too short.
    pub fn names(&self) -> Result<Names<'_>, Damage> {
        Ok(Names {
            segment: self,
            bytes: self.section(SectionId::NameBytes),
            starts: self.packed(SectionId::NameStarts)?,
        })
    }
}

impl<'s> Names<'s> {
    /// How many there are.
    pub fn len(&self) -> u32 {
        self.segment.names
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All folded names in order, each ended by NUL: what substrings and expressions run over.
    pub fn arena(&self) -> &'s [u8] {
        self.bytes
    }

    /// Where a folded name lies in the arena, its NUL not counted.
    ///
    /// # Errors
    /// [`Damage`] when there is no such name, or none in the arena.
    pub fn range(&self, name: u32) -> Result<Range<usize>, Damage> {
        let name = name as usize;
        let start = self.starts.get_usize(name)?;
        let end = self.starts.get_usize(name.saturating_add(1))?;
        match end.checked_sub(1) {
            Some(last) if start <= last && end <= self.bytes.len() => Ok(start..last),
            _ => Err(self.starts.wrong(name, format!("from {start} to {end}"))),
        }
    }

    /// Where several folded names lie, no more of them than `out` has room for.
    pub(super) fn ranges<const N: usize>(
        &self,
        names: &[u32],
        out: &mut [Range<usize>; N],
    ) -> Result<(), Damage> {
        let mut pairs = [(0, 0); N];
        self.starts.pairs(names, &mut pairs)?;
        for ((range, &(start, end)), &name) in out.iter_mut().zip(&pairs).zip(names) {
            let told = usize::try_from(start).ok().zip(usize::try_from(end).ok());
            *range = match told {
                Some((start, end)) if start < end && end <= self.bytes.len() => start..end - 1,
                // That says what is wrong.
                _ => self.range(name)?,
            };
        }
        Ok(())
    }

    /// The folded form of a name.
    ///
    /// # Errors
    /// As [`Names::range`].
    pub fn folded(&self, name: u32) -> Result<&'s [u8], Damage> {
        let range = self.range(name)?;
        Ok(self.bytes.get(range).unwrap_or_default())
    }

    /// The name whose folded form holds this byte of the arena.
    ///
    /// # Errors
    /// [`Damage`] when the byte is past the arena.
    pub fn at_byte(&self, at: usize) -> Result<u32, Damage> {
        let names = self.len() as usize;
        let after = self
            .starts
            .lower_bound(0..names, (at as u64).saturating_add(1))?;
        let name = after.checked_sub(1).filter(|_| at < self.bytes.len());
        let name = name.and_then(|name| u32::try_from(name).ok());
        name.ok_or_else(|| self.segment.out_of_range(SectionId::NameBytes, at))
    }

    /// Appends the name as it is on the disk.
    ///
    /// # Errors
    /// As [`Names::range`], or when its raw form is not there.
    pub fn append(&self, name: u32, out: &mut Vec<u8>) -> Result<(), Damage> {
        if let Some(raw) = self.odd(name)? {
            out.extend_from_slice(raw);
            return Ok(());
        }
        let range = self.range(name)?;
        let start = range.start;
        let case = self.segment.section(SectionId::NameCase);
        let folded = self.bytes.get(range).unwrap_or_default();
        for (bit, &byte) in (start..).zip(folded) {
            let bits = case.get(bit / 8).copied();
            let bits = bits.ok_or_else(|| self.segment.out_of_range(SectionId::NameCase, bit / 8));
            let is_upper = bits? >> (bit % 8) & 1 == 1;
            out.push(if is_upper {
                byte.to_ascii_uppercase()
            } else {
                byte
            });
        }
        Ok(())
    }

    /// The name as it is on the disk.
    ///
    /// # Errors
    /// As [`Names::append`].
    pub fn raw(&self, name: u32) -> Result<Vec<u8>, Damage> {
        let mut raw = Vec::new();
        self.append(name, &mut raw)?;
        Ok(raw)
    }

    pub(super) fn no_case_bits(&self, byte: usize) -> Damage {
        self.segment.out_of_range(SectionId::NameCase, byte)
    }

    /// The raw form of a name that case bits do not tell.
    pub(crate) fn odd(&self, name: u32) -> Result<Option<&'s [u8]>, Damage> {
        let odd = self.segment.section(SectionId::OddNames);
        let Some(at) = find_u32(odd, self.segment.count(SectionId::OddNames), name) else {
            return Ok(None);
        };
        let bytes = self.segment.section(SectionId::OddBytes);
        let ends = self.segment.packed(SectionId::OddEnds)?;
        let range = ends.range(at, bytes.len())?;
        Ok(bytes.get(range))
    }

    /// The number of exactly this name.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn exact(&self, raw: &[u8]) -> Result<Option<u32>, Damage> {
        let mut candidate = Vec::new();
        for name in self.equal_folded(&folded(raw))? {
            candidate.clear();
            self.append(name, &mut candidate)?;
            if candidate == raw {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    /// The names whose folded form is exactly this.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn equal_folded(&self, folded: &[u8]) -> Result<Range<u32>, Damage> {
        let first = self.partition(0..self.len(), |name| name < folded)?;
        // Most often there is one, or a few that differ in case.
        let (mut low, mut high) = (first, first);
        while high < self.len() && self.folded(high)? <= folded {
            low = high + 1;
            high = low.saturating_add(low - first).min(self.len());
        }
        let after = self.partition(low..high, |name| name <= folded)?;
        Ok(first..after)
    }

    /// The first name that does not come before this one.
    pub(crate) fn lower_bound(&self, folded: &[u8], raw: &[u8]) -> Result<u32, Damage> {
        let equal = self.equal_folded(folded)?;
        let mut candidate = Vec::new();
        for name in equal.clone() {
            candidate.clear();
            self.append(name, &mut candidate)?;
            if candidate[..] >= *raw {
                return Ok(name);
            }
        }
        Ok(equal.end)
    }

    /// The names whose folded form begins so.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn with_folded_prefix(&self, prefix: &[u8]) -> Result<Range<u32>, Damage> {
        let head = |name: &[u8]| name[..name.len().min(prefix.len())].cmp(prefix);
        let first = self.partition(0..self.len(), |name| head(name) == Ordering::Less)?;
        let after = self.partition(first..self.len(), |name| head(name) != Ordering::Greater)?;
        Ok(first..after)
    }

    /// The first name of a range that is not `before`, which holds for a beginning of it.
    fn partition(&self, names: Range<u32>, before: impl Fn(&[u8]) -> bool) -> Result<u32, Damage> {
        let (mut low, mut high) = (names.start, names.end);
        while low < high {
            let middle = low + (high - low) / 2;
            if before(self.folded(middle)?) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// The rows of a name, ascending.
    ///
    /// # Errors
    /// [`Damage`] when the name, or its list, is not there.
    pub fn rows(&self, name: u32) -> Result<RowList<'s>, Damage> {
        let segment = self.segment;
        let postings = segment.section(SectionId::NameRows);
        let posting = u32_at(postings, (name as usize).saturating_mul(4));
        let posting =
            posting.ok_or_else(|| segment.out_of_range(SectionId::NameRows, name as usize))?;
        if posting & SHARED_NAME == 0 {
            return Ok(RowList(Source::One(Some(posting))));
        }
        let list = (posting & !SHARED_NAME) as usize;
        let rows = segment.packed(SectionId::SharedRows)?;
        let ends = segment.packed(SectionId::SharedEnds)?;
        let range = ends.range(list, rows.len())?;
        Ok(RowList(Source::Listed(rows, range)))
    }
}

/// Rows, ascending. A row that cannot be read is an error and the last item.
#[derive(Clone, Debug)]
pub struct RowList<'s>(Source<'s>);

#[derive(Clone, Debug)]
enum Source<'s> {
    One(Option<u32>),
    Listed(Packed<'s>, Range<usize>),
}

impl<'s> RowList<'s> {
    pub(super) fn listed(rows: Packed<'s>, range: Range<usize>) -> RowList<'s> {
        RowList(Source::Listed(rows, range))
    }

    /// How many are left.
    pub fn len(&self) -> usize {
        match &self.0 {
            Source::One(row) => usize::from(row.is_some()),
            Source::Listed(_, range) => range.len(),
        }
    }

    /// Whether none is left.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Iterator for RowList<'_> {
    type Item = Result<u32, Damage>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Source::One(row) => row.take().map(Ok),
            Source::Listed(rows, range) => {
                let row = rows.get_u32(range.next()?);
                if row.is_err() {
                    *range = 0..0;
                }
                Some(row)
            }
        }
    }
}

/// The place of `wanted` among ascending numbers of 32 bits.
pub(super) fn find_u32(bytes: &[u8], count: usize, wanted: u32) -> Option<usize> {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        match u32_at(bytes, middle.checked_mul(4)?)?.cmp(&wanted) {
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
            Ordering::Equal => return Some(middle),
        }
    }
    None
}
