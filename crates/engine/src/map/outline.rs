//! The directories of a tree down to some depth, heaviest first.

use groma_catalog::Damage;

use super::tree::{Item, Tree, Weigh, by_weight};

/// A directory, and how far below the top it lies.
pub type Line = (usize, Item);

/// The top and the directories below it down to `depth`; each is followed by those that lie in it, of
/// which the heaviest comes first.
///
/// # Errors
/// [`Damage`] met on the way.
pub fn outline(tree: &dyn Tree, weigh: Weigh, depth: usize) -> Result<Vec<Line>, Damage> {
    let mut waiting = vec![(0, tree.item(tree.top())?)];
    let (mut lines, mut children) = (Vec::new(), Vec::new());
    while let Some((level, item)) = waiting.pop() {
        lines.push((level, item));
        if level == depth {
            continue;
        }
        children.clear();
        tree.children(item.id, &mut children)?;
        children.retain(|child| child.kind.is_dir());
        children.sort_by(by_weight(weigh));
        waiting.extend(children.iter().rev().map(|child| (level + 1, *child)));
    }
    Ok(lines)
}
