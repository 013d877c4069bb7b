//! A tree as geometry sees it: items and their weights.

use super::tree::{Item, Tree, Weigh};
use super::words::shown_name;

/// A tree to be laid out, by the numbers of its items. What is damaged is shown as empty; lists and reports tell of it.
pub struct Weighed<'a> {
    /// The tree.
    pub tree: &'a dyn Tree,
    /// What makes its items large.
    pub weigh: Weigh,
}

impl groma_treemap::Tree for Weighed<'_> {
    type Node = u32;

    fn children(&self, node: u32, out: &mut Vec<(u32, u64)>) {
        let before = out.len();
        if self.tree.weights(node, self.weigh, out).is_err() {
            out.truncate(before);
        }
    }

    fn is_inner(&self, node: u32) -> bool {
        self.tree.is_dir(node).unwrap_or(false)
    }
}

/// The names of an item and of the `chain` items above it that are one block with it, for people.
pub fn chain_label(tree: &dyn Tree, item: &Item, chain: usize) -> String {
    let (mut names, mut at) = (Vec::new(), Some(item.id));
    for _ in 0..=chain {
        let Some(id) = at else { break };
        let mut name = Vec::new();
        if tree.append_name(id, &mut name).is_ok() {
            names.push(shown_name(&name));
        }
        at = tree.parent(id).ok().flatten();
    }
    names.reverse();
    let mut text = names.join("/");
    if item.kind.is_dir() {
        text.push('/');
    }
    text
}
