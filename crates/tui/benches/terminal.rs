#![forbid(unsafe_code)]
//! How long the terminal map takes: `cargo bench -p groma-tui`.
//!
//! Two trees: 200 directories of 40 directories of 100 files, 1 008 201 entries with their root less one
//! line for each directory; and one directory of 200 000 files. The screen has 200 columns and 60 lines.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io;
use std::path::Path;
use std::sync::Arc;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use groma_base::time::{TimeZone, Zoned};
use groma_base::{CancelToken, Timestamp};
use groma_catalog::View;
use groma_engine::catalogs::OpenRoot;
use groma_engine::map::{Ask, Categories, Expr, Filter, Map, Question, Surroundings, Weigh};
use groma_engine::search::Run;
use groma_engine::snapshot::{self, Times, load};
use groma_engine::stats::Plan;
use groma_query::bind::{Context, Target, bind};
use groma_query::syntax::parse;
use groma_tui::{App, Colouring, Depth, Event, Host, Keys, Session, Settings, Theme};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event as Input, KeyCode, KeyEvent, KeyModifiers};

const NOW: Timestamp = Timestamp {
    seconds: 1_700_000_000,
    nanoseconds: 0,
};
const FLAT: u32 = 200_000;
const WIDE: (u16, u16) = (200, 60);

/// What is asked of the tree of a million entries.
const FILTERS: [&str; 3] = ["size > 1MB", "*.dat AND size > 500k", "path contains sub3"];

struct Words(Categories);

impl Ask for Words {
    fn filter(&self, text: &str) -> Result<Expr, String> {
        Ok(bound(text))
    }

    fn plan(&self, _: Question, _: &[u8], _: Option<&str>) -> Result<Plan, String> {
        Err("no tables are asked for".to_owned())
    }

    fn categories(&self) -> &Categories {
        &self.0
    }
}

fn bound(text: &str) -> Expr {
    let now: Zoned = NOW.to_zoned(&TimeZone::UTC).expect("a year of today");
    let query = parse(text).expect("a query");
    bind(&query, &Context::new(now, Target::Catalog)).expect("a query that makes sense")
}

/// There is nothing outside of the terminal.
struct Nobody;

impl Host for Nobody {
    fn copy(&mut self, _: &[u8]) -> Result<(), String> {
        Ok(())
    }

    fn open(&mut self, _: &[u8]) -> Result<(), String> {
        Ok(())
    }

    fn shell(&mut self, _: &[u8]) -> Result<(), String> {
        Ok(())
    }

    fn surroundings(&mut self) -> Result<Surroundings, String> {
        Err("there is no trash".to_owned())
    }

    fn rescan(&mut self) -> Result<Session, String> {
        Err("there is no disk".to_owned())
    }

    fn save(&mut self, _: &Session) -> Result<String, String> {
        Err("there is no disk".to_owned())
    }
}

/// A size that differs from file to file.
fn size(number: u32) -> u32 {
    number.wrapping_mul(2_654_435_761) >> 11
}

fn push_file(number: u32, extension: &str, out: &mut String) {
    let _ = write!(
        out,
        ",\n{{\"name\":\"file{number}.{extension}\",\"asize\":{0},\"dsize\":{0},\"mtime\":16{number:08}}}",
        size(number)
    );
}

/// The tree of a million entries, as ncdu tells it.
fn deep() -> String {
    let mut text = String::from("[1,2,{\"progname\":\"bench\"},[{\"name\":\"/deep\"}");
    let mut number = 0;
    for dir in 0..200 {
        let _ = write!(text, ",\n[{{\"name\":\"dir{dir}\"}}");
        for sub in 0..40 {
            let _ = write!(text, ",\n[{{\"name\":\"sub{sub}\"}}");
            for file in 0..100 {
                push_file(number, ["dat", "txt", "jpg", "rs"][file % 4], &mut text);
                number += 1;
            }
            text.push(']');
        }
        text.push(']');
    }
    text + "]]"
}

/// One directory.
fn flat() -> String {
    let mut text = String::from("[1,2,{\"progname\":\"bench\"},[{\"name\":\"/flat\"}");
    (0..FLAT).for_each(|number| push_file(number, "dat", &mut text));
    text + "]]"
}

