//! Patterns, templates and escapes on any bytes: no panic, and what is escaped stays escaped.

#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/engine/tests/seeds/names.rs"]
mod names;

fuzz_target!(|bytes: &[u8]| names::replay(bytes));
