//! The screen: where one is, the map or a list, what is selected, what colours mean.

use groma_engine::map::links;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::app::{App, Mode};
use crate::help;
use crate::list::{Content, Lister, Window};
use crate::picture::{Pick, Picture, put};
use crate::text::{grouped, name, share};
use crate::view::View;

/// Rows from which on there is room for a legend.
const WITH_LEGEND: u16 = 12;
/// Rows from which on there are keys at the bottom.
const WITH_KEYS: u16 = 8;

/// The rows of the screen.
struct Rows {
    title: Rect,
    body: Rect,
    detail: Rect,
    legend: Option<Rect>,
    keys: Option<Rect>,
}

impl Rows {
    fn of(area: Rect) -> Rows {
        let row = |y: u16| Rect {
            y,
            height: 1.min(area.height),
            ..area
        };
        let has = |least: u16| u16::from(area.height >= least);
        let below = 1 + has(WITH_LEGEND) + has(WITH_KEYS);
        let body = Rect {
            y: area.y + 1.min(area.height),
            height: area.height.saturating_sub(1 + below),
            ..area
        };
        let mut next = body.bottom();
        let mut take = |is_there: bool| {
            let y = next;
            next += u16::from(is_there);
            (is_there && y < area.bottom()).then(|| row(y))
        };
        let detail = take(true).unwrap_or(Rect { height: 0, ..area });
        Rows {
            title: row(area.y),
            body,
            detail,
            legend: take(area.height >= WITH_LEGEND),
            keys: take(area.height >= WITH_KEYS),
        }
    }
}

