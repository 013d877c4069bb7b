#![forbid(unsafe_code)]
//! The query language and name patterns: text in, decisions out.
//!
//! * [`pattern`]: name patterns of `find`: regex, glob, fixed and exact text, extensions.

pub mod pattern;
