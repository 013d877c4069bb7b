//! The order of paths: from an id to its place and back.

use std::ops::Range;

/// Entries that follow each other in the order of paths, and in the order of their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Their ids.
    pub ids: Range<u32>,
    /// The place of the first one among all entries of the view.
    pub start: u32,
}

/// All entries in the order of paths, as pieces.
#[derive(Debug, Default)]
pub(super) struct Order {
    pieces: Vec<Piece>,
    /// Numbers of the pieces in the order of their ids; empty where that is the order of pieces.
    by_id: Vec<u32>,
    len: u32,
}

impl Piece {
    /// The place after the last one.
    pub(super) fn end(&self) -> u32 {
        self.start + (self.ids.end - self.ids.start)
    }
}

impl Order {
    /// From ranges of ids one after the other, none of them empty.
    pub(super) fn new(ranges: Vec<Range<u32>>) -> Order {
        let mut len = 0;
        let pieces = ranges.into_iter().map(|ids| {
            let start = len;
            len += ids.end - ids.start;
            Piece { ids, start }
        });
        let pieces: Vec<Piece> = pieces.collect();
        let by_id = match pieces.is_sorted_by_key(|piece| piece.ids.start) {
            true => Vec::new(),
            false => {
                let mut by_id: Vec<u32> = (0..).take(pieces.len()).collect();
                by_id.sort_unstable_by_key(|&number| pieces[number as usize].ids.start);
                by_id
            }
        };
        Order { pieces, by_id, len }
    }

    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// Pieces in the order of their ids.
    fn by_id(&self, number: usize) -> Option<&Piece> {
        match self.by_id.get(number) {
            Some(&number) => self.pieces.get(number as usize),
            None => self.pieces.get(number),
        }
    }

    /// The place of an id; `None` when it is not shown.
    pub(super) fn place(&self, id: u32) -> Option<u32> {
        let starts_before = |piece: &Piece| piece.ids.start <= id;
        let after = match self.by_id.is_empty() {
            true => self.pieces.partition_point(starts_before),
            false => {
                let before = |&number: &u32| starts_before(&self.pieces[number as usize]);
                self.by_id.partition_point(before)
            }
        };
        let piece = self.by_id(after.checked_sub(1)?)?;
        let is_in = piece.ids.contains(&id);
        is_in.then(|| piece.start + (id - piece.ids.start))
    }

    /// The id at a place.
    pub(super) fn at_place(&self, place: u32) -> Option<u32> {
        let after = self.pieces.partition_point(|piece| piece.start <= place);
        let piece = self.pieces.get(after.checked_sub(1)?)?;
        let id = piece.ids.start.checked_add(place - piece.start)?;
        piece.ids.contains(&id).then_some(id)
    }

    /// The parts of the order between two places.
    pub(super) fn between(&self, places: Range<u32>) -> impl Iterator<Item = Piece> + '_ {
        let first = self
            .pieces
            .partition_point(|piece| piece.end() <= places.start);
        let pieces = self.pieces.get(first..).unwrap_or_default().iter();
        pieces
            .take_while(move |piece| piece.start < places.end)
            .map(move |piece| {
                let start = piece.start.max(places.start);
                let first = piece.ids.start + (start - piece.start);
                let length = (piece.ids.end - first).min(places.end - start);
                Piece {
                    ids: first..first + length,
                    start,
                }
            })
    }

    /// The ids below `limit` that are in no piece.
    pub(super) fn missing(&self, limit: u32) -> Vec<Range<u32>> {
        let mut missing = Vec::new();
        let mut next = 0;
        for number in 0..self.pieces.len() {
            let Some(piece) = self.by_id(number).filter(|piece| piece.ids.start < limit) else {
                break;
            };
            if next < piece.ids.start {
                missing.push(next..piece.ids.start);
            }
            next = piece.ids.end;
        }
        if next < limit {
            missing.push(next..limit);
        }
        missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_places_go_there_and_back() {
        let order = Order::new(vec![0..3, 10..12, 7..9, 3..4]);
        let ids = [0, 1, 2, 10, 11, 7, 8, 3];
        for (place, id) in (0..).zip(ids) {
            assert_eq!(order.place(id), Some(place));
            assert_eq!(order.at_place(place), Some(id));
        }
        assert_eq!(
            (order.place(4), order.place(9), order.place(12)),
            (None, None, None)
        );
        assert_eq!((order.at_place(8), order.len()), (None, 8));
        assert_eq!(order.missing(10), [4..7, 9..10]);
        for start in 0..9 {
            for end in start..9 {
                let between = order.between(start..end);
                let found: Vec<u32> = between.flat_map(|piece| piece.ids).collect();
                let (start, end) = (start as usize, (end as usize).min(ids.len()));
                assert_eq!(found, ids[start.min(end)..end]);
            }
        }
    }
}
