//! What is written is read back with the reader of the Parquet crate and compared with what the
//! entries are, row by row.

#![allow(clippy::unwrap_used, reason = "a test may end at once")]

mod limits;
mod read;
mod rows;
mod tree;
