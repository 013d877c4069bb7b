//! The treemap: laid out once, drawn many times.

use groma_engine::map::{Tree, Weighed, chain_label};
use groma_treemap::{Detail, Frame, Rect as Area, Rgb, Shape, What, nest};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::colouring::{Ink, Painter};
use crate::text::{Numbers, grouped};

/// Levels that are shown at once.
const LEVELS: usize = 4;

/// Blocks with their texts and colours.
pub(crate) struct Picture {
    pub(crate) frame: Frame<u32>,
    looks: Vec<Look>,
    /// Blocks that lie in no other: what keys move between.
    pub(crate) outer: Vec<usize>,
    pub(crate) rects: Vec<Area>,
}

struct Look {
    label: String,
    size: String,
    colour: Rgb,
}

/// A block that can be selected: an item, or all those that are too small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    Item(u32),
    Rest,
}

impl Picture {
    /// Lays out what lies in a directory.
    pub(crate) fn new(
        tree: &dyn Tree,
        dir: u32,
        area: Rect,
        numbers: Numbers,
        painter: &Painter<'_>,
    ) -> Picture {
        let detail = Detail {
            shape: Shape::terminal(),
            depth: LEVELS,
            label: 1,
            width: 10,
            height: 4,
        };
        let weighed = Weighed {
            tree,
            weigh: numbers.weigh,
        };
        let area = Area::new(area.x, area.y, area.width, area.height);
        let frame = nest(&weighed, dir, area, &detail);
        let looks = frame.blocks.iter().map(|block| match block.what {
            What::Node(id) => match tree.item(id) {
                Ok(item) => Look {
                    label: chain_label(tree, &item, block.chain),
                    size: numbers.weight(&item),
                    colour: match block.inner {
                        Some(_) => painter.palette.neutral(),
                        None => painter.item(tree, &item, block.depth),
                    },
                },
                // Lists and reports tell of what is damaged.
                Err(_) => Look {
                    label: String::new(),
                    size: String::new(),
                    colour: painter.palette.neutral(),
                },
            },
            What::Rest { count, weight } => Look {
                label: format!("{} smaller", grouped(count as u64)),
                size: numbers.amount(u64::try_from(weight).unwrap_or(u64::MAX)),
                colour: painter.palette.neutral(),
            },
        });
        let looks = looks.collect();
        let outer: Vec<usize> = frame.outer().collect();
        let rects = outer.iter().map(|&at| frame.blocks[at].rect).collect();
        Picture {
            frame,
            looks,
            outer,
            rects,
        }
    }

    /// What the outer block at this place among them stands for.
    pub(crate) fn pick(&self, outer: usize) -> Option<Pick> {
        let block = self.frame.blocks.get(*self.outer.get(outer)?)?;
        Some(match block.what {
            // A chain is gone into as a whole, and known by its first item.
            What::Node(id) => Pick::Item(id),
            What::Rest { .. } => Pick::Rest,
        })
    }

    /// The place among the outer blocks of something.
    pub(crate) fn place(&self, pick: Pick) -> Option<usize> {
        (0..self.outer.len()).find(|&at| self.pick(at) == Some(pick))
    }

    /// Draws all blocks. `is_marked` tells which items are.
    pub(crate) fn draw(
        &self,
        selected: Option<Pick>,
        is_marked: &dyn Fn(u32) -> bool,
        ink: Ink,
        ascii: bool,
        buffer: &mut Buffer,
    ) {
        for (at, block) in self.frame.blocks.iter().enumerate() {
            let look = &self.looks[at];
            let brush = Brush {
                ink,
                ascii,
                area: block.rect,
                ground: dimmed(look.colour, block.inner.is_some(), ink),
                is_rest: matches!(block.what, What::Rest { .. }),
                is_open: block.inner.is_some(),
            };
            let mark = match block.what {
                What::Node(id) if is_marked(id) => "*",
                _ => "",
            };
            brush.fill(buffer);
            brush.label(&format!("{mark}{}", look.label), &look.size, buffer);
        }
        if let Some(outer) = selected.and_then(|pick| self.place(pick)) {
            let at = self.outer[outer];
            select(
                self.frame.blocks[at].rect,
                &self.looks[at],
                ink,
                ascii,
                buffer,
            );
        }
    }
}

/// What lies around other blocks steps back.
fn dimmed(colour: Rgb, is_open: bool, ink: Ink) -> Rgb {
    match is_open {
        true => colour.mixed(ink.ground(), 0.55),
        false => colour,
    }
}

/// Draws one block.
struct Brush {
    ink: Ink,
    ascii: bool,
    area: Area,
    ground: Rgb,
    is_rest: bool,
    is_open: bool,
}

impl Brush {
    fn style(&self) -> Style {
        self.ink.on(self.ground)
    }

