//! Rule files of any bytes on paths of any bytes: no panic, no endless loop, and the same answer
//! when asked twice.

#![no_main]
#![forbid(unsafe_code)]

#[path = "../../crates/walk/tests/seeds/replay.rs"]
mod replay;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| replay::replay(bytes));
