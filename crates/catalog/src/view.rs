//! A view: a frozen reading of one root of a catalog, cheap to clone.
//!
//! Every entry of a view has an *id*. Ids below the number of rows of the segment are rows of the
//! segment; whoever wants columns takes them from there. The order of paths is told by *pieces*:
//! ranges of ids, one after the other. A view of a segment alone is one piece, and ids are rows.

mod entry;
mod order;
mod rows;

use std::ops::Range;
use std::sync::Arc;

pub use entry::StoredEntry;

use crate::error::Damage;
use crate::segment::Segment;

/// A frozen reading of one root of a catalog.
#[derive(Clone, Debug)]
pub struct View(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    segment: Arc<Segment>,
    /// Absolute path of the root.
    root: Vec<u8>,
    pieces: Vec<Piece>,
    len: u32,
}

/// Entries that follow each other in the order of paths, and in the order of their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Their ids.
    pub ids: Range<u32>,
    /// The place of the first one among all entries of the view.
    pub start: u32,
}

impl View {
    /// All rows of a segment.
    ///
    /// # Errors
    /// [`Damage`] when the segment does not tell its root.
    pub fn sealed(segment: Arc<Segment>) -> Result<View, Damage> {
        let rows = segment.rows();
        View::of_ranges(segment, vec![0..rows])
    }

    /// The same without the subtree of an entry, itself included: another root shows it.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn without(&self, id: u32) -> Result<View, Damage> {
        let hidden = self.segment().subtree(id)?;
        let mut ranges = Vec::new();
        for piece in self.pieces() {
            let before = piece.ids.start..piece.ids.end.min(hidden.start);
            let after = piece.ids.start.max(hidden.end)..piece.ids.end;
            ranges.extend(
                [before, after]
                    .into_iter()
                    .filter(|ids| ids.start < ids.end),
            );
        }
        View::of_ranges(Arc::clone(&self.0.segment), ranges)
    }

    fn of_ranges(segment: Arc<Segment>, ranges: Vec<Range<u32>>) -> Result<View, Damage> {
        let root = segment.about()?.root;
        let mut len = 0;
        let pieces = ranges.into_iter().filter(|ids| !ids.is_empty()).map(|ids| {
            let start = len;
            len += ids.end - ids.start;
            Piece { ids, start }
        });
        let pieces = pieces.collect();
        Ok(View(Arc::new(Inner {
            segment,
            root,
            pieces,
            len,
        })))
    }

    /// The segment that ids below its number of rows are rows of.
    pub fn segment(&self) -> &Segment {
        &self.0.segment
    }

    /// Absolute path of the root.
    pub fn root(&self) -> &[u8] {
        &self.0.root
    }

    /// How many entries there are.
    pub fn len(&self) -> u32 {
        self.0.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every id is below this; not every number below this is an entry of the view.
    pub fn ids(&self) -> u32 {
        self.segment().rows()
    }

    /// Whether the view is a segment and nothing else: ids, rows and places are the same.
    pub fn is_sealed(&self) -> bool {
        matches!(&self.0.pieces[..], [piece] if piece.ids == (0..self.segment().rows()))
    }

    /// The entries in the order of paths.
    pub fn pieces(&self) -> &[Piece] {
        &self.0.pieces
    }
}