impl App {
    /// Draws everything.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let buffer = frame.buffer_mut();
        buffer.set_style(area, self.ink().plain());
        if area.width == 0 || area.height == 0 {
            return;
        }
        if self.mode == Mode::Help {
            help::draw(&self.settings.keys, self.ink(), area, buffer);
            self.drawn();
            return;
        }
        let rows = Rows::of(area);
        if self.area != rows.body {
            self.area = rows.body;
            self.change();
        }
        self.draw_title(rows.title, buffer);
        match self.view {
            View::Map => self.draw_map(rows.body, buffer),
            _ => self.draw_list(rows.body, buffer),
        }
        match self.mode {
            Mode::Marks => self.draw_marks(rows.body, buffer),
            Mode::Asking => self.draw_over(&self.question_lines(), rows.body, buffer),
            _ => {}
        }
        self.draw_detail(rows.detail, buffer);
        if let Some(row) = rows.legend {
            self.draw_legend(row, buffer);
        }
        if let Some(row) = rows.keys {
            self.draw_keys(row, buffer);
        }
        self.drawn();
    }

    fn draw_title(&self, row: Rect, buffer: &mut Buffer) {
        let ink = self.ink();
        let path = self.path_of(self.dir).unwrap_or_default();
        let mut right = match self.item(self.dir) {
            Some(item) => format!(
                "{}  {} entries",
                self.numbers().weight(&item),
                grouped(item.items)
            ),
            None => String::new(),
        };
        if self.session.is_partial() {
            right.push_str("  incomplete");
        }
        let width = usize::from(row.width);
        let left = format!(" {}", name(&path));
        let room = width.saturating_sub(right.chars().count() + 3);
        let bold = ink.plain().add_modifier(Modifier::BOLD);
        put(buffer, row.x, row.y, &shortened(&left, room), room, bold);
        let at = width.saturating_sub(right.chars().count() + 1);
        if at > 8 {
            put(
                buffer,
                row.x + at as u16,
                row.y,
                &right,
                right.chars().count(),
                ink.plain(),
            );
        }
    }

    fn draw_map(&mut self, area: Rect, buffer: &mut Buffer) {
        if self.picture.is_none() {
            let item = self.look(|tree| tree.item(self.dir)).and_then(Result::ok);
            let picture = item.and_then(|item| {
                let painter = self.painter();
                self.look(|tree| Picture::new(tree, item.id, area, self.numbers(), &painter))
            });
            self.picture = picture;
            self.settle_selection();
        }
        let Some(picture) = &self.picture else {
            let text = match (self.session.failure(), self.session.is_scanning()) {
                (Some(why), _) => why,
                (None, true) => "reading ...".to_owned(),
                (None, false) => "one moment ...".to_owned(),
            };
            put(
                buffer,
                area.x + 2,
                area.y + area.height / 2,
                &text,
                usize::from(area.width.saturating_sub(4)),
                self.ink().faint(),
            );
            return;
        };
        if picture.frame.blocks.is_empty() {
            let text = match self.query.tree {
                Some(_) => "nothing matches",
                None => "nothing is in here",
            };
            put(
                buffer,
                area.x + 2,
                area.y + area.height / 2,
                text,
                usize::from(area.width.saturating_sub(4)),
                self.ink().faint(),
            );
            return;
        }
        let is_marked = |id: u32| self.marked.contains(&id);
        picture.draw(
            self.selected,
            &is_marked,
            self.ink(),
            self.settings.ascii,
            buffer,
        );
    }

    /// Something is always selected, and it is what was.
    fn settle_selection(&mut self) {
        let Some(picture) = &self.picture else {
            return;
        };
        if self.session.is_scanning() && !self.is_chosen {
            self.selected = picture.pick(0);
        }
        let is_there = self.selected.and_then(|pick| picture.place(pick)).is_some();
        if !is_there {
            let is_small = matches!(self.selected, Some(Pick::Item(_)));
            let rest = is_small
                .then_some(Pick::Rest)
                .filter(|rest| picture.place(*rest).is_some());
            self.selected = rest.or_else(|| picture.pick(0));
        }
    }

    fn draw_list(&mut self, area: Rect, buffer: &mut Buffer) {
        if self.content.is_none() {
            let content = self.list();
            if let Some(Pick::Item(id)) = self.selected {
                let at = (0..content.len())
                    .find(|&at| content.item(at).is_some_and(|item| item.id == id));
                self.window.at = at.unwrap_or(self.window.at);
            }
            self.content = Some(content);
        }
        let count = self.content.as_ref().map_or(0, Content::len);
        self.window.settle(count, area.height.into());
        let window: Window = self.window;
        if let Some(item) = self
            .content
            .as_ref()
            .and_then(|content| content.item(window.at))
        {
            self.selected = Some(Pick::Item(item.id));
        }
        let (Some(content), Some(whole)) = (&self.content, self.item(self.dir)) else {
            return;
        };
        let painter = self.painter();
        let is_marked = |id: u32| self.marked.contains(&id);
        let ink = self.ink();
        let _ = self.look(|tree| {
            let lister = Lister {
                tree,
                whole,
                numbers: self.numbers(),
                painter: &painter,
                ink,
                ascii: self.settings.ascii,
                zone: self.zone(),
                is_marked: &is_marked,
            };
            lister.draw(content, window, area, buffer);
        });
    }

    fn draw_marks(&self, area: Rect, buffer: &mut Buffer) {
        let mut lines = vec![self.marks_text()];
        match self.marks.is_empty() {
            true => lines = vec!["nothing is marked; the space bar marks".to_owned()],
            false => lines.extend(self.marks.iter().map(|path| name(path))),
        }
        self.draw_over(&lines, area, buffer);
    }

    /// Lines over the lower part of the map, the first one a title.
    fn draw_over(&self, lines: &[String], area: Rect, buffer: &mut Buffer) {
        let ink = self.ink();
        let height = area
            .height
            .min(u16::try_from(lines.len()).unwrap_or(u16::MAX));
        let first = area.bottom() - height;
        let width = usize::from(area.width.saturating_sub(1));
        for (y, line) in (first..area.bottom()).zip(lines) {
            let blank = " ".repeat(area.width.into());
            put(buffer, area.x, y, &blank, area.width.into(), ink.plain());
            let style = match y == first {
                true => ink.plain().add_modifier(Modifier::BOLD),
                false => ink.plain(),
            };
            put(buffer, area.x + 1, y, line, width, style);
        }
    }

    fn draw_detail(&self, row: Rect, buffer: &mut Buffer) {
        let ink = self.ink();
        let width = usize::from(row.width.saturating_sub(1));
        let (text, style): (String, Style) = match (&self.said, &self.query.error) {
            (Some(said), _) => (said.clone(), ink.plain()),
            (None, Some(error)) => {
                let line = error.lines().next().unwrap_or_default();
                (line.to_owned(), ink.plain().add_modifier(Modifier::BOLD))
            }
            _ => (self.detail(), ink.plain()),
        };
        put(buffer, row.x + 1, row.y, &text, width, style);
    }

    /// What is known of what is selected.
    fn detail(&self) -> String {
        if self.session.is_scanning() {
            let place = name(&self.session.progress.place());
            let entries = grouped(self.session.progress.entries());
            return format!("reading: {entries} entries  {place}");
        }
        let Some(item) = self.selected_item() else {
            return match self.selected {
                Some(Pick::Rest) => "smaller items: Enter lists all".to_owned(),
                _ => String::new(),
            };
        };
        let whole = self
            .item(self.dir)
            .map_or(0, |dir| dir.weight(self.settings.weigh));
        let mut own = Vec::new();
        let _ = self.look(|tree| tree.append_name(item.id, &mut own));
        let numbers = self.numbers();
        let mut text = format!(
            "{}  {} of this  {} on disk, {} apparent",
            name(&own),
            share(item.weight(self.settings.weigh), whole),
            numbers.bytes(item.allocated),
            numbers.bytes(item.size),
        );
        if item.items > 1 {
            text.push_str(&format!(", {} entries", grouped(item.items)));
        }
        if let Some(root) = self.session.map.sealed().filter(|_| !item.kind.is_dir())
            && let Ok(links) = links(&root.view, item.id)
            && links.all > 1
        {
            text.push_str(&format!(", {} of {} links are here", links.here, links.all));
        }
        if let Some(time) = item.newest.to_zoned(self.zone()) {
            text.push_str(&format!("  {}", time.strftime("%Y-%m-%d %H:%M")));
        }
        text
    }

    fn draw_legend(&self, row: Rect, buffer: &mut Buffer) {
        let ink = self.ink();
        let painter = self.painter();
        let mut x = row.x + 1;
        let mut write = |text: &str, style: Style, x: &mut u16| {
            let width = text.chars().count() as u16;
            if *x + width < row.right() {
                put(buffer, *x, row.y, text, width.into(), style);
            }
            *x = x.saturating_add(width);
        };
        write(&format!("{}  ", self.colouring.name()), ink.faint(), &mut x);
        for (colour, text) in painter.legend() {
            let square = if self.settings.ascii { "#" } else { "■" };
            write(square, ink.plain().fg(ink.colour(colour)), &mut x);
            write(&format!(" {text}  "), ink.faint(), &mut x);
        }
    }

    fn draw_keys(&self, row: Rect, buffer: &mut Buffer) {
        let ink = self.ink();
        let width = usize::from(row.width.saturating_sub(1));
        if self.mode == Mode::Typing || !self.query.text.is_empty() {
            let state = match (&self.query.filter, self.is_asking()) {
                (_, true) => "...".to_owned(),
                (Some(filter), _) => {
                    let top = self.look(|tree| tree.top()).and_then(|top| self.item(top));
                    let weight = top.map_or(0, |top| top.weight(self.settings.weigh));
                    format!(
                        "{} match, {}",
                        grouped(filter.matches().into()),
                        self.numbers().amount(weight)
                    )
                }
                _ => String::new(),
            };
            let cursor = if self.mode == Mode::Typing { "▏" } else { "" };
            let text = format!("/{}{cursor}   {state}", name(self.query.text.as_bytes()));
            put(
                buffer,
                row.x + 1,
                row.y,
                &text,
                width,
                ink.plain().add_modifier(Modifier::BOLD),
            );
            return;
        }
        let left = match self.view {
            View::Table(_) => "Enter filters by the line",
            _ => "arrows select  Enter in  Backspace out",
        };
        let text = format!(
            "{left}  / filter  Tab {}  c {}  a {}  s {}  Space mark  ? keys  q quit",
            self.view.step(false).name(),
            self.colouring.name(),
            measure(self.settings.weigh),
            self.order.name(),
        );
        put(buffer, row.x + 1, row.y, &text, width, ink.faint());
    }
}

fn measure(weigh: groma_engine::map::Weigh) -> &'static str {
    match weigh {
        groma_engine::map::Weigh::Allocated => "on disk",
        groma_engine::map::Weigh::Apparent => "apparent",
        groma_engine::map::Weigh::Count => "entries",
    }
}

/// The end of a path that is too long, with `…` in front.
fn shortened(text: &str, width: usize) -> String {
    let count = text.chars().count();
    if count <= width || width == 0 {
        return text.to_owned();
    }
    let kept: String = text.chars().skip(count - width + 1).collect();
    format!("…{kept}")
}
