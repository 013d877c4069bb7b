//! Keys and mouse, as what they ask for.

use groma_engine::map::Weigh;
use groma_treemap::{Direction, Theme, at};
use ratatui::crossterm::event::{
    Event as Input, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent,
    MouseEventKind,
};

use crate::app::{App, Mode};
use crate::host::Host;
use crate::keys::Action;
use crate::picture::Pick;
use crate::view::View;

/// Lines that a turn of the wheel moves a list.
const WHEEL: isize = 3;
/// Bytes of a query, at most.
const LONGEST_QUERY: usize = 16 * 1024;

impl App {
    pub(crate) fn input(&mut self, input: &Input, host: &mut dyn Host) {
        match input {
            Input::Key(key) if key.kind != KeyEventKind::Release => self.key(*key, host),
            Input::Mouse(mouse) => self.mouse(*mouse),
            Input::Resize(..) => self.change(),
            Input::Paste(text) if self.mode == Mode::Typing => self.type_text(text),
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent, host: &mut dyn Host) {
        self.said = None;
        self.touch();
        match self.mode {
            Mode::Typing => self.type_key(key),
            Mode::Help => self.mode = Mode::Plain,
            Mode::Marks => self.marks_key(key, host),
            Mode::Asking => self.answer_key(key, host),
            Mode::Plain => {
                if let Some(action) = self.settings.keys.action(key) {
                    self.act(action, host);
                }
            }
        }
    }

    fn marks_key(&mut self, key: KeyEvent, host: &mut dyn Host) {
        match self.settings.keys.action(key) {
            Some(action @ (Action::Quit | Action::Stop | Action::Trash | Action::Delete)) => {
                self.mode = Mode::Plain;
                self.act(action, host);
            }
            _ => self.mode = Mode::Plain,
        }
    }

    /// Does what was asked for.
    pub(crate) fn act(&mut self, action: Action, host: &mut dyn Host) {
        match action {
            Action::Left => self.go(Direction::Left),
            Action::Right => self.go(Direction::Right),
            Action::Up => self.go(Direction::Up),
            Action::Down => self.go(Direction::Down),
            Action::Zoom => self.zoom(),
            Action::Out => self.out_or_all(),
            Action::Top => self.top(),
            Action::First => self.jump(false),
            Action::Last => self.jump(true),
            Action::PageUp => self.step(-self.page()),
            Action::PageDown => self.step(self.page()),
            Action::NextView => self.show(self.view.step(false)),
            Action::PreviousView => self.show(self.view.step(true)),
            Action::View(number) => self.show(View::numbered(number).unwrap_or_default()),
            Action::Filter => self.mode = Mode::Typing,
            Action::Help => self.mode = Mode::Help,
            Action::Marks => {
                self.mode = Mode::Marks;
                self.ask_freed();
            }
            Action::Trash => self.begin_removal(false),
            Action::Delete => self.begin_removal(true),
            Action::Mark => self.mark(),
            Action::Sort | Action::Measure | Action::Colour | Action::Theme => self.adjust(action),
            Action::Stop if self.session.is_scanning() => {
                self.session.cancel.cancel();
                self.session.set_partial();
                self.say("stopped: this is what was read until now");
            }
            Action::Stop | Action::Quit => self.leave(),
            _ => self.outside(action, host),
        }
    }

    /// Takes the query back first, then goes out.
    fn out_or_all(&mut self) {
        let is_top = self.trail.is_empty()
            && self
                .look(|tree| tree.top())
                .is_none_or(|top| top == self.dir);
        if is_top && !self.query.text.is_empty() {
            self.query.text.clear();
            self.typed();
            return;
        }
        self.out();
    }

    fn page(&self) -> isize {
        isize::try_from(self.area.height.saturating_sub(1))
            .unwrap_or(1)
            .max(1)
    }

    fn adjust(&mut self, action: Action) {
        match action {
            Action::Sort => self.order = self.order.next(),
            Action::Colour => self.colouring = self.colouring.next(self.settings.since.is_some()),
            Action::Theme => {
                self.settings.theme = match self.settings.theme {
                    Theme::Dark => Theme::Light,
                    Theme::Light => Theme::Dark,
                };
            }
            _ => {
                self.settings.weigh = match self.settings.weigh {
                    Weigh::Allocated => Weigh::Apparent,
                    Weigh::Apparent => Weigh::Count,
                    Weigh::Count => Weigh::Allocated,
                };
            }
        }
        self.change();
    }

    fn mark(&mut self) {
        let Some(item) = self.selected_item() else {
            return;
        };
        let Some(path) = self.path_of(item.id) else {
            return;
        };
        if !self.marks.remove(&path) {
            self.marks.insert(path);
        }
        self.freed = None;
        self.find_marks();
        match self.view {
            View::Map => self.touch(),
            _ => self.step(1),
        }
    }

    fn outside(&mut self, action: Action, host: &mut dyn Host) {
        let selected = match self.selected {
            Some(Pick::Item(id)) => id,
            _ => self.dir,
        };
        let Some(path) = self.path_of(selected) else {
            return;
        };
        let is_dir = self.item(selected).is_some_and(|item| item.kind.is_dir());
        let done = match action {
            Action::Copy => host.copy(&path).map(|()| "copied".to_owned()),
            Action::Open => host.open(&path).map(|()| String::new()),
            Action::Shell => {
                let dir = if is_dir {
                    &path[..]
                } else {
                    groma_base::parent(&path)
                };
                let ran = host.shell(dir).map(|()| String::new());
                self.redraw();
                ran
            }
            Action::Rescan => match host.rescan() {
                Ok(session) => return self.begin_again(session),
                Err(error) => Err(error),
            },
            Action::Save if self.session.is_scanning() => {
                Err("the disk is still being read".to_owned())
            }
            Action::Save => {
                self.remember();
                host.save(&self.session)
                    .map(|place| format!("saved as {place}"))
            }
            _ => return,
        };
        match done {
            Ok(text) if text.is_empty() => {}
            Ok(text) | Err(text) => self.say(text),
        }
    }

    fn type_key(&mut self, key: KeyEvent) {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Enter => self.mode = Mode::Plain,
            KeyCode::Esc => {
                self.mode = Mode::Plain;
                self.query.text.clear();
                self.typed();
            }
            KeyCode::Backspace => {
                self.query.text.pop();
                self.typed();
            }
            KeyCode::Char('u') if is_control => {
                self.query.text.clear();
                self.typed();
            }
            KeyCode::Char('c') if is_control => self.mode = Mode::Plain,
            KeyCode::Char(c) if !is_control => self.type_text(c.encode_utf8(&mut [0; 4])),
            _ => {}
        }
    }

