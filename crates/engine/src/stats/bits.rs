//! A set of ids, one bit each.

/// Ids below the number that this was made with.
#[derive(Clone, Debug)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn new(ids: u32) -> Bits {
        Bits(vec![0; (ids as usize).div_ceil(64)])
    }

    #[inline]
    pub(super) fn contains(&self, id: u32) -> bool {
        let word = self.0.get(id as usize / 64).copied().unwrap_or(0);
        word >> (id % 64) & 1 == 1
    }

    /// Ids that are too large are not taken.
    pub(super) fn insert(&mut self, id: u32) {
        if let Some(word) = self.0.get_mut(id as usize / 64) {
            *word |= 1 << (id % 64);
        }
    }
}
