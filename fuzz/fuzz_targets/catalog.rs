//! Any bytes as a segment: opened, asked and checked, with and without right checksums.

#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/catalog/tests/seeds/replay.rs"]
mod replay;

fuzz_target!(|bytes: &[u8]| replay::replay(bytes));
