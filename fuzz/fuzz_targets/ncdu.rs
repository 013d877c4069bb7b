//! Exports of ncdu of any bytes: no panic, no endless loop, and what is written reads back.

#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/formats/tests/seeds/ncdu.rs"]
mod ncdu;

fuzz_target!(|bytes: &[u8]| ncdu::replay(bytes));
