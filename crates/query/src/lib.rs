#![forbid(unsafe_code)]
//! The query language and name patterns: text in, decisions out.
//!
//! * [`pattern`]: name patterns of `find`: regex, glob, fixed and exact text, extensions.
//! * [`fields`], [`flags`], [`modifiers`], [`groups`]: the words of the language, one table each.
//! * [`syntax`]: a line of text to a tree, or to all that is wrong with it; and back.
//! * [`bind`]: the tree with its words turned into values, for now and for this machine.
//! * [`bound`]: the bound form, and its answer for one entry.
//! * [`select`]: its answer for all entries of a catalog's view.
//! * [`sort`]: the first of these in a wanted order, and sums over them.

pub mod bind;
pub mod bound;
mod eval;
pub mod fields;
pub mod flags;
pub mod groups;
pub mod modifiers;
pub mod pattern;
pub mod perm;
pub mod select;
pub mod sort;
pub mod syntax;
#[cfg(test)]
mod testing;

/// The guide to the language, in Markdown; its examples and tables are tested.
pub const GUIDE: &str = include_str!("../../../docs/query.md");
