//! Whole screens, and what keys do, on a tree that is the same everywhere.

use std::io::Write as _;
use std::sync::Arc;

use groma_base::time::{TimeZone, Zoned};
use groma_base::{CancelToken, Timestamp};
use groma_engine::index::ScanOptions;
use groma_engine::map::{Ask, Categories, Expr, Map, Question, Surroundings, Weigh};
use groma_engine::map::{Roots, Scan};
use groma_engine::snapshot::load;
use groma_engine::stats::{self, Metric, Plan};
use groma_query::bind::{Context, Target, bind};
use groma_query::syntax::parse;
use groma_treemap::{Depth, Theme};
use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    Event as Input, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use crate::app::{App, Event};
use crate::{Colouring, Host, Keys, Session, Settings};

/// A tree as ncdu tells it: sizes of files, directories in brackets.
const TREE: &str = r#"[1,2,{"progname":"test","progver":"1","timestamp":1700000000},
[{"name":"/data","asize":0,"dsize":0,"mtime":1600000000},
 [{"name":"photos","asize":0,"dsize":0,"mtime":1600000000},
  {"name":"one.jpg","asize":6000000,"dsize":6004736,"mtime":1699990000},
  {"name":"two.jpg","asize":3000000,"dsize":3002368,"mtime":1690000000},
  {"name":"three.png","asize":1000000,"dsize":1003520,"mtime":1600000000}],
 [{"name":"src","asize":0,"dsize":0,"mtime":1600000000},
  [{"name":"deep","asize":0,"dsize":0,"mtime":1600000000},
   [{"name":"deeper","asize":0,"dsize":0,"mtime":1600000000},
    {"name":"main.rs","asize":800000,"dsize":802816,"mtime":1695000000},
    {"name":"lib.rs","asize":400000,"dsize":401408,"mtime":1500000000}]]],
 {"name":"movie.mkv","asize":9000000,"dsize":9000960,"mtime":1650000000},
 {"name":"bad\u001b[31m\u202ename","asize":700000,"dsize":700416,"mtime":1400000000},
 {"name":"漢字ファイル.txt","asize":600000,"dsize":602112,"mtime":1400000000},
 [{"name":"small","asize":0,"dsize":0,"mtime":1600000000},
  {"name":"a","asize":10,"dsize":4096,"mtime":1},{"name":"b","asize":10,"dsize":4096,"mtime":1},
  {"name":"c","asize":10,"dsize":4096,"mtime":1},{"name":"d","asize":10,"dsize":4096,"mtime":1}]]]"#;

struct Words(Categories);

impl Words {
    fn context(&self) -> Context<'_> {
        Context::new(zoned(), Target::Catalog)
    }
}

fn zoned() -> Zoned {
    let now = Timestamp {
        seconds: 1_700_000_000,
        nanoseconds: 0,
    };
    now.to_zoned(&TimeZone::UTC).unwrap()
}

impl Ask for Words {
    fn filter(&self, text: &str) -> Result<Expr, String> {
        let bound = parse(text).and_then(|query| bind(&query, &self.context()));
        bound.map_err(|errors| errors.to_string())
    }

    fn plan(&self, asked: Question, within: &[u8], filter: Option<&str>) -> Result<Plan, String> {
        let by = match asked {
            Question::Types => "category",
            Question::Ages => "year",
            Question::Owners => "owner",
            Question::Duplicates => "size",
        };
        let request = stats::Request {
            query: filter.map(str::to_owned).into_iter().collect(),
            within: vec![within.to_vec()],
            by: vec![by.to_owned()],
            metrics: vec![Metric::Count, Metric::Size, Metric::Allocated],
            ..stats::Request::default()
        };
        stats::plan(&request, &self.context()).map_err(|error| error.to_string())
    }

    fn categories(&self) -> &Categories {
        &self.0
    }
}

/// Notes what it was asked for.
#[derive(Default)]
struct Noted(Vec<String>);

impl Noted {
    fn note(&mut self, what: &str, path: &[u8]) -> Result<(), String> {
        self.0
            .push(format!("{what} {}", String::from_utf8_lossy(path)));
        Ok(())
    }
}

impl Host for Noted {
    fn copy(&mut self, path: &[u8]) -> Result<(), String> {
        self.note("copy", path)
    }

    fn open(&mut self, path: &[u8]) -> Result<(), String> {
        self.note("open", path)
    }

    fn shell(&mut self, dir: &[u8]) -> Result<(), String> {
        self.note("shell", dir)
    }

