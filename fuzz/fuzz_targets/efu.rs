//! Everything's file lists of any bytes: no panic, no endless loop, lines in their order.

#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/formats/tests/seeds/replay.rs"]
mod replay;

fuzz_target!(|bytes: &[u8]| replay::replay(bytes));