    fn fill(&self, buffer: &mut Buffer) {
        let edge = self.edge();
        let hatch = match (self.is_rest, self.ascii) {
            (true, true) => ":",
            (true, false) => "░",
            _ => " ",
        };
        let faint = match self.is_rest {
            true => self
                .style()
                .fg(self.ink.colour(self.ground.mixed(self.ink.ground(), 0.4))),
            false => self.style(),
        };
        for y in self.area.y..self.area.bottom() {
            for x in self.area.x..self.area.right() {
                if let Some(cell) = buffer.cell_mut((x, y)) {
                    cell.set_symbol(hatch).set_style(faint);
                }
            }
        }
        // A thin line on the right tells blocks of one colour apart.
        if self.area.width > 1 && !self.is_open {
            let line = if self.ascii { "|" } else { "▕" };
            for y in self.area.y..self.area.bottom() {
                if let Some(cell) = buffer.cell_mut((self.area.right() - 1, y)) {
                    cell.set_symbol(line).set_style(edge);
                }
            }
        }
        if self.area.height > 1 && self.area.width > 1 && !self.is_open {
            let line = if self.ascii { "_" } else { "▁" };
            for x in self.area.x..self.area.right() {
                if let Some(cell) = buffer.cell_mut((x, self.area.bottom() - 1)) {
                    let is_corner = x + 1 == self.area.right() && !self.ascii;
                    let symbol = if is_corner { "▕" } else { line };
                    cell.set_symbol(symbol).set_style(edge);
                }
            }
        }
    }

    /// The style of lines between blocks.
    fn edge(&self) -> Style {
        self.style()
            .fg(self.ink.colour(self.ground.mixed(self.ink.ground(), 0.65)))
    }

    fn label(&self, label: &str, size: &str, buffer: &mut Buffer) {
        let line = u16::from(!self.is_open);
        let width = usize::from(self.area.width.saturating_sub(line));
        if width < 3 || self.area.height == 0 {
            return;
        }
        let mut style = self.style();
        if self.is_open {
            style = style.add_modifier(Modifier::BOLD);
        }
        let (x, y) = (self.area.x, self.area.y);
        let in_line = self.is_open || self.area.height < 3;
        let room = match in_line && width > size.len() + 4 {
            true => width - size.len() - 2,
            false => width - 1,
        };
        put(buffer, x, y, &format!(" {label}"), room + 1, style);
        if in_line && room < width - 1 {
            let at = self
                .area
                .right()
                .saturating_sub(line + size.len() as u16 + 1);
            put(
                buffer,
                at,
                y,
                size,
                size.len(),
                style.remove_modifier(Modifier::BOLD),
            );
        } else if !in_line && width > size.len() {
            put(buffer, x, y + 1, &format!(" {size}"), width, style);
        }
    }
}

/// Writes text into at most `width` cells; one that is too long ends in `…`.
pub(crate) fn put(buffer: &mut Buffer, x: u16, y: u16, text: &str, width: usize, style: Style) {
    let area = buffer.area;
    if y >= area.bottom() || x >= area.right() || width == 0 {
        return;
    }
    let width = width.min(usize::from(area.right() - x));
    let (end, _) = buffer.set_stringn(x, y, text, width, style);
    let is_cut =
        usize::from(end - x) + 1 >= width && ratatui::text::Line::raw(text).width() > width;
    if is_cut && let Some(cell) = buffer.cell_mut((x + width as u16 - 1, y)) {
        cell.set_symbol("…");
    }
}

/// Shows that a block is selected, without colour too.
fn select(rect: Area, look: &Look, ink: Ink, ascii: bool, buffer: &mut Buffer) {
    let style = ink.selected();
    let is_framed = rect.width >= 3 && rect.height >= 3;
    if !is_framed {
        for y in rect.y..rect.bottom() {
            for x in rect.x..rect.right() {
                if let Some(cell) = buffer.cell_mut((x, y)) {
                    cell.set_style(style);
                }
            }
        }
        if rect.width >= 3 {
            put(
                buffer,
                rect.x,
                rect.y,
                &format!(">{}", look.label),
                rect.width.into(),
                style,
            );
        }
        return;
    }
    let [top, side, corners] = match ascii {
        true => ["-", "|", "++++"],
        false => ["━", "┃", "┏┓┗┛"],
    };
    let corners: Vec<String> = corners.chars().map(String::from).collect();
    let (right, bottom) = (rect.right() - 1, rect.bottom() - 1);
    let mut set = |x: u16, y: u16, symbol: &str| {
        if let Some(cell) = buffer.cell_mut((x, y)) {
            cell.set_symbol(symbol).set_style(style);
        }
    };
    for x in rect.x..=right {
        set(x, rect.y, top);
        set(x, bottom, top);
    }
    for y in rect.y..=bottom {
        set(rect.x, y, side);
        set(right, y, side);
    }
    set(rect.x, rect.y, &corners[0]);
    set(right, rect.y, &corners[1]);
    set(rect.x, bottom, &corners[2]);
    set(right, bottom, &corners[3]);
    let text = format!(" {} {} ", look.label, look.size);
    put(
        buffer,
        rect.x + 1,
        rect.y,
        &text,
        usize::from(rect.width) - 2,
        style,
    );
}
