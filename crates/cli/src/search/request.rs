//! What was typed, as the search that it means.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::ArgMatches;
use groma_base::CancelToken;
use groma_base::time::Zoned;
use groma_engine::search::{Listing, Run};
use groma_query::bind::Target;
use groma_query::bound::Expr;
use groma_query::pattern::Case;

use super::{fields, form};
use crate::catalog_dir;
use crate::config::{self, ExtensionGroups};
use crate::query::{Binding, absolute, as_text, queries};

/// A search.
pub(super) struct Request {
    pub(super) catalog: PathBuf,
    pub(super) expr: Expr,
    /// Absolute paths of the directories that it is restricted to.
    pub(super) within: Vec<PathBuf>,
    pub(super) answer: Answer,
    pub(super) listing: Listing,
    pub(super) output: Option<PathBuf>,
    pub(super) run: Run,
    pub(super) show_errors: bool,
}

/// What is to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// What matches.
    Rows,
    /// How many match.
    Count,
    /// How that was found out.
    Explanation,
}

/// Reads the command line.
pub(super) fn read(matches: &ArgMatches) -> Result<Request> {
    let flag = |id| matches.get_flag(id);
    let now = Zoned::now();
    let groups = match flag("no_config") {
        true => ExtensionGroups::new(),
        false => config::extension_groups()?,
    };
    let run = Run {
        threads: threads(matches),
        cancel: CancelToken::new(),
    };
    let number = |id| matches.get_one::<u64>(id).copied();
    let sort = matches.get_one::<String>("sort");
    let listing = Listing {
        form: form::read(matches, &now)?,
        order: sort.map_or(Ok(Vec::new()), |text| fields::sort_keys(text))?,
        natural: flag("natural"),
        offset: number("offset").unwrap_or(0),
        limit: number("limit"),
        now: (&now).into(),
        groups: groups.clone(),
        threads: run.threads,
        cancel: run.cancel.clone(),
    };
    let within = matches.get_many::<PathBuf>("in").into_iter().flatten();
    Ok(Request {
        expr: expr(matches, now, &groups)?,
        within: within.map(|path| absolute(path)).collect::<Result<_>>()?,
        answer: match (flag("count"), flag("explain")) {
            (true, _) => Answer::Count,
            (_, true) => Answer::Explanation,
            _ => Answer::Rows,
        },
        listing,
        output: matches.get_one("output").cloned(),
        catalog: catalog_dir::of(matches)?,
        run,
        show_errors: flag("show_errors"),
    })
}

fn threads(matches: &ArgMatches) -> usize {
    let given = matches.get_one::<NonZeroUsize>("threads");
    given.map_or_else(groma_sys::processors, |threads| threads.get())
}

/// The queries, all of which must match.
fn expr(matches: &ArgMatches, now: Zoned, groups: &ExtensionGroups) -> Result<Expr> {
    let case = match () {
        () if matches.get_flag("ignore_case") => Case::Insensitive,
        () if matches.get_flag("case") => Case::Sensitive,
        () => Case::Smart,
    };
    let binding = Binding {
        target: Target::Catalog,
        case,
        now,
        groups,
    };
    let words = matches.get_many::<OsString>("query").into_iter().flatten();
    let words: Vec<&str> = words.map(as_text).collect::<Result<_>>()?;
    let mut all = Vec::new();
    for text in queries(&words) {
        all.push(binding.bind(&text).map_err(|errors| anyhow!("{errors}"))?);
    }
    Ok(match all.len() {
        0 => Expr::All,
        1 => all.remove(0),
        _ => Expr::And(all),
    })
}
