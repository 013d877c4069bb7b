//! A squarified layout in whole cells: no gap, no overlap.
//!
//! Strips are filled as in M. Bruls, K. Huizing, J. van Wijk, "Squarified Treemaps" (2000): items, the
//! heaviest first, join a strip as long as its worst block becomes more like a square. A strip's
//! thickness and the lengths in it are rounded to cells when it is laid, and what is left is divided
//! anew among the items that are left, so that rounding never adds up.

use thiserror::Error;

use crate::Rect;

/// What a cell looks like, and what is too small to be a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Height of a cell in units of its width: about 2 in a terminal, 1 for pixels.
    aspect: f64,
    /// Cells that an item must be worth to have a block of its own.
    least: u32,
}

/// Cells that are wider or higher than this are no cells.
const MIN_ASPECT: f64 = 0.01;
const MAX_ASPECT: f64 = 100.0;

/// Why there is no layout.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// The height of a cell is no number that a cell can have.
    #[error("the height of a cell in units of its width must lie between 0.01 and 100, not at {0}")]
    Aspect(f64),
}

/// Where an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its number in the order of weight.
    pub item: usize,
    /// Its cells; at least one.
    pub rect: Rect,
}

/// What is too small, in one block: all items from `first` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    /// The first of them.
    pub first: usize,
    /// Their weight.
    pub weight: u128,
    /// Their cells.
    pub rect: Rect,
}

/// A divided rectangle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The blocks, the heaviest first.
    pub blocks: Vec<Block>,
    /// What is too small, if anything is.
    pub rest: Option<Rest>,
}

impl Shape {
    /// Cells of this height, in units of their width; an item that is worth fewer than `least` of them
    /// has no block of its own. An item always needs one.
    ///
    /// # Errors
    /// [`LayoutError::Aspect`] for anything but a number between 0.01 and 100.
    pub fn new(aspect: f64, least: u32) -> Result<Shape, LayoutError> {
        match (MIN_ASPECT..=MAX_ASPECT).contains(&aspect) {
            true => Ok(Shape {
                aspect,
                least: least.max(1),
            }),
            false => Err(LayoutError::Aspect(aspect)),
        }
    }

    /// Cells that an item must be worth to have a block of its own.
    pub(crate) fn least(self) -> u32 {
        self.least
    }

    /// Cells of a terminal.
    pub fn terminal() -> Shape {
        Shape {
            aspect: 2.0,
            least: 2,
        }
    }
}

/// Divides `area` among items, whose weights must not ascend. `more`: what further items weigh, none of
/// them more than these, that are to share the last block. Where all weigh nothing, all get the same.
/// Nothing is laid out in an area without cells.
pub fn layout(weights: &[u64], more: Option<u128>, area: Rect, shape: Shape) -> Layout {
    let mut out = Layout::default();
    if area.is_empty() || weights.is_empty() && more.is_none() {
        return out;
    }
    let total = sum(weights) + more.unwrap_or(0);
    let items = match total {
        0 => Items::new(&vec![1; weights.len()], more.map(|_| 1), area, shape),
        _ => Items::new(weights, more, area, shape),
    };
    lay(&items, area, shape, &mut out);
    if let Some(rest) = &mut out.rest
        && total == 0
    {
        rest.weight = 0;
    }
    out
}

fn sum(weights: &[u64]) -> u128 {
    weights.iter().map(|&weight| u128::from(weight)).sum()
}

/// The items that have blocks: some of those that were given, and perhaps one for all others.
struct Items {
    weights: Vec<f64>,
    /// The first that shares a block with those after it; `None`: each has its own.
    shared_from: Option<usize>,
    shared_weight: u128,
}

impl Items {
    fn new(weights: &[u64], more: Option<u128>, area: Rect, shape: Shape) -> Items {
        let total = sum(weights) + more.unwrap_or(0);
        let cells = area.cells();
        let least = u128::from(shape.least.min(cells));
        let is_large = |&weight: &u64| {
            let worth = u128::from(weight).saturating_mul(cells.into());
            worth >= least.saturating_mul(total)
        };
        let large = weights.partition_point(is_large);
        let cells = cells as usize;
        // One that would share a block with nothing is itself.
        if more.is_none() && weights.len() - large <= 1 && weights.len() <= cells {
            return Items {
                weights: weights.iter().map(|&weight| weight as f64).collect(),
                shared_from: None,
                shared_weight: 0,
            };
        }
        // The block for the others needs a cell too.
        let own = &weights[..large.min(cells - 1)];
        let shared_weight = sum(&weights[own.len()..]) + more.unwrap_or(0);
        let all = own.iter().map(|&weight| weight as f64);
        Items {
            weights: all.chain([shared_weight as f64]).collect(),
            shared_from: Some(own.len()),
            shared_weight,
        }
    }

