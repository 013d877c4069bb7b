//! Reports about a tree, one after the other, as one text.

use std::io;

use groma_base::CancelToken;
use groma_engine::catalogs::OpenRoot;
use groma_engine::map::{Item, Largest, Tree, by_weight, largest, outline};
use groma_engine::search::SearchError;
use groma_engine::stats::{self, StatsError};

use super::request::{Report, Request};
use super::table::{Entry, Result, Style, damaged};
use super::{json, table};
use crate::stats::{push_json, push_table};

/// Children that a summary shows.
const SUMMARY: usize = 20;

/// The answers to all reports. `root`: the view behind the tree, which `groma stats` is asked.
pub(super) fn reported(
    request: &Request,
    reports: &[Report],
    is_json: bool,
    tree: &dyn Tree,
    root: Option<&OpenRoot>,
) -> Result<Vec<u8>> {
    let mut asked = Asked {
        request,
        root,
        top: tree.item(tree.top()).map_err(damaged)?,
        tree,
        out: Vec::new(),
    };
    for (at, report) in reports.iter().enumerate() {
        match is_json {
            true => {
                let before: &[u8] = if at == 0 { b"{" } else { b",\n" };
                asked.out.extend_from_slice(before);
                asked.json(report)?;
            }
            false => {
                asked.out.extend((at > 0).then_some(b'\n'));
                asked.table(report)?;
            }
        }
    }
    if is_json {
        asked.out.extend_from_slice(b"}\n");
    }
    Ok(asked.out)
}

/// Reports about a tree, on their way to a text.
struct Asked<'a> {
    request: &'a Request,
    /// The view behind the tree, where a report needs one.
    root: Option<&'a OpenRoot>,
    tree: &'a dyn Tree,
    top: Item,
    out: Vec<u8>,
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
                let named = |item| Entry::named(self.tree, (0, item));
                let entries: Result<_> = children.into_iter().map(named).collect();
                ("children", entries?)
            }
            Report::Depth(depth) => {
                let lines = outline(self.tree, weigh, *depth).map_err(damaged)?;
                let named = |line| Entry::named(self.tree, line);
                let entries: Result<_> = lines.into_iter().map(named).collect();
                ("directories", entries?)
            }
            Report::Largest(of, most) => {
                let items = largest(self.tree, *of, weigh, *most).map_err(damaged)?;
                let placed = |item| Entry::placed(self.tree, item);
                let entries: Result<_> = items.into_iter().map(placed).collect();
                let name = match of {
                    Largest::Files => "largest_files",
                    Largest::Dirs => "largest_dirs",
                };
                (name, entries?)
            }
        })
    }

    fn table(&mut self, report: &Report) -> Result<()> {
        if let Report::Stats(_, plan) = report {
            let answer = self.stats(plan)?;
            push_table(&answer, self.request.now.time_zone(), &mut self.out);
            return Ok(());
        }
        let (_, entries) = self.entries(report)?;
        if let Report::Summary = report {
            let mut path = Vec::new();
            self.tree
                .append_path(self.top.id, &mut path)
                .map_err(damaged)?;
            table::push_totals(&path, &self.top, self.style(), &mut self.out);
            self.out.push(b'\n');
        }
        table::push_entries(&entries, &self.top, self.style(), &mut self.out);
        Ok(())
    }

    fn json(&mut self, report: &Report) -> Result<()> {
        if let Report::Stats(name, plan) = report {
            let answer = self.stats(plan)?;
            self.out
                .extend_from_slice(format!("\"{name}\":").as_bytes());
            push_json(&answer, &mut self.out);
            return Ok(());
        }
        let (name, mut entries) = self.entries(report)?;
        for entry in &mut entries {
            entry.name.clear();
            self.tree
                .append_path(entry.item.id, &mut entry.name)
                .map_err(damaged)?;
        }
        if let Report::Summary = report {
            let mut path = Vec::new();
            self.tree
                .append_path(self.top.id, &mut path)
                .map_err(damaged)?;
            self.out.extend_from_slice(b"\"total\":");
            json::push_item(&path, &self.top, &mut self.out);
            self.out.extend_from_slice(b",\n");
        }
        self.out
            .extend_from_slice(format!("\"{name}\":").as_bytes());
        json::push_entries(&entries, &mut self.out);
        Ok(())
    }

    fn stats(&self, plan: &stats::Plan) -> Result<stats::Report> {
        let roots = self.root.map(std::slice::from_ref).unwrap_or_default();
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
