//! Does the steps of a plan, block by block, on several threads.

use super::SelectError;
use super::bits::{self, BLOCK, Mask};
use super::explain::Steps;
use super::filter::evaluate;
use super::frame::Frame;
use super::parallel::in_pieces;
use super::plan::Node;
use super::selection::Selection;
use super::set::{RowSet, ranges_mask};
use crate::bound::Expr;

/// Blocks of one piece of work.
const BLOCKS: usize = 16;
/// Entries of one piece of work that are asked one by one.
const SINGLY: u32 = 1024;
/// Fewer rows than this are kept as a list.
const FEW: u64 = if cfg!(test) { 8 } else { 1024 };

/// The ids that match: rows by a plan, others one by one.
pub(crate) fn run(
    frame: &Frame<'_>,
    plan: Node<'_>,
    expr: &Expr,
    steps: &Steps<'_>,
) -> Result<Selection, SelectError> {
    let rows = by_plan(frame, plan, steps)?;
    let ids = frame.view.ids();
    let mut selection = Selection::of_set(rows, ids);
    selection.add_sorted(singly(frame, expr)?);
    Ok(selection)
}

/// The plain rows that a plan keeps.
fn by_plan(frame: &Frame<'_>, plan: Node<'_>, steps: &Steps<'_>) -> Result<RowSet, SelectError> {
    let (driver, rest) = driver(plan);
    let Some(driver) = driver else {
        let plain = RowSet::Ranges(frame.plain.clone());
        return match rest {
            Node::All => Ok(plain),
            Node::None => Ok(RowSet::none()),
            rest => in_blocks(frame, &plain, &rest, steps),
        };
    };
    let is_all = matches!(&frame.plain[..], [one] if *one == (1..frame.rows));
    match (rest, driver) {
        (Node::All, RowSet::Dense(mut words)) if is_all => {
            bits::clear(&mut words, 0);
            Ok(RowSet::Dense(words))
        }
        (Node::All, RowSet::Sparse(mut rows)) => {
            let plain = RowSet::Ranges(frame.plain.clone());
            rows.retain(|&row| {
                if is_all {
                    row != 0
                } else {
                    plain.contains(row)
                }
            });
            Ok(RowSet::Sparse(rows))
        }
        (rest, driver) => in_blocks(frame, &driver, &rest, steps),
    }
}

/// The smallest set that all rows must be in, and what else is asked of them.
fn driver<'f>(plan: Node<'f>) -> (Option<RowSet>, Node<'f>) {
    let mut list = match plan {
        Node::And(list) => list,
        other => vec![other],
    };
    let sizes = list.iter().enumerate().filter_map(|(at, node)| match node {
        Node::Set(set, _) => Some((set.len(), at)),
        _ => None,
    });
    let set = match sizes.min() {
        Some((_, at)) => match list.remove(at) {
            Node::Set(set, _) => Some(set),
            // It was one a moment ago.
            other => {
                list.insert(at, other);
                None
            }
        },
        None => None,
    };
    let rest = match list.len() {
        0 => Node::All,
        1 => list.remove(0),
        _ => Node::And(list),
    };
    (set, rest)
}

fn in_blocks(
    frame: &Frame<'_>,
    driver: &RowSet,
    rest: &Node<'_>,
    steps: &Steps<'_>,
) -> Result<RowSet, SelectError> {
    let blocks = driver.blocks(frame.rows.div_ceil(BLOCK));
    let pieces: Vec<&[u32]> = blocks.chunks(BLOCKS).collect();
    let found = in_pieces(pieces.len(), frame.run, |piece| {
        let mut found: Vec<(u32, Mask)> = Vec::with_capacity(pieces[piece].len());
        for block in pieces[piece] {
            let first = block * BLOCK;
            let mut mask = driver.mask(first);
            let live = ranges_mask(&frame.plain, first);
            mask.iter_mut()
                .zip(live)
                .for_each(|(word, live)| *word &= live);
            apply(rest, first, &mut mask, steps)?;
            if !bits::is_none(&mask) {
                found.push((first, mask));
            }
        }
        Ok(found)
    })?;
    Ok(together(frame, &found.concat()))
}

fn together(frame: &Frame<'_>, found: &[(u32, Mask)]) -> RowSet {
    let count: u64 = found
        .iter()
        .map(|(_, mask)| u64::from(bits::count(mask)))
        .sum();
    if count < u64::from(frame.rows / 64) || count < FEW {
        let mut rows = Vec::with_capacity(count as usize);
        for (first, mask) in found {
            rows.extend(bits::ones(mask).map(|bit| first + bit));
        }
        return RowSet::Sparse(rows);
    }
    let mut words = bits::empty(frame.view.ids().max(frame.rows));
    for (first, mask) in found {
        let at = *first as usize / 64;
        let length = bits::WORDS.min(words.len() - at);
        words[at..at + length].copy_from_slice(&mask[..length]);
    }
    RowSet::Dense(words)
}

/// Takes the rows out of `mask` that a node does not keep.
fn apply(
    node: &Node<'_>,
    first: u32,
    mask: &mut Mask,
    steps: &Steps<'_>,
) -> Result<(), SelectError> {
    match node {
        Node::All => {}
        Node::None => *mask = bits::NONE,
        Node::And(list) => {
            for node in list {
                if bits::is_none(mask) {
                    break;
                }
                apply(node, first, mask, steps)?;
            }
        }
        Node::Or(list) => {
            let (mut left, mut kept) = (*mask, bits::NONE);
            for node in list {
                let mut part = left;
                apply(node, first, &mut part, steps)?;
                for at in 0..bits::WORDS {
                    kept[at] |= part[at];
                    left[at] &= !part[at];
                }
                if bits::is_none(&left) {
                    break;
                }
            }
            *mask = kept;
        }
        Node::Without(inner) => {
            let mut part = *mask;
            apply(inner, first, &mut part, steps)?;
            *mask = bits::without(mask, &part);
        }
        Node::Set(set, step) => {
            let before = steps.before(mask);
            let here = set.mask(first);
            mask.iter_mut()
                .zip(here)
                .for_each(|(word, here)| *word &= here);
            steps.did(*step, before, mask);
        }
        Node::Filter(filter, _, step) => {
            let before = steps.before(mask);
            filter.apply(first, mask)?;
            steps.did(*step, before, mask);
        }
    }
    Ok(())
}

/// The ids that no column answers for, asked one by one; ascending.
fn singly(frame: &Frame<'_>, expr: &Expr) -> Result<Vec<u32>, SelectError> {
    let parts: Vec<std::ops::Range<u32>> = frame
        .odd
        .iter()
        .flat_map(|ids| {
            let end = ids.end;
            let starts = ids.clone().step_by(SINGLY as usize);
            starts.map(move |start| start..end.min(start.saturating_add(SINGLY)))
        })
        .collect();
    let kept = in_pieces(parts.len(), frame.run, |part| {
        let mut kept = Vec::new();
        for id in parts[part].clone() {
            if evaluate(frame, expr, id)? == Some(true) {
                kept.push(id);
            }
        }
        Ok(kept)
    })?;
    Ok(kept.concat())
}
