//! The dictionary of names as a segment has it: folded bytes, case bits, exceptions.

use std::io::{self, Write};

use groma_base::fold_into;

use crate::intern::{Interner, TOGETHER};
use crate::layout::SectionId;
use crate::write::SegmentWriter;

/// Names in order.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    parts: Vec<Part>,
    /// How many there are.
    pub(super) len: usize,
}

/// Some names that follow each other.
#[derive(Debug, Default)]
struct Part {
    /// Their folded forms, each with a NUL at its end.
    folded: Vec<u8>,
    case: Bits,
    odd: Vec<Odd>,
    odd_bytes: Vec<u8>,
}

/// A name whose raw form case bits do not tell.
#[derive(Clone, Copy, Debug)]
struct Odd {
    rank: u32,
    /// Bytes of its raw form.
    length: usize,
}

/// Bits, the lowest one of each byte first.
#[derive(Debug, Default)]
struct Bits {
    bytes: Vec<u8>,
    len: usize,
}

impl Dictionary {
    /// Folds names, which are given in order, on several threads.
    pub(super) fn new(names: &Interner, sorted: &[u32], threads: usize) -> Dictionary {
        let share = sorted.len().div_ceil(threads.max(1)).max(1);
        let parts = std::thread::scope(|scope| {
            let shares = (0..).step_by(share).zip(sorted.chunks(share));
            let workers: Vec<_> = shares
                .map(|(first, share)| scope.spawn(move || Part::new(names, first, share)))
                .collect();
            let parts = workers.into_iter().map(|worker| worker.join());
            parts
                .map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        Dictionary {
            parts,
            len: sorted.len(),
        }
    }

    /// The folded names, in order.
    pub(super) fn folded(&self) -> impl Iterator<Item = &[u8]> {
        let parts = self.parts.iter();
        let names = parts.flat_map(|part| part.folded.split_inclusive(|&byte| byte == 0));
        names.map(|name| &name[..name.len() - 1])
    }

    /// Writes the sections from the names' bytes to the exceptions.
    pub(super) fn write<W: Write>(&self, segment: &mut SegmentWriter<W>) -> io::Result<()> {
        let mut section = segment.section(SectionId::NameBytes);
        for bytes in self.parts.iter().flat_map(|part| part.folded.chunks(CHUNK)) {
            section.write(bytes)?;
        }
        let length = self.parts.iter().map(|part| part.folded.len() as u64).sum();
        section.finish(length)?;
        let mut start = 0;
        let starts = self.folded().map(|name| {
            let own = start;
            start += name.len() as u64 + 1;
            own
        });
        segment.packed(SectionId::NameStarts, starts.chain([length]))?;
        self.write_case(segment)?;
        self.write_odd(segment)
    }

    fn write_case<W: Write>(&self, segment: &mut SegmentWriter<W>) -> io::Result<()> {
        let mut case = Bits::default();
        for part in &self.parts {
            case.append(&part.case);
        }
        segment.bytes(SectionId::NameCase, &case.bytes)
    }

    fn write_odd<W: Write>(&self, segment: &mut SegmentWriter<W>) -> io::Result<()> {
        let odd = self.parts.iter().flat_map(|part| &part.odd);
        let ranks = odd.clone().map(|odd| odd.rank.to_le_bytes());
        segment.plain(SectionId::OddNames, ranks)?;
        let lengths = odd.map(|odd| odd.length as u64);
        segment.packed(SectionId::OddEnds, super::extensions::running_sum(lengths))?;
        let mut section = segment.section(SectionId::OddBytes);
        let bytes = self.parts.iter().map(|part| &part.odd_bytes);
        bytes.clone().try_for_each(|bytes| section.write(bytes))?;
        section.finish(bytes.map(|bytes| bytes.len() as u64).sum())
    }
}

/// Bytes that are handed on at a time.
const CHUNK: usize = 64 * 1024;

impl Part {
    /// Of names that follow each other; `rank` is the place of the first one among all.
    fn new(names: &Interner, mut rank: u32, sorted: &[u32]) -> Part {
        let mut part = Part::default();
        for some in sorted.chunks(TOGETHER) {
            names.fetch_strings(some.iter().copied());
            for &number in some {
                part.add(rank, names.get(number));
                rank += 1;
            }
        }
        part
    }

    fn add(&mut self, rank: u32, raw: &[u8]) {
        let start = self.folded.len();
        fold_into(raw, &mut self.folded);
        let folded = &self.folded[start..];
        let is_odd = !differs_in_ascii_case_only(raw, folded);
        let bits = self.case.add_zeros(folded.len() + 1);
        if is_odd {
            self.odd_bytes.extend_from_slice(raw);
            let length = raw.len();
            self.odd.push(Odd { rank, length });
        } else if raw != folded {
            let pairs = raw.iter().zip(folded).enumerate();
            let upper = pairs.filter(|(_, (raw, folded))| raw != folded);
            upper.for_each(|(at, _)| self.case.set(bits + at));
        }
        self.folded.push(0);
    }
}

impl Bits {
    /// Adds bits that are zero. Answers where they begin.
    fn add_zeros(&mut self, bits: usize) -> usize {
        let start = self.len;
        self.len += bits;
        self.bytes.resize(self.len.div_ceil(8), 0);
        start
    }

    fn set(&mut self, bit: usize) {
        self.bytes[bit / 8] |= 1 << (bit % 8);
    }

    /// Adds the bits of another.
    fn append(&mut self, other: &Bits) {
        let shift = self.len % 8;
        let at = self.len / 8;
        self.add_zeros(other.len);
        for (place, &byte) in other.bytes.iter().enumerate() {
            let wide = u16::from(byte) << shift;
            let [low, high] = wide.to_le_bytes();
            self.bytes[at + place] |= low;
            if let Some(next) = self.bytes.get_mut(at + place + 1) {
                *next |= high;
            }
        }
    }
}

/// Whether one bit per byte is enough to get from the folded form to the raw one.
pub(crate) fn differs_in_ascii_case_only(raw: &[u8], folded: &[u8]) -> bool {
    raw.len() == folded.len()
        && raw
            .iter()
            .zip(folded)
            .all(|(&raw, &folded)| raw == folded || raw == folded.to_ascii_uppercase())
}

/// The place of each number in `sorted`.
pub(super) fn ranks(sorted: &[u32], names: usize) -> Vec<u32> {
    let mut ranks = vec![0; names];
    for (rank, &number) in (0..).zip(sorted) {
        ranks[number as usize] = rank;
    }
    ranks
}

/// Keeps the names that some row has, in order.
pub(super) fn used(sorted: &[u32], name_ids: &[u32], arrivals: &[u32]) -> Vec<u32> {
    let mut is_used = vec![false; sorted.len()];
    for &arrival in arrivals {
        is_used[name_ids[arrival as usize] as usize] = true;
    }
    let sorted = sorted.iter().copied();
    sorted.filter(|&number| is_used[number as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_are_put_behind_each_other(parts in prop::collection::vec(prop::collection::vec(any::<bool>(), 0..20), 0..5)) {
            let mut all = Bits::default();
            for part in &parts {
                let mut bits = Bits::default();
                bits.add_zeros(part.len());
                (0..part.len()).filter(|&at| part[at]).for_each(|at| bits.set(at));
                all.append(&bits);
            }
            let expected = parts.concat();
            prop_assert_eq!(all.len, expected.len());
            for (at, &bit) in expected.iter().enumerate() {
                prop_assert_eq!(all.bytes[at / 8] >> (at % 8) & 1 == 1, bit);
            }
        }

        #[test]
        fn is_the_same_for_any_number_of_threads(list in prop::collection::vec("[aAäſ.]{1,6}", 1..40)) {
            let mut names = Interner::default();
            list.iter().for_each(|name| { names.intern(name.as_bytes()); });
            let sorted: Vec<u32> = (0..names.len() as u32).collect();
            let bytes = |threads| {
                let mut part = crate::write::Part::part(SectionId::NameBytes);
                Dictionary::new(&names, &sorted, threads).write(&mut part).unwrap();
                part.into_bytes()
            };
            prop_assert_eq!(bytes(1), bytes(4));
        }
    }
}
