//! Names for people, and what names tell.

use groma_base::Kind;
use groma_query::groups::Categories;

use super::tree::{Item, Tree};

/// A name or path as a terminal may show it: hostile characters as escapes, bytes that are no text too.
pub fn shown_name(bytes: &[u8]) -> String {
    let mut shown = Vec::new();
    groma_formats::escape::terminal(bytes, &mut shown);
    // Escaping leaves nothing but text.
    String::from_utf8_lossy(&shown).into_owned()
}

/// The category of an item by its name; a program without one is told by its mode. `None` for a directory.
pub fn category(tree: &dyn Tree, item: &Item, categories: &Categories) -> Option<usize> {
    if item.kind.is_dir() {
        return None;
    }
    let mut name = Vec::new();
    tree.append_name(item.id, &mut name).ok()?;
    let number = categories.of(groma_base::extension(&name).unwrap_or_default());
    if number != categories.other() {
        return Some(number);
    }
    let metadata = tree.metadata(item.id).ok().flatten();
    let is_program = metadata.is_some_and(|m| m.kind == Kind::File && m.any_execute_bit());
    let programs = categories.find("executables").filter(|_| is_program);
    Some(programs.unwrap_or(number))
}
