//! The seeds of the fuzzers for foreign forms, replayed without one; exports of ncdu in particular.

#![allow(clippy::unwrap_used, reason = "a test may end at once")]

mod ncdu;
mod ncdu_cases;
mod replay;

use std::fs;
use std::path::Path;

#[test]
fn seeds_hold() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/efu");
    let mut count = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        // Every beginning and every end of a seed is one more seed.
        for cut in 0..=bytes.len() {
            replay::replay(&bytes[..cut]);
            replay::replay(&bytes[cut..]);
        }
        count += 1;
    }
    assert!(count >= 6);
}

#[test]
fn seeds_of_exports_hold() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/ncdu");
    let mut count = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        for cut in 0..=bytes.len() {
            ncdu::replay(&bytes[..cut]);
            let mut changed = bytes.clone();
            if let Some(byte) = changed.get_mut(cut) {
                *byte ^= 0x11;
                ncdu::replay(&changed);
            }
        }
        count += 1;
    }
    assert!(count >= 5);
}
