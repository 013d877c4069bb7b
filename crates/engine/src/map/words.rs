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

/// A part of a whole in percent, with one decimal.
pub fn share(part: u128, whole: u128) -> String {
    match part.saturating_mul(1000).checked_div(whole) {
        Some(tenths) => format!("{}.{}%", tenths / 10, tenths % 10),
        None => "-".to_owned(),
    }
}

/// A bar that is as long as its part of the longest one.
pub fn bar(part: u128, longest: u128, places: u128) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = part
        .saturating_mul(places * 8)
        .checked_div(longest)
        .unwrap_or(0);
    // At most `places`, which is little.
    let (whole, rest) = ((eighths / 8) as usize, (eighths % 8) as usize);
    // What is there is seen.
    let tail = if part > 0 && eighths == 0 {
        EIGHTHS[1]
    } else {
        EIGHTHS[rest]
    };
    format!("{}{tail}", "█".repeat(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_bars() {
        assert_eq!(
            (share(1, 3), share(0, 0)),
            ("33.3%".to_owned(), "-".to_owned())
        );
        assert_eq!(bar(10, 10, 4), "████");
        assert_eq!(bar(5, 16, 2), "▋");
        assert_eq!(
            (bar(1, 1_000_000, 4), bar(0, 5, 4)),
            ("▏".to_owned(), String::new())
        );
    }
}
