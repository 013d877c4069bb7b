//! Bit-packed numbers: blocks of 128, each with its own base, shift and width.
//!
//! A value is `base + (bits << shift)`. The bits of all full blocks and of the last one come first,
//! each block in `16 * width` bytes; behind them stands a directory of 16 bytes per block: the
//! base, then one number whose low 48 bits are where the block's bits begin, whose next eight are
//! the shift and whose top eight are the width. Any value is found without reading another.

mod blocks;

use crate::bytes::u64_at;
use crate::error::Damage;
use crate::layout::SectionId;

/// Values of one block.
pub(crate) const BLOCK: usize = 128;
/// Bytes of one line of the directory.
pub(crate) const DIRECTORY_LINE: usize = 16;

/// Packs values as they come. Bits go to a buffer that the caller owns and may empty at any time.
#[derive(Debug, Default)]
pub(crate) struct Packer {
    pending: Vec<u64>,
    directory: Vec<u8>,
    offset: u64,
    count: u64,
}

impl Packer {
    /// Adds a value; a block that is full goes to `out`.
    pub(crate) fn push(&mut self, value: u64, out: &mut Vec<u8>) {
        self.pending.push(value);
        self.count += 1;
        if self.pending.len() == BLOCK {
            self.flush(out);
        }
    }

    /// Adds a whole block of values, or the last ones: nothing may wait to become one.
    pub(crate) fn push_block(&mut self, values: &[u64], out: &mut Vec<u8>) {
        debug_assert!(self.pending.is_empty() && values.len() <= BLOCK);
        self.count += values.len() as u64;
        self.put(values, out);
    }

    /// Packs what is left to `out` and gives back the directory, which belongs right behind it.
    pub(crate) fn finish(mut self, out: &mut Vec<u8>) -> Vec<u8> {
        if !self.pending.is_empty() {
            self.flush(out);
        }
        self.directory
    }

    /// How many values there are.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    fn flush(&mut self, out: &mut Vec<u8>) {
        let mut pending = std::mem::take(&mut self.pending);
        self.put(&pending, out);
        pending.clear();
        self.pending = pending;
    }

    fn put(&mut self, values: &[u64], out: &mut Vec<u8>) {
        let base = values.iter().copied().min().unwrap_or(0);
        let all = values.iter().fold(0, |all, value| all | (value - base));
        let shift = if all == 0 { 0 } else { all.trailing_zeros() };
        let width = u64::BITS - (all >> shift).leading_zeros();
        let bytes = pack(values, base, shift, width, out);
        let word = self.offset | (u64::from(shift) << 48) | (u64::from(width) << 56);
        self.directory.extend_from_slice(&base.to_le_bytes());
        self.directory.extend_from_slice(&word.to_le_bytes());
        self.offset += bytes;
    }
}

/// Appends the bits of one block, padded with zeros to a whole one. Answers how many bytes.
fn pack(values: &[u64], base: u64, shift: u32, width: u32, out: &mut Vec<u8>) -> u64 {
    if width == 0 {
        return 0;
    }
    let start = out.len();
    let padded = values.iter().map(|value| (value - base) >> shift);
    let padded = padded.chain(std::iter::repeat(0)).take(BLOCK);
    // A whole block ends with a whole word, whatever the width.
    let (mut word, mut filled) = (0u64, 0);
    for bits in padded {
        word |= bits << filled;
        filled += width;
        if filled >= u64::BITS {
            out.extend_from_slice(&word.to_le_bytes());
            filled -= u64::BITS;
            word = if filled == 0 {
                0
            } else {
                bits >> (width - filled)
            };
        }
    }
    (out.len() - start) as u64
}

/// The value at `place` of a block with this line of the directory; `None` when that leads out of
/// the bits or above 64 bits.
fn unpack(bits: &[u8], base: u64, word: u64, place: usize) -> Option<u64> {
    let width = usize::try_from(word >> 56).ok().filter(|&w| w <= 64)?;
    let shift = u32::try_from((word >> 48) & 0xff)
        .ok()
        .filter(|&s| s < 64)?;
    if width == 0 {
        return Some(base);
    }
    let offset = usize::try_from(word & ((1 << 48) - 1)).ok()?;
    let first_bit = place * width;
    let at = offset.checked_add(first_bit / 8)?;
    let skipped = first_bit % 8;
    // Most values lie within eight bytes that are there.
    if let Some(low) = u64_at(bits, at).filter(|_| skipped + width <= 64) {
        let value = low >> skipped & (u64::MAX >> (64 - width));
        return shifted(value, shift)?.checked_add(base);
    }
    let last = offset.checked_add((first_bit + width).div_ceil(8))?;
    let value = bits
        .get(at..last)?
        .iter()
        .rev()
        .fold(0u128, |value, &byte| (value << 8) | u128::from(byte));
    let value = (value >> skipped) & ((1u128 << width) - 1);
    shifted(u64::try_from(value).ok()?, shift)?.checked_add(base)
}

