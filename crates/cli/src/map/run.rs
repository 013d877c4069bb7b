//! A map at work: reads the disk, answers, says what could not be read.

use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use groma_base::{CancelToken, Warning};
use groma_engine::catalogs::OpenRoot;
use groma_engine::index::{Progress, Report as Reporter};
use groma_engine::map::{
    Filter, Item, MapError, Mapped, Roots, Scan, Sealed, Tree, by_weight, largest, outline,
};
use groma_engine::search::{Form, Listing, Run, SearchError, search};
use groma_engine::stats::{self, StatsError};
use groma_query::bound::Expr;

use super::request::{Export, Report, Request, Show};
use super::table::{Entry, Result, Style, damaged};
use super::{fail, json, table};
use crate::exit::Exit;
use crate::index::{now, watched};
use crate::report::{reason, say};
use crate::stats::{push_json, push_table};
use crate::stdout::Stdout;

/// Children that a summary shows.
const SUMMARY: usize = 20;

/// Maps what was asked for.
pub(super) fn run(mut request: Request) -> Exit {
    let cancel = CancelToken::new();
    groma_sys::set_when_interrupted(cancel.flag());
    let warnings = Warnings::new(request.show_errors);
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
    let mapped = watched(!request.show_errors, &progress, || {
        scan.run(&progress, &warnings)
    });
    let mapped = match mapped {
        Ok(mapped) => mapped,
        Err(MapError::Nothing) => return Exit::Failure,
        Err(error) => {
            fail(reason(&error.to_string()));
            return match error {
                MapError::Scan(groma_engine::index::IndexError::Rule(_)) => Exit::Usage,
                _ => Exit::Failure,
            };
        }
    };
    exit = exit.worse(tell_failed(&mapped.failed[already..]));
    if !mapped.is_complete {
        fail("interrupted: this is what was read until then");
    }
    let answered = answer(&request, &mapped).unwrap_or_else(|error| ended(&error));
    exit.worse(answered).worse(warnings.concluded(&mapped.root))
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

fn answer(request: &Request, mapped: &Mapped) -> Result<Exit> {
    match &request.show {
        Show::Export(export) => exported(request, *export, &mapped.root),
        Show::Reports { reports, json } => {
            let text = reported(request, reports, *json, &mapped.root)?;
            write(request, |out| Ok(out.write_all(&text)?))?;
            Ok(Exit::Success)
        }
    }
}

fn run_of(request: &Request) -> Run {
    Run::new(request.threads, CancelToken::new())
}

fn reported(
    request: &Request,
    reports: &[Report],
    is_json: bool,
    root: &OpenRoot,
) -> Result<Vec<u8>> {
    let Some(tree) = tree(request, root)? else {
        return Ok(Vec::new());
    };
    let asked = Asked {
        request,
        root,
        top: tree.item(tree.top()).map_err(damaged)?,
        tree,
        out: RefCell::default(),
    };
    for (at, report) in reports.iter().enumerate() {
        if is_json {
            let before: &[u8] = if at == 0 { b"{" } else { b",\n" };
            asked.out.borrow_mut().extend_from_slice(before);
            asked.json(report)?;
        } else {
            if at > 0 {
                asked.out.borrow_mut().push(b'\n');
            }
            asked.table(report)?;
        }
    }
    let mut out = asked.out.into_inner();
    if is_json {
        out.extend_from_slice(b"}\n");
    }
    Ok(out)
}

fn tree(request: &Request, root: &OpenRoot) -> Result<Option<Sealed>> {
    let Some(tree) = Sealed::new(root.view.clone()) else {
        return Ok(None);
    };
    let filter = request.filter.as_ref().map(|expr| {
        Filter::new(&root.view, expr, &run_of(request)).map_err(|error| match error {
            MapError::Damaged(damage) => damaged(damage),
            _ => SearchError::Cancelled,
        })
    });
    Ok(Some(tree.filtered(filter.transpose()?.map(Arc::new))))
}

/// Reports about a tree, on their way to a text.
struct Asked<'a> {
    request: &'a Request,
    root: &'a OpenRoot,
    tree: Sealed,
    top: Item,
    out: RefCell<Vec<u8>>,
}

