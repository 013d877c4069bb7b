//! A small hash table from the hash of a name to the number of a pattern.
//!
//! It keeps no keys: a pattern verifies its match anyway, so two keys with one hash cost a
//! comparison and nothing else.

/// No pattern.
pub(super) const NONE: u32 = u32::MAX;

/// Open addressing, at most half full.
#[derive(Debug, Default)]
pub(super) struct Table {
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    number: u32,
}

impl Table {
    /// A table for up to `count` keys.
    pub(super) fn with_room(count: usize) -> Table {
        let len = if count == 0 {
            0
        } else {
            (count * 2).next_power_of_two()
        };
        Table {
            slots: vec![
                Slot {
                    hash: 0,
                    number: NONE
                };
                len
            ],
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The number last put under `hash`, or `NONE`.
    #[inline]
    pub(super) fn get(&self, hash: u32) -> u32 {
        self.slots[self.place(hash)].number
    }

    /// Puts `number` under `hash`; returns the number that was there, or `NONE`.
    pub(super) fn put(&mut self, hash: u32, number: u32) -> u32 {
        let place = self.place(hash);
        let slot = &mut self.slots[place];
        slot.hash = hash;
        std::mem::replace(&mut slot.number, number)
    }

    /// The slot of `hash`, or the free one where it belongs. There always is a free one.
    #[inline]
    fn place(&self, hash: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.number == NONE || slot.hash == hash {
                return at;
            }
            at = (at + 1) & mask;
        }
    }
}

/// Mixes eight bytes at a time; names are short and rules are few, so speed is all that counts.
#[inline]
pub(super) fn hash(bytes: &[u8]) -> u32 {
    const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |state: u64, word: u64| (state.rotate_left(23) ^ word).wrapping_mul(MULTIPLIER);
    let (words, rest) = bytes.as_chunks::<8>();
    let state = words.iter().fold(bytes.len() as u64, |s, word| {
        mix(s, u64::from_le_bytes(*word))
    });
    (mix(state, tail_word(bytes, rest)) >> 32) as u32
}

/// The last bytes as one word. Reading some of them twice is cheaper than a loop.
#[inline]
fn tail_word(bytes: &[u8], rest: &[u8]) -> u64 {
    if let Some(last) = bytes.last_chunk::<8>() {
        return u64::from_le_bytes(*last);
    }
    match (rest.first_chunk::<4>(), rest.last_chunk::<4>(), rest) {
        (Some(first), Some(last), _) => {
            u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
        }
        (_, _, []) => 0,
        (_, _, short) => {
            let byte = |at: usize| u64::from(short[at.min(short.len() - 1)]);
            byte(0) << 16 | byte(1) << 8 | byte(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_last_number_of_each_hash() {
        let mut table = Table::with_room(3);
        assert_eq!(table.put(8, 0), NONE);
        assert_eq!(table.put(16, 1), NONE);
        assert_eq!(table.put(8, 2), 0);
        assert_eq!((table.get(8), table.get(16), table.get(0)), (2, 1, NONE));
        assert!(Table::with_room(0).is_empty());
    }

    #[test]
    fn hashes_of_similar_names_differ() {
        let names = [
            "",
            "a",
            "b",
            "ab",
            "ba",
            "abcdefgh",
            "abcdefghi",
            "abcdefgi",
            "\0",
            "\0\0",
        ];
        for (n, one) in names.iter().enumerate() {
            for other in &names[n + 1..] {
                assert_ne!(
                    hash(one.as_bytes()),
                    hash(other.as_bytes()),
                    "{one:?} {other:?}"
                );
            }
        }
    }
}
