//! The map in the terminal: its terminal, and what happens outside of it.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use groma_base::CancelToken;
use groma_base::time::Zoned;
use groma_engine::map::{Ask, Categories, Expr, Failed, Map, Question, Roots, Scan, Surroundings};
use groma_engine::snapshot::{self, Times, Tree};
use groma_engine::stats::{self, Plan};
use groma_formats::clipboard::{osc52, pasteable};
use groma_query::bind::Target;
use groma_query::pattern::Case;
use groma_sys::os_path;
use groma_tui::{App, Colouring, Host, Session, Settings};
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::execute;

use super::fail;
use super::request::{Looks, Request, question};
use super::run::loaded;
use crate::catalog_dir;
use crate::config::ExtensionGroups;
use crate::exit::Exit;
use crate::index::now;
use crate::query::Binding;
use crate::report::reason;

/// Shows the map until its user leaves.
pub(super) fn run(request: Request, looks: Looks) -> Exit {
    let settings = Settings {
        weigh: request.weigh,
        si: request.si,
        colouring: Colouring::default(),
        theme: looks.theme,
        depth: looks.depth,
        ascii: looks.ascii,
        since: looks.since,
        keys: looks.keys,
        read_only: looks.read_only,
        allow_delete: looks.allow_delete,
        now: (&request.now).into(),
        zone: request.now.time_zone().clone(),
        threads: request.threads,
    };
    let ask = Arc::new(Words {
        categories: Categories::new(&request.groups),
        groups: request.groups.clone(),
        now: request.now.clone(),
    });
    let mut outside = Outside {
        request,
        mouse: looks.mouse,
    };
    let session = match outside.begin() {
        Ok(session) => session,
        Err(whys) => {
            whys.iter().for_each(|why| fail(why));
            return Exit::Failure;
        }
    };
    let mut app = App::new(session, ask, settings);
    if let Some(query) = outside.request.query.take() {
        app.filter(query);
    }
    match outside.show(&mut app) {
        Ok(()) => Exit::Success,
        Err(error) => {
            fail(&format!("the terminal: {}", reason(&error.to_string())));
            Exit::Failure
        }
    }
}

/// What the map asks of the program.
struct Outside {
    request: Request,
    mouse: bool,
}

impl Outside {
    /// Takes the terminal, and gives it back whatever happens.
    fn show(&mut self, app: &mut App) -> io::Result<()> {
        let mut terminal = ratatui::try_init()?;
        self.take_mouse(true)?;
        let ran = groma_tui::run(&mut terminal, app, self);
        let _ = self.take_mouse(false);
        ratatui::restore();
        ran
    }

    fn take_mouse(&self, take: bool) -> io::Result<()> {
        let mut out = io::stdout();
        match (take, self.mouse) {
            (true, true) => execute!(out, EnableMouseCapture, EnableBracketedPaste),
            (true, false) => execute!(out, EnableBracketedPaste),
            (false, true) => execute!(out, DisableMouseCapture, DisableBracketedPaste),
            (false, false) => execute!(out, DisableBracketedPaste),
        }
    }

    /// What there is to see.
    fn begin(&self) -> Result<Session, Vec<String>> {
        if let Some(file) = &self.request.from {
            let (root, is_partial) = loaded(file).map_err(|why| vec![why])?;
            let session = Session {
                map: Map::of(root),
                is_saved: true,
                ..Session::default()
            };
            if is_partial {
                session.set_partial();
            }
            return Ok(session);
        }
        let roots = Roots::new(&self.request.paths);
        if roots.paths().is_empty() {
            let why = |(path, error): &Failed| {
                format!("'{}': {}", path.display(), reason(&error.to_string()))
            };
            return Err(roots.failed.iter().map(why).collect());
        }
        Ok(self.scan(roots))
    }

    /// Begins to read the disk, on a thread of its own.
    fn scan(&self, roots: Roots) -> Session {
        let session = Session::default();
        let scan = Scan {
            roots,
            options: self.request.options.clone(),
            threads: self.request.threads,
            now,
            cancel: session.cancel.clone(),
        };
        let at_work = session.clone();
        let work = move || {
            let ended = scan.run(&at_work.map, &at_work.progress, &at_work.warnings);
            match ended {
                Ok(ended) if !ended.is_complete => at_work.set_partial(),
                Ok(_) => {}
                Err(error) => at_work.fail(reason(&error.to_string()).to_owned()),
            }
        };
        if let Err(error) = std::thread::Builder::new().spawn(work) {
            session.fail(error.to_string());
        }
        session
    }
}