    /// Notes where an item is, and the others with it if they share its block.
    fn place(&self, at: usize, rect: Rect, out: &mut Layout) {
        match self.shared_from {
            Some(first) if first == at => {
                out.rest = Some(Rest {
                    first,
                    weight: self.shared_weight,
                    rect,
                });
            }
            _ => out.blocks.push(Block { item: at, rect }),
        }
    }
}

fn lay(items: &Items, area: Rect, shape: Shape, out: &mut Layout) {
    let (mut free, mut from) = (area, 0);
    let mut left: f64 = items.weights.iter().sum();
    while from < items.weights.len() && !free.is_empty() {
        let waiting = &items.weights[from..];
        let tall = f64::from(free.height) * shape.aspect;
        let is_column = f64::from(free.width) >= tall;
        let strip = Strip::choose(waiting, left, free, is_column, shape.aspect);
        let (rect, rest) = match is_column {
            true => free.split_columns(strip.thickness),
            false => free.split_rows(strip.thickness),
        };
        let laid = &waiting[..strip.count];
        strip.fill(laid, rect, is_column, |at, rect| {
            items.place(from + at, rect, out)
        });
        left -= strip.weight;
        from += strip.count;
        free = rest;
    }
}

/// Items side by side across the free area.
struct Strip {
    count: usize,
    weight: f64,
    /// Cells.
    thickness: u16,
}

impl Strip {
    fn choose(waiting: &[f64], left: f64, free: Rect, is_column: bool, aspect: f64) -> Strip {
        let (along, across) = match is_column {
            true => (free.height, free.width),
            false => (free.width, free.height),
        };
        // Lengths in units of a cell's width.
        let (length, depth) = match is_column {
            true => (f64::from(along) * aspect, f64::from(across)),
            false => (f64::from(along), f64::from(across) * aspect),
        };
        let scale = length * depth / left.max(f64::MIN_POSITIVE);
        // How far a block of weight `w` in a strip of weight `s` is from a square: `w` times this over
        // the square of `s`, or the inverse.
        let square = length * length / scale;
        // There must be cells for those behind it.
        let least = waiting
            .len()
            .saturating_sub(usize::from(along) * usize::from(across - 1));
        let (mut count, mut weight, mut worst) = (0, 0.0, f64::INFINITY);
        for &next in waiting.iter().take(usize::from(along)) {
            let sum = weight + next;
            let sum_squared = sum * sum;
            let with = (square * waiting[0] / sum_squared).max(sum_squared / (square * next));
            if count >= least.max(1) && with > worst {
                break;
            }
            (count, weight, worst) = (count + 1, sum, with);
        }
        let after = waiting.len() - count;
        let needed = after.div_ceil(usize::from(along));
        let most = usize::from(across).saturating_sub(needed).max(1);
        let share = (weight / left.max(f64::MIN_POSITIVE) * f64::from(across)).round();
        let thickness = match after {
            0 => usize::from(across),
            // A share is at most all of it.
            _ => (share as usize).clamp(1, most),
        };
        Strip {
            count,
            weight,
            // At most `across`.
            thickness: thickness as u16,
        }
    }

