//! How many directories a tree has, and how large a part of its files each of them gets.

use super::rng::Rng;

/// One directory for this many entries, as measured on several disks.
pub(crate) const ENTRIES_PER_DIR: usize = 11;

/// How much larger the next rarer kind of directory is, and how many kinds there are: half of all
/// directories hold a few files, one in a thousand holds thousands.
const GROWTH: f64 = 1.7;
const KINDS: u32 = 14;

/// The weight of one directory: its part of the files is its part of the sum of all weights.
pub(crate) fn weight(rng: &mut Rng) -> f64 {
    GROWTH.powi(rng.halving(KINDS).cast_signed())
}