impl Host for Outside {
    fn copy(&mut self, path: &[u8]) -> Result<(), String> {
        let mut out = io::stdout();
        let sequence = osc52(&pasteable(path));
        let written = out.write_all(&sequence).and_then(|()| out.flush());
        written.map_err(|error| error.to_string())
    }

    fn open(&mut self, path: &[u8]) -> Result<(), String> {
        let opener = if cfg!(target_os = "macos") {
            "open"
        } else {
            "xdg-open"
        };
        let mut command = Command::new(opener);
        command
            .arg(os_path(path))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        match command.spawn() {
            Ok(mut child) => {
                // Nobody else waits for it.
                let _ = std::thread::Builder::new().spawn(move || child.wait());
                Ok(())
            }
            Err(error) => Err(format!(
                "cannot run {opener}: {}",
                reason(&error.to_string())
            )),
        }
    }

    fn shell(&mut self, dir: &[u8]) -> Result<(), String> {
        let shell = std::env::var_os("SHELL").filter(|shell| !shell.is_empty());
        let shell = shell.unwrap_or_else(|| "/bin/sh".into());
        let _ = self.take_mouse(false);
        ratatui::restore();
        let ran = Command::new(&shell).current_dir(os_path(dir)).status();
        // The terminal that the map draws on is the same; only its modes are taken again.
        let taken = ratatui::try_init()
            .map(drop)
            .and_then(|()| self.take_mouse(true));
        match (ran, taken) {
            (Err(error), _) | (_, Err(error)) => Err(reason(&error.to_string()).to_owned()),
            _ => Ok(()),
        }
    }

    fn surroundings(&mut self) -> Result<Surroundings, String> {
        let data_home = catalog_dir::data_home().ok_or("there is no home directory")?;
        Ok(Surroundings {
            data_home,
            uid: groma_sys::effective_user(),
            now: now(),
            zone: self.request.now.time_zone().clone(),
        })
    }

    fn rescan(&mut self) -> Result<Session, String> {
        match self.request.from {
            Some(_) => Err("this was saved; there is nothing to be read again".to_owned()),
            None => Ok(self.scan(Roots::new(&self.request.paths))),
        }
    }

    fn save(&mut self, session: &Session) -> Result<String, String> {
        let said = |error: &dyn std::fmt::Display| reason(&error.to_string()).to_owned();
        let root = session.map.seal().map_err(|error| said(&error))?;
        let root = root.ok_or("there is nothing to save yet")?;
        let name = format!("groma-{}.snap", Zoned::now().strftime("%Y%m%d-%H%M%S"));
        let tree = Tree {
            segment: root.view.shared_segment(),
            unread: root.record.unread,
            is_partial: session.is_partial(),
        };
        let (threads, cancel) = (self.request.threads, CancelToken::new());
        snapshot::write(&tree, Path::new(&name), Times::All, threads, &cancel)
            .map(|_| name)
            .map_err(|error| said(&error))
    }
}

/// Queries in the words of this user, at this moment.
struct Words {
    categories: Categories,
    groups: ExtensionGroups,
    now: Zoned,
}

impl Words {
    fn binding(&self) -> Binding<'_> {
        Binding {
            target: Target::Catalog,
            case: Case::Smart,
            now: self.now.clone(),
            groups: &self.groups,
        }
    }
}

impl Ask for Words {
    fn filter(&self, text: &str) -> Result<Expr, String> {
        self.binding()
            .bind(text)
            .map_err(|errors| errors.to_string())
    }

    fn plan(&self, asked: Question, within: &[u8], filter: Option<&str>) -> Result<Plan, String> {
        let id = match asked {
            Question::Types => "types",
            Question::Ages => "ages",
            Question::Owners => "owners",
            Question::Duplicates => "duplicates",
        };
        let mut request = question(id, filter.map(str::to_owned).as_ref());
        request.within = vec![within.to_vec()];
        stats::plan(&request, &self.binding().context()).map_err(|error| error.to_string())
    }

    fn categories(&self) -> &Categories {
        &self.categories
    }
}
