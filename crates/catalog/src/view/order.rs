//! The order of paths: from an id to its place and back, subtrees and children.

use std::ops::Range;

use super::{Piece, View};
use crate::error::Damage;

impl View {
    /// The place of an entry in the order of paths; `None` when the view has no such entry.
    pub fn place(&self, id: u32) -> Option<u32> {
        let after = self.pieces().partition_point(|piece| piece.ids.start <= id);
        let piece = self.pieces().get(after.checked_sub(1)?)?;
        piece
            .ids
            .contains(&id)
            .then(|| piece.start + (id - piece.ids.start))
    }

    /// The entry at a place of the order of paths.
    pub fn at_place(&self, place: u32) -> Option<u32> {
        let after = self.pieces().partition_point(|piece| piece.start <= place);
        let piece = self.pieces().get(after.checked_sub(1)?)?;
        let id = piece.ids.start.checked_add(place - piece.start)?;
        piece.ids.contains(&id).then_some(id)
    }

    /// The places of an entry and of all that lies below it.
    ///
    /// # Errors
    /// [`Damage`] met on the way; a view without this entry gives an empty range.
    pub fn subtree(&self, id: u32) -> Result<Range<u32>, Damage> {
        let rows = self.segment().subtree(id)?;
        let Some(start) = self.place(id) else {
            return Ok(0..0);
        };
        let after = self
            .pieces()
            .partition_point(|piece| piece.ids.start < rows.end);
        let last = after.checked_sub(1).and_then(|at| self.pieces().get(at));
        let end = last.map_or(start, |piece| {
            piece.start + (piece.ids.end.min(rows.end) - piece.ids.start)
        });
        Ok(start..end)
    }

    /// The parts of the order between two places.
    pub fn between(&self, places: Range<u32>) -> impl Iterator<Item = Piece> + '_ {
        let first = self.pieces().partition_point(|piece| {
            piece.start + (piece.ids.end - piece.ids.start) <= places.start
        });
        let pieces = self.pieces().get(first..).unwrap_or_default().iter();
        pieces
            .take_while(move |piece| piece.start < places.end)
            .map(move |piece| {
                let skipped = places.start.saturating_sub(piece.start);
                let start = piece.start + skipped;
                let first = piece.ids.start + skipped;
                let length = (piece.ids.end - first).min(places.end - start);
                Piece {
                    ids: first..first + length,
                    start,
                }
            })
    }

    /// The entries directly in a directory, in the order of their names.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn children(&self, id: u32) -> Result<Vec<u32>, Damage> {
        let children = self.segment().children(id)?;
        let listed =
            children.filter(|child| child.as_ref().map_or(true, |&id| self.place(id).is_some()));
        listed.collect()
    }

    /// The entry of this absolute path; `None` when the view has none.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn find(&self, path: &[u8]) -> Result<Option<u32>, Damage> {
        let root = self.root().strip_suffix(b"/").unwrap_or(self.root());
        let Some(below) = path.strip_prefix(root) else {
            return Ok(None);
        };
        if !below.is_empty() && !below.starts_with(b"/") {
            return Ok(None);
        }
        let found = self.segment().find_below(below)?;
        Ok(found.filter(|&id| self.place(id).is_some()))
    }
}
