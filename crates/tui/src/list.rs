//! Lists: what lies in a directory, what is largest, tables of answers, lines of text.

use groma_base::time::TimeZone;
use groma_engine::map::{Damage, Item, Tree, Weigh, by_weight};
use groma_treemap::Rgb;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::colouring::{Ink, Painter};
use crate::picture::put;
use crate::text::{Numbers, bar, grouped, name, share};

/// What lists are sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    /// The heaviest first.
    #[default]
    Weight,
    /// By name.
    Name,
    /// What was changed last first.
    Time,
    /// What holds most entries first.
    Entries,
}

impl Order {
    pub(crate) fn next(self) -> Order {
        match self {
            Order::Weight => Order::Name,
            Order::Name => Order::Time,
            Order::Time => Order::Entries,
            Order::Entries => Order::Weight,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Order::Weight => "size",
            Order::Name => "name",
            Order::Time => "time",
            Order::Entries => "entries",
        }
    }

    pub(crate) fn sort(self, items: &mut [Item], weigh: Weigh) {
        match self {
            Order::Weight => items.sort_unstable_by(by_weight(weigh)),
            Order::Name => items.sort_unstable_by_key(|item| item.id),
            Order::Time => items.sort_by_key(|item| (std::cmp::Reverse(item.newest), item.id)),
            Order::Entries => items.sort_by_key(|item| (std::cmp::Reverse(item.items), item.id)),
        }
    }
}

/// A line of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableLine {
    pub(crate) label: String,
    pub(crate) weight: u64,
    pub(crate) entries: u64,
    /// The query that lists its entries.
    pub(crate) query: Option<String>,
}

/// What a list shows.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// Items under their names.
    Items(Vec<Item>),
    /// Items under their paths.
    Paths(Vec<Item>),
    /// An answer.
    Table(Vec<TableLine>),
    /// Lines of text.
    Text(Vec<String>),
}

impl Content {
    pub(crate) fn len(&self) -> usize {
        match self {
            Content::Items(items) | Content::Paths(items) => items.len(),
            Content::Table(lines) => lines.len(),
            Content::Text(lines) => lines.len(),
        }
    }

    /// The item of a line.
    pub(crate) fn item(&self, at: usize) -> Option<Item> {
        match self {
            Content::Items(items) | Content::Paths(items) => items.get(at).copied(),
            _ => None,
        }
    }
}

/// The part of a list that is seen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Window {
    pub(crate) at: usize,
    pub(crate) first: usize,
}

impl Window {
    /// Keeps the selected line in the list, and in sight.
    pub(crate) fn settle(&mut self, count: usize, height: usize) {
        self.at = self.at.min(count.saturating_sub(1));
        self.first = self.first.min(self.at);
        if height > 0 && self.at >= self.first + height {
            self.first = self.at + 1 - height;
        }
    }

    /// Moves by some lines.
    pub(crate) fn step(&mut self, by: isize) {
        self.at = self.at.saturating_add_signed(by);
    }
}

/// What a list needs to be drawn.
pub(crate) struct Lister<'a> {
    pub(crate) tree: &'a dyn Tree,
    pub(crate) whole: Item,
    pub(crate) numbers: Numbers,
    pub(crate) painter: &'a Painter<'a>,
    pub(crate) ink: Ink,
    pub(crate) ascii: bool,
    pub(crate) zone: &'a TimeZone,
    pub(crate) is_marked: &'a dyn Fn(u32) -> bool,
}

/// The cells of a line.
struct Cells {
    amount: String,
    weight: u64,
    entries: String,
    time: String,
    label: String,
    colour: Rgb,
    mark: &'static str,
}

