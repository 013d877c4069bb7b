//! A map as a picture.

use groma_base::size::human_size;
use groma_formats::svg::{SvgLabel, SvgPage, svg};
use groma_query::groups::Categories;

use super::tree::{Tree, Weigh};
use super::weighed::{Weighed, chain_label};
use super::words::category;
use groma_catalog::Damage;

/// The number of the last colour.
const OTHER: usize = 11;

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
    Ok(svg(&weighed, top.id, &page, |id, chain| {
        let Ok(item) = tree.item(id) else {
            return SvgLabel::default();
        };
        SvgLabel {
            name: chain_label(tree, &item, chain).into_bytes(),
            size: match weigh {
                Weigh::Count => item.items.to_string(),
                _ => human_size(item.weight(weigh)),
            },
            colour: category(tree, &item, categories).map(|number| match number {
                // The last colour is that of what has no category.
                number if number == categories.other() => OTHER,
                number => number % OTHER,
            }),
        }
    }))
}
