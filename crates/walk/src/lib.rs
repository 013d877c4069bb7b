#![forbid(unsafe_code)]
//! A root in, a stream of entries out: the parallel walk and the rules of what it leaves out.
//!
//! Start reading at [`Walk`]; [`Visitor`] is what a caller implements.

mod budget;
mod crew;
mod node;
mod options;
mod queue;
mod rule_files;
pub mod rules;
mod task;
mod visited;
mod visitor;
mod walk;
mod worker;

pub use options::{Root, RootDir, WalkOptions};
pub use visitor::{Found, Judged, Place, Step, Visitor};
pub use walk::{Frontier, Reach, Walk};
