#![forbid(unsafe_code)]
//! The groma program.

fn main() {}
