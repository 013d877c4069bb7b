#![forbid(unsafe_code)]
//! Many workers at once: nothing is lost, nothing is told twice, nobody waits for ever.

#![allow(clippy::unwrap_used, reason = "a test may end at once")]

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use groma_base::{CancelToken, Kind, Warning};
use groma_sys::Dir;
use groma_walk::{Found, Place, Reach, Root, RootDir, Step, Visitor, Walk, WalkOptions};

/// What a visitor does with the entries it is told.
#[derive(Clone)]
struct Script<'s> {
    /// Panics at the entry of this number.
    panics_at: usize,
    /// Cancels at the entry of this number.
    cancels_at: usize,
    /// Puts off every third directory.
    puts_off: bool,
    told: &'s AtomicUsize,
    cancel: CancelToken,
}

struct Recorder<'s> {
    script: Script<'s>,
    paths: BTreeMap<Vec<u8>, usize>,
}

impl Visitor for Recorder<'_> {
    fn entry(&mut self, place: &Place<'_>, found: &Found<'_>) -> Step {
        let number = self.script.told.fetch_add(1, Ordering::Relaxed);
        assert!(number != self.script.panics_at, "as the script has it");
        if number == self.script.cancels_at {
            self.script.cancel.cancel();
        }
        let path = [place.path, found.name.to_bytes()].concat();
        let later = self.script.puts_off && path.len() % 3 == 0;
        *self.paths.entry(path).or_default() += 1;
        match found.kind {
            Kind::Dir if later => Step::Later(0),
            _ => Step::Enter(0),
        }
    }

    fn warn(&mut self, warning: Warning) {
        panic!("{warning:?}");
    }
}

/// Every directory down to `depth` holds `width` directories and a file.
fn grow(at: &Path, width: usize, depth: usize) {
    std::fs::write(at.join("file"), b"").unwrap();
    for index in 0..if depth > 0 { width } else { 0 } {
        let dir = at.join(format!("d{index}"));
        std::fs::create_dir(&dir).unwrap();
        grow(&dir, width, depth - 1);
    }
}

fn walk(at: &Path, threads: usize, script: &Script<'_>, reach: Reach) -> BTreeMap<Vec<u8>, usize> {
    let root = Root {
        prefix: Vec::new(),
        dir: RootDir::Open(Dir::open(at).unwrap()),
        absolute: at.to_owned(),
        tag: 0,
    };
    let options = WalkOptions {
        threads,
        cancel: script.cancel.clone(),
        ..WalkOptions::default()
    };
    let walk = Walk::new(options, vec![root]);
    let mut all = BTreeMap::new();
    let mut frontier = walk.start(false);
    while !frontier.is_empty() {
        let make = |_| Recorder {
            script: script.clone(),
            paths: BTreeMap::new(),
        };
        let (visitors, next) = walk.run(frontier, reach, make);
        for (path, count) in visitors.into_iter().flat_map(|visitor| visitor.paths) {
            *all.entry(path).or_default() += count;
        }
        frontier = next;
    }
    all
}

fn script(told: &AtomicUsize) -> Script<'_> {
    Script {
        panics_at: usize::MAX,
        cancels_at: usize::MAX,
        puts_off: false,
        told,
        cancel: CancelToken::new(),
    }
}

/// Runs `job` on a thread of its own, and complains if it does not end.
fn in_time(job: impl FnOnce() + Send + 'static) {
    let (done, is_done) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        job();
        done.send(()).unwrap();
    });
    match is_done.recv_timeout(Duration::from_secs(100)) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("somebody waits for ever"),
        _ => thread.join().unwrap(),
    }
}

fn rounds(quick: usize) -> usize {
    quick
        * if std::env::var_os("GROMA_SOAK").is_some() {
            100
        } else {
            1
        }
}

#[test]
fn every_entry_is_told_once_by_any_number_of_workers() {
    in_time(|| {
        let dir = tempfile::tempdir().unwrap();
        grow(dir.path(), 4, 4);
        for round in 0..rounds(60) {
            let told = AtomicUsize::new(0);
            let mut script = script(&told);
            script.puts_off = round % 3 == 2;
            let reach = [Reach::Whole, Reach::Level][round % 2];
            let all = walk(dir.path(), [1, 2, 3, 8, 32][round % 5], &script, reach);
            assert_eq!(all.len(), 340 + 341);
            assert!(all.values().all(|&count| count == 1));
        }
    });
}

#[test]
fn small_trees_end_however_often_they_are_walked() {
    in_time(|| {
        for depth in 0..3 {
            let dir = tempfile::tempdir().unwrap();
            grow(dir.path(), 2, depth);
            let told = AtomicUsize::new(0);
            let wanted = walk(dir.path(), 1, &script(&told), Reach::Whole);
            for _ in 0..rounds(400) {
                let found = walk(dir.path(), 8, &script(&told), Reach::Whole);
                assert_eq!(found, wanted);
            }
        }
    });
}

#[test]
fn a_panic_ends_the_walk_and_is_passed_on() {
    in_time(|| {
        let dir = tempfile::tempdir().unwrap();
        grow(dir.path(), 4, 3);
        for round in 0..rounds(30) {
            let told = AtomicUsize::new(0);
            let mut script = script(&told);
            script.panics_at = round % 30 * 5;
            let threads = [1, 2, 16][round % 3];
            let walked = || walk(dir.path(), threads, &script, Reach::Whole);
            assert!(catch_unwind(AssertUnwindSafe(walked)).is_err());
        }
    });
}

#[test]
fn cancelling_ends_the_walk_soon() {
    in_time(|| {
        let dir = tempfile::tempdir().unwrap();
        grow(dir.path(), 4, 4);
        for round in 0..rounds(40) {
            let told = AtomicUsize::new(0);
            let mut script = script(&told);
            script.cancels_at = round % 40 * 3;
            let all = walk(dir.path(), [1, 2, 16][round % 3], &script, Reach::Whole);
            assert!(all.len() < 600, "{} were told", all.len());
        }
    });
}

#[test]
fn no_roots_are_no_work() {
    in_time(|| {
        let walk = Walk::new(WalkOptions::default(), Vec::new());
        let told = AtomicUsize::new(0);
        let make = |_| Recorder {
            script: script(&told),
            paths: BTreeMap::new(),
        };
        let (visitors, next) = walk.run(walk.start(false), Reach::Whole, make);
        assert!(visitors.iter().all(|visitor| visitor.paths.is_empty()) && next.is_empty());
    });
}
