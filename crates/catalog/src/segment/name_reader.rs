//! Raw names, many at a time: what a listing of all rows spends most of its time on.

use std::ops::Range;

use super::{Names, Segment};
use crate::bytes::{u32_at, u64_at};
use crate::error::Damage;
use crate::layout::SectionId;

/// Names that are looked at side by side: as many waits for memory overlap.
const ABREAST: usize = 64;
/// Most names are not longer than this.
const SHORT: usize = 32;
/// Case bits that one look gives whatever bit of a byte they begin at.
const WINDOW_BITS: usize = 56;

/// Reads raw names. Knows beforehand which names' case bits do not tell them, a bit for each name.
#[derive(Clone, Debug)]
pub struct NameReader<'s> {
    names: Names<'s>,
    case: &'s [u8],
    odd: Vec<u64>,
}

impl Segment {
    /// A reader of this segment's names.
    ///
    /// # Errors
    /// [`Damage`] in the dictionary or in the list of odd names.
    pub fn name_reader(&self) -> Result<NameReader<'_>, Damage> {
        let names = self.names()?;
        let listed = self.section(SectionId::OddNames);
        let mut odd = vec![0; (names.len() as usize).div_ceil(64)];
        for at in 0..self.count(SectionId::OddNames) {
            let name = u32_at(listed, at * 4).unwrap_or(u32::MAX) as usize;
            match odd.get_mut(name / 64) {
                Some(word) => *word |= 1u64 << (name % 64),
                None => return Err(self.out_of_range(SectionId::OddNames, at)),
            }
        }
        Ok(NameReader {
            names,
            case: self.section(SectionId::NameCase),
            odd,
        })
    }
}

impl NameReader<'_> {
    /// Appends the name as it is on the disk.
    ///
    /// # Errors
    /// As [`Names::append`].
    pub fn append(&self, name: u32, out: &mut Vec<u8>) -> Result<(), Damage> {
        if self.is_odd(name) {
            return self.names.append(name, out);
        }
        self.append_cased(self.names.range(name)?, out)
    }

    /// Appends several names, and to `ends` where in `out` each of them ends.
    ///
    /// # Errors
    /// As [`Names::append`].
    pub fn append_all(
        &self,
        names: &[u32],
        out: &mut Vec<u8>,
        ends: &mut Vec<usize>,
    ) -> Result<(), Damage> {
        let mut ranges = [const { 0..0 }; ABREAST];
        for names in names.chunks(ABREAST) {
            self.names.ranges(names, &mut ranges)?;
            self.fetch(&ranges[..names.len()]);
            for (range, &name) in ranges.iter().zip(names) {
                match self.is_odd(name) {
                    true => self.names.append(name, out)?,
                    false => self.append_cased(range.clone(), out)?,
                }
                ends.push(out.len());
            }
        }
        Ok(())
    }

    /// Looks at the first byte of each, and at its case bits, so that they come into the
    /// processor's caches together and not one after the other.
    fn fetch(&self, ranges: &[Range<usize>]) {
        let arena = self.names.arena();
        let look = |range: &Range<usize>| {
            let byte = arena.get(range.start).copied().unwrap_or_default();
            let bits = self.case.get(range.start / 8).copied().unwrap_or_default();
            byte ^ bits
        };
        std::hint::black_box(ranges.iter().map(look).fold(0, |all, one| all ^ one));
    }

    fn is_odd(&self, name: u32) -> bool {
        let word = self.odd.get(name as usize / 64).copied().unwrap_or(0);
        word >> (name % 64) & 1 == 1
    }

    /// Appends a folded name with the letters in upper case that its case bits name.
    fn append_cased(&self, range: Range<usize>, out: &mut Vec<u8>) -> Result<(), Damage> {
        let (arena, before) = (self.names.arena(), out.len());
        let rest = arena.get(range.start..).unwrap_or_default();
        match rest.first_chunk::<SHORT>() {
            // A copy of a known length needs no call.
            Some(chunk) if range.len() <= SHORT => {
                out.extend_from_slice(chunk);
                out.truncate(before + range.len());
            }
            _ => out.extend_from_slice(rest.get(..range.len()).unwrap_or_default()),
        }
        let name = out.get_mut(before..).unwrap_or_default();
        for (index, part) in name.chunks_mut(WINDOW_BITS).enumerate() {
            let first = range.start + index * WINDOW_BITS;
            let mut upper = self.window(first, part.len())?;
            while upper != 0 {
                if let Some(letter) = part.get_mut(upper.trailing_zeros() as usize) {
                    letter.make_ascii_uppercase();
                }
                upper &= upper - 1;
            }
        }
        Ok(())
    }

    /// The next `count` case bits, at most [`WINDOW_BITS`], from bit `first` on.
    fn window(&self, first: usize, count: usize) -> Result<u64, Damage> {
        let at = first / 8;
        let word = match u64_at(self.case, at) {
            Some(word) => word,
            None => {
                let needed = (first % 8 + count).div_ceil(8);
                let rest = self.case.get(at..).filter(|rest| rest.len() >= needed);
                let rest = rest.ok_or_else(|| self.names.no_case_bits(at))?;
                let bytes = rest.iter().rev().take(8);
                bytes.fold(0, |word, &byte| word << 8 | u64::from(byte))
            }
        };
        Ok(word >> (first % 8) & ((1 << count) - 1))
    }
}
