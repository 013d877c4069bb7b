//! Reports for people: what is largest, how large it is, which part of the whole that is.

use groma_base::size::{human_size, human_size_si};
use groma_engine::map::{Damage, Item, Line, Tree, Weigh, bar, share};
use groma_engine::search::SearchError;
use groma_formats::escape;

/// Places of the longest bar.
const BAR: u128 = 20;

/// How numbers are written.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub(super) weigh: Weigh,
    pub(super) si: bool,
}

impl Style {
    /// A number of bytes.
    pub(super) fn bytes(self, bytes: u64) -> String {
        match self.si {
            true => human_size_si(bytes),
            false => human_size(bytes),
        }
    }

    fn weight(self, item: &Item) -> String {
        match self.weigh {
            Weigh::Count => item.items.to_string(),
            _ => self.bytes(item.weight(self.weigh)),
        }
    }
}

/// Why a report could not be put together.
pub(super) type Result<T> = std::result::Result<T, SearchError>;

/// Appends the totals.
pub(super) fn push_totals(path: &[u8], top: &Item, style: Style, out: &mut Vec<u8>) {
    escape::terminal(path, out);
    let entries = if top.items == 1 { "entry" } else { "entries" };
    let text = format!(
        "\n{} on disk, {} apparent, {} {entries}\n",
        style.bytes(top.allocated),
        style.bytes(top.size),
        top.items
    );
    out.extend_from_slice(text.as_bytes());
}

/// A line of a report: an item, how far it is indented, and its name or path.
pub(super) struct Entry {
    pub(super) item: Item,
    pub(super) level: usize,
    pub(super) name: Vec<u8>,
}

impl Entry {
    /// An item under its name, directories with a `/` behind it.
    pub(super) fn named(tree: &dyn Tree, (level, item): Line) -> Result<Entry> {
        let mut name = Vec::new();
        tree.append_name(item.id, &mut name).map_err(damaged)?;
        if item.kind.is_dir() && !name.ends_with(b"/") {
            name.push(b'/');
        }
        Ok(Entry { item, level, name })
    }

    /// An item under its whole path.
    pub(super) fn placed(tree: &dyn Tree, item: Item) -> Result<Entry> {
        let mut name = Vec::new();
        tree.append_path(item.id, &mut name).map_err(damaged)?;
        Ok(Entry {
            item,
            level: 0,
            name,
        })
    }
}

/// Damage of what is mapped, as an error of all that is asked of it.
pub(super) fn damaged(damage: Damage) -> SearchError {
    SearchError::Damaged {
        root: Vec::new(),
        damage,
    }
}

/// Appends lines, aligned, each with its part of `whole`.
pub(super) fn push_entries(entries: &[Entry], whole: &Item, style: Style, out: &mut Vec<u8>) {
    let weights: Vec<String> = entries.iter().map(|e| style.weight(&e.item)).collect();
    let width = weights.iter().map(String::len).max().unwrap_or(0);
    let weight = |entry: &Entry| u128::from(entry.item.weight(style.weigh));
    let all = u128::from(whole.weight(style.weigh));
    let longest = entries.iter().map(weight).max().unwrap_or(0);
    for (entry, text) in entries.iter().zip(&weights) {
        let part = share(weight(entry), all);
        let bar = bar(weight(entry), longest, BAR);
        let line = format!("{text:>width$}  {part:>6}  {bar:<20}  ");
        out.extend_from_slice(line.as_bytes());
        out.extend(std::iter::repeat_n(b' ', entry.level * 2));
        escape::terminal(&entry.name, out);
        out.push(b'\n');
    }
}
