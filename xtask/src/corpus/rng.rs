//! A small generator of random numbers that will give the same numbers in ten years.

/// SplitMix64: one word of state, every seed is as good as any other.
#[derive(Clone, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A stream of its own for the `index`-th part of something: parts can be made in any order.
    pub(crate) fn part(seed: u64, index: usize) -> Self {
        let mut mixer = Self(seed ^ (index as u64).wrapping_mul(0xD1B5_4A32_D192_ED03));
        Self(mixer.next())
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// A number below `bound`, which must not be 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // The high half of a product: unbiased enough for trees, and no division.
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// True in `percent` of a hundred cases.
    pub(crate) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `choices`, the early ones far more often: how names repeat in real trees.
    pub(crate) fn skewed<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        let bound = self.below(choices.len()) + 1;
        &choices[self.below(bound)]
    }

    /// 0, 1, 2, ... each half as likely as the one before, at most `max`.
    pub(crate) fn halving(&mut self, max: u32) -> u32 {
        self.next().trailing_zeros().min(max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_the_published_numbers() {
        let mut rng = Rng::new(1_234_567);
        assert_eq!(rng.next(), 6_457_827_717_110_365_317);
        assert_eq!(rng.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn stays_below_the_bound_and_reaches_both_ends() {
        let mut rng = Rng::new(7);
        let drawn: Vec<usize> = (0..1000).map(|_| rng.below(10)).collect();
        assert_eq!(drawn.iter().max(), Some(&9));
        assert_eq!(drawn.iter().min(), Some(&0));
    }

    #[test]
    fn parts_differ() {
        assert_ne!(Rng::part(1, 0).next(), Rng::part(1, 1).next());
        assert_ne!(Rng::part(1, 0).next(), Rng::part(2, 0).next());
    }
}
