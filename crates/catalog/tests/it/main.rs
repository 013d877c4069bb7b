//! Tests through the public interface.

#![allow(clippy::unwrap_used, reason = "a test may end at once")]

mod builder;
mod bulk;
mod compare;
mod damage;
mod model;
mod property;
mod samples;
#[cfg(unix)]
mod store;
