//! Names in order, by eight folded bytes at a time and on several threads.
//!
//! Comparing whole names costs two looks at distant memory each time. Here each name is looked at
//! once for every eight bytes that it shares with others, and numbers are compared.

use groma_base::{compare_names, folded_word};

use crate::intern::{Interner, TOGETHER};

/// Fewer names than this are sorted by one thread.
const NAMES_PER_THREAD: usize = 16_384;
/// So many words tell where the names of one thread end and those of the next begin.
const SAMPLE: usize = 1024;
/// So few names are compared as they are.
const FEW: usize = 8;
/// Names that are the same for so many words are compared as they are, too: hardly any are.
const MOST_WORDS: usize = 32;

/// Some folded bytes of a name, and its number.
type Key = (u64, u32);

/// Numbers of names in the order of the names.
pub(super) fn sorted(names: &Interner, threads: usize) -> Vec<u32> {
    let count = u32::try_from(names.len()).unwrap_or(u32::MAX);
    let mut keys: Vec<Key> = (0..count).map(|number| (0, number)).collect();
    let threads = threads.clamp(1, (keys.len() / NAMES_PER_THREAD).max(1));
    let share = keys.len().div_ceil(threads).max(1);
    on_each(keys.chunks_mut(share).collect(), |keys| {
        fill(names, keys, 0)
    });
    on_each(split(&mut keys, threads), |keys| order(names, keys, 0));
    keys.into_iter().map(|key| key.1).collect()
}

/// Does some work on each part, all at the same time.
fn on_each(parts: Vec<&mut [Key]>, work: impl Fn(&mut [Key]) + Sync) {
    let work = &work;
    std::thread::scope(|scope| {
        let mut parts = parts.into_iter();
        let own = parts.next();
        for part in parts {
            scope.spawn(move || work(part));
        }
        own.into_iter().for_each(work);
    });
}

fn fill(names: &Interner, keys: &mut [Key], index: usize) {
    for some in keys.chunks_mut(TOGETHER) {
        names.fetch_strings(some.iter().map(|key| key.1));
        for key in some {
            key.0 = folded_word(names.get(key.1), index);
        }
    }
}

/// Parts of about the same size, those with smaller words first.
fn split(mut keys: &mut [Key], parts: usize) -> Vec<&mut [Key]> {
    let step = keys.len() / SAMPLE + 1;
    let mut sample: Vec<u64> = keys.iter().step_by(step).map(|key| key.0).collect();
    sample.sort_unstable();
    let mut split = Vec::with_capacity(parts);
    for part in 1..parts {
        let bound = sample[sample.len() * part / parts];
        let at = partition(keys, bound);
        let (below, rest) = std::mem::take(&mut keys).split_at_mut(at);
        split.push(below);
        keys = rest;
    }
    split.push(keys);
    split
}

/// Moves what is below `bound` to the front. Answers how many that are.
fn partition(keys: &mut [Key], bound: u64) -> usize {
    let mut below = 0;
    for at in 0..keys.len() {
        if keys[at].0 < bound {
            keys.swap(at, below);
            below += 1;
        }
    }
    below
}

/// Puts names in order that are the same before the word `index`, which their keys hold.
fn order(names: &Interner, keys: &mut [Key], index: usize) {
    keys.sort_unstable_by_key(|key| key.0);
    for same in keys.chunk_by_mut(|a, b| a.0 == b.0) {
        // A name that ends within this word is padded with NULs, which no name has.
        let has_ended = same[0].0 & 0xff == 0;
        if same.len() > FEW && !has_ended && index < MOST_WORDS {
            fill(names, same, index + 1);
            order(names, same, index + 1);
        } else if same.len() > 1 {
            same.sort_unstable_by(|a, b| compare_names(names.get(a.1), names.get(b.1)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(list: &[Vec<u8>]) {
        let mut names = Interner::default();
        let mut expected: Vec<(&[u8], u32)> = list
            .iter()
            .map(|name| (&name[..], names.intern(name)))
            .collect();
        expected.sort_by(|a, b| compare_names(a.0, b.0));
        expected.dedup();
        let expected: Vec<u32> = expected.into_iter().map(|pair| pair.1).collect();
        assert_eq!(sorted(&names, 1), expected);
        assert_eq!(sorted(&names, 3), expected);
    }

    #[test]
    fn many_names_with_long_beginnings_in_common() {
        let name = |n: u32| format!("{}{n}", "Same".repeat(n as usize % 100)).into_bytes();
        check(&(0..60_000).map(name).collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn is_the_order_of_names(list in prop::collection::vec("[aAäÄſ\u{1}]{0,12}", 0..60)) {
            check(&list.into_iter().map(String::into_bytes).collect::<Vec<_>>());
        }

        #[test]
        fn is_so_for_any_bytes(list in prop::collection::vec(prop::collection::vec(1u8.., 0..10), 0..60)) {
            check(&list);
        }
    }
}
