//! Whole blocks of packed numbers at once, for who reads many.

use std::ops::Range;

use super::{BLOCK, DIRECTORY_LINE, Packed};
use crate::bytes::u64_at;
use crate::error::Damage;

impl Packed<'_> {
    /// The base of a block: its smallest value, and its first one where values ascend.
    pub(crate) fn block_base(&self, block: usize) -> Option<u64> {
        u64_at(self.directory, block.checked_mul(DIRECTORY_LINE)?)
    }

    /// How many blocks there are.
    pub(crate) fn blocks(&self) -> usize {
        self.count.div_ceil(BLOCK)
    }

    /// All values of a block; behind the last value of the section there are bases.
    pub(crate) fn block(&self, block: usize, out: &mut [u64; BLOCK]) -> Result<(), Damage> {
        let line = block.saturating_mul(DIRECTORY_LINE);
        let base = u64_at(self.directory, line);
        let word = u64_at(self.directory, line.saturating_add(8));
        base.zip(word)
            .and_then(|(base, word)| self.unpack_block(base, word, out))
            .ok_or_else(|| self.wrong(block * BLOCK, "a block that leads out".to_owned()))
    }

    /// Puts the values of `range` into `out`, whose length is that of the range.
    pub(crate) fn fill(&self, range: Range<usize>, out: &mut Vec<u64>) -> Result<(), Damage> {
        if range.end > self.count || range.start > range.end {
            return Err(self.wrong(range.end, format!("values up to {}", range.end)));
        }
        let mut values = [0; BLOCK];
        for block in range.start / BLOCK..range.end.div_ceil(BLOCK) {
            self.block(block, &mut values)?;
            let first = range.start.saturating_sub(block * BLOCK);
            let last = (range.end - block * BLOCK).min(BLOCK);
            out.extend_from_slice(values.get(first..last).unwrap_or_default());
        }
        Ok(())
    }

    /// The values at some places, each with the one behind it: what begins and ends of lists are
    /// told by. Places are looked at side by side, so that their waits for memory overlap.
    pub(crate) fn pairs<const N: usize>(
        &self,
        places: &[u32],
        out: &mut [(u64, u64); N],
    ) -> Result<(), Damage> {
        let mut lines = [(0, 0); N];
        for (line, &place) in lines.iter_mut().zip(places) {
            let at = place as usize / BLOCK * DIRECTORY_LINE;
            let told = u64_at(self.directory, at).zip(u64_at(self.directory, at + 8));
            // No block has this width: such a place is looked at by itself.
            *line = told.unwrap_or((0, u64::MAX));
        }
        self.look(&lines, places);
        for ((pair, &line), &place) in out.iter_mut().zip(&lines).zip(places) {
            let place = place as usize;
            *pair = match self.pair(line, place % BLOCK) {
                Some(pair) if place + 1 < self.count => pair,
                _ => (self.get(place)?, self.get(place.saturating_add(1))?),
            };
        }
        Ok(())
    }

    /// Looks at the first byte of each value, so that all of them come into the processor's caches
    /// together.
    fn look(&self, lines: &[(u64, u64)], places: &[u32]) {
        let byte = |(&(_, word), &place): (&(u64, u64), &u32)| {
            let first_bit = (place as usize % BLOCK) * (word >> 56) as usize;
            let offset = (word & ((1 << 48) - 1)) as usize;
            self.bits
                .get(offset.saturating_add(first_bit / 8))
                .copied()
                .unwrap_or_default()
        };
        let bytes = lines.iter().zip(places).map(byte);
        std::hint::black_box(bytes.fold(0, |all, byte| all ^ byte));
    }

    /// Two neighbours of a block, where both lie in the eight bytes from the one that the first
    /// begins in, as most do.
    #[inline]
    fn pair(&self, (base, word): (u64, u64), place: usize) -> Option<(u64, u64)> {
        let (width, shift) = ((word >> 56) as usize, word >> 48 & 0xff);
        if width == 0 || width > 28 || shift != 0 || place + 1 == BLOCK {
            return None;
        }
        let bit = place * width;
        let offset = usize::try_from(word & ((1 << 48) - 1)).ok()?;
        let bits = u64_at(self.bits, offset.checked_add(bit / 8)?)? >> (bit % 8);
        let mask = (1u64 << width) - 1;
        let (first, second) = (bits & mask, bits >> width & mask);
        Some((base.checked_add(first)?, base.checked_add(second)?))
    }

    fn unpack_block(&self, base: u64, word: u64, out: &mut [u64; BLOCK]) -> Option<()> {
        let width = usize::try_from(word >> 56).ok().filter(|&w| w <= 64)?;
        let shift = u32::try_from((word >> 48) & 0xff)
            .ok()
            .filter(|&s| s < 64)?;
        let offset = usize::try_from(word & ((1 << 48) - 1)).ok()?;
        let fits = width == 0 || u64::MAX >> (64 - width) <= (u64::MAX - base) >> shift;
        if width > 56 || !fits {
            return self.unpack_singly(base, word, out);
        }
        match width {
            0 => out.fill(base),
            1..=8 => narrow(self.bits_at(offset, width)?, width, out),
            _ => match self.readable(offset, width) {
                Some(bits) => wide(bits, width, out),
                None => return self.unpack_singly(base, word, out),
            },
        }
        if width > 0 {
            out.iter_mut()
                .for_each(|value| *value = base + (*value << shift));
        }
        Some(())
    }

    /// The bytes of a block.
    fn bits_at(&self, offset: usize, width: usize) -> Option<&[u8]> {
        self.bits.get(offset..offset.checked_add(16 * width)?)
    }

    /// The bytes of a block and eight more, so that every value can be read as part of a whole
    /// number. In a section, what follows the last block is the directory, which has sixteen at least.
    fn readable(&self, offset: usize, width: usize) -> Option<&[u8]> {
        let end = offset.checked_add(16 * width)?;
        if end > self.bits.len() {
            return None;
        }
        self.all.get(offset..end.checked_add(8)?)
    }

    /// For blocks of values too wide to be read by one number each, and for damaged ones.
    fn unpack_singly(&self, base: u64, word: u64, out: &mut [u64; BLOCK]) -> Option<()> {
        for (place, value) in out.iter_mut().enumerate() {
            *value = super::unpack(self.bits, base, word, place)?;
        }
        Some(())
    }
}

/// At most eight bits a value: eight of them lie in one number.
fn narrow(bits: &[u8], width: usize, out: &mut [u64; BLOCK]) {
    let mask = (1u64 << width) - 1;
    for (bytes, values) in bits.chunks_exact(width).zip(out.as_chunks_mut::<8>().0) {
        let mut eight = [0; 8];
        eight[..width].copy_from_slice(bytes);
        let eight = u64::from_le_bytes(eight);
        for (place, value) in values.iter_mut().enumerate() {
            *value = (eight >> (place * width)) & mask;
        }
    }
}

/// Up to 56 bits a value: each lies in the eight bytes from the one that it begins in.
fn wide(bits: &[u8], width: usize, out: &mut [u64; BLOCK]) {
    let mask = (1u64 << width) - 1;
    for (eight, values) in out.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        // Eight values begin at a whole byte.
        let Some(bytes) = bits.get(eight * width..eight * width + width + 8) else {
            return;
        };
        for (place, value) in values.iter_mut().enumerate() {
            let bit = place * width;
            let number = u64_at(bytes, bit / 8).unwrap_or(0);
            *value = (number >> (bit % 8)) & mask;
        }
    }
}
