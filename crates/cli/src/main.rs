#![forbid(unsafe_code)]
//! The `groma` program: arguments in, output and exit codes out.

mod completions;
mod config;
mod exit;
mod find;
mod help;
mod report;
mod verbs;

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    ExitCode::from(verbs::run(args).code())
}
