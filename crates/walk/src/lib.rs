#![forbid(unsafe_code)]
//! See ARCHITECTURE.md.
