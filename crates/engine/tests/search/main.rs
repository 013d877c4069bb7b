//! Searches of catalogs whose roots are made up, against answers worked out naively.

#![allow(clippy::unwrap_used, reason = "a test may end at once")]

mod fixture;
mod forms;
mod order;
mod roots;
mod unusual;
