//! Snapshots of scans that were ended early.

#![allow(clippy::unwrap_used, reason = "a test may end at once")]

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use groma_base::{CancelToken, Timestamp, Warning};
use groma_catalog::{KindFlags, Times};
use groma_engine::index::{Progress, Report, ScanOptions};
use groma_engine::snapshot::{LiveRequest, SaveRequest, SnapError, live, load, save, verify};

struct Quiet;

impl Report for Quiet {
    fn warn(&self, _: &Warning) {}
}

/// Ends a scan after so many questions about the time.
static LOOKS: AtomicU64 = AtomicU64::new(0);

fn now() -> Timestamp {
    LOOKS.fetch_add(1, Ordering::Relaxed);
    Timestamp::from_seconds(1_700_000_000)
}

fn request(root: &Path, cancel: &CancelToken, keeps_partial: bool) -> LiveRequest {
    LiveRequest {
        root: root.to_owned(),
        options: ScanOptions::default(),
        threads: 2,
        now,
        cancel: cancel.clone(),
        keeps_partial,
        omit: None,
    }
}

fn tree() -> tempfile::TempDir {
    let temp = tempfile::tempdir().unwrap();
    for outer in 0..60 {
        for inner in 0..20 {
            let dir = temp.path().join(format!("d{outer}/e{inner}"));
            fs::create_dir_all(&dir).unwrap();
            (0..5).for_each(|n| fs::write(dir.join(format!("f{n}")), "x").unwrap());
        }
    }
    temp
}

#[test]
fn a_scan_that_is_ended_at_once_keeps_its_root() {
    let temp = tree();
    let cancel = CancelToken::new();
    cancel.cancel();
    let (progress, file) = (Progress::new(), temp.path().with_extension("snap"));
    let saved = save(
        SaveRequest {
            live: request(temp.path(), &cancel, true),
            output: file.clone(),
            times: Times::All,
        },
        &progress,
        &Quiet,
    );
    assert!(saved.unwrap().facts.is_partial);
    let loaded = load(&file, true, &CancelToken::new()).unwrap();
    assert!(loaded.is_partial && !loaded.view.is_empty());
    assert!(loaded.view.kind(0).unwrap().has(KindFlags::UNREAD));
    verify(&file, &CancelToken::new()).unwrap();
    fs::remove_file(&file).unwrap();
    // Without being asked to, nothing is kept.
    let ended = live(&request(temp.path(), &cancel, false), &progress, &Quiet);
    assert!(matches!(ended, Err(SnapError::Cancelled)));
}

/// Wherever a scan is ended: what there is makes a tree, and a directory that is not marked has all
/// its entries.
#[test]
fn a_scan_that_is_ended_anywhere_is_sound_and_marked() {
    let temp = tree();
    let whole = live(
        &request(temp.path(), &CancelToken::new(), true),
        &Progress::new(),
        &Quiet,
    );
    let whole = whole.unwrap().view().unwrap();
    let mut cut = 0;
    for after in [0u64, 20, 60, 150, 400, 900, 2_000, 4_000, 6_000] {
        let (cancel, progress) = (CancelToken::new(), Progress::new());
        let tree = std::thread::scope(|scope| {
            let watch = scope.spawn(|| {
                while progress.entries() < after && !cancel.is_cancelled() {
                    std::thread::yield_now();
                }
                cancel.cancel();
            });
            let tree = live(&request(temp.path(), &cancel, true), &progress, &Quiet).unwrap();
            cancel.cancel();
            watch.join().unwrap();
            tree
        });
        let view = tree.view().unwrap();
        tree.segment.check(&CancelToken::new()).unwrap();
        cut += u32::from(view.len() < whole.len());
        for row in 0..view.len() {
            let flags = view.kind(row).unwrap();
            if !flags.is_dir() || flags.has(KindFlags::UNREAD) {
                continue;
            }
            let mut path = Vec::new();
            view.append_path(row, &mut path).unwrap();
            let same = whole.find(&path).unwrap().unwrap();
            let count = |view: &groma_catalog::View, row| view.children(row).unwrap().len();
            assert_eq!(count(&view, row), count(&whole, same));
        }
        if view.len() < whole.len() {
            assert!(tree.is_partial);
            let mut rows = 0..view.len();
            assert!(rows.any(|row| view.kind(row).unwrap().has(KindFlags::UNREAD)));
        }
    }
    assert!(cut > 0);
}
