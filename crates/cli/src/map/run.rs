//! A map at work: reads the disk, answers, says what could not be read.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use groma_base::{CancelToken, Warning};
use groma_engine::catalogs::OpenRoot;
use groma_engine::index::{Progress, Report as Reporter};
use groma_engine::map::{
    Categories, Filter, Map, MapError, Page, Roots, Scan, Sealed, Tree, draw_svg, write_html,
};
use groma_engine::search::{Form, Listing, Run, SearchError, search};
use groma_engine::snapshot::{Loaded, NcduOptions, SnapError, load, write_ncdu};
use groma_query::bound::Expr;

use super::fail;
use super::reports::reported;
use super::request::{Export, Report, Request, Show};
use super::table::{Result, damaged};
use super::terminal;
use crate::exit::Exit;
use crate::index::{now, watched};
use crate::report::{reason, say};
use crate::stdout::Stdout;

/// Width and height of a picture.
const PICTURE: (u16, u16) = (1600, 1000);

/// Maps what was asked for.
pub(super) fn run(mut request: Request) -> Exit {
    let show = std::mem::replace(&mut request.show, Show::Export(Export::Json));
    if let Show::Terminal(looks) = show {
        return terminal::run(request, *looks);
    }
    request.show = show;
    if let Some(file) = request.from.take() {
        return saved(&mut request, &file);
    }
    let cancel = CancelToken::new();
    groma_sys::set_when_interrupted(cancel.flag());
    let warnings = Warnings {
        shown: request.show_errors,
    };
    let progress = Progress::new();
    let scan = Scan {
        roots: Roots::new(&request.paths),
        options: std::mem::take(&mut request.options),
        threads: request.threads,
        now,
        cancel,
    };
    let mut exit = tell_failed(&scan.roots.failed);
    let already = scan.roots.failed.len();
    let map = Map::new();
    let ended = watched(!request.show_errors, &progress, || {
        scan.run(&map, &progress, &warnings)
    });
    let end = match ended {
        Ok(end) => end,
        Err(MapError::Nothing(failed)) => {
            tell_failed(&failed);
            return Exit::Failure;
        }
        Err(error) => {
            fail(reason(&error.to_string()));
            return match error {
                MapError::Scan(groma_engine::index::IndexError::Rule(_)) => Exit::Usage,
                _ => Exit::Failure,
            };
        }
    };
    exit = exit.worse(tell_failed(&end.failed[already..]));
    if !end.is_complete {
        fail("interrupted: this is what was read until then");
    }
    (request.is_partial, request.unread) = (!end.is_complete, end.unread);
    let answered = answer(&request, &map).unwrap_or_else(|error| unanswered(&error));
    let hint = match request.show_errors {
        true => "",
        false => "(--show-errors lists them)",
    };
    exit.worse(answered).worse(concluded(end.unread, hint))
}

/// Maps what a file holds.
fn saved(request: &mut Request, file: &Path) -> Exit {
    let root = match loaded(file) {
        Ok((root, is_partial)) => {
            (request.is_partial, request.unread) = (is_partial, root.record.unread);
            request.taken = Some(root.record.ended);
            root
        }
        Err(error) => {
            fail(&error);
            return Exit::Failure;
        }
    };
    let unread = root.record.unread;
    let answered = answer(request, &Map::of(root)).unwrap_or_else(|error| unanswered(&error));
    answered.worse(concluded(unread, "when this was saved"))
}

/// What a file holds, and whether the scan behind it was ended early.
pub(super) fn loaded(file: &Path) -> std::result::Result<(OpenRoot, bool), String> {
    let loaded = load(file, true, &CancelToken::new());
    let loaded = loaded.map_err(|error| reason(&error.to_string()).to_owned())?;
    let is_partial = loaded.is_partial;
    Ok((loaded.into_root(), is_partial))
}

fn concluded(count: u64, hint: &str) -> Exit {
    if count == 0 {
        return Exit::Success;
    }
    let places = if count == 1 { "place" } else { "places" };
    fail(&format!("{count} {places} could not be read {hint}"));
    Exit::Incomplete
}

fn tell_failed(failed: &[groma_engine::map::Failed]) -> Exit {
    for (path, error) in failed {
        let error = error.to_string();
        fail(&format!("'{}': {}", path.display(), reason(&error)));
    }
    match failed.is_empty() {
        true => Exit::Success,
        false => Exit::Failure,
    }
}

fn answer(request: &Request, map: &Map) -> Result<Exit> {
    match &request.show {
        // Shown before anything was read.
        Show::Terminal(_) => Ok(Exit::Success),
        Show::Export(Export::Svg | Export::Html) => drawn(request, map),
        Show::Export(export) => {
            let Some(root) = view(map)? else {
                return Ok(Exit::Success);
            };
            exported(request, *export, &root)
        }
        Show::Reports { reports, json } => {
            let is_view = |report: &Report| matches!(report, Report::Stats(..));
            let is_view = reports.iter().any(is_view);
            let text = told(request, map, is_view, |tree, root| {
                reported(request, reports, *json, tree, root)
            });
            let text = text?.unwrap_or_default();
            write(request, |out| Ok(out.write_all(&text)?))?;
            Ok(Exit::Success)
        }
    }
}

