//! Tests through the public interface.

#![allow(clippy::unwrap_used, reason = "a test may end at once")]

mod deletion;
mod filter;
mod marks;
mod refresh;
