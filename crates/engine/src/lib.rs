#![forbid(unsafe_code)]
//! One function per verb: the only interface that front-ends call.
//!
//! Nothing here touches a terminal, the environment or the wall clock; a front-end hands in what is
//! needed of them.

pub mod catalogs;
pub mod find;
pub mod index;
pub mod map;
pub mod search;
pub mod snapshot;
pub mod stats;
mod threads;
