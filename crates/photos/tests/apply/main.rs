//! Plans are applied, interrupted, resumed and undone on real file systems.

#![allow(clippy::unwrap_used, reason = "a test may end at once")]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test says why it is skipped"
)]
#![cfg(unix)]

mod basics;
mod crash;
mod faults;
mod random;
mod support;
mod undo;
