//! The state of the terminal map, and what happens to it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use groma_base::time::TimeZone;
use groma_engine::map::{Ask, Filter, Freed, Item, Sealed, Tree};
use groma_engine::stats::Report;
use groma_treemap::Palette;
use ratatui::crossterm::event::Event as Input;
use ratatui::layout::Rect;

use crate::background::{Done, Job, Worker};
use crate::changes::Changes;
use crate::colouring::{Colouring, Ink, Painter};
use crate::host::Host;
use crate::list::{Content, Order, Window};
use crate::picture::{Pick, Picture};
use crate::removal::Question;
use crate::session::Session;
use crate::settings::Settings;
use crate::text::Numbers;
use crate::view::View;

/// While a scan goes on, blocks are ordered anew no more often than this.
const REORDER: Duration = Duration::from_millis(400);
/// While a scan goes on, numbers are drawn anew no more often than this.
const REDRAW: Duration = Duration::from_millis(100);
/// After the last key of a query, before it is asked.
const QUIET: Duration = Duration::from_millis(120);

/// What the loop tells the state.
#[derive(Debug)]
pub enum Event {
    /// Something was pressed, or the terminal has another size.
    Input(Input),
    /// Time passes.
    Tick,
}

/// What is over the map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Nothing.
    #[default]
    Plain,
    /// All keys.
    Help,
    /// A query is typed; keys write.
    Typing,
    /// The marks.
    Marks,
    /// A question before something is removed.
    Asking,
}

/// The query at work.
#[derive(Default)]
pub(crate) struct Query {
    pub(crate) text: String,
    pub(crate) error: Option<String>,
    /// What matches.
    pub(crate) tree: Option<Sealed>,
    pub(crate) filter: Option<Arc<Filter>>,
    generation: u64,
    /// When it was last typed at, while it has not been asked.
    typed: Option<Instant>,
    is_asked: bool,
}

/// What is shown, by its paths.
struct Remembered {
    dir: Vec<u8>,
    selected: Option<Vec<u8>>,
    trail: Vec<Vec<u8>>,
}

/// A table that was asked for, by what.
#[derive(Default)]
pub(crate) struct Table {
    asked: Option<(View, u32, u64)>,
    pub(crate) report: Option<Result<Report, String>>,
    generation: u64,
}

/// The terminal map.
pub struct App {
    pub(crate) settings: Settings,
    pub(crate) session: Session,
    pub(crate) ask: Arc<dyn Ask>,
    worker: Worker,
    pub(crate) view: View,
    pub(crate) mode: Mode,
    pub(crate) colouring: Colouring,
    pub(crate) order: Order,
    /// The directory that is shown.
    pub(crate) dir: u32,
    pub(crate) selected: Option<Pick>,
    /// Whether its user has selected it; otherwise it is what is largest.
    pub(crate) is_chosen: bool,
    /// Directories that were gone out of, each with what was selected in it.
    pub(crate) trail: Vec<(u32, Option<Pick>)>,
    pub(crate) window: Window,
    pub(crate) query: Query,
    pub(crate) table: Table,
    /// What has changed since the snapshot, once it was asked for.
    pub(crate) changes: Option<Result<Changes, String>>,
    are_changes_asked: bool,
    pub(crate) marks: BTreeSet<Vec<u8>>,
    pub(crate) marked: BTreeSet<u32>,
    /// What deleting the marks would free, once that is known.
    pub(crate) freed: Option<Freed>,
    pub(crate) question: Option<Question>,
    /// Whether the disk is not what is shown any more.
    pub(crate) is_outdated: bool,
    pub(crate) said: Option<String>,
    pub(crate) picture: Option<Picture>,
    pub(crate) content: Option<Content>,
    pub(crate) area: Rect,
    /// What is shown, by its paths, while numbers change.
    remembered: Option<Remembered>,
    /// A scan that is to take the place of this one.
    pub(crate) next: Option<Session>,
    was_whole: bool,
    was_sealed: bool,
    ordered: Option<Instant>,
    drawn: Option<Instant>,
    is_changed: bool,
    is_over: bool,
    redraw: bool,
}

