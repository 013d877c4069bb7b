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

/// Strings that are looked for together.
pub(crate) const TOGETHER: usize = 128;

impl Interner {
    /// The number of `bytes`, which is new where they are.
    pub(crate) fn intern(&mut self, bytes: &[u8]) -> u32 {
        self.make_room(1);
        self.intern_hashed(bytes, self.hash(bytes))
    }

    /// The numbers of many strings, appended to `out`: the same as one by one, but distant memory is
    /// waited for once for many of them and not for each.
    pub(crate) fn intern_all<'n>(
        &mut self,
        strings: impl Iterator<Item = &'n [u8]>,
        out: &mut Vec<u32>,
    ) {
        let mut strings = strings.peekable();
        let mut together = Vec::with_capacity(TOGETHER);
        while strings.peek().is_some() {
            together.clear();
            let some = strings.by_ref().take(TOGETHER);
            together.extend(some.map(|bytes| (bytes, self.hash(bytes))));
            self.make_room(together.len());
            self.fetch(&together);
            let numbers = together
                .iter()
                .map(|&(bytes, hash)| self.intern_hashed(bytes, hash));
            out.extend(numbers);
        }
    }

    /// Reads what finding these strings will read. No read depends on another one of its loop, so
    /// that the processor does not wait between them.
    fn fetch(&self, strings: &[(&[u8], u32)]) {
        let mut found = [0; TOGETHER];
        for (found, &(_, hash)) in found.iter_mut().zip(strings) {
            let (number, tag) = self.places[self.first_place(hash)];
            *found = if tag == hash { number } else { 0 };
        }
        self.fetch_strings(found.iter().filter_map(|number| number.checked_sub(1)));
    }

    /// Reads where these strings begin, no more than [`TOGETHER`] of them.
    pub(crate) fn fetch_strings(&self, numbers: impl Iterator<Item = u32>) {
        let mut starts = [0; TOGETHER];
        for (start, number) in starts.iter_mut().zip(numbers) {
            let before = (number as usize).checked_sub(1);
            *start = before
                .and_then(|before| self.ends.get(before))
                .copied()
                .unwrap_or(0);
        }
        let sum = starts.iter().fold(0, |sum: u8, &start| {
            sum ^ self.bytes.get(start).copied().unwrap_or(0)
        });
        std::hint::black_box(sum);
    }

    fn make_room(&mut self, more: usize) {
        while (self.ends.len() + more) * 4 > self.places.len() * 3 {
            self.grow();
        }
    }

    /// There must be room.
    fn intern_hashed(&mut self, bytes: &[u8], hash: u32) -> u32 {
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
        let (mut numbers, texts): (_, Vec<String>) =
            (vec![9], (0..6000).rev().map(|n| n.to_string()).collect());
        set.intern_all(texts.iter().map(|text| text.as_bytes()), &mut numbers);
        let known = numbers.split_off(1001);
        assert_eq!(numbers[0], 9);
        assert_eq!(numbers[1..], (5000..6000).collect::<Vec<u32>>());
        assert_eq!(known, (0..5000).rev().collect::<Vec<u32>>());
        set.seal();
        assert_eq!(
            (set.get(0), set.get(4999), set.get(6000)),
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