/// `None` when bits would be lost.
fn shifted(value: u64, shift: u32) -> Option<u64> {
    let shifted = value << shift;
    (shifted >> shift == value).then_some(shifted)
}

/// Packed values in memory, while they are collected.
#[derive(Debug, Default)]
pub(crate) struct PackedVec {
    packer: Packer,
    bits: Vec<u8>,
}

impl PackedVec {
    /// Adds a value.
    pub(crate) fn push(&mut self, value: u64) {
        self.packer.push(value, &mut self.bits);
    }

    /// The value at `index`; 0 where there is none.
    pub(crate) fn get(&self, index: usize) -> u64 {
        let (block, place) = (index / BLOCK, index % BLOCK);
        let directory = &self.packer.directory;
        match (
            u64_at(directory, block * DIRECTORY_LINE),
            u64_at(directory, block * DIRECTORY_LINE + 8),
        ) {
            (Some(base), Some(word)) => unpack(&self.bits, base, word, place).unwrap_or(0),
            _ => self.packer.pending.get(place).copied().unwrap_or(0),
        }
    }

    /// All values.
    pub(crate) fn to_vec(&self) -> Vec<u64> {
        let directory = &self.packer.directory;
        let full = directory.len() / DIRECTORY_LINE * BLOCK;
        let mut values = Vec::with_capacity(full + self.packer.pending.len());
        let packed = Packed::of_parts(&self.bits, directory, full);
        if packed.fill(0..full, &mut values).is_err() {
            // What was packed here leads nowhere only by a mistake of ours; it is found by tests.
            debug_assert!(false, "a block of our own leads out");
            values.resize(full, 0);
        }
        values.extend_from_slice(&self.packer.pending);
        values
    }

    /// Bytes that are held.
    pub(crate) fn held(&self) -> usize {
        self.bits.capacity() + self.packer.directory.capacity() + self.packer.pending.capacity() * 8
    }
}

/// Packed values of a section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed<'a> {
    id: SectionId,
    /// Bits and directory.
    all: &'a [u8],
    bits: &'a [u8],
    directory: &'a [u8],
    count: usize,
}

