//! Which line of a table belongs to which codes.
//!
//! Codes below the limits that were told have a line for every combination, which is worked out;
//! others get lines as they come, which are looked up.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::number::Number;

/// Most levels: two to group by and one to count values of.
pub(super) const LEVELS: usize = 3;
/// The codes of an entry on all levels; 0 beyond the last.
pub(super) type Codes = [u64; LEVELS];

/// No more lines than this are worked out.
const MOST_DENSE: u64 = 1 << 20;

/// The lines of a table.
#[derive(Debug)]
pub(super) struct Lines {
    radix: Codes,
    /// How many lines are worked out: the first ones.
    dense: u32,
    more: HashMap<Codes, u32, BuildHasherDefault<Mix>>,
    /// The codes of the lines behind those.
    list: Vec<Codes>,
}

impl Lines {
    /// For codes that are mostly below `limits` on each level, where that is known.
    pub(super) fn new(limits: &[Option<u64>]) -> Lines {
        let (radix, dense) = dense(limits).unwrap_or(([0; LEVELS], 0));
        Lines {
            radix,
            dense,
            more: HashMap::default(),
            list: Vec::new(),
        }
    }

    /// How many lines there are.
    pub(super) fn len(&self) -> usize {
        self.dense as usize + self.list.len()
    }

    /// The line of a combination of codes.
    #[inline]
    pub(super) fn of(&mut self, codes: Codes) -> u32 {
        if codes
            .iter()
            .zip(&self.radix)
            .all(|(code, limit)| code < limit)
        {
            let line = (codes[0] * self.radix[1] + codes[1]) * self.radix[2] + codes[2];
            // There are no more of these than 32 bits number.
            return line as u32;
        }
        // Every line has an entry, and entries have numbers of 32 bits.
        let next = self.len() as u32;
        let line = *self.more.entry(codes).or_insert(next);
        if line == next {
            self.list.push(codes);
        }
        line
    }

    /// The lines of entries whose codes are given level by level.
    pub(super) fn of_all(&mut self, levels: &[Vec<u64>], entries: usize, out: &mut Vec<u32>) {
        out.clear();
        let mut pairs = levels.iter().zip(&self.radix);
        let is_dense = self.dense > 0 && pairs.all(|(codes, &limit)| u64::all_below(codes, limit));
        match levels {
            [] if is_dense => out.resize(entries, 0),
            [only] if is_dense => out.extend(only.iter().map(|&code| code as u32)),
            [outer, inner] if is_dense => {
                let (pairs, radix) = (outer.iter().zip(inner), self.radix[1]);
                out.extend(pairs.map(|(&outer, &inner)| (outer * radix + inner) as u32));
            }
            _ => self.one_by_one(levels, entries, out),
        }
    }

    fn one_by_one(&mut self, levels: &[Vec<u64>], entries: usize, out: &mut Vec<u32>) {
        for at in 0..entries {
            let mut codes = [0; LEVELS];
            for (code, level) in codes.iter_mut().zip(levels) {
                *code = level.get(at).copied().unwrap_or(0);
            }
            out.push(self.of(codes));
        }
    }

    /// The codes of a line.
    pub(super) fn codes(&self, line: u32) -> Codes {
        if let Some(at) = line.checked_sub(self.dense) {
            return self.list.get(at as usize).copied().unwrap_or_default();
        }
        let line = u64::from(line);
        let (rest, last) = (line / self.radix[2], line % self.radix[2]);
        [rest / self.radix[1], rest % self.radix[1], last]
    }
}

/// The limits of all levels and their product, where a line for each combination is no waste.
fn dense(limits: &[Option<u64>]) -> Option<(Codes, u32)> {
    let mut radix = [1; LEVELS];
    for (to, limit) in radix.iter_mut().zip(limits) {
        *to = (*limit)?.max(1);
    }
    let lines = radix
        .iter()
        .try_fold(1_u64, |lines, &limit| lines.checked_mul(limit))?;
    let lines = u32::try_from(lines).ok().filter(|_| lines <= MOST_DENSE)?;
    Some((radix, lines))
}

/// A quick hash of numbers that nobody can choose to collide in numbers that matter: codes are
/// given by us.
#[derive(Clone, Copy, Debug, Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    /// Codes come as whole words.
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for word in bytes.as_chunks().0 {
            self.write_u64(u64::from_le_bytes(*word));
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x2545_f491_4f6c_dd1d) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}
