//! The seeds of the fuzzers that need several crates, replayed without one.

#![allow(clippy::unwrap_used, reason = "a test may end at once")]

mod names;

use std::fs;
use std::path::Path;

/// Every seed, and every beginning and every end of it.
fn replay_all(target: &str, least: usize, replay: impl Fn(&[u8])) {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let mut count = 0;
    for entry in fs::read_dir(seeds.join(target)).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        for cut in 0..=bytes.len() {
            replay(&bytes[..cut]);
            replay(&bytes[cut..]);
        }
        count += 1;
    }
    assert!(count >= least, "{count} seeds of {target}");
}

#[test]
fn seeds_of_names_hold() {
    replay_all("names", 10, names::replay);
}