impl<'a> Packed<'a> {
    /// Takes a section apart; an error when it is too short for its directory.
    pub(crate) fn new(id: SectionId, bytes: &'a [u8], count: usize) -> Result<Packed<'a>, Damage> {
        let directory = count.div_ceil(BLOCK).checked_mul(DIRECTORY_LINE);
        let cut = directory.and_then(|length| bytes.len().checked_sub(length));
        match cut.and_then(|at| bytes.split_at_checked(at)) {
            Some((bits, directory)) => Ok(Packed {
                id,
                all: bytes,
                bits,
                directory,
                count,
            }),
            None => {
                let found = format!("{} bytes are too few for {count} values", bytes.len());
                Err(Damage::section(id, 0, found))
            }
        }
    }

    /// Values that have not become a section.
    fn of_parts(bits: &'a [u8], directory: &'a [u8], count: usize) -> Packed<'a> {
        Packed {
            id: SectionId::Size,
            all: bits,
            bits,
            directory,
            count,
        }
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The value at `index`.
    pub(crate) fn get(&self, index: usize) -> Result<u64, Damage> {
        if index >= self.count {
            let found = format!("value {index} of {}", self.count);
            return Err(Damage::section(self.id, 0, found));
        }
        let line = index / BLOCK * DIRECTORY_LINE;
        let base = u64_at(self.directory, line);
        let word = u64_at(self.directory, line + 8);
        base.zip(word)
            .and_then(|(base, word)| unpack(self.bits, base, word, index % BLOCK))
            .ok_or_else(|| {
                let offset = (self.bits.len() + line) as u64;
                Damage::section(self.id, offset, "a block that leads out of its section")
            })
    }

    /// The value at `index`, where it must fit into 32 bits.
    pub(crate) fn get_u32(&self, index: usize) -> Result<u32, Damage> {
        let value = self.get(index)?;
        u32::try_from(value).map_err(|_| self.wrong(index, format!("{value} in place of 32 bits")))
    }

    /// The value at `index`, where it must fit into memory sizes.
    pub(crate) fn get_usize(&self, index: usize) -> Result<usize, Damage> {
        let value = self.get(index)?;
        usize::try_from(value).map_err(|_| self.wrong(index, format!("{value} is out of memory")))
    }

    /// An error about the value at `index`; its place is that of the block's directory line.
    pub(crate) fn wrong(&self, index: usize, found: String) -> Damage {
        let offset = (self.bits.len() + index / BLOCK * DIRECTORY_LINE) as u64;
        Damage::section(self.id, offset, format!("value {index}: {found}"))
    }

    /// Where list `index` of lists that end here lies: from the end before it to its own.
    pub(crate) fn range(
        &self,
        index: usize,
        limit: usize,
    ) -> Result<std::ops::Range<usize>, Damage> {
        let start = match index.checked_sub(1) {
            Some(before) => self.get_usize(before)?,
            None => 0,
        };
        let end = self.get_usize(index)?;
        if start > end || end > limit {
            let found = format!("a range from {start} to {end} in {limit}");
            return Err(self.wrong(index, found));
        }
        Ok(start..end)
    }

    /// The first index in `range` whose value is not below `value`; the values ascend there.
    pub(crate) fn lower_bound(
        &self,
        range: std::ops::Range<usize>,
        value: u64,
    ) -> Result<usize, Damage> {
        let (mut low, mut high) = (range.start, range.end);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(middle)? < value {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round_trip(values: &[u64]) {
        let mut held = PackedVec::default();
        let (mut packer, mut bytes) = (Packer::default(), Vec::new());
        for &value in values {
            packer.push(value, &mut bytes);
            held.push(value);
        }
        assert_eq!(packer.count(), values.len() as u64);
        let directory = packer.finish(&mut bytes);
        bytes.extend_from_slice(&directory);
        let packed = Packed::new(SectionId::Inode, &bytes, values.len()).unwrap();
        for (index, &value) in values.iter().enumerate() {
            assert_eq!(packed.get(index).unwrap(), value, "{index}");
            assert_eq!(held.get(index), value, "{index}");
        }
        assert_eq!(held.to_vec(), values);
        assert!(packed.get(values.len()).is_err());
        let places: Vec<u32> = (0..values.len().saturating_sub(1) as u32).collect();
        for places in places.chunks(32) {
            let mut pairs = [(0, 0); 32];
            packed.pairs(places, &mut pairs).unwrap();
            for (&place, pair) in places.iter().zip(pairs) {
                let place = place as usize;
                assert_eq!(pair, (values[place], values[place + 1]), "{place}");
            }
        }
        let last = values.len().saturating_sub(1) as u32;
        assert!(packed.pairs(&[last], &mut [(0, 0); 1]).is_err());
        for start in [0, values.len() / 3, values.len()] {
            let mut filled = Vec::new();
            packed.fill(start..values.len(), &mut filled).unwrap();
            assert_eq!(filled, values[start..]);
        }
        assert!(packed.fill(0..values.len() + 1, &mut Vec::new()).is_err());
    }

    proptest! {
        #[test]
        fn values_go_there_and_back(values in prop::collection::vec(any::<u64>(), 0..300), shift in 0u32..64) {
            round_trip(&values);
            let shifted: Vec<u64> = values.iter().map(|v| v >> shift).collect();
            round_trip(&shifted);
            let multiples: Vec<u64> = values.iter().map(|v| v >> shift << (shift / 2)).collect();
            round_trip(&multiples);
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), count in 0usize..1000, index in 0usize..1000) {
            if let Ok(packed) = Packed::new(SectionId::Inode, &bytes, count) {
                let _ = packed.get(index);
                let _ = packed.range(index, 10);
                let _ = packed.fill(0..count, &mut Vec::new());
                let _ = packed.pairs(&[index as u32], &mut [(0, 0); 1]);
            }
        }
    }

    #[test]
    fn equal_values_take_no_bits() {
        let (mut packer, mut bytes) = (Packer::default(), Vec::new());
        (0..1000).for_each(|_| packer.push(7, &mut bytes));
        assert_eq!(packer.finish(&mut bytes).len(), 8 * DIRECTORY_LINE);
        assert!(bytes.is_empty());
    }
}
