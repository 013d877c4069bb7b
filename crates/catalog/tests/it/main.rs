//! Tests through the public interface.

#![allow(clippy::unwrap_used, reason = "a test may end at once")]

mod builder;
mod bulk;
#[cfg(unix)]
mod changes;
mod compare;
mod damage;
mod delta;
#[cfg(unix)]
mod log;
mod model;
mod property;
mod samples;
mod seen;
mod snapshot;
#[cfg(unix)]
mod store;
mod tree;