impl App {
    /// A map of a session. `ask` binds queries.
    pub fn new(session: Session, ask: Arc<dyn Ask>, settings: Settings) -> App {
        let worker = Worker::start(session.map.clone(), Arc::clone(&ask), settings.threads);
        let dir = session.map.look(|tree| tree.top()).unwrap_or(0);
        let was_sealed = session.map.sealed().is_some();
        App {
            colouring: settings.colouring,
            was_whole: session.map.is_whole(),
            was_sealed,
            settings,
            session,
            ask,
            worker,
            view: View::Map,
            mode: Mode::Plain,
            order: Order::Weight,
            dir,
            selected: None,
            is_chosen: false,
            trail: Vec::new(),
            window: Window::default(),
            query: Query::default(),
            table: Table::default(),
            changes: None,
            are_changes_asked: false,
            marks: BTreeSet::new(),
            marked: BTreeSet::new(),
            freed: None,
            question: None,
            is_outdated: false,
            said: None,
            picture: None,
            content: None,
            area: Rect::default(),
            remembered: None,
            next: None,
            ordered: None,
            drawn: None,
            is_changed: true,
            is_over: false,
            redraw: false,
        }
    }

    /// Begins with a query.
    pub fn filter(&mut self, text: String) {
        self.query.text = text;
        self.typed();
    }

