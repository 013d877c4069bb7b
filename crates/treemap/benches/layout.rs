//! How long geometry takes: `cargo bench -p groma-treemap`.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use groma_treemap::{Detail, Direction, Rect, Shape, Tree, layout, neighbour, nest};

/// 200 directories of 40 directories of 100 files, and a directory of 200 000 files: 1 008 201 items.
struct Synthetic;

const FLAT: u32 = 200_000;
const SUB: u32 = 40;
const FILES: u32 = 100;

/// Depth and number within it.
type Node = (u8, u32);

fn weight(node: Node) -> u64 {
    u64::from(node.1.wrapping_mul(2_654_435_761) >> 12) + 1
}

impl Tree for Synthetic {
    type Node = Node;

    fn children(&self, (depth, number): Node, out: &mut Vec<(Node, u64)>) {
        let children = match depth {
            0 => 0..201,
            1 if number == 200 => 0..FLAT,
            1 => number * SUB..(number + 1) * SUB,
            2 => number * FILES..(number + 1) * FILES,
            _ => 0..0,
        };
        let depth = if depth == 1 && number == 200 {
            3
        } else {
            depth + 1
        };
        out.extend(children.map(|child| ((depth, child), weight((depth, child)))));
    }

    fn is_inner(&self, (depth, _): Node) -> bool {
        depth < 3
    }
}

fn weights(count: usize) -> Vec<u64> {
    let mut weights: Vec<u64> = (0..count as u32).map(|at| weight((0, at))).collect();
    weights.sort_unstable_by(|a, b| b.cmp(a));
    weights
}

fn benches(criterion: &mut Criterion) {
    let (area, shape) = (Rect::new(0, 0, 200, 60), Shape::terminal());
    let many = weights(300);
    criterion.bench_function("layout of 300 items", |b| {
        b.iter(|| layout(black_box(&many), None, area, shape));
    });
    let fine = Shape::new(2.0, 1).unwrap_or(shape);
    let laid = layout(&many, None, area, fine);
    let rects: Vec<Rect> = laid.blocks.iter().map(|block| block.rect).collect();
    criterion.bench_function("neighbour among 300 blocks", |b| {
        b.iter(|| neighbour(black_box(&rects), 140, Direction::Left));
    });
    let detail = Detail {
        shape,
        depth: 3,
        label: 1,
        width: 8,
        height: 3,
    };
    criterion.bench_function("frame at the top of a million items", |b| {
        b.iter(|| nest(&Synthetic, (0, 0), black_box(area), &detail));
    });
    criterion.bench_function("frame of 200 000 items in one directory", |b| {
        b.iter(|| nest(&Synthetic, (1, 200), black_box(area), &detail));
    });
}

criterion_group!(geometry, benches);
criterion_main!(geometry);
