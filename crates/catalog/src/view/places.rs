//! Places in the order of paths: subtrees, children, and the entry of a path.

use std::ops::Range;

use super::{Piece, View};
use crate::error::Damage;

impl View {
    /// The place of an entry in the order of paths; `None` when the view has no such entry.
    pub fn place(&self, id: u32) -> Option<u32> {
        self.0.order.place(id)
    }

    /// Whether the view has this entry.
    pub fn is_live(&self, id: u32) -> bool {
        self.place(id).is_some()
    }

    /// The entry at a place of the order of paths.
    pub fn at_place(&self, place: u32) -> Option<u32> {
        self.0.order.at_place(place)
    }

    /// The root; `None` when there are no entries.
    pub fn top(&self) -> Option<u32> {
        self.at_place(0)
    }

    /// The places of an entry and of all that lies below it.
    ///
    /// # Errors
    /// [`Damage`] met on the way; a view without this entry gives an empty range.
    pub fn subtree(&self, id: u32) -> Result<Range<u32>, Damage> {
        let Some(start) = self.place(id) else {
            return Ok(0..0);
        };
        let changed = self.overlay().and_then(|overlay| overlay.ends.get(&id));
        if let Some(&end) = changed {
            return Ok(start..end);
        }
        // Nothing has changed below: the rows of the segment follow each other.
        let length = match self.segment().rows() {
            rows if id < rows => {
                let rows = self.segment().subtree(id)?;
                rows.end - rows.start
            }
            _ => 1,
        };
        Ok(start..start.saturating_add(length).min(self.len()))
    }

    /// The parts of the order between two places.
    pub fn between(&self, places: Range<u32>) -> impl Iterator<Item = Piece> + '_ {
        self.0.order.between(places)
    }

    /// The entries directly in a directory, in the order of their names.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn children(&self, id: u32) -> Result<Vec<u32>, Damage> {
        let shown = self.shown();
        let mut children = Vec::new();
        let changed = shown.changed(id)?;
        if let Some(base) = shown.base(id)? {
            for row in self.segment().children(base)? {
                let row = row?;
                if changed.is_none_or(|changed| !changed.lost(row)) {
                    children.push(row);
                }
            }
        }
        let Some(changed) = changed else {
            if !self.is_sealed() {
                children.retain(|&child| self.is_live(child));
            }
            return Ok(children);
        };
        children.extend(changed.added_ids());
        let placed = children.into_iter();
        let placed = placed.filter_map(|child| self.place(child).map(|place| (place, child)));
        let mut placed: Vec<(u32, u32)> = placed.collect();
        placed.sort_unstable();
        Ok(placed.into_iter().map(|(_, child)| child).collect())
    }

    /// The entry of this name in a directory; `None` when it has none.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn child(&self, dir: u32, name: &[u8]) -> Result<Option<u32>, Damage> {
        let found = self.shown().child(dir, name)?;
        Ok(found.filter(|&id| self.is_live(id)))
    }

    /// The entry of this absolute path; `None` when the view has none.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn find(&self, path: &[u8]) -> Result<Option<u32>, Damage> {
        let root = self.root().strip_suffix(b"/").unwrap_or(self.root());
        let below = path.strip_prefix(root);
        let below = below.filter(|below| below.is_empty() || below.starts_with(b"/"));
        let (Some(below), Some(top)) = (below, self.top()) else {
            return Ok(None);
        };
        let mut at = top;
        for name in below.split(|&b| b == b'/').filter(|name| !name.is_empty()) {
            match self.child(at, name)? {
                Some(id) => at = id,
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }
}