    fn surroundings(&mut self) -> Result<Surroundings, String> {
        Err("no trash".to_owned())
    }

    fn rescan(&mut self) -> Result<Session, String> {
        Ok(session(TREE))
    }

    fn save(&mut self, _: &Session) -> Result<String, String> {
        Ok("x.snap".to_owned())
    }
}

fn session(tree: &str) -> Session {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(tree.as_bytes()).unwrap();
    let loaded = load(file.path(), true, &CancelToken::new()).unwrap();
    Session {
        map: Map::of(loaded.into_root()),
        is_saved: true,
        ..Session::default()
    }
}

fn settings(depth: Depth, ascii: bool) -> Settings {
    Settings {
        weigh: Weigh::Apparent,
        si: true,
        colouring: Colouring::default(),
        theme: Theme::Dark,
        depth,
        ascii,
        since: None,
        keys: Keys::default(),
        read_only: false,
        allow_delete: false,
        now: Timestamp {
            seconds: 1_700_000_000,
            nanoseconds: 0,
        },
        zone: TimeZone::UTC,
        threads: 1,
    }
}

/// A map on a screen of this size.
struct Screen {
    app: App,
    terminal: Terminal<TestBackend>,
    host: Noted,
}

impl Screen {
    fn new(width: u16, height: u16) -> Screen {
        Screen::of(session(TREE), width, height, settings(Depth::Mono, false))
    }

    fn of(session: Session, width: u16, height: u16, settings: Settings) -> Screen {
        let ask = Arc::new(Words(Categories::default()));
        let mut screen = Screen {
            app: App::new(session, ask, settings),
            terminal: Terminal::new(TestBackend::new(width, height)).unwrap(),
            host: Noted::default(),
        };
        screen.draw();
        screen
    }

    fn draw(&mut self) {
        self.terminal.draw(|frame| self.app.draw(frame)).unwrap();
    }

    fn input(&mut self, input: Input) {
        self.app.handle(Event::Input(input), &mut self.host);
        self.app.wait();
        self.draw();
    }

