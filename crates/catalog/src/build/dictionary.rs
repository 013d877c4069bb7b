//! Sorts and writes the dictionary of names: folded bytes, case bits, exceptions.

use std::cmp::Ordering;
use std::io::{self, Seek, Write};

use groma_base::{compare_names, fold_into, name_prefix};

use crate::intern::Interner;
use crate::layout::SectionId;
use crate::packed::PackedVec;
use crate::write::SegmentWriter;

/// Fewer names than this are sorted by one thread.
const NAMES_PER_THREAD: usize = 16_384;

/// A name by its first bytes and its number.
type Key = (u64, u32);

/// Numbers of names in the order of the names. Runs of them are sorted at the same time, then
/// merged.
pub(super) fn sorted(names: &Interner, threads: usize) -> Vec<u32> {
    let count = u32::try_from(names.len()).unwrap_or(u32::MAX);
    let mut keys: Vec<Key> = (0..count).map(|number| (0, number)).collect();
    let threads = threads.clamp(1, (keys.len() / NAMES_PER_THREAD).max(1));
    let run = keys.len().div_ceil(threads).max(1);
    let sort = |keys: &mut [Key]| {
        for key in &mut *keys {
            key.0 = name_prefix(names.get(key.1));
        }
        keys.sort_unstable_by(|a, b| compare(names, a, b));
    };
    std::thread::scope(|scope| {
        let mut runs = keys.chunks_mut(run);
        let own = runs.next();
        for keys in runs {
            scope.spawn(move || sort(keys));
        }
        own.into_iter().for_each(sort);
    });
    merge(names, &keys, run)
}

/// Most comparisons are decided by the first bytes, without a look at the names.
fn compare(names: &Interner, a: &Key, b: &Key) -> Ordering {
    let names = || compare_names(names.get(a.1), names.get(b.1));
    a.0.cmp(&b.0).then_with(names)
}

/// One list of sorted runs. There are few of them, so each is looked at for the least.
fn merge(names: &Interner, keys: &[Key], run: usize) -> Vec<u32> {
    let mut runs: Vec<&[Key]> = keys.chunks(run).collect();
    let mut merged = Vec::with_capacity(keys.len());
    while runs.len() > 1 {
        let heads = runs.iter().enumerate();
        let least = heads.min_by(|a, b| compare(names, &a.1[0], &b.1[0]));
        let Some((at, _)) = least else { break };
        merged.push(runs[at][0].1);
        runs[at] = &runs[at][1..];
        if runs[at].is_empty() {
            runs.swap_remove(at);
        }
    }
    merged.extend(runs.iter().flat_map(|run| run.iter().map(|key| key.1)));
    merged
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
