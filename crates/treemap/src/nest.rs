//! A tree of items in nested rectangles, with as much detail as there is room for.

use crate::layout::layout;
use crate::{Rect, Shape};

/// What is laid out.
pub trait Tree {
    /// An item.
    type Node: Copy;

    /// Appends what lies directly in an item, with its weight, in any order; nothing for an item that
    /// holds nothing. Equal weights stay in this order.
    fn children(&self, node: Self::Node, out: &mut Vec<(Self::Node, u64)>);

    /// Whether things may lie in an item.
    fn is_inner(&self, node: Self::Node) -> bool;
}

/// How much is shown.
#[derive(Clone, Copy, Debug)]
pub struct Detail {
    /// What cells look like.
    pub shape: Shape,
    /// How far below the top blocks are shown; 1: only what lies directly in it.
    pub depth: usize,
    /// Rows of a label above what an item holds.
    pub label: u16,
    /// Columns that an item must have for what it holds to be shown.
    pub width: u16,
    /// Rows of it.
    pub height: u16,
}

/// What a block stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What<N> {
    /// An item.
    Node(N),
    /// Items that are too small for blocks of their own.
    Rest {
        /// How many.
        count: usize,
        /// What they weigh together.
        weight: u128,
    },
}

/// A block of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nested<N> {
    /// What it stands for. Where an item holds nothing but one other that holds something, the two are
    /// one block, and so on: this is the innermost.
    pub what: What<N>,
    /// How many items are one block with it, all above it.
    pub chain: usize,
    /// Its cells.
    pub rect: Rect,
    /// The cells of what it holds, if that is shown.
    pub inner: Option<Rect>,
    /// How far below the top it is shown; the largest blocks have 1.
    pub depth: usize,
    /// The block that it lies in, by its number in the frame.
    pub parent: Option<usize>,
    /// What it weighs.
    pub weight: u64,
}

/// A picture: blocks, each before those that lie in it.
#[derive(Clone, Debug)]
pub struct Frame<N> {
    /// The blocks.
    pub blocks: Vec<Nested<N>>,
}

impl<N> Frame<N> {
    /// The blocks that lie in no other, by number.
    pub fn outer(&self) -> impl Iterator<Item = usize> + '_ {
        let numbered = self.blocks.iter().enumerate();
        numbered
            .filter(|(_, block)| block.parent.is_none())
            .map(|(at, _)| at)
    }
}

/// Lays out what lies in `top`. Takes no more memory or time than there is room for, however deep the
/// tree is, but for one look at the children of each item that is shown open.
pub fn nest<T: Tree>(tree: &T, top: T::Node, area: Rect, detail: &Detail) -> Frame<T::Node> {
    let mut frame = Frame { blocks: Vec::new() };
    let mut nester = Nester {
        tree,
        detail,
        children: Vec::new(),
        weights: Vec::new(),
    };
    tree.children(top, &mut nester.children);
    let mut next = nester.show_children(area, 1, None, &mut frame);
    let mut at = 0;
    // Blocks are opened in the order in which they were made, outer ones first.
    while at < next {
        nester.open_block(at, &mut frame);
        next = frame.blocks.len();
        at += 1;
    }
    frame
}

/// Blocks of one item, at most: more would be a pattern, not a picture.
const MOST: usize = 4096;

struct Nester<'t, T: Tree> {
    tree: &'t T,
    detail: &'t Detail,
    children: Vec<(T::Node, u64)>,
    weights: Vec<u64>,
}

