#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a test may end at once")]
//! The program under conditions that are unusual, large, hostile or hasty.
//!
//! Each module has one theme. All run the real program in a sealed environment; several compare
//! it with GNU find or with a model. `GROMA_SOAK=1` makes everything longer and larger. They run
//! as root, as tests of permissions and mounts must.

mod deep;
mod delete;
mod descriptors;
mod env;
mod fuse;
mod fuse_fs;
mod index;
mod interrupt;
mod links;
mod load;
mod map;
mod oracle;
mod oracle_order;
mod random_tree;
mod rng;
mod roots;
mod sizes;
mod unreadable;
