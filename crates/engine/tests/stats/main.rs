//! Statistics against a naive evaluation over the same entries.

#![allow(clippy::unwrap_used, reason = "a test may end at once")]

mod cases;
mod model;
mod oracle;
mod property;
