//! Which entries of a view match.

use groma_catalog::View;

/// A set of ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    words: Vec<u64>,
    count: u32,
}

impl Selection {
    /// No id; `ids`: every id that will be put in is below this.
    pub fn none(ids: u32) -> Selection {
        Selection {
            words: vec![0; (ids as usize).div_ceil(64)],
            count: 0,
        }
    }

    /// How many ids are in it.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Whether an id is in it.
    pub fn contains(&self, id: u32) -> bool {
        let word = self.words.get(id as usize / 64).copied().unwrap_or(0);
        word >> (id % 64) & 1 == 1
    }

    /// Puts an id in, which must be below the number that this was made with.
    pub fn insert(&mut self, id: u32) {
        if !self.contains(id) {
            self.words[id as usize / 64] |= 1 << (id % 64);
            self.count += 1;
        }
    }

    /// The ids in the order of paths.
    pub fn in_order<'a>(&'a self, view: &'a View) -> impl Iterator<Item = u32> + 'a {
        let ids = view.pieces().iter().flat_map(|piece| piece.ids.clone());
        ids.filter(|&id| self.contains(id))
    }
}
