//! A map as one HTML file.

use std::collections::BTreeMap;
use std::io::Write;

use groma_catalog::{Damage, KindFlags};
use groma_formats::html::{Category, Meta, Node, Report, Theme, Totals};
use groma_query::groups::Categories;
use groma_treemap::Palette;

use super::error::MapError;
use super::tree::{Item, Tree, Weigh};
use super::words::{category, shown_name};

/// The number of the colour of what has no category.
const OTHER: usize = 11;

/// What a page says besides its entries.
pub struct Page<'a> {
    /// When the disk was read, in seconds since 1970.
    pub taken: i64,
    /// The categories of files.
    pub categories: &'a Categories,
    /// What it opens with.
    pub weigh: Weigh,
    /// Whether sizes are in powers of 1000.
    pub si: bool,
    /// Whether it opens dark or light; `None`: as the reader's system has it.
    pub is_dark: Option<bool>,
    /// Whether the scan was ended early.
    pub is_partial: bool,
    /// Places that could not be read.
    pub unread: u64,
}

/// Writes a tree as a page that needs nothing else. Memory does not grow with its entries.
///
/// # Errors
/// [`MapError::Damaged`], [`MapError::Io`].
pub fn write_html(tree: &dyn Tree, page: &Page<'_>, out: &mut dyn Write) -> Result<(), MapError> {
    let top = tree.item(tree.top())?;
    let owners = Owners::of(tree)?;
    let names: Vec<&[u8]> = owners.names.iter().map(Vec::as_slice).collect();
    let categories: Vec<Category<'_>> = page.categories.names().enumerate().map(colour).collect();
    let mut root = Vec::new();
    tree.append_name(top.id, &mut root)?;
    let meta = Meta {
        title: &shown_name(&root),
        root: &root,
        taken: page.taken,
        totals: Totals {
            files: top.items,
            dirs: 0,
            size: top.size,
            allocated: top.allocated,
            errors: page.unread,
        },
        categories: &categories,
        owners: &names,
        theme: match page.is_dark {
            None => Theme::System,
            Some(true) => Theme::Dark,
            Some(false) => Theme::Light,
        },
        si: page.si,
        apparent: page.weigh == Weigh::Apparent,
        incomplete: page.is_partial,
    };
    let mut report = Report::begin(out, &meta)?;
    let mut name = Vec::new();
    own_sizes(tree, &mut |item, depth| {
        name.clear();
        tree.append_name(item.id, &mut name)?;
        let metadata = tree.metadata(item.id)?;
        let number = category(tree, &item, page.categories);
        report.node(&Node {
            depth,
            name: &name,
            is_dir: item.kind.is_dir(),
            size: item.size,
            allocated: item.allocated,
            modified: metadata.as_ref().map(|m| m.modified.seconds),
            // There are few categories and owners.
            category: number.unwrap_or(page.categories.other()) as u32,
            owner: metadata.map_or(0, |m| owners.number(m.uid)),
            is_error: item.kind.has(KindFlags::UNREAD) || item.kind.has(KindFlags::NO_METADATA),
            is_counted_elsewhere: item.kind.has(KindFlags::COUNTED_ELSEWHERE),
        })?;
        Ok(())
    })?;
    report.end()?;
    Ok(())
}

fn colour((number, name): (usize, &str)) -> Category<'_> {
    let shown = if name == groma_query::groups::OTHER {
        OTHER
    } else {
        number % OTHER
    };
    let colour = Palette::default().category(shown);
    Category {
        name,
        colour: [colour.0, colour.1, colour.2],
    }
}

/// Tells all items, each before what lies in it, with the sizes that are its own, and how deep it lies.
fn own_sizes(
    tree: &dyn Tree,
    each: &mut dyn FnMut(Item, u32) -> Result<(), MapError>,
) -> Result<(), MapError> {
    let mut waiting = vec![(tree.item(tree.top())?, 0)];
    let mut children = Vec::new();
    while let Some((mut item, depth)) = waiting.pop() {
        children.clear();
        if item.kind.is_dir() {
            tree.children(item.id, &mut children)?;
        }
        for child in &children {
            item.size = item.size.saturating_sub(child.size);
            item.allocated = item.allocated.saturating_sub(child.allocated);
        }
        each(item, depth)?;
        waiting.extend(children.iter().rev().map(|child| (*child, depth + 1)));
    }
    Ok(())
}

/// Who owns something, numbered by their names.
struct Owners {
    numbers: BTreeMap<u32, u32>,
    names: Vec<Vec<u8>>,
}

impl Owners {
    fn of(tree: &dyn Tree) -> Result<Owners, Damage> {
        let mut uids = BTreeMap::new();
        let mut damage = None;
        super::largest::visit(tree, &mut |item| match tree.metadata(item.id) {
            Ok(metadata) => {
                if let Some(metadata) = metadata {
                    uids.entry(metadata.uid).or_insert(0);
                }
            }
            Err(found) => damage = Some(found),
        })?;
        if let Some(damage) = damage {
            return Err(damage);
        }
        let mut names = Vec::new();
        for (number, (uid, place)) in (0..).zip(&mut uids) {
            *place = number;
            let name = groma_sys::user_name(*uid);
            names.push(name.map_or_else(|| uid.to_string().into_bytes(), Into::into));
        }
        Ok(Owners {
            numbers: uids,
            names,
        })
    }

    fn number(&self, uid: u32) -> u32 {
        self.numbers.get(&uid).copied().unwrap_or(0)
    }
}
