//! A root read by a walk into a builder.

use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use groma_base::{CancelToken, DirId, EntryBatch, FileId, Kind, Metadata};
use groma_catalog::{BuildError, Builder, View};
use groma_walk::rules::{RuleSettings, Rules};
use groma_walk::{Reach, Root, Visitor, Walk, WalkOptions};

use super::devices::Devices;
use super::feed::{Drain, Feed, Pipe};
use super::findings::{Findings, Limit};
use super::old::{Old, OldMetadata};
use super::options::ScanOptions;
use super::progress::Progress;
use super::start::Start;
use super::sweep::Sweep;
use super::told::{Output, Told};
use super::visitor::{ScanVisitor, Shared};
use super::{IndexError, Report};

/// What a scan is told besides the root and its options.
pub(crate) struct Conditions<'a> {
    pub(crate) threads: usize,
    pub(crate) progress: &'a Progress,
    pub(crate) report: &'a dyn Report,
    pub(crate) cancel: &'a CancelToken,
    /// A file that is left out: the one that the result is written to.
    pub(crate) omit: Option<FileId>,
    /// Whether a scan that is ended early gives what it has found until then.
    pub(crate) keeps_partial: bool,
}

/// What a scan came to.
pub(crate) struct Scanned<T> {
    pub(crate) found: T,
    pub(crate) devices: Devices,
    /// Places that could not be read.
    pub(crate) unread: u64,
    /// Whether it was ended before it was done.
    pub(crate) is_partial: bool,
}

/// What was known before, and whether its files are taken over unseen.
pub(crate) type Known = (View, bool);

/// A root about to be read.
struct Ready<'a> {
    walk: Walk,
    own: Metadata,
    first: EntryBatch,
    shared: Shared<'a>,
}

/// Reads the tree below `path`, which is absolute and free of links, into a builder.
pub(crate) fn scan(
    path: &Path,
    options: &ScanOptions,
    old: Option<Known>,
    conditions: &Conditions<'_>,
) -> Result<Scanned<Builder>, IndexError> {
    scan_from(start(path)?, options, old, conditions, Drain::collect)
}

/// Reads what a scan begins with and all that lies below, until it is cancelled. `collect` takes the
/// entries, on a thread of its own.
pub(crate) fn scan_from<T: Send>(
    start: Start,
    options: &ScanOptions,
    old: Option<Known>,
    conditions: &Conditions<'_>,
    collect: impl FnOnce(Drain) -> Result<T, BuildError> + Send,
) -> Result<Scanned<T>, IndexError> {
    let Ready {
        walk,
        own: _,
        first,
        shared,
    } = ready(start, options, old, conditions)?;
    let (pipe, drain) = Pipe::new(conditions.threads);
    let found = std::thread::scope(|scope| {
        let found = scope.spawn(|| collect(drain));
        pipe.feed().send(first);
        let (visitors, _) = walk.run(walk.start(false), Reach::Whole, |_| {
            ScanVisitor::new(&shared, Output::Feed(pipe.feed()))
        });
        // One that was interrupted has not handed on everything.
        let mut visitors = visitors;
        visitors.iter_mut().for_each(Visitor::idle);
        if conditions.keeps_partial && conditions.cancel.is_cancelled() {
            mark_left(&shared, visitors, pipe.feed());
        } else {
            drop(visitors);
        }
        drop(pipe);
        found.join()
    });
    // A panic there is one here.
    let found = found.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    finish(found, shared, conditions)
}

fn start(path: &Path) -> Result<Start, IndexError> {
    Start::one(path).map_err(|error| IndexError::Root {
        path: path.to_owned(),
        error,
    })
}