    fn type_text(&mut self, text: &str) {
        let text = text.chars().filter(|c| !c.is_control());
        for c in text {
            if self.query.text.len() + c.len_utf8() <= LONGEST_QUERY {
                self.query.text.push(c);
            }
        }
        self.typed();
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        if self.mode != Mode::Plain {
            return;
        }
        let by = match mouse.kind {
            MouseEventKind::ScrollUp => -WHEEL,
            MouseEventKind::ScrollDown => WHEEL,
            MouseEventKind::Down(MouseButton::Left) => return self.click(mouse.column, mouse.row),
            MouseEventKind::Down(MouseButton::Right) => return self.out(),
            _ => return,
        };
        match (self.view, by < 0) {
            (View::Map, true) => self.zoom(),
            (View::Map, false) => self.out(),
            _ => self.step(by),
        }
    }

    /// Selects what lies there; once more goes into it.
    fn click(&mut self, x: u16, y: u16) {
        self.said = None;
        if y < self.area.y {
            return self.out();
        }
        if self.view != View::Map {
            let line = self.window.first + usize::from(y - self.area.y);
            if y < self.area.bottom() {
                match line == self.window.at {
                    true => self.zoom(),
                    false => {
                        self.window.at = line;
                        self.step(0);
                    }
                }
            }
            return;
        }
        let Some(picture) = &self.picture else {
            return;
        };
        let pick = at(&picture.rects, x, y).and_then(|outer| picture.pick(outer));
        match pick {
            Some(pick) if self.selected == Some(pick) => self.zoom(),
            Some(pick) => self.select(pick),
            None => {}
        }
    }
}
