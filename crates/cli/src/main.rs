#![forbid(unsafe_code)]
//! The `groma` program: arguments in, output and exit codes out.

mod catalog_dir;
mod completions;
mod config;
mod exit;
mod find;
mod help;
mod index;
mod map;
mod query;
mod report;
mod search;
mod snapshot;
mod stats;
mod stdout;
mod verbs;

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    let exit = verbs::run(args);
    // As a shell tells it of a command that a signal ended.
    ExitCode::from(groma_sys::interrupted_by().map_or(exit.code(), |signal| 128 + signal))
}
