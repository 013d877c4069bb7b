//! `groma snapshot compare`.

use std::path::Path;

use anyhow::Result;
use clap::ArgMatches;
use groma_base::CancelToken;
use groma_engine::index::{Progress, ScanOptions};
use groma_engine::snapshot::{
    Change, ChangeKind, Comparison, DirGrowth, LiveRequest, Loaded, Measure, SeriesPoint,
    SnapError, compare, live, load, series,
};

use super::{
    VOICE, compare_csv, compare_json, compare_table, failure, files, format, incomplete,
    interruptible, note, shown, write,
};
use crate::exit::Exit;
use crate::index::{Reporter, now, thread_count, watched};

/// Most changes and most directories of a table, unless the user says how many.
const TOLD: usize = 20;

/// What is told, in any form.
pub(super) struct Told<'c> {
    pub(super) comparison: &'c Comparison<'c>,
    /// All trees in the order in which they were given.
    pub(super) trees: &'c [Loaded],
    /// The same as numbers.
    pub(super) points: Vec<SeriesPoint>,
    /// Changes that are told: the largest first in a table, else in the order of paths.
    pub(super) changes: Vec<&'c Change>,
    /// Directories that are told.
    pub(super) dirs: &'c [DirGrowth],
    /// Changes that are left out because they are too many.
    pub(super) more: u64,
}

/// Runs it.
pub(super) fn run(matches: &ArgMatches) -> Result<Exit> {
    let cancel = interruptible();
    let mut unread = 0;
    let trees = match read(matches, &cancel, &mut unread) {
        Ok(trees) => trees,
        Err(error) => return Ok(failure(&error)),
    };
    let measure = match matches.get_flag("apparent") {
        true => Measure::Apparent,
        false => Measure::Allocated,
    };
    let [first, .., last] = &trees[..] else {
        anyhow::bail!("two trees are needed");
    };
    Ok(match tell(matches, &trees, first, last, measure) {
        Ok(exit) => exit.worse(incomplete(unread)),
        Err(error) => failure(&error),
    })
}

fn tell(
    matches: &ArgMatches,
    trees: &[Loaded],
    first: &Loaded,
    last: &Loaded,
    measure: Measure,
) -> Result<Exit, SnapError> {
    trees.iter().for_each(warn);
    let comparison = compare(first, last, measure)?;
    let is_table = format(matches) == "table";
    let limit = matches.get_one::<usize>("limit").copied();
    let limit = limit.unwrap_or(if is_table { TOLD } else { usize::MAX });
    let is_all = matches.get_flag("all");
    let mut changes: Vec<&Change> = comparison.changes.iter().collect();
    changes.retain(|change| is_all || !change.is_inside);
    let count = |changes: &[&Change]| match is_all {
        true => changes.len() as u64,
        false => changes.iter().map(|change| change.entries).sum(),
    };
    let all = count(&changes);
    if is_table || limit < changes.len() {
        // Of equal ones the smaller path is first: the sort is stable.
        changes.sort_by_key(|change| std::cmp::Reverse(change.whole_growth().unsigned_abs()));
        changes.truncate(limit);
    }
    let told = Told {
        comparison: &comparison,
        trees,
        points: series(trees, measure)?,
        more: all - count(&changes),
        changes,
        dirs: comparison.dirs.get(..limit).unwrap_or(&comparison.dirs),
    };
    let mut out = Vec::new();
    match format(matches) {
        "json" => compare_json::push(&told, &mut out)?,
        "csv" => compare_csv::push(&told, &mut out)?,
        _ => compare_table::push(&told, &mut out)?,
    }
    Ok(write(matches, |file| Ok(file.write_all(&out)?)))
}

/// A tree that is not whole makes changes that are none.
fn warn(tree: &Loaded) {
    let path = shown(&groma_sys::path_bytes(&tree.path));
    if tree.is_partial {
        note(&format!("'{path}' is partial: its scan was ended early"));
    } else if tree.unread > 0 && tree.facts.is_some() {
        let count = tree.unread;
        let places = if count == 1 { "place" } else { "places" };
        note(&format!(
            "{count} {places} of '{path}' could not be read when it was taken"
        ));
    }
}

/// Opens all trees; `unread` counts what cannot be read today.
fn read(
    matches: &ArgMatches,
    cancel: &CancelToken,
    unread: &mut u64,
) -> Result<Vec<Loaded>, SnapError> {
    let mut trees: Vec<Loaded> = Vec::new();
    for path in files(matches, "tree") {
        let tree = match path.is_dir() {
            true => {
                let options = trees.last().map(|tree| &tree.about.source[..]);
                let options = ScanOptions::from_source(options.unwrap_or_default());
                let tree = read_now(matches, path, options, cancel)?;
                *unread += tree.unread;
                tree
            }
            false => load(path, false, cancel)?,
        };
        trees.push(tree);
    }
    Ok(trees)
}

fn read_now(
    matches: &ArgMatches,
    path: &Path,
    options: ScanOptions,
    cancel: &CancelToken,
) -> Result<Loaded, SnapError> {
    let request = LiveRequest {
        root: path.to_owned(),
        options,
        threads: thread_count(matches),
        now,
        cancel: cancel.clone(),
        keeps_partial: false,
        omit: None,
    };
    let reporter = Reporter::new(VOICE, matches.get_flag("show_errors"));
    let progress = Progress::new();
    let tree = watched(!reporter.show_errors, &progress, || {
        live(&request, &progress, &reporter)
    })?;
    Loaded::of_tree(path, &tree)
}

impl Told<'_> {
    /// Paths of an entry: where it is, and where it was if that is another place.
    pub(super) fn paths(
        &self,
        old: Option<u32>,
        new: Option<u32>,
        is_moved: bool,
    ) -> Result<(Vec<u8>, Option<Vec<u8>>), SnapError> {
        let path = |old, new| {
            let mut path = Vec::new();
            self.comparison.append_path(old, new, &mut path)?;
            Ok::<_, SnapError>(path)
        };
        let now = path(old, new)?;
        if !is_moved {
            return Ok((now, None));
        }
        let before = path(old, None)?;
        Ok((now, Some(before)))
    }

    /// The same of a change.
    pub(super) fn change_paths(
        &self,
        change: &Change,
    ) -> Result<(Vec<u8>, Option<Vec<u8>>), SnapError> {
        self.paths(change.old, change.new, change.kind == ChangeKind::Moved)
    }
}
