//! Sets of rows of one block, and of numbers of any kind, as bits.

use std::ops::Range;

/// Rows that are looked at together; the blocks of stored minima and maxima are the same.
pub(crate) const BLOCK: u32 = groma_catalog::ROWS_PER_BLOCK;
/// Words of a mask.
pub(crate) const WORDS: usize = BLOCK as usize / 64;

/// One bit for each row of a block.
pub(crate) type Mask = [u64; WORDS];

/// No row.
pub(crate) const NONE: Mask = [0; WORDS];

/// Whether no bit is set.
pub(crate) fn is_none(mask: &Mask) -> bool {
    mask.iter().all(|&word| word == 0)
}

/// How many bits are set.
pub(crate) fn count(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

/// The bits that are set, ascending.
pub(crate) fn ones(words: &[u64]) -> impl Iterator<Item = u32> + '_ {
    (0..).zip(words).flat_map(|(at, &word)| {
        let base = at * 64;
        word_ones(word).map(move |bit| base + bit)
    })
}

/// The bits of one word, ascending.
pub(crate) fn word_ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let bit = word.trailing_zeros();
        word &= word - 1;
        Some(bit)
    })
}

/// Whether a bit is set; no bit is behind the end.
#[inline]
pub(crate) fn has(words: &[u64], bit: u32) -> bool {
    let word = words.get(bit as usize / 64).copied().unwrap_or(0);
    word >> (bit % 64) & 1 == 1
}

/// Sets a bit that must lie within.
#[inline]
pub(crate) fn set(words: &mut [u64], bit: u32) {
    words[bit as usize / 64] |= 1 << (bit % 64);
}

/// Clears a bit that must lie within.
pub(crate) fn clear(words: &mut [u64], bit: u32) {
    words[bit as usize / 64] &= !(1 << (bit % 64));
}

/// The bits of a mask that another one does not have.
pub(crate) fn without(mask: &Mask, other: &Mask) -> Mask {
    std::array::from_fn(|word| mask[word] & !other[word])
}

/// Sets all bits of a range that must lie within.
pub(crate) fn set_range(words: &mut [u64], range: Range<u32>) {
    if range.is_empty() {
        return;
    }
    let (first, last) = (range.start as usize / 64, (range.end as usize - 1) / 64);
    let head = u64::MAX << (range.start % 64);
    let tail = u64::MAX >> (63 - (range.end - 1) % 64);
    if first == last {
        words[first] |= head & tail;
        return;
    }
    words[first] |= head;
    words[first + 1..last].fill(u64::MAX);
    words[last] |= tail;
}

/// No number below `len`.
pub(crate) fn empty(len: u32) -> Vec<u64> {
    vec![0; (len as usize).div_ceil(64)]
}

/// One bit for each of 64 answers, which are 0 or 1.
#[inline(always)]
#[allow(
    clippy::needless_range_loop,
    reason = "an iterator that is not inlined is compiled for narrow vectors"
)]
pub(crate) fn gather(answers: &[u8; 64]) -> u64 {
    // Multiplying moves the lowest bits of eight bytes side by side into the highest byte.
    const SIDE_BY_SIDE: u64 = 0x0102_0408_1020_4080;
    let mut word = 0;
    let eights = answers.as_chunks::<8>().0;
    for at in 0..8 {
        let bits = u64::from_le_bytes(eights[at]).wrapping_mul(SIDE_BY_SIDE) >> 56;
        word |= bits << (8 * at);
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_are_what_was_set(start in 0u32..300, length in 0u32..300, word in any::<u64>()) {
            let mut words = empty(600);
            set_range(&mut words, start..start + length);
            let expected: Vec<u32> = (start..start + length).collect();
            prop_assert_eq!(ones(&words).collect::<Vec<_>>(), expected);
            prop_assert_eq!(count(&words), length);
            let answers = std::array::from_fn(|at| (word >> at & 1) as u8);
            prop_assert_eq!(gather(&answers), word);
        }
    }
}
