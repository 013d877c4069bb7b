#![forbid(unsafe_code)]
//! The query language and name patterns: text in, decisions out.
//!
//! * [`pattern`]: name patterns of `find`: regex, glob, fixed and exact text, extensions.
//! * [`fields`], [`flags`], [`modifiers`], [`groups`]: the words of the language, one table each.
//! * [`syntax`]: a line of text to a tree, or to all that is wrong with it; and back.

pub mod fields;
pub mod flags;
pub mod groups;
pub mod modifiers;
pub mod pattern;
pub mod syntax;
