//! From block to block, as arrow keys move.

use crate::Rect;

/// Where to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To smaller columns.
    Left,
    /// To larger columns.
    Right,
    /// To smaller rows.
    Up,
    /// To larger rows.
    Down,
}

/// The rectangle that lies next in a direction: the nearest on that side, and of those the one whose
/// middle is nearest. `None` when there is none on that side.
pub fn neighbour(rects: &[Rect], from: usize, direction: Direction) -> Option<usize> {
    let here = rects.get(from)?;
    let ranks = rects.iter().enumerate().filter_map(|(at, rect)| {
        let rank = rank(*here, *rect, direction)?;
        (at != from).then_some((rank, at))
    });
    ranks.min().map(|(_, at)| at)
}

/// How far a rectangle is: beside the way first, then along it, then from middle to middle. `None`: it
/// does not lie on that side.
fn rank(here: Rect, there: Rect, direction: Direction) -> Option<(u16, u16, u16)> {
    let across = |rect: Rect| (rect.x, rect.right());
    let down = |rect: Rect| (rect.y, rect.bottom());
    let (gap, a, b) = match direction {
        Direction::Left => (here.x.checked_sub(there.right()), down(here), down(there)),
        Direction::Right => (there.x.checked_sub(here.right()), down(here), down(there)),
        Direction::Up => (
            here.y.checked_sub(there.bottom()),
            across(here),
            across(there),
        ),
        Direction::Down => (
            there.y.checked_sub(here.bottom()),
            across(here),
            across(there),
        ),
    };
    let beside =
        a.0.saturating_sub(b.1.saturating_sub(1))
            .max(b.0.saturating_sub(a.1.saturating_sub(1)));
    // Twice the middle may be more than 16 bits.
    let middle = |(from, to): (u16, u16)| (u32::from(from) + u32::from(to)) / 2;
    let apart = u16::try_from(middle(a).abs_diff(middle(b))).unwrap_or(u16::MAX);
    Some((beside, gap?, apart))
}

/// The rectangle that a cell lies in; of several, the last.
pub fn at(rects: &[Rect], x: u16, y: u16) -> Option<usize> {
    rects.iter().rposition(|rect| rect.contains(x, y))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Shape, layout};

    const ALL: [Direction; 4] = [
        Direction::Left,
        Direction::Right,
        Direction::Up,
        Direction::Down,
    ];

    proptest! {
        #[test]
        fn every_block_is_reached(
            weights in prop::collection::vec(1_u64..500, 1..60),
            width in 1_u16..120,
            height in 1_u16..60,
        ) {
            let mut weights = weights;
            weights.sort_unstable_by(|a, b| b.cmp(a));
            let laid = layout(&weights, None, Rect::new(0, 0, width, height), Shape::terminal());
            let mut rects: Vec<Rect> = laid.blocks.iter().map(|block| block.rect).collect();
            rects.extend(laid.rest.map(|rest| rest.rect));
            let (mut seen, mut waiting) = (vec![false; rects.len()], vec![0]);
            while let Some(from) = waiting.pop() {
                if std::mem::replace(&mut seen[from], true) {
                    continue;
                }
                waiting.extend(ALL.iter().filter_map(|&way| neighbour(&rects, from, way)));
            }
            prop_assert!(seen.iter().all(|&seen| seen), "{:?}", rects);
        }
    }

    #[test]
    fn the_way_leads_to_what_is_seen_there() {
        let rects = [
            Rect::new(0, 0, 10, 10),
            Rect::new(10, 0, 10, 3),
            Rect::new(10, 3, 10, 7),
        ];
        assert_eq!(neighbour(&rects, 0, Direction::Right), Some(2));
        assert_eq!(neighbour(&rects, 0, Direction::Left), None);
        assert_eq!(neighbour(&rects, 1, Direction::Down), Some(2));
        assert_eq!(neighbour(&rects, 2, Direction::Left), Some(0));
        assert_eq!(neighbour(&rects, 9, Direction::Left), None);
        assert_eq!(at(&rects, 11, 4), Some(2));
        assert_eq!(at(&rects, 30, 4), None);
    }
}
