//! The seeds of the fuzzers for segments, their logs and snapshots, replayed without one.

#![allow(clippy::unwrap_used, reason = "a test may end at once")]

mod log;
mod replay;
mod snapshot;

use std::fs;
use std::path::Path;

#[test]
fn seeds_hold() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/catalog");
    let mut count = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        replay::replay(&bytes);
        // A byte changed here and there, and the file cut there, are more seeds.
        for at in (0..bytes.len()).step_by(127) {
            replay::replay(&bytes[..at]);
            let mut changed = bytes.clone();
            changed[at] = changed[at].wrapping_add(0x55);
            replay::replay(&changed);
        }
        count += 1;
    }
    assert!(count >= 3);
}

#[test]
fn seeds_of_logs_hold() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/log");
    let mut count = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        log::replay(&bytes);
        for at in (0..bytes.len()).step_by(29) {
            log::replay(&bytes[..at]);
            let mut changed = bytes.clone();
            changed[at] = changed[at].wrapping_add(0x55);
            log::replay(&changed);
        }
        count += 1;
    }
    assert!(count >= 3);
}

#[test]
fn seeds_of_snapshots_hold() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/snapshot");
    let mut count = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        let ask = |snapshot: &groma_catalog::Snapshot| {
            let viewed = snapshot.view().and_then(|view| replay::ask_view(&view));
            replay::ask(snapshot.segment()).is_ok() && viewed.is_ok()
        };
        snapshot::replay(&bytes, ask);
        for at in (0..bytes.len()).step_by(97) {
            snapshot::replay(&bytes[..at], ask);
            let mut changed = bytes.clone();
            changed[at] = changed[at].wrapping_add(0x55);
            snapshot::replay(&changed, ask);
        }
        count += 1;
    }
    assert!(count >= 3);
}