    /// Presses these keys: words with blanks between them.
    fn press(&mut self, keys: &str) -> &mut Screen {
        for key in keys.split(' ') {
            let code = match key {
                "enter" => KeyCode::Enter,
                "backspace" => KeyCode::Backspace,
                "esc" => KeyCode::Esc,
                "tab" => KeyCode::Tab,
                "down" => KeyCode::Down,
                "up" => KeyCode::Up,
                "left" => KeyCode::Left,
                "right" => KeyCode::Right,
                "space" => KeyCode::Char(' '),
                _ => KeyCode::Char(key.chars().next().unwrap()),
            };
            self.input(Input::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        }
        self
    }

    fn write(&mut self, text: &str) -> &mut Screen {
        for c in text.chars() {
            self.input(Input::Key(KeyEvent::new(
                KeyCode::Char(c),
                KeyModifiers::NONE,
            )));
        }
        self
    }

    fn text(&self) -> String {
        self.terminal.backend().to_string()
    }

    fn title(&self) -> String {
        self.text().lines().next().unwrap_or_default().to_owned()
    }
}

#[test]
fn the_first_screen() {
    insta::assert_snapshot!("map_80x24", Screen::new(80, 24).text());
    insta::assert_snapshot!("map_40x10", Screen::new(40, 10).text());
    let ascii = Screen::of(session(TREE), 60, 16, settings(Depth::Mono, true));
    assert!(
        ascii
            .text()
            .chars()
            .all(|c| c.is_ascii() || !"▕▁░┏━┃█■".contains(c))
    );
    insta::assert_snapshot!("map_ascii_60x16", ascii.text());
}

#[test]
fn lists_and_tables() {
    insta::assert_snapshot!("list_80x14", Screen::new(80, 14).press("2").text());
    insta::assert_snapshot!("types_80x14", Screen::new(80, 14).press("3").text());
    insta::assert_snapshot!("largest_files_80x14", Screen::new(80, 14).press("6").text());
    insta::assert_snapshot!("help_120x40", Screen::new(120, 40).press("?").text());
}

#[test]
fn in_and_out_again() {
    let mut screen = Screen::new(80, 24);
    assert!(screen.title().contains(" /data "), "{}", screen.title());
    screen.press("enter");
    assert!(
        screen.title().contains("/data/photos"),
        "{}",
        screen.title()
    );
    screen.press("backspace");
    assert!(screen.title().contains(" /data "), "{}", screen.title());
    // In the map arrows go where one looks, in the list line by line.
    screen.press("2 down down enter");
    assert!(screen.title().contains("/data/src"), "{}", screen.title());
    screen.press("enter enter");
    assert!(
        screen.title().contains("/data/src/deep/deeper"),
        "{}",
        screen.title()
    );
    screen.press("~");
    assert!(screen.title().contains(" /data "), "{}", screen.title());
}

#[test]
fn a_query_leaves_what_matches() {
    let mut screen = Screen::new(80, 24);
    screen.press("/").write("*.jpg");
    assert!(screen.text().contains("2 match, 9.0M"), "{}", screen.text());
    assert!(screen.text().contains("photos/") && !screen.text().contains("movie.mkv"));
    screen.press("enter backspace");
    assert!(screen.text().contains("movie.mkv"), "{}", screen.text());
    screen.press("/").write("size >");
    assert!(!screen.text().contains("2 match"), "{}", screen.text());
    screen.press("esc");
    assert!(screen.text().contains("movie.mkv"), "{}", screen.text());
    screen.press("/");
    for _ in 0..100 {
        screen.input(Input::Paste("(".repeat(1000)));
    }
    assert!(screen.text().contains("..") || !screen.text().is_empty());
    // A line of a table becomes the query.
    let mut screen = Screen::new(80, 24);
    screen.press("3 enter");
    assert!(screen.text().contains(" match, "), "{}", screen.text());
}

#[test]
fn marks_measures_and_what_happens_outside() {
    let mut screen = Screen::new(80, 24);
    screen.press("2 space space m");
    assert!(screen.text().contains("2 marked"), "{}", screen.text());
    screen.press("esc a");
    assert!(screen.title().contains("18 entries"), "{}", screen.title());
    screen.press("a a 1 y o !");
    assert_eq!(screen.host.0.len(), 3, "{:?}", screen.host.0);
    assert!(
        screen.host.0[0].starts_with("copy /data/"),
        "{:?}",
        screen.host.0
    );
    screen.press("w");
    assert!(screen.text().contains("saved as x.snap"));
    screen.press("r");
    screen.app.handle(Event::Tick, &mut screen.host);
    screen.draw();
    assert!(screen.title().contains(" /data "), "{}", screen.text());
    screen.press("q");
    assert!(screen.app.is_over());
}

/// A real tree, read by a real scan.
fn scanned(dir: &std::path::Path) -> Session {
    let session = Session::default();
    let scan = Scan {
        roots: Roots::new(&[dir.to_owned()]),
        options: ScanOptions::default(),
        threads: 2,
        now: || Timestamp {
            seconds: 1_700_000_000,
            nanoseconds: 0,
        },
        cancel: session.cancel.clone(),
    };
    scan.run(&session.map, &session.progress, &session.warnings)
        .unwrap();
    session
}

/// Moves to the trash beside the tree.
struct WithTrash(std::path::PathBuf, std::path::PathBuf);

impl Host for WithTrash {
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
        Ok(Surroundings {
            data_home: self.1.clone(),
            uid: groma_sys::effective_user(),
            now: Timestamp::default(),
            zone: TimeZone::UTC,
        })
    }

    fn rescan(&mut self) -> Result<Session, String> {
        Ok(scanned(&self.0))
    }

    fn save(&mut self, _: &Session) -> Result<String, String> {
        Err("no".to_owned())
    }
}

