//! What was typed, as the map that it means.

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use clap::ArgMatches;
use groma_base::Timestamp;
use groma_base::time::Zoned;
use groma_engine::index::ScanOptions;
use groma_engine::map::{Largest, Weigh};
use groma_engine::stats;
use groma_query::bind::Target;
use groma_query::bound::Expr;
use groma_query::pattern::Case;
use groma_tui::{Depth, Keys, Theme};

use super::args::REPORTS;
use crate::config::{self, ExtensionGroups};
use crate::index::thread_count;
use crate::query::{Binding, as_text};

/// A map.
pub(super) struct Request {
    pub(super) paths: Vec<PathBuf>,
    /// What is mapped in their place: a snapshot, or an export of ncdu.
    pub(super) from: Option<PathBuf>,
    pub(super) options: ScanOptions,
    pub(super) threads: usize,
    pub(super) weigh: Weigh,
    pub(super) si: bool,
    pub(super) filter: Option<Expr>,
    /// The same in words.
    pub(super) query: Option<String>,
    pub(super) show: Show,
    pub(super) output: Option<PathBuf>,
    pub(super) now: Zoned,
    pub(super) groups: ExtensionGroups,
    pub(super) show_errors: bool,
    /// What a scan, or a file, says of itself once it is known.
    pub(super) is_partial: bool,
    pub(super) unread: u64,
    /// When what a file holds was read.
    pub(super) taken: Option<Timestamp>,
    /// Dark or light, where that was said.
    pub(super) is_dark: Option<bool>,
}

/// What is shown.
pub(super) enum Show {
    /// Reports, in this order.
    Reports { reports: Vec<Report>, json: bool },
    /// Everything there is.
    Export(Export),
    /// The map in the terminal.
    Terminal(Box<Looks>),
}

/// How the terminal map looks, and what it may do.
pub(super) struct Looks {
    pub(super) depth: Depth,
    pub(super) theme: Theme,
    pub(super) ascii: bool,
    pub(super) mouse: bool,
    pub(super) read_only: bool,
    pub(super) allow_delete: bool,
    pub(super) since: Option<PathBuf>,
    pub(super) keys: Keys,
}

/// A question about a tree.
pub(super) enum Report {
    Summary,
    Depth(usize),
    Largest(Largest, usize),
    /// A question that `groma stats` has an answer to.
    Stats(&'static str, Box<stats::Plan>),
}

/// A form of everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Export {
    Json,
    Csv,
    Ncdu,
    Svg,
    Html,
}

/// Reads the command line.
pub(super) fn read(matches: &ArgMatches) -> Result<Request> {
    let flag = |id| matches.get_flag(id);
    let now = Zoned::now();
    let groups = match flag("no_config") {
        true => ExtensionGroups::new(),
        false => config::extension_groups()?,
    };
    let binding = Binding {
        target: Target::Catalog,
        case: Case::Smart,
        now: now.clone(),
        groups: &groups,
    };
    let query = matches.get_one::<OsString>("where");
    let query = query.map(as_text).transpose()?.map(str::to_owned);
    let filter = query.as_deref().map(|text| binding.bind(text));
    let filter = filter.transpose().map_err(|errors| anyhow!("{errors}"))?;
    let show = show(matches, query.as_ref(), &binding)?;
    let paths = paths(matches);
    let named: Option<&PathBuf> = matches.get_one("from");
    let from = named.cloned().or_else(|| lone_snapshot(&paths));
    if matches.get_flag("ncdu") && filter.is_some() {
        anyhow::bail!("--ncdu writes everything: it goes without --where");
    }
    Ok(Request {
        paths,
        from,
        options: options(matches)?,
        threads: thread_count(matches),
        weigh: match (flag("count"), flag("apparent")) {
            (true, _) => Weigh::Count,
            (_, true) => Weigh::Apparent,
            _ => Weigh::Allocated,
        },
        si: flag("si"),
        filter,
        query,
        show,
        output: output(matches),
        now,
        show_errors: flag("show_errors"),
        is_partial: false,
        unread: 0,
        taken: None,
        is_dark: matches
            .get_one::<String>("theme")
            .map(|theme| theme == "dark"),
        groups,
    })
}

fn paths(matches: &ArgMatches) -> Vec<PathBuf> {
    let paths = matches.get_many::<PathBuf>("path").into_iter().flatten();
    let paths: Vec<PathBuf> = paths.cloned().collect();
    match paths.is_empty() {
        true => vec![PathBuf::from(".")],
        false => paths,
    }
}

/// The file that is written.
fn output(matches: &ArgMatches) -> Option<PathBuf> {
    let files = ["output", "svg", "html"].map(|id| matches.get_one::<PathBuf>(id));
    files.into_iter().flatten().next().cloned()
}

/// The one path that was named, if it is a snapshot.
fn lone_snapshot(paths: &[PathBuf]) -> Option<PathBuf> {
    let [only] = paths else { return None };
    groma_engine::snapshot::is_one(only).then(|| only.clone())
}

