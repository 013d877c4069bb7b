//! The largest files, or directories, of a tree.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use groma_catalog::{Damage, KindFlags};

use super::tree::{Item, Tree, Weigh};

/// Which entries are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Largest {
    /// All that are no directories, each node once.
    Files,
    /// Directories, with all that lies below them; the top is none of them.
    Dirs,
}

/// The items that weigh most, heaviest first; of equal ones, those whose paths are smaller.
///
/// # Errors
/// [`Damage`] met on the way.
pub fn largest(
    tree: &dyn Tree,
    of: Largest,
    weigh: Weigh,
    most: usize,
) -> Result<Vec<Item>, Damage> {
    // The least of those that are kept is on top. Entries come in the order of paths.
    let mut kept: BinaryHeap<Reverse<(u64, Reverse<u64>)>> = BinaryHeap::new();
    let mut items: Vec<Item> = Vec::new();
    let mut order = 0;
    visit(tree, &mut |item| {
        let is_wanted = item.kind.is_dir() == (of == Largest::Dirs)
            && !item.kind.has(KindFlags::COUNTED_ELSEWHERE);
        order += 1;
        if !is_wanted || most == 0 || item.id == tree.top() {
            return;
        }
        let rank = (item.weight(weigh), Reverse(order));
        let is_full = kept.len() == most;
        if is_full && kept.peek().is_some_and(|least| least.0 >= rank) {
            return;
        }
        if is_full {
            kept.pop();
        }
        kept.push(Reverse(rank));
        items.push(*item);
    })?;
    let least = kept.into_iter().map(|rank| rank.0.0).min().unwrap_or(0);
    // Those that were pushed out again weigh less, or come later.
    items.retain(|item| item.weight(weigh) >= least);
    items.sort_by_key(|item| Reverse(item.weight(weigh)));
    items.truncate(most);
    Ok(items)
}

/// Tells all items of a tree in the order of paths, each before what lies in it.
///
/// # Errors
/// [`Damage`] met on the way.
pub(super) fn visit(tree: &dyn Tree, each: &mut dyn FnMut(&Item)) -> Result<(), Damage> {
    let mut waiting = vec![tree.item(tree.top())?];
    let mut children = Vec::new();
    while let Some(item) = waiting.pop() {
        each(&item);
        if item.kind.is_dir() {
            children.clear();
            tree.children(item.id, &mut children)?;
            waiting.extend(children.iter().rev());
        }
    }
    Ok(())
}