    /// Divides the strip's cells; each item gets at least one along it.
    fn fill(&self, laid: &[f64], rect: Rect, is_column: bool, mut place: impl FnMut(usize, Rect)) {
        let (mut free, mut weight) = (rect, self.weight);
        for (at, &own) in laid.iter().enumerate() {
            let along = if is_column { free.height } else { free.width };
            let after = laid.len() - at - 1;
            let share = (own / weight.max(f64::MIN_POSITIVE) * f64::from(along)).round();
            let most = usize::from(along).saturating_sub(after).max(1);
            let mut length = (share as usize).clamp(1, most);
            if after == 0 {
                length = usize::from(along);
            }
            // At most `along`.
            let length = length as u16;
            let (block, rest) = match is_column {
                true => free.split_rows(length),
                false => free.split_columns(length),
            };
            place(at, block);
            weight -= own;
            free = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all_rects(layout: &Layout) -> Vec<Rect> {
        let blocks = layout.blocks.iter().map(|block| block.rect);
        blocks.chain(layout.rest.map(|rest| rest.rect)).collect()
    }

    /// Every cell of the area belongs to exactly one rectangle.
    fn check_partition(area: Rect, rects: &[Rect]) {
        let mut owner = vec![0_u8; area.cells() as usize];
        for rect in rects {
            assert!(!rect.is_empty(), "{rect:?} in {rects:?}");
            assert!(rect.x >= area.x && rect.right() <= area.right(), "{rect:?}");
            assert!(
                rect.y >= area.y && rect.bottom() <= area.bottom(),
                "{rect:?}"
            );
            for y in rect.y..rect.bottom() {
                for x in rect.x..rect.right() {
                    let at =
                        usize::from(y - area.y) * usize::from(area.width) + usize::from(x - area.x);
                    owner[at] += 1;
                }
            }
        }
        assert!(owner.iter().all(|&count| count == 1), "{area:?} {rects:?}");
    }

    fn descending(mut weights: Vec<u64>) -> Vec<u64> {
        weights.sort_unstable_by(|a, b| b.cmp(a));
        weights
    }

    fn weights() -> impl Strategy<Value = Vec<u64>> {
        let weight = prop_oneof![
            2 => Just(0_u64),
            4 => 1_u64..100,
            2 => 1_u64..1_000_000_000,
            1 => Just(u64::MAX),
        ];
        prop::collection::vec(weight, 0..80).prop_map(descending)
    }

    proptest! {
        #[test]
        fn every_cell_has_one_block(
            weights in weights(),
            (x, y) in (0_u16..5, 0_u16..5),
            width in prop_oneof![1_u16..12, 1_u16..400],
            height in prop_oneof![1_u16..12, 1_u16..200],
            aspect in prop_oneof![Just(1.0), Just(2.0), 0.1_f64..10.0],
            least in 0_u32..6,
        ) {
            let area = Rect::new(x, y, width, height);
            let shape = Shape::new(aspect, least).unwrap();
            let laid = layout(&weights, None, area, shape);
            prop_assert_eq!(&laid, &layout(&weights, None, area, shape));
            if weights.is_empty() {
                prop_assert_eq!(laid, Layout::default());
                return Ok(());
            }
            check_partition(area, &all_rects(&laid));
            let items: Vec<usize> = laid.blocks.iter().map(|block| block.item).collect();
            let shown = laid.rest.map_or(weights.len(), |rest| rest.first);
            prop_assert_eq!(items, (0..shown).collect::<Vec<_>>());
            if let Some(rest) = laid.rest {
                let small = weights[rest.first..].iter().map(|&weight| u128::from(weight));
                prop_assert_eq!(rest.weight, small.sum::<u128>());
                prop_assert!(weights.len() - rest.first > 1);
            }
        }

        #[test]
        fn areas_follow_weights(weights in prop::collection::vec(1_u64..1000, 1..40)) {
            let weights = descending(weights);
            let area = Rect::new(0, 0, 1600, 1200);
            let laid = layout(&weights, None, area, Shape::new(1.0, 1).unwrap());
            let total: u64 = weights.iter().sum();
            for block in &laid.blocks {
                let want = weights[block.item] as f64 / total as f64 * f64::from(area.cells());
                let got = f64::from(block.rect.cells());
                // Rounding moves each edge by no more than a cell or two.
                let edge = f64::from(block.rect.width) + f64::from(block.rect.height);
                prop_assert!((got - want).abs() <= 3.0 * edge + 8.0, "{} {}", got, want);
            }
        }
    }

    #[test]
    fn what_is_not_listed_shares_the_last_block() {
        let laid = layout(
            &[50, 30],
            Some(20),
            Rect::new(0, 0, 10, 10),
            Shape::terminal(),
        );
        let rest = laid.rest.unwrap();
        assert_eq!((rest.first, rest.weight, rest.rect.cells()), (2, 20, 20));
        let laid = layout(&[], Some(0), Rect::new(0, 0, 1, 1), Shape::terminal());
        assert_eq!(
            laid.rest.map(|rest| (rest.first, rest.weight)),
            Some((0, 0))
        );
    }

    #[test]
    fn equal_ones_become_squares() {
        let laid = layout(
            &[1; 4],
            None,
            Rect::new(0, 0, 80, 80),
            Shape::new(1.0, 1).unwrap(),
        );
        let rects = all_rects(&laid);
        assert!(
            rects
                .iter()
                .all(|rect| rect.width == 40 && rect.height == 40),
            "{rects:?}"
        );
    }

    #[test]
    fn nothing_but_zeros_is_divided_evenly() {
        let laid = layout(&[0; 3], None, Rect::new(0, 0, 30, 4), Shape::terminal());
        assert_eq!(laid.blocks.len(), 3);
        let laid = layout(&[0; 1000], None, Rect::new(0, 0, 10, 4), Shape::terminal());
        assert_eq!(laid.rest.map(|rest| rest.weight), Some(0));
    }

    #[test]
    fn cells_have_a_height() {
        for bad in [0.0, -1.0, 1e-300, 1e9, f64::NAN, f64::INFINITY] {
            assert!(
                matches!(Shape::new(bad, 1), Err(LayoutError::Aspect(_))),
                "{bad}"
            );
        }
        assert!(Shape::new(2.0, 0).is_ok());
    }
}
