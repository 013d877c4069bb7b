//! The seeds of the fuzzer for file lists, replayed without one.

#![allow(clippy::unwrap_used, reason = "a test may end at once")]

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
