//! Moving through the tree: selecting, going in and out.

use groma_engine::map::{Item, Largest, largest};
use groma_treemap::{Direction, neighbour};

use crate::app::App;
use crate::list::Content;
use crate::picture::Pick;
use crate::tables;
use crate::view::View;

/// Lines of the lists of what is largest.
const LARGEST: usize = 200;

impl App {
    /// Moves the selection.
    pub(crate) fn go(&mut self, way: Direction) {
        if self.view != View::Map {
            match way {
                Direction::Up => self.step(-1),
                Direction::Down => self.step(1),
                Direction::Left => self.out(),
                Direction::Right => self.zoom(),
            }
            return;
        }
        let Some(picture) = &self.picture else {
            return;
        };
        let at = self.selected.and_then(|pick| picture.place(pick));
        let to = match at {
            Some(at) => neighbour(&picture.rects, at, way),
            None => Some(0),
        };
        if let Some(pick) = to.and_then(|to| picture.pick(to)) {
            self.select(pick);
        }
    }

    pub(crate) fn select(&mut self, pick: Pick) {
        self.selected = Some(pick);
        self.is_chosen = true;
        self.touch();
    }

    /// Moves the line of a list.
    pub(crate) fn step(&mut self, by: isize) {
        self.window.step(by);
        self.settle();
    }

    /// Selects the first or the last line of a list.
    pub(crate) fn jump(&mut self, to_end: bool) {
        self.window.at = if to_end { usize::MAX } else { 0 };
        self.settle();
    }

    fn settle(&mut self) {
        let count = self.content.as_ref().map_or(0, Content::len);
        self.window.settle(count, self.area.height.into());
        let item = self
            .content
            .as_ref()
            .and_then(|content| content.item(self.window.at));
        if let Some(item) = item {
            self.selected = Some(Pick::Item(item.id));
        }
        self.touch();
    }

    /// What is selected, if it is one item.
    pub(crate) fn selected_item(&self) -> Option<Item> {
        match self.selected {
            Some(Pick::Item(id)) => self.item(id),
            _ => None,
        }
    }

    /// Goes into what is selected.
    pub(crate) fn zoom(&mut self) {
        if let View::Table(_) = self.view {
            self.filter_by_line();
            return;
        }
        match self.selected {
            Some(Pick::Item(id)) => {
                if self.item(id).is_some_and(|item| item.kind.is_dir()) {
                    self.enter(id);
                } else if self.view != View::Map && self.view != View::List {
                    self.show_in_map(id);
                }
            }
            // What is too small for blocks has a line in the list.
            Some(Pick::Rest) => self.show(View::List),
            None => {}
        }
    }

    /// What a line of a table stands for becomes the query.
    fn filter_by_line(&mut self) {
        let query = match &self.content {
            Some(Content::Table(lines)) => lines
                .get(self.window.at)
                .and_then(|line| line.query.clone()),
            _ => None,
        };
        if let Some(query) = query {
            self.query.text = query;
            self.typed();
            self.show(View::Map);
        }
    }

    fn enter(&mut self, dir: u32) {
        self.trail.push((self.dir, self.selected));
        self.dir = dir;
        self.selected = None;
        if !matches!(self.view, View::Map | View::List) {
            self.view = View::Map;
        }
        self.window = crate::list::Window::default();
        self.change();
    }

    fn show_in_map(&mut self, id: u32) {
        let parent = self
            .look(|tree| tree.parent(id))
            .and_then(Result::ok)
            .flatten();
        if let Some(parent) = parent {
            self.trail.push((self.dir, None));
            self.dir = parent;
            self.selected = Some(Pick::Item(id));
            self.show(View::Map);
        }
    }

