//! A root read by a walk into a builder.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64};

use groma_base::{BatchEntry, CancelToken, DirId, Kind, Metadata};
use groma_catalog::{Builder, View};
use groma_sys::{Dir, path_bytes};
use groma_walk::rules::{RuleSettings, Rules};
use groma_walk::{Reach, Root, RootDir, Walk, WalkOptions};

use super::devices::Devices;
use super::feed::{Feed, Pipe};
use super::findings::{Findings, Limit};
use super::old::{Old, OldMetadata};
use super::options::ScanOptions;
use super::progress::Progress;
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
}

/// What a scan came to.
pub(crate) struct Scanned<T> {
    pub(crate) found: T,
    pub(crate) devices: Devices,
    /// Places that could not be read.
    pub(crate) unread: u64,
}

/// What was known before, and whether its files are taken over unseen.
pub(crate) type Known = (View, bool);

/// A root about to be read.
struct Ready<'a> {
    walk: Walk,
    own: Metadata,
    shared: Shared<'a>,
}

/// Reads the tree below `path`, which is absolute and free of links, into a builder.
pub(crate) fn scan(
    path: &Path,
    options: &ScanOptions,
    old: Option<Known>,
    conditions: &Conditions<'_>,
) -> Result<Scanned<Builder>, IndexError> {
    let Ready { walk, own, shared } = ready(path, options, old, conditions)?;
    let (pipe, drain) = Pipe::new(conditions.threads);
    let mut first = pipe.feed();
    push_root(&mut first, &own);
    let builder = std::thread::scope(|scope| {
        let builder = scope.spawn(|| drain.collect());
        first.flush();
        drop(first);
        let (visitors, _) = walk.run(walk.start(false), Reach::Whole, |_| {
            ScanVisitor::new(&shared, Output::Feed(pipe.feed()))
        });
        drop((visitors, pipe));
        builder.join()
    });
    // A panic there is one here.
    let builder = builder.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    finish(builder, shared, conditions)
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
    } = ready(path, options, Some(known), conditions)?;
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
    path: &Path,
    options: &ScanOptions,
    old: Option<Known>,
    conditions: &Conditions<'a>,
) -> Result<Ready<'a>, IndexError> {
    let failed = |error| IndexError::Root {
        path: path.to_owned(),
        error,
    };
    let (dir, own) = open(path).map_err(failed)?;
    let bytes = path_bytes(path).into_owned();
    let shared = Shared {
        devices: Devices::new(&bytes, own.id.device, options),
        acl: options.acl,
        old: old.and_then(|(view, quick)| Old::new(view, quick, &own)),
        progress: conditions.progress,
        report: conditions.report,
        next_dir: AtomicU32::new(1),
        unread: AtomicU64::new(0),
    };
    let walk = walk(path, dir, options, conditions)?;
    Ok(Ready { walk, own, shared })
}

fn finish<T>(
    found: T,
    shared: Shared<'_>,
    conditions: &Conditions<'_>,
) -> Result<Scanned<T>, IndexError> {
    if conditions.cancel.is_cancelled() {
        return Err(IndexError::Cancelled);
    }
    Ok(Scanned {
        found,
        devices: shared.devices,
        unread: shared.unread.into_inner(),
    })
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

fn open(path: &Path) -> io::Result<(Dir, Metadata)> {
    let dir = Dir::open(path)?;
    let own = dir.own_metadata(true)?;
    Ok((dir, own))
}

fn walk(
    path: &Path,
    dir: Dir,
    options: &ScanOptions,
    conditions: &Conditions<'_>,
) -> Result<Walk, IndexError> {
    let mut prefix = path_bytes(path).into_owned();
    if !prefix.ends_with(b"/") {
        prefix.push(b'/');
    }
    let root = Root {
        prefix,
        dir: RootDir::Open(dir),
        absolute: PathBuf::from(path),
    };
    let walk_options = WalkOptions {
        threads: conditions.threads,
        rules: rules(options)?,
        cancel: conditions.cancel.clone(),
        ..WalkOptions::default()
    };
    Ok(Walk::new(walk_options, vec![root]))
}

fn rules(options: &ScanOptions) -> Result<Option<Rules>, IndexError> {
    if options.excludes.is_empty() {
        return Ok(None);
    }
    let mut settings = RuleSettings::none(options.cwd.clone());
    settings.excludes = options.excludes.clone();
    let (rules, _) = Rules::new(settings)?;
    Ok(Some(rules))
}

fn push_root(feed: &mut Feed, own: &Metadata) {
    feed.push(BatchEntry {
        parent: None,
        dir: Some(DirId(0)),
        name: b"",
        kind: Kind::Dir,
        has_acl: false,
        is_mount: false,
        is_broken: false,
        metadata: Some(own),
    });
}