impl<T: Tree> Nester<'_, T> {
    /// Shows what a block holds, if there is room for it.
    fn open_block(&mut self, at: usize, frame: &mut Frame<T::Node>) {
        let Some(block) = frame.blocks.get(at).copied() else {
            return;
        };
        let What::Node(node) = block.what else {
            return;
        };
        let is_shown = self.tree.is_inner(node)
            && block.depth < self.detail.depth
            && block.rect.width >= self.detail.width
            && block.rect.height >= self.detail.height.max(self.detail.label + 1);
        if !is_shown {
            return;
        }
        let (node, more) = self.innermost(node);
        let inner = block.rect.below(self.detail.label);
        let before = frame.blocks.len();
        let after = self.show_children(inner, block.depth + 1, Some(at), frame);
        if let Some(block) = frame.blocks.get_mut(at) {
            block.what = What::Node(node);
            block.chain += more;
            block.inner = (after > before).then_some(inner);
        }
    }

    /// Follows items that hold nothing but one other, and tells how many that were. Leaves the children
    /// of the last one.
    fn innermost(&mut self, node: T::Node) -> (T::Node, usize) {
        // Paths are long, labels are not.
        const LONGEST: usize = 64;
        let (mut at, mut more) = (node, 0);
        while more < LONGEST {
            self.children.clear();
            self.tree.children(at, &mut self.children);
            match self.children[..] {
                [(only, _)] if self.tree.is_inner(only) => (at, more) = (only, more + 1),
                _ => break,
            }
        }
        (at, more)
    }

    /// Adds blocks for the children at hand. Answers how many blocks there are then.
    fn show_children(
        &mut self,
        area: Rect,
        depth: usize,
        parent: Option<usize>,
        frame: &mut Frame<T::Node>,
    ) -> usize {
        let hidden = self.heaviest_first(area.cells() as usize);
        let more = hidden.map(|hidden| hidden.1);
        let laid = layout(&self.weights, more, area, self.detail.shape);
        for block in &laid.blocks {
            if let Some(&(node, weight)) = self.children.get(block.item) {
                frame.blocks.push(Nested {
                    what: What::Node(node),
                    chain: 0,
                    rect: block.rect,
                    inner: None,
                    depth,
                    parent,
                    weight,
                });
            }
        }
        if let Some(rest) = laid.rest {
            frame.blocks.push(Nested {
                what: What::Rest {
                    count: self.weights.len() - rest.first + hidden.map_or(0, |hidden| hidden.0),
                    weight: rest.weight,
                },
                chain: 0,
                rect: rest.rect,
                inner: None,
                depth,
                parent,
                weight: u64::try_from(rest.weight).unwrap_or(u64::MAX),
            });
        }
        frame.blocks.len()
    }

    /// Sorts children by weight and leaves their weights in `weights`. Of more than can have a cell the
    /// lightest are dropped; answers how many, and what they weigh.
    fn heaviest_first(&mut self, cells: usize) -> Option<(usize, u128)> {
        let heavier = |a: &(usize, u64), b: &(usize, u64)| b.1.cmp(&a.1).then(a.0.cmp(&b.0));
        let total: u128 = self.children.iter().map(|child| u128::from(child.1)).sum();
        let least = u128::from(self.detail.shape.least()) * total;
        let weights = self.children.iter().map(|child| child.1).enumerate();
        // What is worth less has no block of its own anyway: mostly that is nearly all.
        let is_large = |weight: u64| u128::from(weight).saturating_mul(cells as u128) >= least;
        let mut order: Vec<(usize, u64)> = weights.filter(|child| is_large(child.1)).collect();
        // One that would share a block with nothing is itself.
        if order.len() + 1 == self.children.len() {
            order = self
                .children
                .iter()
                .map(|child| child.1)
                .enumerate()
                .collect();
        }
        if order.len() > MOST {
            order.select_nth_unstable_by(MOST, heavier);
            order.truncate(MOST);
        }
        let shown: u128 = order.iter().map(|child| u128::from(child.1)).sum();
        let count = self.children.len() - order.len();
        let hidden = (count > 0).then_some((count, total - shown));
        order.sort_unstable_by(heavier);
        self.weights.clear();
        self.weights.extend(order.iter().map(|child| child.1));
        self.children = order.iter().map(|&(at, _)| self.children[at]).collect();
        hidden
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Items by number: what lies in each, and its weight.
    struct Model(Vec<(Vec<usize>, u64)>);

    impl Model {
        /// Item `i` lies in `parents[i - 1] % i`; leaves weigh what is given, others what they hold.
        fn new(parents: &[usize], weights: &[u64]) -> Model {
            let mut items: Vec<(Vec<usize>, u64)> =
                weights.iter().map(|&w| (Vec::new(), w)).collect();
            for at in (1..items.len()).rev() {
                let parent = parents[at - 1] % at;
                if !items[at].0.is_empty() {
                    items[at].1 = items[at]
                        .0
                        .clone()
                        .into_iter()
                        .map(|child| items[child].1)
                        .sum();
                }
                items[parent].0.push(at);
            }
            Model(items)
        }
    }

    impl Tree for Model {
        type Node = usize;

        fn children(&self, node: usize, out: &mut Vec<(usize, u64)>) {
            out.extend(self.0[node].0.iter().map(|&child| (child, self.0[child].1)));
        }

        fn is_inner(&self, node: usize) -> bool {
            !self.0[node].0.is_empty()
        }
    }

    fn detail() -> Detail {
        Detail {
            shape: Shape::terminal(),
            depth: 9,
            label: 1,
            width: 6,
            height: 3,
        }
    }

    proptest! {
        #[test]
        fn blocks_lie_in_their_parents_and_touch_no_other(
            items in prop::collection::vec((any::<usize>(), 0_u64..1_000_000), 1..200),
            width in 1_u16..200,
            height in 1_u16..80,
        ) {
            let (parents, weights): (Vec<usize>, Vec<u64>) = items.into_iter().unzip();
            let mut weights = weights;
            weights.push(1);
            let model = Model::new(&parents, &weights);
            let area = Rect::new(0, 0, width, height);
            let frame = nest(&model, 0, area, &detail());
            for (at, block) in frame.blocks.iter().enumerate() {
                let home = match block.parent {
                    Some(parent) => {
                        prop_assert!(parent < at);
                        frame.blocks[parent].inner.unwrap()
                    }
                    None => area,
                };
                let rect = block.rect;
                prop_assert!(!rect.is_empty() && rect.x >= home.x && rect.right() <= home.right());
                prop_assert!(rect.y >= home.y && rect.bottom() <= home.bottom());
            }
            // Blocks of one parent cover what it shows, once.
            let mut homes: Vec<Option<usize>> = frame.blocks.iter().map(|block| block.parent).collect();
            homes.dedup();
            for home in homes {
                let area = home.map_or(area, |at| frame.blocks[at].inner.unwrap());
                let of_home = frame.blocks.iter().filter(|block| block.parent == home);
                let cells: u32 = of_home.map(|block| block.rect.cells()).sum();
                prop_assert_eq!(cells, area.cells());
            }
        }
    }

    #[test]
    fn chains_are_one_block() {
        // 0 holds 1, that 2, that 3 and 4.
        let model = Model::new(&[0, 1, 2, 2], &[0, 0, 0, 5, 5]);
        let frame = nest(&model, 0, Rect::new(0, 0, 40, 20), &detail());
        let first = frame.blocks[0];
        assert_eq!((first.what, first.chain), (What::Node(2), 1));
        assert_eq!(frame.blocks.len(), 3);
        assert_eq!(frame.outer().collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn many_thousands_share_blocks() {
        let mut items = vec![(Vec::new(), 0)];
        for at in 1..=20_000 {
            items[0].0.push(at);
            items.push((Vec::new(), 20_000 - at as u64));
        }
        let frame = nest(&Model(items), 0, Rect::new(0, 0, 60, 20), &detail());
        let last = frame.blocks.last().unwrap();
        let What::Rest { count, .. } = last.what else {
            panic!("{last:?}");
        };
        assert_eq!(frame.blocks.len() - 1 + count, 20_000);
    }

    #[test]
    fn depth_is_bounded_by_room() {
        let parents: Vec<usize> = (0..3000).map(|at| at / 2).collect();
        let model = Model::new(&parents, &vec![1; 3001]);
        let deep = Detail {
            depth: usize::MAX,
            ..detail()
        };
        assert!(
            nest(&model, 0, Rect::new(0, 0, 400, 200), &deep)
                .blocks
                .len()
                < 400 * 200
        );
        let frame = nest(&model, 0, Rect::new(0, 0, 0, 5), &deep);
        assert!(frame.blocks.is_empty());
    }
}
