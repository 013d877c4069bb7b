//! End-to-end tests of the command line, on the real program.

#![allow(clippy::unwrap_used, reason = "a test may end at once")]

mod env;

mod beyond;
mod colour;
mod config;
mod delete;
mod excludes;
mod exec;
mod ignore;
mod index;
mod index_list;
mod json;
mod kinds;
mod listing;
mod map;
mod order;
mod output;
mod patterns;
mod query;
mod roots;
mod search;
mod search_forms;
mod search_oracle;
mod shells;
mod snapshot;
mod snapshot_ncdu;
mod stats;
mod terminal;
mod times;
mod traverse;
mod usage;