fn options(matches: &ArgMatches) -> Result<ScanOptions> {
    let globs = matches
        .get_many::<OsString>("exclude")
        .into_iter()
        .flatten();
    let bytes = |glob| groma_sys::path_bytes(Path::new(glob)).into_owned();
    let files = matches
        .get_many::<PathBuf>("exclude_from")
        .into_iter()
        .flatten();
    for file in files.clone() {
        // Whoever reads the rules later has no better words for it.
        std::fs::File::open(file)
            .with_context(|| format!("--exclude-from: '{}'", file.display()))?;
    }
    Ok(ScanOptions {
        excludes: globs.map(bytes).collect(),
        exclude_files: files.cloned().collect(),
        exclude_caches: matches.get_flag("exclude_caches"),
        cwd: std::env::current_dir().context("cannot tell the working directory")?,
        one_file_system: matches.get_flag("one_file_system"),
        pseudo: false,
        mounts_once: true,
        acl: false,
    })
}

fn show(matches: &ArgMatches, query: Option<&String>, binding: &Binding<'_>) -> Result<Show> {
    if matches.get_flag("csv") {
        return Ok(Show::Export(Export::Csv));
    }
    if matches.contains_id("html") {
        return Ok(Show::Export(Export::Html));
    }
    if matches.contains_id("svg") {
        return Ok(Show::Export(Export::Svg));
    }
    if matches.get_flag("ncdu") {
        return Ok(Show::Export(Export::Ncdu));
    }
    let mut reports = Vec::new();
    for id in REPORTS {
        reports.extend(report(matches, id, query, binding)?);
    }
    let json = matches.get_flag("json");
    if reports.is_empty() && json {
        return Ok(Show::Export(Export::Json));
    }
    let is_seen = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    if reports.is_empty() && is_seen && !matches.contains_id("output") && !is_dumb() {
        return Ok(Show::Terminal(Box::new(looks(matches)?)));
    }
    if reports.is_empty() {
        reports.push(Report::Summary);
    }
    Ok(Show::Reports { reports, json })
}

/// The report of one flag, where it was given.
fn report(
    matches: &ArgMatches,
    id: &'static str,
    query: Option<&String>,
    binding: &Binding<'_>,
) -> Result<Option<Report>> {
    let is_set = |id| matches.get_flag(id);
    let number = |id| matches.get_one::<usize>(id).copied();
    Ok(match id {
        "summary" => is_set(id).then_some(Report::Summary),
        "depth" => number(id).map(Report::Depth),
        "largest_dirs" => number(id).map(|most| Report::Largest(Largest::Dirs, most)),
        "largest_files" => number(id).map(|most| Report::Largest(Largest::Files, most)),
        _ if !is_set(id) => None,
        _ => {
            let request = question(id, query);
            let plan = stats::plan(&request, &binding.context());
            let plan = plan.map_err(|error| anyhow!("{error}"))?;
            Some(Report::Stats(id, Box::new(plan)))
        }
    })
}

/// What `groma stats` is asked for a report.
pub(super) fn question(id: &str, query: Option<&String>) -> stats::Request {
    let texts = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    let mut request = stats::Request {
        query: query.cloned().into_iter().collect(),
        metrics: vec![
            stats::Metric::Count,
            stats::Metric::Size,
            stats::Metric::Allocated,
        ],
        sort: Some("-allocated".to_owned()),
        ..stats::Request::default()
    };
    match id {
        "types" => request.by = texts(&["category"]),
        "owners" => request.by = texts(&["owner"]),
        "ages" => {
            request.histograms = texts(&["age"]);
            request.sort = None;
        }
        _ => {
            request.duplicates = Some(stats::Likeness::Content);
            request.metrics = Vec::new();
            request.sort = None;
        }
    }
    request.missing = true;
    request
}

fn variable(name: &str) -> String {
    let value = std::env::var_os(name).unwrap_or_default();
    value.to_string_lossy().into_owned()
}

/// A terminal that cannot be drawn on.
fn is_dumb() -> bool {
    let term = variable("TERM");
    term.is_empty() || term == "dumb"
}

fn looks(matches: &ArgMatches) -> Result<Looks> {
    let word = |id| matches.get_one::<String>(id).map(String::as_str);
    let own = match matches.get_flag("no_config") {
        true => Vec::new(),
        false => config::map_keys()?,
    };
    Ok(Looks {
        depth: depth(word("color")),
        theme: match word("theme") {
            Some("light") => Theme::Light,
            _ => Theme::Dark,
        },
        ascii: !is_utf8(),
        mouse: !matches.get_flag("no_mouse"),
        read_only: matches.get_flag("read_only"),
        allow_delete: matches.get_flag("allow_delete"),
        since: matches.get_one("since").cloned(),
        keys: Keys::new(&own).map_err(|error| anyhow!("the table [map.keys]: {error}"))?,
    })
}

/// How many colours the terminal says it has.
fn depth(when: Option<&str>) -> Depth {
    let is_off =
        when == Some("never") || when != Some("always") && !variable("NO_COLOR").is_empty();
    let (term, more) = (variable("TERM"), variable("COLORTERM"));
    match () {
        () if is_off => Depth::Mono,
        () if more == "truecolor" || more == "24bit" || term.contains("direct") => Depth::True,
        () if term.contains("256") => Depth::Indexed,
        () if term.contains("mono") || term == "vt100" => Depth::Mono,
        () => Depth::Ansi,
    }
}

/// Whether the locale's texts are UTF-8.
fn is_utf8() -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable);
    let first = set.iter().find(|value| !value.is_empty());
    first.is_some_and(|value| value.to_lowercase().replace('-', "").contains("utf8"))
}