impl Asked<'_> {
    fn style(&self) -> Style {
        Style {
            weigh: self.request.weigh,
            si: self.request.si,
        }
    }

    /// What a report lists, and the name that it goes by.
    fn entries(&self, report: &Report) -> Result<(&'static str, Vec<Entry>)> {
        let weigh = self.request.weigh;
        Ok(match report {
            Report::Summary | Report::Stats(..) => {
                let mut children = Vec::new();
                self.tree
                    .children(self.top.id, &mut children)
                    .map_err(damaged)?;
                children.sort_by(by_weight(weigh));
                children.truncate(SUMMARY);
                let named = |item| Entry::named(&self.tree, (0, item));
                let entries: Result<_> = children.into_iter().map(named).collect();
                ("children", entries?)
            }
            Report::Depth(depth) => {
                let lines = outline(&self.tree, weigh, *depth).map_err(damaged)?;
                let named = |line| Entry::named(&self.tree, line);
                let entries: Result<_> = lines.into_iter().map(named).collect();
                ("directories", entries?)
            }
            Report::Largest(of, most) => {
                let items = largest(&self.tree, *of, weigh, *most).map_err(damaged)?;
                let placed = |item| Entry::placed(&self.tree, item);
                let entries: Result<_> = items.into_iter().map(placed).collect();
                let name = match of {
                    groma_engine::map::Largest::Files => "largest_files",
                    groma_engine::map::Largest::Dirs => "largest_dirs",
                };
                (name, entries?)
            }
        })
    }

    fn table(&self, report: &Report) -> Result<()> {
        if let Report::Stats(_, plan) = report {
            let answer = self.stats(plan)?;
            push_table(
                &answer,
                self.request.now.time_zone(),
                &mut self.out.borrow_mut(),
            );
            return Ok(());
        }
        let (_, entries) = self.entries(report)?;
        let mut out = self.out.borrow_mut();
        if let Report::Summary = report {
            let mut path = Vec::new();
            self.tree
                .append_path(self.top.id, &mut path)
                .map_err(damaged)?;
            table::push_totals(&path, &self.top, self.style(), &mut out);
            out.push(b'\n');
        }
        table::push_entries(&entries, &self.top, self.style(), &mut out);
        Ok(())
    }

    fn json(&self, report: &Report) -> Result<()> {
        if let Report::Stats(name, plan) = report {
            let answer = self.stats(plan)?;
            let mut out = self.out.borrow_mut();
            out.extend_from_slice(format!("\"{name}\":").as_bytes());
            push_json(&answer, &mut out);
            return Ok(());
        }
        let (name, mut entries) = self.entries(report)?;
        for entry in &mut entries {
            entry.name.clear();
            self.tree
                .append_path(entry.item.id, &mut entry.name)
                .map_err(damaged)?;
        }
        let mut out = self.out.borrow_mut();
        if let Report::Summary = report {
            let mut path = Vec::new();
            self.tree
                .append_path(self.top.id, &mut path)
                .map_err(damaged)?;
            out.extend_from_slice(b"\"total\":");
            json::push_item(&path, &self.top, &mut out);
            out.extend_from_slice(b",\n");
        }
        out.extend_from_slice(format!("\"{name}\":").as_bytes());
        json::push_entries(&entries, &mut out);
        Ok(())
    }

    fn stats(&self, plan: &stats::Plan) -> Result<stats::Report> {
        let roots = std::slice::from_ref(self.root);
        let run = stats::Run {
            threads: self.request.threads,
            cancel: CancelToken::new(),
        };
        stats::run(plan, roots, &run).map_err(|error| match error {
            StatsError::Cancelled => SearchError::Cancelled,
            error => SearchError::Io(io::Error::other(error)),
        })
    }
}

/// Writes everything.
fn exported(request: &Request, export: Export, root: &OpenRoot) -> Result<Exit> {
    let columns = || groma_engine::search::COLUMNS.to_vec();
    let listing = Listing {
        form: match export {
            Export::Json => Form::Json(None),
            Export::Csv => Form::Csv(columns()),
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
    let found = search(roots, expr, &run_of(request), &clock)?;
    write(request, |out| found.write(&listing, out).map(drop))?;
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
fn ended(error: &SearchError) -> Exit {
    match error {
        SearchError::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Success,
        SearchError::Cancelled => Exit::Failure,
        error => {
            fail(reason(&error.to_string()));
            Exit::Failure
        }
    }
}

/// Says what could not be read, to those who want to know, and counts it.
struct Warnings {
    shown: bool,
    count: AtomicU64,
}

impl Warnings {
    fn new(shown: bool) -> Warnings {
        Warnings {
            shown,
            count: AtomicU64::new(0),
        }
    }

    fn concluded(&self, root: &OpenRoot) -> Exit {
        let count = root.record.unread.max(self.count.load(Ordering::Relaxed));
        if count == 0 {
            return Exit::Success;
        }
        let places = if count == 1 { "place" } else { "places" };
        let hint = if self.shown {
            ""
        } else {
            " (--show-errors lists them)"
        };
        fail(&format!("{count} {places} could not be read{hint}"));
        Exit::Incomplete
    }
}

impl Reporter for Warnings {
    fn warn(&self, warning: &Warning) {
        if warning.incomplete {
            self.count.fetch_add(1, Ordering::Relaxed);
        }
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
