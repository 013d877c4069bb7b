//! `groma index`, from what was typed to the exit code.

mod add;
mod args;
mod check;
mod list;
mod progress;
mod refresh;
mod remove;
mod table;

use std::ffi::OsString;

use anyhow::Result;
use clap::ArgMatches;
use groma_engine::index::IndexError;

use crate::exit::Exit;
use crate::find::print_clap;
use crate::report::{chain, reason, say};

pub(crate) use add::{Reporter, now, options, threads as thread_count};
pub(crate) use args::{command, scanning, show_errors, threads};
pub(crate) use progress::watched;

/// The verb as it calls itself in messages.
const VOICE: &str = "groma index";

/// Runs the verb. `args` begin with the name it was started by.
pub(crate) fn run(args: Vec<OsString>) -> Exit {
    let command = command(VOICE).bin_name(VOICE);
    match command.try_get_matches_from(args) {
        Ok(matches) => dispatch(&matches).unwrap_or_else(|error| {
            complain(&chain(&error));
            Exit::Usage
        }),
        Err(error) => print_clap(&error),
    }
}

/// Errors up to here mean that nothing was started.
fn dispatch(matches: &ArgMatches) -> Result<Exit> {
    match matches.subcommand() {
        Some(("add", matches)) => add::run(matches),
        Some(("refresh", matches)) => refresh::run(matches),
        Some(("list", matches)) => list::run(matches),
        Some(("remove", matches)) => remove::run(matches),
        Some(("check", matches)) => check::run(matches),
        Some(("where", matches)) => list::run_where(matches),
        _ => Ok(Exit::Usage),
    }
}

/// Says that something went wrong.
fn complain(message: &str) {
    say(&format!("{VOICE}: {}", reason(message)));
}

/// What an error means for the exit code; an interruption has said all by its signal.
fn failure(error: &IndexError) -> Exit {
    if !matches!(error, IndexError::Cancelled) {
        complain(&error.to_string());
    }
    match error {
        IndexError::Rule(_) => Exit::Usage,
        _ => Exit::Failure,
    }
}

/// Whether `--format json` was asked for.
fn is_json(matches: &ArgMatches) -> bool {
    matches
        .get_one::<String>("format")
        .is_some_and(|format| format == "json")
}

/// Appends a member whose value is a path; its bytes in Base64 too where text cannot say them.
fn push_path(name: &str, path: &[u8], out: &mut Vec<u8>) {
    groma_formats::json::push_member(name, path, out);
}
