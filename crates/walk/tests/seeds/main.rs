//! The seeds of the fuzzer for rules, replayed without one.

mod replay;

use std::fs;
use std::path::Path;

#[test]
fn seeds_hold() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/rules");
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
    assert!(count >= 8);
}

#[test]
fn patterns_that_ask_for_much_work_end_soon() {
    let stars = "*a".repeat(2_000);
    let deep = "**/".repeat(2_000);
    let name = "a".repeat(4_000);
    for pattern in [stars, deep + "b", "[".repeat(5_000), "{a,".repeat(3_000)] {
        replay::replay(format!("{pattern}\n{name}").as_bytes());
    }
}
