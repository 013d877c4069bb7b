#![forbid(unsafe_code)]
//! Photos and videos into one dated library, in four stages: what is there (scan), what its files tell of
//! themselves (facts), what is to become of each (plan), and doing that so that nothing is lost (apply).
//!
//! Nothing here reads a clock, an environment or a terminal; no directory is walked: candidates are handed in.

pub mod apply;
mod capture;
mod dated;
mod input;
mod media;
pub mod plan;

pub use capture::{Capture, DateFact, Origin, Position, Stamp};
pub use dated::{Confidence, Dated, Taken};
pub use input::{Identity, Input};
pub use media::{Family, Format};
