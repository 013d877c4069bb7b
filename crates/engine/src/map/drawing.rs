//! A map as a picture.

use groma_base::size::human_size;
use groma_formats::svg::{SvgLabel, SvgPage, svg};
use groma_query::groups::Categories;
use groma_treemap::Tree as Geometry;

use super::tree::{Item, Tree, Weigh};
use super::words::{category, shown_name};
use groma_catalog::Damage;

/// The number of the last colour.
const OTHER: usize = 11;

/// A tree as geometry sees it.
struct Weighed<'a> {
    tree: &'a dyn Tree,
    weigh: Weigh,
}

impl Geometry for Weighed<'_> {
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

/// Draws a tree as one SVG file of this width and height.
///
/// # Errors
/// [`Damage`] where the tree has no top.
pub fn draw_svg(
    tree: &dyn Tree,
    weigh: Weigh,
    categories: &Categories,
    size: (u16, u16),
) -> Result<String, Damage> {
    let top = tree.item(tree.top())?;
    let mut title = Vec::new();
    tree.append_name(top.id, &mut title)?;
    let page = SvgPage {
        title,
        subtitle: format!(
            "{} on disk, {} apparent, {} entries",
            human_size(top.allocated),
            human_size(top.size),
            top.items
        ),
        legend: categories.names().map(str::to_owned).collect(),
        size,
    };
    let weighed = Weighed { tree, weigh };
    Ok(svg(&weighed, top, &page, |item, chain| SvgLabel {
        name: label(tree, &item, chain),
        size: match weigh {
            Weigh::Count => item.items.to_string(),
            _ => human_size(item.weight(weigh)),
        },
        colour: category(tree, &item, categories).map(|number| match number {
            // The last colour is that of what has no category.
            number if number == categories.other() => OTHER,
            number => number % OTHER,
        }),
    }))
}

/// The names of an item and of those that are one block with it.
fn label(tree: &dyn Tree, item: &Item, chain: usize) -> Vec<u8> {
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
    text.into_bytes()
}
