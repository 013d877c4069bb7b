#![forbid(unsafe_code)]
//! Rows in foreign forms: what groma's results look like to terminals, scripts and programs.
//!
//! Everything here appends bytes to a `Vec<u8>` that the caller owns, but for [`html`], which is handed
//! a `Write` since a page is larger than memory should be. Nothing reads a disk, a
//! clock, an environment variable or a terminal: settings are handed in, the caller does the
//! writing. Names and paths are bytes; each form decides what becomes of bytes that are no text.

pub mod clipboard;
pub mod colour;
pub mod csv;
pub mod csv_writer;
pub mod efu;
pub mod efu_writer;
pub mod escape;
pub mod html;
pub mod hyperlink;
pub mod json;
pub mod long;
pub mod ncdu;
pub mod svg;
pub mod table;
pub mod template;
pub mod tsv;
pub mod value;

mod civil;
mod digits;
mod parts;
