#![forbid(unsafe_code)]
//! The project's own chores.

fn main() {}