    /// Goes out again.
    pub(crate) fn out(&mut self) {
        let was = self.dir;
        if let Some((dir, selected)) = self.trail.pop() {
            self.dir = dir;
            self.selected = selected.or(Some(Pick::Item(was)));
        } else {
            let parent = self
                .look(|tree| tree.parent(was))
                .and_then(Result::ok)
                .flatten();
            let Some(parent) = parent else { return };
            self.dir = parent;
            self.selected = Some(Pick::Item(was));
        }
        self.window = crate::list::Window::default();
        self.change();
    }

    /// Goes to the top.
    pub(crate) fn top(&mut self) {
        if let Some(top) = self.look(|tree| tree.top()) {
            self.trail.clear();
            self.dir = top;
            self.selected = None;
            self.window = crate::list::Window::default();
            self.change();
        }
    }

    pub(crate) fn show(&mut self, view: View) {
        if self.view != view {
            self.view = view;
            self.window = crate::list::Window::default();
        }
        self.change();
    }

    /// What the list of the view shows.
    pub(crate) fn list(&self) -> Content {
        let weigh = self.settings.weigh;
        let largest_of = |of| {
            let found = self.look(|tree| {
                let below = Below {
                    tree,
                    top: self.dir,
                };
                largest(&below, of, weigh, LARGEST)
            });
            Content::Paths(found.and_then(Result::ok).unwrap_or_default())
        };
        match self.view {
            View::Map | View::List => {
                let mut items = Vec::new();
                let read = self.look(|tree| tree.children(self.dir, &mut items));
                if read.is_some_and(|read| read.is_err()) {
                    return Content::Text(vec![
                        "this directory cannot be shown: damaged".to_owned(),
                    ]);
                }
                self.order.sort(&mut items, weigh);
                Content::Items(items)
            }
            View::LargestFiles => largest_of(Largest::Files),
            View::LargestDirs => largest_of(Largest::Dirs),
            View::Errors => {
                let lines = self.session.warnings.lines();
                Content::Text(match lines.is_empty() {
                    true => vec!["everything could be read".to_owned()],
                    false => lines,
                })
            }
            View::Changes => match (&self.changes, &self.settings.since) {
                (_, None) => Content::Text(vec![
                    "'groma map --since SNAPSHOT' tells here what has changed since then."
                        .to_owned(),
                ]),
                (None, _) => Content::Text(vec!["comparing ...".to_owned()]),
                (Some(Err(error)), _) => Content::Text(vec![error.clone()]),
                (Some(Ok(changes)), _) if changes.lines.is_empty() => {
                    Content::Text(vec!["nothing has changed".to_owned()])
                }
                (Some(Ok(changes)), _) => Content::Table(changes.lines.clone()),
            },
            View::Table(_) => match &self.table.report {
                None => Content::Text(vec!["looking ...".to_owned()]),
                Some(Err(error)) => Content::Text(vec![error.clone()]),
                Some(Ok(report)) => {
                    let lines = tables::lines(report, weigh);
                    match lines.is_empty() {
                        true => Content::Text(vec!["nothing".to_owned()]),
                        false => Content::Table(lines),
                    }
                }
            },
        }
    }
}

/// A tree, from some directory down.
struct Below<'a> {
    tree: &'a dyn groma_engine::map::Tree,
    top: u32,
}

impl groma_engine::map::Tree for Below<'_> {
    fn top(&self) -> u32 {
        self.top
    }

    fn item(&self, id: u32) -> Result<Item, groma_engine::map::Damage> {
        self.tree.item(id)
    }

    fn parent(&self, id: u32) -> Result<Option<u32>, groma_engine::map::Damage> {
        self.tree.parent(id)
    }

    fn children(&self, id: u32, out: &mut Vec<Item>) -> Result<(), groma_engine::map::Damage> {
        self.tree.children(id, out)
    }

    fn metadata(&self, id: u32) -> Result<Option<groma_base::Metadata>, groma_engine::map::Damage> {
        self.tree.metadata(id)
    }

    fn append_name(&self, id: u32, out: &mut Vec<u8>) -> Result<(), groma_engine::map::Damage> {
        self.tree.append_name(id, out)
    }
}