    /// Whether its user has left.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    pub(crate) fn leave(&mut self) {
        self.session.cancel.cancel();
        self.worker.stop();
        self.is_over = true;
    }

    /// Whether there is something new to draw.
    pub fn is_stale(&self, now: Instant) -> bool {
        let due = |since: Option<Instant>| since.is_none_or(|at| now.duration_since(at) >= REDRAW);
        self.is_changed || self.session.is_scanning() && due(self.drawn)
    }

    /// Whether the terminal must be drawn from scratch, once.
    pub fn take_redraw(&mut self) -> bool {
        std::mem::take(&mut self.redraw)
    }

    pub(crate) fn redraw(&mut self) {
        self.redraw = true;
        self.is_changed = true;
    }

    /// What was drawn is not what there is any more; it is laid out anew.
    pub(crate) fn change(&mut self) {
        self.picture = None;
        self.content = None;
        self.is_changed = true;
    }

    /// Something is to be drawn, in the layout that there is.
    pub(crate) fn touch(&mut self) {
        self.is_changed = true;
    }

    pub(crate) fn say(&mut self, text: impl Into<String>) {
        self.said = Some(text.into());
        self.is_changed = true;
    }

    /// Takes what has happened.
    pub fn handle(&mut self, event: Event, host: &mut dyn Host) {
        match event {
            Event::Input(input) => self.input(&input, host),
            Event::Tick => {
                self.tick(Instant::now());
                if std::mem::take(&mut self.is_outdated)
                    && let Ok(session) = host.rescan()
                {
                    self.next = Some(session);
                }
            }
        }
    }

    fn tick(&mut self, now: Instant) {
        while let Some(done) = self.worker.take() {
            self.take(done);
        }
        if self
            .query
            .typed
            .is_some_and(|at| now.duration_since(at) >= QUIET)
        {
            self.ask_query();
        }
        let scanning = self.session.is_scanning();
        let due = self
            .ordered
            .is_none_or(|at| now.duration_since(at) >= REORDER);
        if scanning && due {
            self.ordered = Some(now);
            self.change();
        }
        let is_whole = self.session.map.is_whole();
        if is_whole != self.was_whole || self.session.failure().is_some() && scanning {
            self.was_whole = is_whole;
            self.change();
        }
        let is_sealed = self.session.map.sealed().is_some();
        if is_sealed && !self.was_sealed {
            self.was_sealed = true;
            self.adopt();
            self.change();
        }
        match self.next.take() {
            Some(next) if next.map.is_whole() => self.replace(next),
            Some(next) if next.failure().is_some() => {
                let why = next.failure().unwrap_or_default();
                self.say(format!("cannot read again: {why}"));
            }
            next => self.next = next,
        }
        self.ask_table();
        self.ask_changes();
    }

    /// Takes an answer of the worker.
    pub(crate) fn take(&mut self, done: Done) {
        match done {
            Done::Filtered { generation, answer } if generation == self.query.generation => {
                match answer {
                    Ok((tree, filter)) => {
                        (self.query.tree, self.query.filter) = (Some(tree), Some(filter));
                        self.query.error = None;
                    }
                    Err(error) => self.query.error = Some(error),
                }
                self.query.is_asked = false;
                self.adopt();
                self.change();
            }
            Done::Table { generation, answer } if generation == self.table.generation => {
                self.table.report = Some(answer);
                self.adopt();
                self.change();
            }
            Done::Changed(answer) => {
                self.changes = Some(answer);
                self.adopt();
                self.change();
            }
            Done::Freed(answer) => self.set_freed(answer),
            Done::Planned {
                answer,
                is_for_good,
            } => self.planned(answer, is_for_good),
            Done::Removed(outcome) => self.removed(&outcome),
            _ => {}
        }
    }

    pub(crate) fn worker_ask(&mut self, job: Job) {
        self.worker.ask(job);
    }

    /// The query has been typed at.
    pub(crate) fn typed(&mut self) {
        self.query.generation += 1;
        self.worker.stop();
        if self.query.text.trim().is_empty() {
            self.query = Query {
                generation: self.query.generation,
                ..Query::default()
            };
            self.change();
            return;
        }
        self.query.typed = Some(Instant::now());
        self.query.is_asked = true;
        self.is_changed = true;
    }

    /// Whether an answer to the query is awaited.
    pub(crate) fn is_asking(&self) -> bool {
        self.query.is_asked
    }

    fn ask_query(&mut self) {
        self.query.typed = None;
        if self.session.is_scanning() {
            // It is asked once everything is there.
            self.query.typed = Some(Instant::now());
            return;
        }
        self.remember();
        self.worker.ask(Job::Filter {
            text: self.query.text.clone(),
            generation: self.query.generation,
        });
    }

    /// Asks for what has changed, where that is to be shown and has not been asked.
    fn ask_changes(&mut self) {
        let is_wanted = self.view == View::Changes || self.colouring == Colouring::Growth;
        let Some(since) = self.settings.since.clone().filter(|_| is_wanted) else {
            return;
        };
        if self.are_changes_asked || self.session.is_scanning() {
            return;
        }
        self.are_changes_asked = true;
        self.remember();
        let numbers = self.numbers();
        self.worker.ask(Job::Changes { since, numbers });
    }

    /// Asks for the table of a view, unless that has been done.
    fn ask_table(&mut self) {
        let View::Table(question) = self.view else {
            return;
        };
        let key = (self.view, self.dir, self.query.generation);
        if self.table.asked == Some(key) || self.session.is_scanning() {
            return;
        }
        self.remember();
        let Some(within) = self.path_of(self.dir) else {
            return;
        };
        self.table.asked = Some(key);
        self.table.generation += 1;
        self.table.report = None;
        let filter = Some(self.query.text.clone()).filter(|text| !text.trim().is_empty());
        self.worker.ask(Job::Table {
            question,
            within,
            filter,
            generation: self.table.generation,
        });
        self.change();
    }

    /// Notes by their paths what is shown: when the tree becomes a view, its numbers are others.
    pub(crate) fn remember(&mut self) {
        if self.session.map.sealed().is_none() && self.remembered.is_none() {
            self.remembered = self.by_paths();
        }
    }

    /// What is shown, by its paths.
    fn by_paths(&self) -> Option<Remembered> {
        let selected = match self.selected {
            Some(Pick::Item(id)) => self.path_of(id),
            _ => None,
        };
        let trail = self.trail.iter();
        Some(Remembered {
            dir: self.path_of(self.dir)?,
            selected,
            trail: trail.filter_map(|(id, _)| self.path_of(*id)).collect(),
        })
    }

    /// Finds again what was noted, once there is a tree.
    fn adopt(&mut self) {
        let Some(noted) = self.remembered.take() else {
            return;
        };
        let Some(top) = self.session.map.look(|tree| tree.top()) else {
            self.remembered = Some(noted);
            return;
        };
        self.dir = self.find(&noted.dir).unwrap_or(top);
        self.selected = noted
            .selected
            .and_then(|path| self.find(&path))
            .map(Pick::Item);
        let trail = noted.trail.iter().filter_map(|path| self.find(path));
        self.trail = trail.map(|id| (id, None)).collect();
        self.find_marks();
        self.change();
    }

    /// The numbers of what is marked, in the tree as it is now.
    pub(crate) fn find_marks(&mut self) {
        let marks: Vec<u32> = self
            .marks
            .iter()
            .filter_map(|path| self.find(path))
            .collect();
        self.marked = marks.into_iter().collect();
    }

    /// The absolute path of an item.
    pub(crate) fn path_of(&self, id: u32) -> Option<Vec<u8>> {
        let path = self.session.map.look(|tree| {
            let mut path = Vec::new();
            tree.append_path(id, &mut path).map(|()| path)
        });
        path?.ok()
    }

    /// The item of an absolute path.
    pub(crate) fn find(&self, path: &[u8]) -> Option<u32> {
        self.session.map.look(|tree| find(tree, path)).flatten()
    }

    /// Shows the tree that is drawn: of a query, only what matches.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&dyn Tree) -> T) -> Option<T> {
        match &self.query.tree {
            Some(tree) => Some(look(tree)),
            None => self.session.map.look(look),
        }
    }

    /// An item, with what matches of it.
    pub(crate) fn item(&self, id: u32) -> Option<Item> {
        self.look(|tree| tree.item(id)).and_then(Result::ok)
    }

    pub(crate) fn numbers(&self) -> Numbers {
        Numbers {
            weigh: self.settings.weigh,
            si: self.settings.si,
        }
    }

    pub(crate) fn ink(&self) -> Ink {
        Ink {
            depth: self.settings.depth,
            theme: self.settings.theme,
        }
    }

    pub(crate) fn painter(&self) -> Painter<'_> {
        Painter {
            colouring: self.colouring,
            palette: Palette {
                theme: self.settings.theme,
            },
            categories: self.ask.categories(),
            now: self.settings.now,
            growth: self
                .changes
                .as_ref()
                .and_then(|changes| Some(&changes.as_ref().ok()?.growth)),
        }
    }

    pub(crate) fn zone(&self) -> &TimeZone {
        &self.settings.zone
    }

    pub(crate) fn drawn(&mut self) {
        self.is_changed = false;
        self.drawn = Some(Instant::now());
    }

    /// A new scan, which takes the place of this one once it is whole.
    pub(crate) fn begin_again(&mut self, session: Session) {
        self.next = Some(session);
        self.say("reading again");
    }

    /// The new scan has come to its end; what is shown is found again by its path.
    fn replace(&mut self, session: Session) {
        let shown = self.by_paths();
        self.worker.stop();
        let ask = Arc::clone(&self.ask);
        self.worker = Worker::start(session.map.clone(), ask, self.settings.threads);
        self.session = session;
        self.query.tree = None;
        self.table = Table::default();
        (self.changes, self.are_changes_asked) = (None, false);
        self.remembered = shown.map(|shown| Remembered {
            trail: Vec::new(),
            ..shown
        });
        self.was_sealed = false;
        self.adopt();
        self.typed();
        // What was done before is worth more than that.
        if self.said.is_none() {
            self.say("read again");
        }
    }

    #[cfg(test)]
    pub(crate) fn wait(&mut self) {
        self.query.typed = None;
        if self.query.is_asked {
            self.ask_query();
        }
        self.ask_table();
        self.ask_changes();
        if self.are_changes_asked && self.changes.is_none() {
            let done = self.worker.wait();
            done.into_iter().for_each(|done| self.take(done));
        }
        while self.query.is_asked
            || matches!(self.view, View::Table(_)) && self.table.report.is_none()
        {
            match self.worker.wait() {
                Some(done) => self.take(done),
                None => return,
            }
        }
    }
}

/// The item of an absolute path in a tree.
fn find(tree: &dyn Tree, path: &[u8]) -> Option<u32> {
    let mut top = Vec::new();
    tree.append_name(tree.top(), &mut top).ok()?;
    let below = path.strip_prefix(top.strip_suffix(b"/").unwrap_or(&top))?;
    let mut at = tree.top();
    for name in below.split(|&b| b == b'/').filter(|name| !name.is_empty()) {
        at = tree.child(at, name).ok()??;
    }
    Some(at)
}
