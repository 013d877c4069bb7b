//! Which entries of a batch are not simply added up: those whose sizes are counted elsewhere, or
//! are not known.

use std::ops::Range;

use groma_catalog::KindFlags;

use super::links::Counted;

/// Kinds that are tested at once: most of the time none of them is an exception.
const CHUNK: usize = 16;

/// Places in a batch, ascending.
#[derive(Debug, Default)]
pub(super) struct Exceptions {
    /// Of entries whose sizes are not counted.
    uncounted: Vec<u32>,
    /// Of those among them that nothing is known of.
    unknown: Vec<u32>,
}

impl Exceptions {
    /// Looks at the entries of a batch.
    pub(super) fn find(&mut self, counted: &Counted, ids: &[u32], kinds: &[KindFlags]) {
        self.uncounted.clear();
        self.unknown.clear();
        let in_doubt = counted.in_doubt();
        let chunks = ids.chunks(CHUNK).zip(kinds.chunks(CHUNK));
        for (chunk, (ids, kinds)) in chunks.enumerate() {
            // Without an early exit this is vector code.
            let together = kinds.iter().fold(0, |all, flags| all | flags.number());
            if in_doubt.is_none_or(|flags| together & flags != 0) {
                self.find_in(counted, chunk * CHUNK, ids, kinds);
            }
        }
    }

    fn find_in(&mut self, counted: &Counted, first: usize, ids: &[u32], kinds: &[KindFlags]) {
        for (at, (&id, &flags)) in (first as u32..).zip(ids.iter().zip(kinds)) {
            let is_known = !flags.has(KindFlags::NO_METADATA);
            if !is_known {
                self.unknown.push(at);
            }
            if !is_known || !counted.at(id, flags) {
                self.uncounted.push(at);
            }
        }
    }

    pub(super) fn uncounted(&self) -> &[u32] {
        &self.uncounted
    }

    pub(super) fn unknown(&self) -> &[u32] {
        &self.unknown
    }
}

/// What lies between exceptions, which ascend: ranges of a batch of this length.
pub(super) fn between(exceptions: &[u32], len: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    let ends = exceptions.iter().map(|&at| at as usize).chain([len]);
    ends.map(move |end| {
        let range = start..end;
        start = end + 1;
        range
    })
}
