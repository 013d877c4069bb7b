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
use super::old::Old;
use super::options::ScanOptions;
use super::progress::Progress;
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
pub(crate) struct Scanned {
    pub(crate) builder: Builder,
    pub(crate) devices: Devices,
    /// Places that could not be read.
    pub(crate) unread: u64,
}

/// Reads the tree below `path`, which is absolute and free of links. `old`: what was known before,
/// and whether its files are taken over unseen.
pub(crate) fn scan(
    path: &Path,
    options: &ScanOptions,
    old: Option<(View, bool)>,
    conditions: &Conditions<'_>,
) -> Result<Scanned, IndexError> {
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
    let (pipe, drain) = Pipe::new(conditions.threads);
    let mut first = pipe.feed();
    push_root(&mut first, &own);
    let builder = std::thread::scope(|scope| {
        let builder = scope.spawn(|| drain.collect());
        first.flush();
        drop(first);
        let (visitors, _) = walk.run(walk.start(false), Reach::Whole, |_| {
            ScanVisitor::new(&shared, pipe.feed())
        });
        drop((visitors, pipe));
        builder.join()
    });
    // A panic there is one here.
    let builder = builder.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    if conditions.cancel.is_cancelled() {
        return Err(IndexError::Cancelled);
    }
    Ok(Scanned {
        builder,
        devices: shared.devices,
        unread: shared.unread.into_inner(),
    })
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
