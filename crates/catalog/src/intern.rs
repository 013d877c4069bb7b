//! Distinct byte strings, numbered in the order in which they come first.

use ahash::RandomState;

/// A set of byte strings. Hashes are keyed at random, so that nobody can make names collide.
#[derive(Debug, Default)]
pub(crate) struct Interner {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// Open addressing, a power of two of places: number of the string plus one, part of its hash.
    places: Vec<(u32, u32)>,
    keys: RandomState,
}

impl Interner {
    /// The number of `bytes`, which is new where they are.
    pub(crate) fn intern(&mut self, bytes: &[u8]) -> u32 {
        if (self.ends.len() + 1) * 4 > self.places.len() * 3 {
            self.grow();
        }
        let hash = self.hash(bytes);
        let mut place = self.first_place(hash);
        loop {
            let (number, tag) = self.places[place];
            if number == 0 {
                break;
            }
            if tag == hash && self.get(number - 1) == bytes {
                return number - 1;
            }
            place = (place + 1) & (self.places.len() - 1);
        }
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len());
        // Callers hold one number per row, and rows are far fewer than 2^32.
        let number = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        self.places[place] = (number, hash);
        number - 1
    }

    /// The string with this number; empty for one that was never given out.
    pub(crate) fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = match number.checked_sub(1) {
            Some(before) => self.ends.get(before).copied(),
            None => Some(0),
        };
        let range = start.zip(self.ends.get(number).copied());
        range.map_or(&[], |(start, end)| &self.bytes[start..end])
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Gives back the table, which only finding needs.
    pub(crate) fn seal(&mut self) {
        self.places = Vec::new();
    }

    /// Bytes that are held.
    pub(crate) fn held(&self) -> usize {
        self.bytes.capacity() + (self.ends.capacity() + self.places.capacity()) * 8
    }

    fn hash(&self, bytes: &[u8]) -> u32 {
        let hash = self.keys.hash_one(bytes);
        ((hash >> 32) ^ hash) as u32
    }

    fn first_place(&self, hash: u32) -> usize {
        // The multiplication spreads 32 bits of hash over tables with more places than that.
        let spread = u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16;
        spread as usize & (self.places.len() - 1)
    }

    fn grow(&mut self) {
        let size = (self.places.len() * 2).max(1024);
        let old = std::mem::replace(&mut self.places, vec![(0, 0); size]);
        for (number, hash) in old.into_iter().filter(|place| place.0 != 0) {
            let mut place = self.first_place(hash);
            while self.places[place].0 != 0 {
                place = (place + 1) & (size - 1);
            }
            self.places[place] = (number, hash);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_have_one_number() {
        let mut set = Interner::default();
        for round in 0..2 {
            for n in 0..5000u32 {
                assert_eq!(set.intern(n.to_string().as_bytes()), n, "{round}");
            }
        }
        assert_eq!(set.len(), 5000);
        set.seal();
        assert_eq!(
            (set.get(0), set.get(4999), set.get(5000)),
            (&b"0"[..], &b"4999"[..], &b""[..])
        );
    }

    #[test]
    fn the_empty_string_is_one_too() {
        let mut set = Interner::default();
        assert_eq!(
            (set.intern(b""), set.intern(b"a"), set.intern(b"")),
            (0, 1, 0)
        );
    }
}
