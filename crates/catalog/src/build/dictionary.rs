//! Sorts and writes the dictionary of names: folded bytes, case bits, exceptions.

use std::io::{self, Seek, Write};

use groma_base::{compare_names, fold_into, name_prefix};

use crate::intern::Interner;
use crate::layout::SectionId;
use crate::packed::PackedVec;
use crate::write::SegmentWriter;

/// Numbers of names in the order of the names.
pub(super) fn sorted(names: &Interner) -> Vec<u32> {
    let numbers = 0..u32::try_from(names.len()).unwrap_or(u32::MAX);
    let mut keys: Vec<(u64, u32)> = numbers
        .map(|number| (name_prefix(names.get(number)), number))
        .collect();
    // Most comparisons are decided by the first bytes, without a look at the names.
    keys.sort_unstable_by(|a, b| {
        let names = || compare_names(names.get(a.1), names.get(b.1));
        a.0.cmp(&b.0).then_with(names)
    });
    keys.into_iter().map(|(_, number)| number).collect()
}

/// The place of each number in `sorted`.
pub(super) fn ranks(sorted: &[u32], names: usize) -> Vec<u32> {
    let mut ranks = vec![0; names];
    for (rank, &number) in (0..).zip(sorted) {
        ranks[number as usize] = rank;
    }
    ranks
}

/// Raw forms that case bits do not tell, and everything else about names that is small.
#[derive(Default)]
struct Rest {
    starts: PackedVec,
    start: u64,
    case: Vec<u8>,
    bit: usize,
    odd: Vec<u32>,
    odd_ends: Vec<u64>,
    odd_bytes: Vec<u8>,
}

/// Writes the sections from the names' bytes to the exceptions.
pub(super) fn write<W: Write + Seek>(
    segment: &mut SegmentWriter<W>,
    names: &Interner,
    sorted: &[u32],
) -> io::Result<()> {
    let mut rest = Rest::default();
    let mut folded = Vec::new();
    let mut section = segment.section(SectionId::NameBytes);
    for (rank, &number) in (0..).zip(sorted) {
        let raw = names.get(number);
        folded.clear();
        fold_into(raw, &mut folded);
        rest.add(rank, raw, &folded);
        folded.push(0);
        section.write(&folded)?;
    }
    section.finish(rest.start)?;
    let starts = (0..sorted.len()).map(|rank| rest.starts.get(rank));
    let starts = starts.chain([rest.start]);
    segment.packed(SectionId::NameStarts, starts)?;
    segment.bytes(SectionId::NameCase, &rest.case)?;
    let odd = rest.odd.iter().map(|rank| rank.to_le_bytes());
    segment.plain(SectionId::OddNames, odd)?;
    segment.packed(SectionId::OddEnds, rest.odd_ends.iter().copied())?;
    segment.bytes(SectionId::OddBytes, &rest.odd_bytes)
}

impl Rest {
    fn add(&mut self, rank: u32, raw: &[u8], folded: &[u8]) {
        self.starts.push(self.start);
        self.start += folded.len() as u64 + 1;
        let is_odd = !differs_in_ascii_case_only(raw, folded);
        for at in 0..folded.len() {
            self.push_bit(!is_odd && raw[at] != folded[at]);
        }
        self.push_bit(false);
        if is_odd {
            self.odd.push(rank);
            self.odd_bytes.extend_from_slice(raw);
            self.odd_ends.push(self.odd_bytes.len() as u64);
        }
    }

    fn push_bit(&mut self, bit: bool) {
        if self.bit.is_multiple_of(8) {
            self.case.push(0);
        }
        if let Some(last) = self.case.last_mut() {
            *last |= u8::from(bit) << (self.bit % 8);
        }
        self.bit += 1;
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

/// Keeps the names that some row has, in order.
pub(super) fn used(sorted: &[u32], name_ids: &[u32], arrivals: &[u32]) -> Vec<u32> {
    let mut is_used = vec![false; sorted.len()];
    for &arrival in arrivals {
        is_used[name_ids[arrival as usize] as usize] = true;
    }
    let sorted = sorted.iter().copied();
    sorted.filter(|&number| is_used[number as usize]).collect()
}
