//! Any bytes as the log of a segment: read, viewed, asked, folded, with and without right
//! checksums.

#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/catalog/tests/seeds/log.rs"]
mod log;
#[allow(dead_code, reason = "another target replays segments")]
#[path = "../../crates/catalog/tests/seeds/replay.rs"]
mod replay;

fuzz_target!(|bytes: &[u8]| log::replay(bytes));
