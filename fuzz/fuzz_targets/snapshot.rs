//! Any bytes as a snapshot: opened, expanded, asked and verified, with and without right sums.

#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/catalog/tests/seeds/replay.rs"]
#[allow(dead_code, reason = "what opens segments is not needed here")]
mod replay;

#[path = "../../crates/catalog/tests/seeds/snapshot.rs"]
mod snapshot;

fuzz_target!(|bytes: &[u8]| snapshot::replay(bytes, |snapshot| {
    let viewed = snapshot.view().and_then(|view| replay::ask_view(&view));
    replay::ask(snapshot.segment()).is_ok() && viewed.is_ok()
}));
