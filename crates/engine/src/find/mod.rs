//! `find`: a live walk, filtered, told in some order.

mod collect;
mod entry;
mod filter;
mod json;
mod long;
mod names;
mod order;
mod remove;
mod render;
mod roots;
mod run;
mod shelf;
mod sink;
mod stream;
mod tree;
mod visitor;
mod writer;

pub use filter::{Filter, KindSet, NumberFilter, OwnerFilter};
pub use groma_walk::rules::{GitEnvironment, RuleError, RuleSettings};
pub use json::JsonWriter;
pub use long::{LongListing, list};
pub use names::IdCache;
pub use order::{Order, SortField};
pub use remove::{Doomed, doomed, remove};
pub use render::{Renderer, Style};
pub use roots::RootSpec;
pub use run::{FindRequest, find};
pub use sink::{Outcome, Sink};