impl Lister<'_> {
    pub(crate) fn draw(&self, content: &Content, window: Window, area: Rect, buffer: &mut Buffer) {
        if let Content::Text(lines) = content {
            let shown = lines.iter().skip(window.first).take(area.height.into());
            for (y, line) in (area.y..).zip(shown) {
                let style = match window.first + usize::from(y - area.y) == window.at {
                    true => self.ink.selected(),
                    false => self.ink.plain(),
                };
                put(
                    buffer,
                    area.x + 1,
                    y,
                    line,
                    usize::from(area.width.saturating_sub(1)),
                    style,
                );
            }
            return;
        }
        let longest = self.longest(content);
        for row in 0..usize::from(area.height).min(content.len().saturating_sub(window.first)) {
            let at = window.first + row;
            if let Some(cells) = self.cells(content, at) {
                // Rows of an area have 16 bits.
                let y = area.y + row as u16;
                self.line(
                    &cells,
                    longest,
                    at == window.at,
                    Rect {
                        y,
                        height: 1,
                        ..area
                    },
                    buffer,
                );
            }
        }
    }

    fn longest(&self, content: &Content) -> u64 {
        let weigh = self.numbers.weigh;
        match content {
            Content::Items(items) | Content::Paths(items) => items
                .iter()
                .map(|item| item.weight(weigh))
                .max()
                .unwrap_or(0),
            Content::Table(lines) => lines.iter().map(|line| line.weight).max().unwrap_or(0),
            Content::Text(_) => 0,
        }
    }

    fn cells(&self, content: &Content, at: usize) -> Option<Cells> {
        match content {
            Content::Items(items) => self.item(items.get(at)?, false).ok(),
            Content::Paths(items) => self.item(items.get(at)?, true).ok(),
            Content::Table(lines) => lines.get(at).map(|line| Cells {
                amount: self.numbers.bytes(line.weight),
                weight: line.weight,
                entries: grouped(line.entries),
                time: String::new(),
                label: line.label.clone(),
                colour: self.painter.palette.category(at % 11),
                mark: " ",
            }),
            Content::Text(_) => None,
        }
    }

    fn item(&self, item: &Item, is_path: bool) -> Result<Cells, Damage> {
        let mut label = Vec::new();
        match is_path {
            true => self.tree.append_path(item.id, &mut label)?,
            false => self.tree.append_name(item.id, &mut label)?,
        }
        let mut label = name(&label);
        if item.kind.is_dir() {
            label.push('/');
        }
        let time = item.newest.to_zoned(self.zone);
        Ok(Cells {
            amount: self.numbers.weight(item),
            weight: item.weight(self.numbers.weigh),
            entries: grouped(item.items),
            time: time.map_or_else(String::new, |time| time.strftime("%Y-%m-%d").to_string()),
            label,
            colour: self.painter.item(self.tree, item, 1),
            mark: if (self.is_marked)(item.id) { "*" } else { " " },
        })
    }

    fn line(&self, cells: &Cells, longest: u64, selected: bool, area: Rect, buffer: &mut Buffer) {
        let style = match selected {
            true => self.ink.selected(),
            false => self.ink.plain(),
        };
        buffer.set_style(area, style);
        let whole = self.whole.weight(self.numbers.weigh);
        let is_wide = area.width >= 72;
        let places = (area.width / 5).clamp(4, 30);
        let mut x = area.x;
        let mut column = |text: &str, width: u16, style, x: &mut u16| {
            put(buffer, *x, area.y, text, width.into(), style);
            *x += width + 1;
        };
        column(
            &format!("{}{:>8}", cells.mark, cells.amount),
            9,
            style,
            &mut x,
        );
        column(
            &format!("{:>6}", share(cells.weight, whole)),
            6,
            style,
            &mut x,
        );
        let bar = bar(cells.weight, longest, places, self.ascii);
        let of_bar = match selected {
            true => style,
            false => style.fg(self.ink.colour(cells.colour)),
        };
        column(&bar, places, of_bar, &mut x);
        if is_wide {
            column(&format!("{:>11}", cells.entries), 11, style, &mut x);
            column(&format!("{:>10}", cells.time), 10, style, &mut x);
        }
        let rest = area.right().saturating_sub(x);
        column(&cells.label, rest, style, &mut x);
    }
}
