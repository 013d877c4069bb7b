//! A report as one HTML file: treemap, table, types, ages and search, in a page that needs nothing else.
//!
//! The page works from `file://` and asks for nothing outside of itself. It is written as a stream:
//! [`Report::begin`], [`Report::node`] for each node, a directory before what it holds, then
//! [`Report::end`]. However many nodes there are, the writer keeps one block of them.
//!
//! Nothing that a file system says ever reaches the HTML parser as it is. Nodes are columns of
//! numbers and bytes, deflated and written in base64; the texts of [`Meta`] are JSON without a `<`.
//! A Content-Security-Policy names the hashes of the one script and the one style sheet, so that
//! nothing else in the page can run. The page shows names as text, escaped like [`crate::escape::terminal`]
//! escapes them.

mod block;
mod meta;
mod page;
mod report;

pub use meta::{Category, Meta, Theme, Totals};
pub use report::{Node, Report};

/// The largest size that a page holds, 4 PiB less a byte: larger ones are written as this one. Numbers
/// in a browser are exact up to 2^53, and the difference of two sizes has a sign.
pub const MAX_SIZE: u64 = (1 << 52) - 1;