/// Hands `tell` the tree, or what the filter leaves of it; with the view behind it where there is a
/// filter, or `is_view`. `None`: there is nothing.
fn told<T>(
    request: &Request,
    map: &Map,
    is_view: bool,
    tell: impl FnOnce(&dyn Tree, Option<&OpenRoot>) -> Result<T>,
) -> Result<Option<T>> {
    if !is_view && request.filter.is_none() {
        return map.look(|tree| tell(tree, None)).transpose();
    }
    let Some(root) = view(map)? else {
        return Ok(None);
    };
    let tree = filtered(request, &root)?;
    tree.map(|tree| tell(&tree, Some(&root))).transpose()
}

fn view(map: &Map) -> Result<Option<OpenRoot>> {
    map.seal().map_err(unmapped)
}

/// What goes wrong with a map, as what goes wrong with a search of it.
fn unmapped(error: MapError) -> SearchError {
    match error {
        MapError::Damaged(damage) => damaged(damage),
        MapError::Cancelled => SearchError::Cancelled,
        error => SearchError::Io(io::Error::other(error)),
    }
}

fn run_of(request: &Request) -> Run {
    Run::new(request.threads, CancelToken::new())
}

fn filtered(request: &Request, root: &OpenRoot) -> Result<Option<Sealed>> {
    let Some(tree) = Sealed::new(root.view.clone()) else {
        return Ok(None);
    };
    let expr = request.filter.as_ref();
    let filter = expr.map(|expr| Filter::new(&root.view, expr, &run_of(request)));
    let filter = filter.transpose().map_err(unmapped)?;
    Ok(Some(tree.filtered(filter.map(Arc::new))))
}

/// Writes everything.
fn exported(request: &Request, export: Export, root: &OpenRoot) -> Result<Exit> {
    let listing = Listing {
        form: match export {
            Export::Ncdu => return ncdu(request, root),
            // Drawn from the tree, without a view.
            Export::Svg | Export::Html => return Ok(Exit::Success),
            Export::Json => Form::Json(None),
            Export::Csv => Form::Csv(groma_engine::search::COLUMNS.to_vec()),
        },
        order: Vec::new(),
        natural: false,
        offset: 0,
        limit: None,
        now: (&request.now).into(),
        groups: request.groups.clone(),
        threads: request.threads,
        cancel: CancelToken::new(),
    };
    let everything = Expr::All;
    let expr = request.filter.as_ref().unwrap_or(&everything);
    let roots = std::slice::from_ref(root);
    let clock = || std::time::Duration::ZERO;
    let found = search(roots, expr, &run_of(request), None, &clock)?;
    write(request, |out| found.write(&listing, out).map(drop))?;
    Ok(Exit::Success)
}

/// Draws the map: as a picture, or as a page.
fn drawn(request: &Request, map: &Map) -> Result<Exit> {
    told(request, map, false, |tree, _| {
        write(request, |out| draw_on(tree, request, out))
    })?;
    Ok(Exit::Success)
}

fn draw_on(tree: &dyn Tree, request: &Request, out: &mut dyn Write) -> Result<()> {
    let categories = &Categories::new(&request.groups);
    if matches!(request.show, Show::Export(Export::Svg)) {
        let picture = draw_svg(tree, request.weigh, categories, PICTURE).map_err(damaged)?;
        return Ok(out.write_all(picture.as_bytes())?);
    }
    let taken = request.taken.unwrap_or_else(|| (&request.now).into());
    let page = Page {
        taken: taken.seconds,
        categories,
        weigh: request.weigh,
        si: request.si,
        is_dark: request.is_dark,
        is_partial: request.is_partial,
        unread: request.unread,
    };
    write_html(tree, &page, out).map_err(unmapped)
}

/// Writes everything for ncdu.
fn ncdu(request: &Request, root: &OpenRoot) -> Result<Exit> {
    let options = NcduOptions {
        version: env!("CARGO_PKG_VERSION").as_bytes().to_vec(),
    };
    let other = |error: SnapError| match error {
        SnapError::Write(error) => SearchError::Io(error),
        error => SearchError::Io(io::Error::other(error)),
    };
    let loaded = Loaded::of_root(root, request.is_partial).map_err(other)?;
    write(request, |out| {
        write_ncdu(&loaded, &options, out).map_err(other)
    })?;
    Ok(Exit::Success)
}

/// Hands over the file that was named, or stdout.
fn write(
    request: &Request,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<()>,
) -> Result<()> {
    match &request.output {
        Some(path) => groma_sys::replace_file(path, |file| write(file)),
        None => write(&mut Stdout::new()),
    }
}

/// Says why there is no answer.
fn unanswered(error: &SearchError) -> Exit {
    match error {
        SearchError::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Success,
        SearchError::Cancelled => Exit::Failure,
        error => {
            fail(reason(&error.to_string()));
            Exit::Failure
        }
    }
}

/// Says what could not be read, to those who want to know.
struct Warnings {
    shown: bool,
}

impl Reporter for Warnings {
    fn warn(&self, warning: &Warning) {
        if self.shown {
            let path = String::from_utf8_lossy(&warning.path);
            let error = warning.error.to_string();
            say(&format!(
                "groma map: cannot {} '{path}': {}",
                warning.action,
                reason(&error)
            ));
        }
    }
}