/// Lets the worker and the clock work until the screen says this.
#[track_caller]
fn until(app: &mut App, host: &mut dyn Host, terminal: &mut Terminal<TestBackend>, text: &str) {
    for _ in 0..400 {
        app.handle(Event::Tick, host);
        terminal.draw(|frame| app.draw(frame)).unwrap();
        if terminal.backend().to_string().contains(text) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("never: {text}\n{}", terminal.backend());
}

#[test]
fn what_is_marked_goes_to_the_trash_after_a_question_only() {
    let temp = tempfile::tempdir().unwrap();
    let (tree, data) = (temp.path().join("tree"), temp.path().join("data"));
    std::fs::create_dir_all(tree.join("old/deep")).unwrap();
    std::fs::create_dir(&data).unwrap();
    std::fs::write(tree.join("old/deep/f"), vec![1; 50_000]).unwrap();
    std::fs::write(tree.join("kept"), vec![1; 10]).unwrap();
    std::fs::hard_link(tree.join("old/deep/f"), tree.join("zlink")).unwrap();
    let ask = Arc::new(Words(Categories::default()));
    let mut of_user = settings(Depth::Mono, false);
    of_user.weigh = Weigh::Allocated;
    let mut app = App::new(scanned(&tree), ask, of_user);
    let mut host = WithTrash(tree.clone(), data.clone());
    let mut terminal = Terminal::new(TestBackend::new(140, 24)).unwrap();
    let press = |app: &mut App, host: &mut WithTrash, key| {
        let key = KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE);
        app.handle(Event::Input(Input::Key(key)), host);
    };
    until(&mut app, &mut host, &mut terminal, "tree");
    press(&mut app, &mut host, 'D');
    until(&mut app, &mut host, &mut terminal, "--allow-delete");
    // The directory is shown first; it holds most.
    press(&mut app, &mut host, '2');
    until(&mut app, &mut host, &mut terminal, "old/");
    press(&mut app, &mut host, ' ');
    press(&mut app, &mut host, 'm');
    until(
        &mut app,
        &mut host,
        &mut terminal,
        "other links to them are not marked (1 of 2 are)",
    );
    press(&mut app, &mut host, 'x');
    press(&mut app, &mut host, 'd');
    until(&mut app, &mut host, &mut terminal, "to the trash?");
    press(&mut app, &mut host, 'n');
    until(&mut app, &mut host, &mut terminal, "nothing was removed");
    assert!(tree.join("old/deep/f").exists());
    press(&mut app, &mut host, 'd');
    until(&mut app, &mut host, &mut terminal, "to the trash?");
    press(&mut app, &mut host, 'y');
    until(&mut app, &mut host, &mut terminal, "1 gone with 3 entries");
    until(&mut app, &mut host, &mut terminal, "  3 entries");
    assert!(!tree.join("old").exists() && tree.join("kept").exists());
    assert!(data.join("Trash/files/old/deep/f").exists());
    let screen = terminal.backend().to_string();
    assert!(
        !screen.contains("old/") && screen.contains("kept"),
        "{screen}"
    );
}

#[test]
fn what_has_changed_since_a_snapshot() {
    let before = TREE
        .replace(
            r#"{"name":"movie.mkv","asize":9000000,"dsize":9000960,"mtime":1650000000},"#,
            "",
        )
        .replace("\"asize\":800000", "\"asize\":300000");
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(before.as_bytes()).unwrap();
    let mut of_user = settings(Depth::Mono, false);
    of_user.since = Some(file.path().to_owned());
    let mut screen = Screen::of(session(TREE), 130, 16, of_user);
    screen.app.handle(Event::Tick, &mut screen.host);
    screen.press("9");
    let text = screen.text();
    assert!(text.contains("new      /data/movie.mkv"), "{text}");
    assert!(
        text.contains("grown    /data/src/deep/deeper/main.rs  (300k -> 800k)"),
        "{text}"
    );
    screen.press("1 c c c c c c");
    assert!(screen.text().contains("growth"), "{}", screen.text());
}

#[test]
fn the_mouse() {
    let mut screen = Screen::new(80, 24);
    let click = |x, y| {
        Input::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column: x,
            row: y,
            modifiers: KeyModifiers::NONE,
        })
    };
    screen.input(click(2, 3));
    screen.input(click(2, 3));
    assert!(!screen.title().contains(" /data "), "{}", screen.title());
    screen.input(click(0, 0));
    assert!(screen.title().contains(" /data "), "{}", screen.title());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 24 } else { 200 }))]

    /// Any size, any keys: no panic, and no cell is drawn outside.
    #[test]
    fn any_size_and_any_keys(
        sizes in prop::collection::vec((1_u16..400, 1_u16..200), 1..4),
        keys in prop::collection::vec(prop_oneof![
            Just("enter"), Just("backspace"), Just("down"), Just("up"), Just("left"), Just("right"),
            Just("tab"), Just("2"), Just("6"), Just("1"), Just("c"), Just("a"), Just("s"), Just("t"),
            Just("space"), Just("m"), Just("?"), Just("7"), Just("8"),
        ], 0..12),
        colours in prop_oneof![Just(Depth::True), Just(Depth::Indexed), Just(Depth::Ansi), Just(Depth::Mono)],
    ) {
        let mut screen = Screen::of(session(TREE), 80, 24, settings(colours, false));
        for ((width, height), part) in sizes.iter().zip(keys.chunks(4).chain(std::iter::repeat(&[][..]))) {
            screen.terminal.backend_mut().resize(*width, *height);
            screen.input(Input::Resize(*width, *height));
            for key in part {
                screen.press(key);
            }
            let text = screen.text();
            prop_assert!(!["\u{1b}", "\u{202e}"].iter().any(|bad| text.contains(bad)), "an escape");
        }
    }
}