fn opened(path: &Path) -> OpenRoot {
    let loaded = load(path, true, &CancelToken::new());
    loaded.expect("a tree").into_root()
}

fn read(dir: &Path, text: &str) -> OpenRoot {
    let path = dir.join("tree.json");
    std::fs::write(&path, text).expect("room for a tree");
    opened(&path)
}

fn settings() -> Settings {
    Settings {
        weigh: Weigh::Apparent,
        si: true,
        colouring: Colouring::default(),
        theme: Theme::Dark,
        depth: Depth::True,
        ascii: false,
        since: None,
        keys: Keys::default(),
        read_only: true,
        allow_delete: false,
        now: NOW,
        zone: TimeZone::UTC,
        threads: 2,
    }
}

/// A map before its first frame.
fn fresh(map: &Map) -> (App, Terminal<TestBackend>) {
    let session = Session {
        map: map.clone(),
        is_saved: true,
        ..Session::default()
    };
    let ask = Arc::new(Words(Categories::default()));
    let terminal = Terminal::new(TestBackend::new(WIDE.0, WIDE.1)).expect("a screen");
    (App::new(session, ask, settings()), terminal)
}

fn draw(app: &mut App, terminal: &mut Terminal<TestBackend>) {
    terminal.draw(|frame| app.draw(frame)).expect("a screen");
}

fn key(code: KeyCode) -> Event {
    Event::Input(Input::Key(KeyEvent::new(code, KeyModifiers::NONE)))
}

fn frames(criterion: &mut Criterion, name: &str, map: &Map) {
    criterion.bench_function(&format!("first frame, {name}"), |bencher| {
        bencher.iter_batched_ref(
            || fresh(map),
            |(app, terminal)| draw(app, terminal),
            BatchSize::SmallInput,
        );
    });
    let (mut app, mut terminal) = fresh(map);
    draw(&mut app, &mut terminal);
    let mut codes = [KeyCode::Right, KeyCode::Down, KeyCode::Left, KeyCode::Up];
    criterion.bench_function(&format!("arrow key and frame, {name}"), |bencher| {
        bencher.iter(|| {
            codes.rotate_left(1);
            app.handle(key(codes[0]), &mut Nobody);
            draw(&mut app, &mut terminal);
        });
    });
    let mut is_wide = true;
    criterion.bench_function(&format!("resize and frame, {name}"), |bencher| {
        bencher.iter(|| {
            is_wide = !is_wide;
            let (width, height) = if is_wide { WIDE } else { (187, 52) };
            terminal.backend_mut().resize(width, height);
            app.handle(Event::Input(Input::Resize(width, height)), &mut Nobody);
            draw(&mut app, &mut terminal);
        });
    });
}

fn filters(criterion: &mut Criterion, view: &View) {
    let run = Run::new(2, CancelToken::new());
    for text in FILTERS {
        let expr = bound(text);
        criterion.bench_function(&format!("filter `{text}`"), |bencher| {
            bencher.iter(|| black_box(Filter::new(view, &expr, &run).expect("an answer")));
        });
    }
}

/// From a file to a screen.
fn saved(criterion: &mut Criterion, dir: &Path, root: &OpenRoot) -> io::Result<()> {
    let path = dir.join("tree.snap");
    let tree = snapshot::Tree {
        segment: root.view.shared_segment(),
        unread: 0,
        is_partial: false,
    };
    let saved = snapshot::write(&tree, &path, Times::All, 2, &CancelToken::new());
    saved.map_err(io::Error::other)?;
    criterion.bench_function("snapshot to its first frame", |bencher| {
        bencher.iter(|| {
            let (mut app, mut terminal) = fresh(&Map::of(opened(&path)));
            draw(&mut app, &mut terminal);
        });
    });
    Ok(())
}

fn benches(criterion: &mut Criterion) {
    let dir = tempfile::tempdir().expect("a directory");
    let deep = read(dir.path(), &deep());
    let flat = Map::of(read(dir.path(), &flat()));
    frames(criterion, "1 M entries", &Map::of(deep.clone()));
    frames(criterion, "200 000 in one directory", &flat);
    filters(criterion, &deep.view);
    saved(criterion, dir.path(), &deep).expect("a snapshot");
}

criterion_group!(terminal, benches);
criterion_main!(terminal);
