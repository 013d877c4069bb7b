//! A tree as geometry sees it: items and their weights.

use super::tree::{Item, Tree, Weigh};
use super::words::shown_name;

/// A tree to be laid out. What is damaged is shown as empty; lists and reports tell of it.
pub struct Weighed<'a> {
    /// The tree.
    pub tree: &'a dyn Tree,
    /// What makes its items large.
    pub weigh: Weigh,
}

impl groma_treemap::Tree for Weighed<'_> {
    type Node = Item;

    fn children(&self, node: Item, out: &mut Vec<(Item, u64)>) {
        let mut items = Vec::new();
        if self.tree.children(node.id, &mut items).is_ok() {
            let weighed = items
                .into_iter()
                .map(|item| (item, item.weight(self.weigh)));
            out.extend(weighed);
        }
    }

    fn is_inner(&self, node: Item) -> bool {
        node.kind.is_dir()
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