/// Reads the same tree, and notes what has changed. `None`: that is too much to be noted.
pub(crate) fn changes(
    path: &Path,
    options: &ScanOptions,
    known: Known,
    conditions: &Conditions<'_>,
) -> Result<Option<Scanned<Vec<Findings>>>, IndexError> {
    let entries = known.0.len();
    let Ready {
        walk,
        own,
        mut shared,
        ..
    } = ready(start(path)?, options, Some(known), conditions)?;
    let limit = Limit::new(entries);
    if let Some(old) = shared.old.as_mut().filter(|old| old.quick) {
        // What is damaged there is found by the walk, which then relies on nothing.
        old.sweep = Sweep::run(old, path, conditions.threads, conditions.cancel).ok();
    }
    let Some(old) = &shared.old else {
        return Ok(None);
    };
    let mut all = vec![root_findings(old, &limit, &own)];
    let (visitors, _) = walk.run(walk.start(false), Reach::Whole, |_| {
        let output = Output::Changes {
            old: OldMetadata::new(old),
            limit: &limit,
            findings: Findings::default(),
            entries: 0,
        };
        ScanVisitor::new(&shared, output)
    });
    all.extend(visitors.into_iter().filter_map(ScanVisitor::into_findings));
    if limit.is_passed() {
        return Ok(None);
    }
    finish(all, shared, conditions).map(Some)
}

fn ready<'a>(
    start: Start,
    options: &ScanOptions,
    old: Option<Known>,
    conditions: &Conditions<'a>,
) -> Result<Ready<'a>, IndexError> {
    let own = start.own;
    let devices = start.devices.iter();
    let devices: Vec<_> = devices.map(|(path, device)| (&path[..], *device)).collect();
    let shared = Shared {
        devices: Devices::new(&devices, options),
        acl: options.acl,
        exclude_caches: options.exclude_caches,
        old: old.and_then(|(view, quick)| Old::new(view, quick, &own)),
        progress: conditions.progress,
        report: conditions.report,
        next_dir: AtomicU32::new(start.dirs),
        unread: AtomicU64::new(0),
        omit: conditions.omit,
        notes_done: conditions.keeps_partial.then(|| conditions.cancel.clone()),
    };
    Ok(Ready {
        walk: walk(start.roots, options, conditions)?,
        own,
        first: start.first,
        shared,
    })
}

fn finish<T>(
    found: T,
    shared: Shared<'_>,
    conditions: &Conditions<'_>,
) -> Result<Scanned<T>, IndexError> {
    let is_partial = conditions.cancel.is_cancelled();
    if is_partial && !conditions.keeps_partial {
        return Err(IndexError::Cancelled);
    }
    Ok(Scanned {
        is_partial,
        found,
        devices: shared.devices,
        unread: shared.unread.into_inner(),
    })
}

/// Marks the directories whose entries an ended scan did not tell, or not all of them.
fn mark_left(shared: &Shared<'_>, visitors: Vec<ScanVisitor<'_>>, mut feed: Feed) {
    let mut is_done = vec![false; shared.next_dir.load(Ordering::Relaxed) as usize];
    for dir in visitors.into_iter().flat_map(ScanVisitor::into_done) {
        if let Some(done) = is_done.get_mut(dir as usize) {
            *done = true;
        }
    }
    for (dir, _) in (0u32..).zip(&is_done).filter(|(_, done)| !**done) {
        feed.mark_unread(DirId(dir));
    }
    feed.flush();
}

/// What has changed about the root itself.
fn root_findings(old: &Old, limit: &Limit, own: &Metadata) -> Findings {
    let mut findings = Findings::default();
    let told = Told {
        parent: DirId(0),
        parent_ref: None,
        dir: Some(DirId(0)),
        old: Some(old.root()),
        is_new_dir: false,
        name: b"",
        kind: Kind::Dir,
        has_acl: false,
        is_mount: false,
        is_broken: false,
        metadata: Some(own),
    };
    findings.put(&mut OldMetadata::new(old), limit, &told);
    findings
}

fn walk(
    roots: Vec<Root>,
    options: &ScanOptions,
    conditions: &Conditions<'_>,
) -> Result<Walk, IndexError> {
    let walk_options = WalkOptions {
        threads: conditions.threads,
        rules: rules(options)?,
        cancel: conditions.cancel.clone(),
        ..WalkOptions::default()
    };
    Ok(Walk::new(walk_options, roots))
}

fn rules(options: &ScanOptions) -> Result<Option<Rules>, IndexError> {
    if options.excludes.is_empty() && options.exclude_files.is_empty() {
        return Ok(None);
    }
    let mut settings = RuleSettings::none(options.cwd.clone());
    settings.excludes = options.excludes.clone();
    settings.ignore_files = options.exclude_files.clone();
    let (rules, _) = Rules::new(settings)?;
    Ok(Some(rules))
}
