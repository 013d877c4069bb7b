//! Plans are applied, interrupted, resumed and undone on real file systems.

#![allow(clippy::unwrap_used, reason = "a test may end at once")]
#![cfg(unix)]

mod basics;
mod crash;
mod faults;
mod random;
mod support;
mod undo;
